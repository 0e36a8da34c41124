"""Agents and environments are copied and pickled with all that belongs to them."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rgc
from shared import load


def first(state: rgc.State) -> int:
    """Always the first legal action."""
    return state.legal_actions()[0]


def choices(agent: Callable[[rgc.State], int], states: list[rgc.State], times: int = 6) -> list[int]:
    """What an agent chooses in some states, several times."""
    return [agent(state) for _ in range(times) for state in states]


CASES = [
    *(("breakthrough.rbg", spec) for spec in ("random", "greedy", "flat:20p", "uct:30p", "uct:30p,threads=2", "ab:depth=2")),
    *(("leducPoker.hrg", spec) for spec in ("random", "greedy", "flat:20p", "uct:30p")),
    ("chess.rbg", "random"),
]


@pytest.mark.parametrize(("name", "spec"), CASES)
def test_copies_of_agents_go_on_as_they_do(name: str, spec: str) -> None:
    game = load(name)
    state = game.new_initial_state()
    states = []
    while len(states) < 4:
        if state.is_terminal():
            state = game.new_initial_state()
        if not state.is_chance_node():
            states.append(state.clone())
        state.apply_action(state.legal_actions()[len(states) % 2])
    agent = game.agent(spec, seed=3)
    for other in (copy.copy(agent), copy.deepcopy(agent)):
        assert other is not agent and (other.spec, other.game) == (agent.spec, game)
    choices(agent, states, 2)
    copies = [copy.copy(agent), copy.deepcopy({"agent": agent})["agent"]]
    wanted = choices(agent, states)
    assert [choices(other, states) for other in copies] == [wanted] * 2
    # One that was pickled is as it was when it was made.
    again = [pickle.loads(pickle.dumps(other)) for other in (agent, copies[0])]
    assert [choices(other, states) for other in again] == [choices(game.agent(spec, seed=3), states)] * 2


def played(environment: Any, seed: int | None = None) -> list[Any]:
    """What is seen to the end of a game, with the last action that is legal."""
    seen: list[Any] = []
    info = None if seed is None else environment.reset(seed=seed)[1]
    mask = environment.unwrapped.state.legal_actions_mask() if info is None else info["action_mask"]
    over = cut = False
    while not (over or cut):
        observation, reward, over, cut, info = environment.step(int(mask.nonzero()[0][-1]))
        mask = info["action_mask"]
        seen.append((observation["observation"].tolist(), mask.tolist(), reward, over, cut))
    return seen


@pytest.mark.parametrize("name", ["connectFour.hrg", "ticTacDie.hrg", "leducPoker.hrg"])
@pytest.mark.parametrize("opponent", ["random", "greedy", "uct:20p", first])
def test_copies_of_an_environment_go_on_as_it_does(name: str, opponent: Any) -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    game = load(name)
    for made in (opponent, game.agent(opponent) if isinstance(opponent, str) else opponent):
        environment = Env(game, opponent=made)
        fresh = [copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))]
        _, info = environment.reset(seed=5)
        environment.step(int(info["action_mask"].nonzero()[0][0]))
        if environment.state.is_terminal():
            continue
        copies = [copy.deepcopy(environment) for _ in range(2)]
        pickled = pickle.dumps(environment)
        before = environment.state.history()
        # What was pickled begins anew as far as the opponent remembers something, but it is the same each time.
        again = [pickle.loads(pickled) for _ in range(2)]
        assert [other.state.history() for other in (*copies, *again)] == [before] * 4
        one, two = copies
        went_on = played(one)
        assert environment.state.history() == before, "the copy has moved for the other one"
        assert played(two) == went_on == played(environment)
        assert played(again[0]) == played(again[1])
        assert played(fresh[0], 8) == played(fresh[1], 8) == played(environment, 8)


def test_environments_of_gymnasium_are_copied_and_pickled_as_they_are_made() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    environment = gymnasium.make("rgc/Game-v0", game="ticTacToe.hrg", opponent="uct:20p")
    environment.reset(seed=1)
    assert played(copy.deepcopy(environment)) == played(environment)
    assert played(pickle.loads(pickle.dumps(environment)), 2) == played(environment, 2)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(Env("ticTacToe.hrg", opponent=lambda state: 0))


def test_other_environments_are_copied_and_pickled() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc.gymnasium import VectorEnv
    from rgc.pettingzoo import env, parallel_env

    many = VectorEnv("ticTacDie.hrg", 3, seed=2)
    many.reset()
    many.step(many.batch.sample())
    for other in (copy.deepcopy(many), pickle.loads(pickle.dumps(many))):
        assert not np.shares_memory(other.batch.mask, many.batch.mask)
        assert (other.batch.mask == many.batch.mask).all() and other.metadata == many.metadata
        before = many.batch.ply.copy()
        other.step(other.batch.sample())
        assert (many.batch.ply == before).all()
    for turns in (env("ticTacDie.hrg"), env("leducPoker.hrg")):
        turns.reset(seed=1)
        for other in (copy.deepcopy(turns), pickle.loads(pickle.dumps(turns))):
            history = turns.state_.history()
            seen = []
            while other.agents and not any(other.terminations.values()):
                other.step(int(other.observe(other.agent_selection)["action_mask"].argmax()))
                seen.append(other.state_.history())
            assert turns.state_.history() == history != seen[-1] and turns.state_.plies == 0
    joint = parallel_env("matchingPennies.gdl")
    joint.reset(seed=1)
    for other in (copy.deepcopy(joint), pickle.loads(pickle.dumps(joint))):
        other.step({"even": 0, "odd": other.state_.child(0).legal_actions()[0]})
        assert joint.state_.history() == [] != other.state_.history()
