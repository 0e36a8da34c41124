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
    assert match.result(0, 1).score == 0.5 and math.isnan(match.mean_returns(0))
    assert str(match).startswith("4 games, 4 of them cut off; all figures are of the other 0\n") and str(match).count("no game that ended") == 2 and "nan" not in match._repr_html_()
    # Some end before, and count alone.
    match = rgc.match(load("ticTacToe.hrg"), ["random", first], 20, seed=1, max_plies=7)
    ended = [played for played in match.games if not played.truncated]
    assert 0 < len(ended) < 20
    for agent in range(2):
        own = [played.returns[played.seats.index(agent)] for played in ended]
        assert match.mean_returns(agent) == pytest.approx(sum(own) / len(own)) and f"mean return {match.mean_returns(agent):g} in {len(own)} game" in str(match)
    for text in (str(match), match._repr_html_()):
        assert f"20 games, {20 - len(ended)} of them cut off; all figures are of the other {len(ended)}" in text


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


def test_functions_get_copies() -> None:
    def plays_on(state: rgc.State) -> int:
        """Plays the game to its end, on the state that it was given."""
        legal = state.legal_actions()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        return legal[0]

    game = load("ticTacToe.hrg")
    assert rgc.play(game, [plays_on, first], seed=1) == rgc.play(game, [first, first], seed=1)


def test_an_action_that_is_not_legal_is_told_with_its_agent() -> None:
    def always(state: rgc.State) -> int:
        return 0

    game = load("ticTacToe.hrg")
    with pytest.raises(rgc.IllegalAction, match=r"always as crosses, after 2 moves of game 7: action 0 \(`.*`\) is not legal here") as caught:
        rgc.play(game, [always, lambda state: state.legal_actions()[-1]], number=7)
    assert str(caught.value).startswith("test_an_action")
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    environment = Env(game, opponent=always)
    environment.reset(seed=1)
    with pytest.raises(rgc.IllegalAction, match="always as noughts, after 1 moves: action 0"):
        environment.step(0)


def test_states_are_those_of_the_game_that_was_played() -> None:
    game, other = load("ticTacToe.hrg"), rgc.load("ticTacToe.hrg", actions="steps")
    played = rgc.play(game, ["random", "random"], seed=1)
    states = played.states(game)
    assert states[0] == game.new_initial_state() and states[-1].is_terminal()
    for wrong in (other, load("connectFour.hrg")):
        with pytest.raises(ValueError, match="the actions were played in another game than <Game"):
            played.states(wrong)
    # Also where it is not known which game it was.
    unknown = rgc.Played(0, (0, 1), (0, 0), (0.0, 0.0), True)
    with pytest.raises(ValueError, match="another game than <Game ticTacToe.*after 1 moves, action 0"):
        unknown.states(game)


def test_agents_have_no_results_against_themselves() -> None:
    match = rgc.match(load("ticTacToe.hrg"), ["random", "greedy"], 2, seed=1)
    with pytest.raises(ValueError, match="not of agent 1 against itself"):
        match.result(1, 1)


def test_matches_are_tables_in_notebooks() -> None:
    match = rgc.match(load("ticTacToe.hrg"), ["random", "greedy", lambda state: state.legal_actions()[0]], 4, seed=1)
    table = match._repr_html_()
    found = match.result(0, 1)
    assert table.count("<tr>") == 4 and table.count("<th>") == 6 and table.count("<td>") == 18
    assert f"<td>{found.won} / {found.drawn} / {found.lost}</td>" in table and "&lt;lambda&gt;" in table and "<lambda>" not in table


def test_made_agents_are_functions() -> None:
    game = load("connectFour.hrg")
    agent = game.agent("greedy", seed=1)
    assert agent(game.new_initial_state()) in game.new_initial_state().legal_actions()
    assert rgc.play(game, [agent, first], seed=1) == rgc.play(game, ["greedy", first], seed=1)
