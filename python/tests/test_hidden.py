"""States that a player cannot tell from the one it is in."""

import pickle
import random
from collections import Counter

import numpy as np
import pytest

import rgc
from shared import load


def played(game: rgc.Game, seed: int, most: int) -> list[rgc.State]:
    rng, state, states = random.Random(seed), game.new_initial_state(), []
    while not state.is_terminal() and len(states) < most:
        states.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return states


@pytest.mark.parametrize(("name", "every"), [("kuhnPoker.hrg", 1), ("leducPoker.hrg", 2), ("matchingPennies.hrg", 1), ("battleships.hrg", 12)])
def test_states_that_are_drawn_are_not_told_apart(name: str, every: int) -> None:
    game = load(name)
    for seed in range(3):
        for state in played(game, seed, 30)[::every]:
            for player in range(game.num_players):
                drawn = state.resample(player, seed=seed)
                assert drawn.information_state_string(player) == state.information_state_string(player)
                assert drawn.current_player() == state.current_player()
                if drawn.current_player() == player:
                    assert drawn.legal_actions() == state.legal_actions()
                assert state.resample(player, seed=seed).history() == drawn.history() == state.clone().resample(player, seed=seed).history()
                assert pickle.loads(pickle.dumps(drawn)) == drawn


def test_what_is_not_known_is_drawn_with_its_probability() -> None:
    game = load("kuhnPoker.hrg")
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    own = [state.resample(0, seed=seed).history()[1] for seed in range(600)]
    # Of three cards, one is the player's; the other two are equally likely to be the opponent's.
    counts = Counter(own)
    assert len(counts) == 2 and all(240 < count < 360 for count in counts.values())
    # The opponent has seen its own card, and not that of the first player.
    others = {state.resample(1, seed=seed).history()[0] for seed in range(50)}
    assert len(others) == 2


def test_nothing_else_is_possible_where_nothing_is_hidden() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    state.apply_action(4)
    drawn = state.resample(0)
    assert drawn == state and drawn is not state
    with pytest.raises(ValueError, match="the players of"):
        state.resample(2)


def test_openspiel_searches_information_sets() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    import rgc.openspiel  # noqa: F401 (registers the games)

    for name in ("rgc_kuhnPoker", "rgc_leducPoker"):
        game = pyspiel.load_game(name)
        bot = ismcts.ISMCTSBot(game=game, uct_c=2.0, evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), max_simulations=30, random_state=np.random.RandomState(2))
        rng, state = random.Random(3), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()) if state.is_chance_node() else bot.step(state))
        assert sum(state.returns()) == 0
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    drawn = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert len(drawn.history()) == len(state.history()) == 3
    assert drawn.history() == drawn.rgc.history()
    assert drawn.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize("name", ["leducPoker.hrg", "battleships.hrg"])
def test_what_is_observed_has_one_shape(name: str) -> None:
    game, rng = load(name), random.Random(2)
    assert game.observation_shape == (game.max_observed,) and game.channels == [] and game.perspectives.shape == (2, 0)
    state = game.new_initial_state()
    while not state.is_terminal():
        for player in range(2):
            observed, seen = state.observed(player), state.observation_tensor(player)
            assert seen.shape == game.observation_shape and seen.dtype == np.int32
            shown = observed[-game.max_observed :]
            assert seen.tolist() == [0] * (game.max_observed - len(shown)) + shown
        state.apply_action(rng.choice(state.legal_actions()))
    assert max(len(state.observed(player)) for player in range(2)) <= 2 * game.max_observed
    assert game.batch(3).observed.shape == (3, game.max_observed)
    assert load("breakthrough.rbg").new_initial_state().observed() == []


def test_information_states_are_all_that_was_observed() -> None:
    game = load("leducPoker.hrg")
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        for player in range(2):
            known, observed = state.information_state_tensor(player), state.observed(player)
            assert known.shape == (game.max_observed,) and known.dtype == np.int32
            assert known.tolist() == [0] * (game.max_observed - len(observed)) + observed
        state.apply_action(rng.choice(state.legal_actions()))
    with pytest.raises(ValueError, match="there is no player 2"):
        state.information_state_tensor(2)
    # Nothing is left out silently: who observes more than there is room for has no tensor.
    long = rgc.loads("type Player = { p, q }; type Score = { 0 }; type T = { a, b }; var last: T = a; begin, h: visible[q] = 0; h, m: player = p; m, n: last = T(*); n, o: $$ last; o, m: player = p; m, e: player = keeper; e, end: player = keeper;", language="rg")
    state = long.new_initial_state()
    for _ in range(long.max_observed + 1):
        assert state.information_state_tensor(0)[-1] == (state.observed(0) or [0])[-1]
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(ValueError, match="more than `Game.max_observed`"):
        state.information_state_tensor(0)
    assert state.observation_tensor(0).all() and not state.information_state_tensor(1).any()
    with pytest.raises(ValueError, match="breakthrough hides nothing, so that an information state is the whole history"):
        load("breakthrough.rbg").new_initial_state().information_state_tensor()


def test_draws_of_states_differ() -> None:
    state = load("leducPoker.hrg").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    drawn = {str(state.resample(0, seed=seed)) for seed in range(20)}
    assert len(drawn) > 1
