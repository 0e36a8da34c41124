"""What is said of rules: warnings when they are read, errors in play with their place, and reports."""

import pickle
import warnings

import pytest

import rgc
from shared import load

# The condition on whose turn it is names no fluent; the rules never hand over, so that the keeper chooses.
MISSPELT = ("ticTacToe.gdl", "(true (control", "(true (contrl", "GDL627")
NO_TURN = ("ticTacToe.hrg", "    player = me\n", "", "RT203")
ENDLESS = """
domain Player = a
domain Score = 0
n: Player = a
graph rules() { loop { n = a } }
"""


def changed(name: str, old: str, new: str) -> str:
    """The rules of a bundled game with an error."""
    source = load(name).source
    assert old in source
    return source.replace(old, new, 1)


def quietly(text: str, language: str) -> rgc.Game:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rgc.RulesWarning)
        return rgc.loads(text, language=language)


@pytest.mark.parametrize(("name", "old", "new", "code"), [MISSPELT, NO_TURN], ids=lambda value: value[:12].strip())
def test_what_is_probably_wrong_is_a_warning(name: str, old: str, new: str, code: str) -> None:
    language = name.rsplit(".", 1)[1]
    with pytest.warns(rgc.RulesWarning, match=rf"warning\[{code}\]: .*\n +--> game:\d+:\d+") as caught:
        game = rgc.loads(changed(name, old, new), language=language)
    assert len(caught) == 1 and issubclass(rgc.RulesWarning, UserWarning)
    found = [finding for finding in game.findings if finding.severity == "warning"]
    assert code in [finding.code for finding in found] and all(finding.message in str(caught[0].message) for finding in found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It was said when the rules were read.
        assert [repr(finding) for finding in pickle.loads(pickle.dumps(game)).findings] == [repr(finding) for finding in game.findings]


def test_bundled_games_are_read_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("ticTacToe.gdl", "ticTacToe.hrg", "breakthrough.rbg", "kuhnPoker.hrg"):
            game = rgc.load(name)
            assert [finding for finding in game.findings if finding.severity != "note"] == []
            assert rgc.loads(game.source, language=game.language) == game


def test_errors_in_play_are_those_of_the_command_line() -> None:
    game = quietly(changed(*MISSPELT[:3]), "gdl")
    for call, first in ((game.new_initial_state, "error[GDL671]"), (lambda: game.batch(2), "game 0 of the batch: error[GDL671]"), (lambda: game.playouts(1), "error[GDL671]")):
        with pytest.raises(rgc.GameError) as caught:
            call()
        (finding,) = caught.value.findings
        said = str(caught.value)
        assert said.startswith(first) and finding.message in said and f":{finding.line}:{finding.column}\n" in said and finding.line > 0


def test_errors_in_play_have_a_place_though_the_rules_were_optimised() -> None:
    with pytest.raises(rgc.GameError, match=r"error\[RT201\]: the keeper has no move\n +--> game:5:7") as caught:
        quietly(ENDLESS, "hrg").new_initial_state()
    assert [(finding.line, finding.column) for finding in caught.value.findings] == [(5, 7)]


def test_reports_say_why_plays_fail() -> None:
    report = quietly(changed(*MISSPELT[:3]), "gdl").audit(playouts=20)
    finding = next(finding for finding in report.findings if finding.severity == "error")
    assert f"{finding.line}:{finding.column}: {finding.message} ({finding.code})" in str(report)
    assert report.data["error"] == {"code": finding.code, "message": finding.message, "at": [finding.line, finding.column]}
    assert "20 more ended in an error" in str(report) and report.wrong
    sound = load("ticTacToe.hrg").audit(playouts=20)
    assert "error" not in sound.data and sound.data["sample"]["plays"] == 20
    # The plays of the reference engine are not those that were asked for.
    assert "playouts of the reference engine" in str(load("breakthrough.rbg").audit(playouts=5, positions=50))
