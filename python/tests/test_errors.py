"""Errors: they say where something is wrong, and name arguments."""

import pickle
from pathlib import Path

import pytest

import rgc
from shared import load


def test_errors_say_where() -> None:
    with pytest.raises(rgc.GameError) as caught:
        rgc.loads("#players = white(100)\n#pieces = e\n", language="rbg", name="mine.rbg")
    finding = caught.value.findings[0]
    assert finding.severity == "error" and finding.line >= 1 and finding.code.startswith("RBG")
    assert "mine.rbg" in str(caught.value)
    other = pickle.loads(pickle.dumps(caught.value))
    assert str(other) == str(caught.value) and other.findings[0].message == finding.message
    with pytest.raises(rgc.GameError, match="no such file, and no bundled game"):
        rgc.load("nothing")
    with pytest.raises(ValueError, match="not \"moved\""):
        rgc.load("ticTacToe", actions="moved")  # type: ignore[arg-type]
    state = load("ticTacToe.hrg").new_initial_state()
    state.apply_action(4)
    for wrong in (4, 9, -1, 2**40):
        with pytest.raises(rgc.IllegalAction):
            state.apply_action(wrong)
    assert state.history() == [4]
    with pytest.raises(rgc.IllegalAction):
        state.string_to_action("z9")
    with pytest.raises(ValueError):
        state.game.state_from_bytes(b"nonsense")
    for player in (2, 7, -2, -5):
        for asked in (state.observation_tensor, state.observation_string, state.information_state_string, state.player_return, state.legal_actions, state.legal_actions_mask):
            with pytest.raises(ValueError, match=rf"there is no player {player}: the players of ticTacToe are 0 \('\w+'\), 1 \('\w+'\)"):
                asked(player)
        with pytest.raises(ValueError, match=rf"there is no player {player}: the players of ticTacToe are 0 \('\w+'\), 1 \('\w+'\)"):
            state.action_to_string(player, 3)
    for wrong in (99, -1):
        with pytest.raises(ValueError, match="the actions are the numbers from 0 to 8"):
            state.action_to_string(0, wrong)


def test_errors_name_arguments_of_python(tmp_path: Path) -> None:
    unknown = tmp_path / "game.unknown"
    unknown.write_text("what is this?")
    for read in (lambda: rgc.loads("what is this?"), lambda: rgc.load(unknown)):
        with pytest.raises(rgc.GameError, match="with `language`") as caught:
            read()
        assert "--from" not in str(caught.value) and any("with `language`" in note for finding in caught.value.findings for note in finding.notes)
    with pytest.raises(rgc.GameError, match='`language="hrg"`') as caught:
        rgc.loads(load("ticTacToe.hrg").source, language="rbg")
    assert "--from" not in str(caught.value)


def test_counts_that_make_no_sense_are_named() -> None:
    game = load("ticTacToe.hrg")
    calls = {
        "depth": lambda: game.perft(-1),
        "n": lambda: game.playouts(-1),
        "level": lambda: game.to_rg(level=-1),
        "playouts": lambda: game.audit(playouts=-1),
        "max_plies": lambda: game.batch(1, max_plies=-1),
        "max_observed": lambda: game.batch(1, max_observed=-1),
        "threads": lambda: game.batch(1, threads=-1),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=rf"`{name}` is (at least [01]|a number from 1 to \d+), not -1"):
            call()
    for call in (lambda: game.batch(-1), lambda: game.batch(2).reset(-1), lambda: game.perft(2**40)):
        with pytest.raises(ValueError, match="^`(n|seed|depth)` is "):
            call()


def test_rules_that_fail_say_where() -> None:
    text = "type Player = { a, b };\ntype Score = { 0, 1 };\ntype C = { x, y };\nvar c: C = x;\nbegin, s: player = a;\ns, t: c == y;\nt, u: player = keeper;\nu, end: ;\n"
    with pytest.raises(rgc.GameError, match="--> game:[56]:") as caught:
        rgc.loads(text, language="rg").new_initial_state()
    assert caught.value.findings[0].line in (5, 6)


def test_scores_that_are_no_numbers_are_a_finding() -> None:
    text = "type Player = { x };\ntype Score = { lost, won };\nbegin, a: player = x;\na, b: $ go;\nb, c: player = keeper;\nc, end: goals[x] = won;\n"
    with pytest.warns(rgc.ScoreWarning):
        game = rgc.loads(text, language="rg")
    codes = [finding.code for finding in game.audit(playouts=5, positions=5).findings]
    assert "IO388" in codes
    known = rgc.loads(text, language="rg", utilities={"won": 1, "lost": -1})
    assert "IO388" not in [finding.code for finding in known.audit(playouts=5, positions=5).findings]


def test_what_a_state_is_asked_for_is_named() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    for wrong in (3, None, ("board", 3)):
        with pytest.raises(TypeError, match="a state has values by the name of a variable, or a name with keys"):
            state[wrong]
    for utilities, said in (({"100": "a"}, "worth a number, not 'a'$"), ({0.5: 1}, r"as keys, not 0\.5$")):
        with pytest.raises(TypeError, match=said):
            rgc.load("ticTacToe.hrg", utilities=utilities)
