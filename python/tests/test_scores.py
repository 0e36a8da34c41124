"""What scores are worth."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import rgc
from rgc import distributed
from shared import load

NAMED = """
type Player = { one, two };
type Score = { drawn, lost, won };
begin, x: player = one;
x, win: $ win;
x, lose: $ lose;
x, draw: $ draw;
win, win2: player = keeper;
win2, win3: goals[one] = won;
win3, over: goals[two] = lost;
lose, lose2: player = keeper;
lose2, lose3: goals[one] = lost;
lose3, over: goals[two] = won;
over, end: player = keeper;
draw, end: player = keeper;
"""
WORTH = {"won": 1, "drawn": 0, "lost": -1.0}


def returns(game: rgc.Game, move: str) -> list[float]:
    state = game.new_initial_state()
    state.apply_move(move)
    return state.returns()


def test_scores_that_are_no_numbers_are_said_to_be_ranks() -> None:
    with pytest.warns(rgc.ScoreWarning, match='not all scores of game are numbers.*utilities={"drawn": 0, "lost": 1, "won": 2}'):
        game = rgc.loads(NAMED, language="rg")
    assert game.utilities == [0, 1, 2] and returns(game, "win") == [2, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Games that are unpickled were warned of, and numbers need no word.
        assert pickle.loads(pickle.dumps(game)) == game
        rgc.loads(NAMED, language="rg", utilities=WORTH)
        rgc.load("kuhnPoker.hrg")


def test_utilities_are_what_is_said() -> None:
    game = rgc.loads(NAMED, language="rg", utilities=WORTH)
    assert dict(zip(game.score_names, game.utilities, strict=True)) == WORTH
    assert [returns(game, move) for move in ("win", "lose", "draw")] == [[1, -1], [-1, 1], [0, 0]] and game.utility_sum == 0
    again = pickle.loads(pickle.dumps(game))
    assert again == game and hash(again) == hash(game) and again.utilities == game.utilities
    batch = game.batch(3)
    batch.reset()
    actions = [game.new_initial_state().string_to_action(move) for move in ("win", "lose", "draw")]
    assert batch.step(actions)[1].tolist() == [[1, -1], [-1, 1], [0, 0]]
    # Numbers may be given as such, and those that are not named stay what they are.
    numbers = rgc.load("ticTacToe.hrg", utilities={100: 1, "0": -1})
    assert sorted(zip(numbers.score_names, numbers.utilities, strict=True)) == [("0", -1), ("100", 1), ("50", 50)]
    assert numbers != load("ticTacToe.hrg")


def test_agents_want_what_scores_are_worth() -> None:
    for utilities, move in ((WORTH, "win"), ({"won": -1, "drawn": 0, "lost": 1}, "lose"), ({"won": 0, "drawn": 5, "lost": 0}, "draw")):
        game = rgc.loads(NAMED, language="rg", utilities=utilities)
        # Alpha-beta wants to be ahead, which nobody is after a draw.
        for spec in ("greedy", "uct:200p", "flat:200p", *(["ab:depth=2"] if move != "draw" else [])):
            chosen = game.agent(spec, seed=1).choose(game.new_initial_state())
            assert game.action_to_string(chosen) == move, (spec, utilities)


def test_a_journal_knows_what_scores_are_worth(tmp_path: Any) -> None:
    journal = tmp_path / "games.jsonl"
    for utilities in (WORTH, {**WORTH, "drawn": 0.5}):
        game = rgc.loads(NAMED, language="rg", utilities=utilities)
        if utilities is WORTH:
            distributed.self_play(game, "random", 2, executor="serial", journal=journal)
        else:
            with pytest.raises(ValueError):
                distributed.self_play(game, "random", 2, executor="serial", journal=journal)


@pytest.mark.parametrize(
    ("utilities", "raised", "said"),
    [
        ({"won": 1}, ValueError, "it is not said what the score `drawn` is worth"),
        *(({**WORTH, "won": worth}, ValueError, "the score `won` is worth a finite number") for worth in (float("nan"), float("inf"), -float("inf"))),
        *(({**WORTH, "won": worth}, ValueError, "the score `won` is worth .*, but rewards are numbers in 32 bits") for worth in (1e39, -3.5e38, 1e300, 1e-60, -1e-46)),
        ({**WORTH, "best": 2}, ValueError, "there is no score `best`: the scores are drawn, lost, won"),
        ({**WORTH, "won": float("nan")}, ValueError, "a finite number, not NaN"),
        ({**WORTH, "won": "much"}, TypeError, "utilities"),
        (5, TypeError, "utilities"),
    ],
)
def test_wrong_utilities_are_refused(utilities: Any, raised: type[Exception], said: str) -> None:
    with pytest.raises(raised, match=said):
        rgc.loads(NAMED, language="rg", utilities=utilities)


def test_openspiel_takes_games_of_zero_sum_where_it_is_said() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    kinds = pyspiel.GameType.Utility
    # Proved: chips that one wins another loses; a win, a loss or a draw is all there is.
    for name, most in (("rgc_leducPoker", 13), ("rgc_chess_rbg", 50), ("rgc_breakthrough_rbg", 50)):
        game = pyspiel.load_game(name)
        assert game.get_type().utility == kinds.ZERO_SUM and game.max_utility() == most, name
    # Said: the rules do not tell. Every play that ends is looked at.
    name = "rgc_hex5_rbg"
    assert pyspiel.load_game(name).get_type().utility == kinds.GENERAL_SUM
    game = pyspiel.load_game(f"{name}(utility=zero_sum)")
    assert game.get_type().utility == kinds.ZERO_SUM and game.utility_sum() == 0
    rng, state = np.random.default_rng(1), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sorted(state.returns()) == [-50, 50]
    again = pickle.loads(pickle.dumps(state))
    assert again.returns() == state.returns() and again.get_game().get_type().utility == kinds.ZERO_SUM
    assert pyspiel.load_game("rgc_chess_rbg(utility=general_sum)").get_type().utility == kinds.GENERAL_SUM
    # Wrong: a play ends with another sum than the one that was looked at.
    game = rgc.openspiel.game(rgc.loads(NAMED, language="rg", utilities={**WORTH, "drawn": 7}), utility="zero_sum")
    ends = [game.new_initial_state().child(action) for action in range(3)]
    with pytest.raises(pyspiel.SpielError, match="is not of zero sum"):
        for end in ends:
            end.returns()
    with pytest.raises(pyspiel.SpielError, match="utility is zero_sum or general_sum, not maybe"):
        rgc.openspiel.game("ticTacToe.hrg", utility="maybe")


def test_a_score_is_worth_one_thing() -> None:
    """An integer and its digits are the same score."""
    for twice in ({100: 1, "100": 2}, {"100": 2, 100: 1}, {np.int64(0): 1, "0": 1}, {2**70: 1, str(2**70): 1}):
        with pytest.raises(ValueError, match="say twice what the score `(100|0|1180591620717411303424)` is worth"):
            rgc.load("ticTacToe.hrg", utilities=twice)
    with pytest.raises(ValueError, match="there is no score `1180591620717411303424`"):
        rgc.load("ticTacToe.hrg", utilities={2**70: 1})


def test_rewards_hold_what_scores_are_worth() -> None:
    most = float(np.finfo(np.float32).max)
    least = float(np.finfo(np.float32).smallest_subnormal)
    game = rgc.loads(NAMED, language="rg", utilities={"won": most, "drawn": 0, "lost": -least})
    batch = game.batch(1)
    _, rewards, _, _ = batch.step([game.new_initial_state().string_to_action("win")])
    assert rewards.tolist() == [[most, -least]] == [returns(game, "win")]


def test_scores_that_are_too_large_for_rewards_are_no_numbers() -> None:
    rules = NAMED.replace("won", "9" * 40).replace("drawn", "0").replace("lost", "1")
    with pytest.warns(rgc.ScoreWarning, match="not all scores of game are numbers"):
        assert rgc.loads(rules, language="rg").utilities == [0, 1, 2]
