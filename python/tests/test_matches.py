"""Agents against agents."""

import math
import random

import pytest

import rgc
from rgc.matches import schedule
from shared import load


def first(state: rgc.State) -> int:
    """Always the first legal action."""
    return state.legal_actions()[0]


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "chess.rbg", "kuhnPoker.hrg", "ticTacDie.hrg", "matchingPennies.gdl"])
def test_games_can_be_replayed(name: str) -> None:
    game = load(name)
    played = rgc.play(game, ["random"] * game.num_players, seed=3, max_plies=40)
    states = list(played.states(game))
    assert len(states) == len(played.actions) + 1 and states[-1].history() == list(played.actions)
    assert tuple(states[-1].returns()) == played.returns and states[-1].is_terminal() != played.truncated
    assert played == rgc.play(game, ["random"] * game.num_players, seed=3, max_plies=40)
    others = {rgc.play(game, ["random"] * game.num_players, seed=seed, max_plies=6).actions for seed in range(12)}
    assert len(others) > 2


def test_matches_are_counted() -> None:
    game = load("ticTacToe.hrg")
    match = rgc.match(game, ["random", "uct:50p", first], 12, seed=1)
    assert match.agents == ["random", "uct:50p", "first"] and len(match.games) == 36
    for agent in range(3):
        assert sum(agent in played.seats for played in match.games) == 24
        assert sum(played.seats[0] == agent for played in match.games) == 12
    result, other = match.result(1, 0), match.result(0, 1)
    assert (result.won, result.drawn, result.lost) == (other.lost, other.drawn, other.won)
    assert result.won + result.drawn + result.lost == 12 and result.score > 0.7
    elo, low, high = result.elo
    assert low < elo < high or math.isinf(elo)
    ratings = [elo for elo, _ in match.ratings]
    assert max(ratings) == ratings[1] and sum(ratings) == pytest.approx(0, abs=1e-6)
    assert "uct:50p" in str(match)
    again = rgc.match(game, ["random", "uct:50p", first], 12, seed=1)
    assert again.games == match.games


def test_cut_off_games_do_not_count() -> None:
    match = rgc.match(load("ticTacToe.hrg"), ["random", "random"], 4, max_plies=2)
    assert all(played.truncated and played.returns == (0.0, 0.0) for played in match.games)
    assert match.result(0, 1).score == 0.5 and match.mean_returns(0) == 0.0


def test_what_cannot_be_played() -> None:
    game = load("ticTacToe.hrg")
    for agents in ([], ["random"] * 3):
        with pytest.raises(ValueError, match="agents"):
            rgc.play(game, agents)
    with pytest.raises(ValueError, match="needs agents"):
        rgc.match(game, [], 3)
    with pytest.raises(ValueError):
        rgc.match(game, ["no such agent", "random"], 2)
    with pytest.raises(ValueError, match="too many"):
        schedule(2, 2, 10**12)
    assert schedule(1, 2, 3) == [(0, 0)] * 3
    assert schedule(3, 2, 2) == [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]


def test_functions_are_agents() -> None:
    game, rng = load("connectFour.hrg"), random.Random(1)
    played = rgc.play(game, [first, lambda state: rng.choice(state.legal_actions())])
    assert not played.truncated and sorted(played.returns) in ([0.0, 100.0], [50.0, 50.0])
