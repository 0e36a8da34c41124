"""Plays that are counted, all of them and random ones."""

import random

import pytest

import rgc
from shared import load, play


def test_perft_goes_on_in_the_middle_of_a_move() -> None:
    """The steps that were taken are a part of the first move that is counted."""
    for name in ("breakthrough.rbg", "ticTacDie.hrg", "clobber.sbg"):
        game = rgc.load(name, actions="steps")
        for state in play(game.new_initial_state(), random.Random(2), 12):
            if state.is_terminal():
                break
            parts = [state.child(action) for action in state.legal_actions()]
            if state.is_chance_node():
                continue
            assert game.perft(0, state=state) == 1
            for depth in (1, 2):
                # A move of one step is made, and one more is to be counted otherwise.
                counts = [game.perft(depth if part.plies == state.plies else depth - 1, state=part) for part in parts]
                assert sum(counts) == game.perft(depth, state=state), (name, depth)


def test_perft_and_playouts() -> None:
    game = load("ticTacToe.rbg")
    assert [game.perft(depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert game.perft(1, state=state) == 8
    stats = game.playouts(1000, seed=1)
    assert stats["plays"] == 1000 and 5000 < stats["plies"] < 9000
    assert all(sum(counts.values()) == 1000 for counts in stats["scores"].values())
    assert stats == game.playouts(1000, seed=1)


def test_playouts_are_cut_off() -> None:
    game = load("breakthrough.rbg")
    cut = game.playouts(10, seed=1, max_plies=4)
    assert (cut["plays"], cut["truncated"], cut["plies"]) == (10, 10, 40)
    assert all(sum(counts.values()) == 0 for counts in cut["scores"].values())
    whole = game.playouts(10, seed=1)
    assert whole["truncated"] == 0 and all(sum(counts.values()) == 10 for counts in whole["scores"].values())
    with pytest.raises(ValueError, match="`max_plies`"):
        game.playouts(1, max_plies=-1)


def test_playouts_are_the_same_games_however_many_there_are() -> None:
    for name in ("breakthrough.rbg", "backgammon.hrg", "kuhnPoker.hrg"):
        game = load(name)
        whole = game.playouts(20, seed=3)
        assert game.playouts(20, seed=3, max_plies=100_000) == whole
        cut = game.playouts(20, seed=3, max_plies=60)
        assert cut["plays"] == 20 and cut["plies"] <= whole["plies"]
        for player in game.players:
            # Games that are not cut off end as they do without.
            assert all(cut["scores"][player][score] <= whole["scores"][player][score] for score in game.score_names)
            assert sum(cut["scores"][player].values()) == 20 - cut["truncated"]
        assert game.playouts(5, seed=3)["plies"] < game.playouts(6, seed=3)["plies"] <= whole["plies"]


def test_playouts_have_all_scores() -> None:
    for name in ("ticTacToe.hrg", "chess.rbg"):
        game = load(name)
        for count, most in ((0, None), (1, None), (2, 1)):
            scores = game.playouts(count, seed=1, max_plies=most)["scores"]
            assert list(scores) == game.players and all(list(counts) == game.score_names for counts in scores.values())
