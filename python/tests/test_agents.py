"""Programs that choose moves."""

import random

import pytest

from shared import load


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "chess.rbg", "kuhnPoker.hrg", "englishDraughts.hrg"])
def test_agents_choose_legal_actions(name: str) -> None:
    game = load(name)
    playouts, plies = (10, 3) if name == "chess.rbg" else (60, 8)
    agent, rng = game.agent(f"uct:{playouts}p", seed=1), random.Random(4)
    state = game.new_initial_state()
    while not state.is_terminal() and state.plies < plies:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            continue
        action = agent.choose(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    with pytest.raises(ValueError):
        game.agent("nobody")


def test_an_agent_finds_a_win() -> None:
    game = load("ticTacToe.hrg")
    wins = 0
    for seed in range(10):
        agent, rng, state = game.agent("uct:300p", seed=seed), random.Random(seed), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(agent.choose(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
        returns = state.returns()
        assert returns[0] >= returns[1]
        wins += returns[0] > returns[1]
    assert wins >= 7
