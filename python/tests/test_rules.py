"""What is known of the rules: their text, drawings, reports and perspectives."""

import warnings

import numpy as np
import pytest

import rgc
from shared import load


def test_the_rules_are_shown() -> None:
    game = load("ticTacToe.hrg")
    small = rgc.loads(game.to_rg(level=2), language="rg")
    assert [small.perft(depth) for depth in range(4)] == [game.perft(depth) for depth in range(4)]
    assert len(game.to_rg(level=2)) < len(game.to_rg())
    assert game.graph().startswith("<svg") and game.graph("dot", level=0).startswith("digraph")
    for wrong in (lambda: game.graph("png"), lambda: game.graph(level=3)):
        with pytest.raises(ValueError):
            wrong()


def test_sums_and_perspectives() -> None:
    sums = {name: load(name).utility_sum for name in ("connectFour.hrg", "ticTacToe.rbg", "kuhnPoker.hrg", "backgammon.hrg")}
    # A game of backgammon may be won twice and three times.
    assert sums == {"connectFour.hrg": 100, "ticTacToe.rbg": 100, "kuhnPoker.hrg": 4, "backgammon.hrg": None}
    for name in ("breakthrough.hrg", "breakthrough.sbg", "breakthrough.rbg"):
        game = load(name)
        seen = game.perspectives
        assert seen.shape == (2, len(game.channels)) and (np.sort(seen, axis=1) == np.arange(seen.shape[1])).all()
        assert (seen[0] == np.arange(seen.shape[1])).all()
        pieces = [channel for channel in range(seen.shape[1]) if seen[1, channel] != channel and game.channels[channel].startswith("board")]
        assert len(pieces) == 2, name
        # At the beginning, as many pieces of each.
        planes = game.new_initial_state().observation_tensor()
        assert planes[pieces[0]].sum() == planes[pieces[1]].sum() == 16
    assert not game.simultaneous and load("matchingPennies.gdl").simultaneous


# A keeper with a choice: no proper game.
IMPROPER = """
type Player = { a };
type Score = { 0, 1 };
begin, x: player = a;
x, y: $ go;
y, z: player = keeper;
z, end: goals[a] = 1;
z, end: goals[a] = 0;
"""


def test_reports_are_those_of_the_command_line() -> None:
    game = load("ticTacToe.hrg")
    report, again = (game.audit(playouts=300, positions=50) for _ in range(2))
    assert str(report) == str(again) and not report.wrong and report.findings == []
    # Plays take from 5 to 9 moves.
    length = report.data["sample"]["length"]
    assert (length["least"], length["greatest"]) == (5, 9) and 7 < length["mean"]["value"] < 8.5
    assert report.data["sample"]["plays"] == 300 and "proper" not in report.data
    assert not load("nim.hrg").audit(playouts=5, proper=True).wrong
    assert report.html().startswith("<!") and "<svg" in report.html() and "srcdoc" in report._repr_html_()
    wrong = rgc.loads(IMPROPER, language="rg").audit(playouts=5, positions=50, proper=True)
    assert wrong.wrong and wrong.data["proper"]["violated"]
    for options in ({"playouts": 0}, {"playouts": -1}, {"positions": 0}, {"max_plies": 2**40}):
        with pytest.raises(ValueError, match="is a number from 1 to 100000000, not"):
            game.audit(**options)


def test_drawings_are_shown_in_notebooks() -> None:
    drawn = load("ticTacToe.hrg").graph()
    assert isinstance(drawn, str) and drawn.startswith("<svg") and drawn._repr_svg_() == str(drawn)
    assert type(load("ticTacToe.hrg").graph("dot")) is str


def test_perspectives_that_no_name_tells_are_a_warning() -> None:
    text = "type Player = { one, two };\ntype Score = { 0, 1 };\ntype C = { x, y };\nvar c: C = x;\n"
    text += "begin, a: player = one;\na, b: $ go;\nb, c: c = y;\nc, d: player = two;\nd, e: $ stop;\ne, f: c == y;\nf, g: player = keeper;\ng, end: goals[one] = 1;\n"
    game = rgc.loads(text, language="rg")
    assert game.channels
    with pytest.warns(UserWarning, match="no channel has the name of a player in it"):
        orders = game.perspectives
    assert (orders == np.arange(len(game.channels))).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (load("breakthrough.rbg").perspectives[1] != np.arange(len(load("breakthrough.rbg").channels))).any()
        # Seats stay where they are; a variable of the rules that says the same is a player's own.
        game = load("ticTacToe.hrg")
        moved = [game.channels[at] for at in np.flatnonzero(game.perspectives[1] != np.arange(len(game.channels)))]
    assert moved == ["me = crosses", "me = noughts"]
