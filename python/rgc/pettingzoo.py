"""Games as environments of PettingZoo, in which players act in turn.

>>> from rgc.pettingzoo import env
>>> environment = env("connectFour.hrg")
>>> environment.reset(seed=1)
>>> environment.agents
['yellow', 'red']
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv

from . import Game, State, games, load
from ._adapter import RENDER_FPS, RENDER_MODES, draw, mask, max_observed_of, observation, observation_space, render_mode_of, rendered
from ._arguments import Actions, GameLike, Utilities, game_of, integer, plies_of, seed_given


def parallel_env(game: GameLike, *, actions: Actions | None = None, utilities: Utilities | None = None, **options: Any) -> JointEnv:
    """An environment for a game in which all players move at once (`Game.simultaneous`). `actions` and `utilities` are those of `rgc.load`, `options` those of `JointEnv`."""
    return JointEnv(game_of(game, actions, utilities), **options)


def env(game: GameLike, *, actions: Actions | None = None, utilities: Utilities | None = None, **options: Any) -> TurnEnv:
    """An environment for a game, or the bundled game or file of that name. `actions` and `utilities` are those of `rgc.load`, `options` those of `TurnEnv`."""
    return TurnEnv(game_of(game, actions, utilities), **options)


def _simultaneous(name: str) -> list[str]:
    """The bundled games of this name in which all players move at once."""
    return [file for file in games() if file.rsplit(".", 1)[0] == name and load(file).simultaneous]


class _Shared:
    """What both kinds of environments have: spaces, observations, and what chance decides."""

    metadata: dict[str, Any]
    # The game in progress; none before the first reset.
    _begun: State | None

    def __init__(self, game: Game, *, max_plies: int | None = None, max_observed: int | None = None, render_mode: str | None = None) -> None:
        self.game = game
        self.metadata = {"name": f"rgc/{game.name}-v{game.action_version[:4]}", "render_modes": RENDER_MODES, "render_fps": RENDER_FPS, "is_parallelizable": False}
        self.max_plies, self.max_observed = plies_of(max_plies), max_observed_of(game, max_observed)
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        self._begun = None
        self._rng = np.random.default_rng()

    @property
    def state_(self) -> State:
        """The game in progress."""
        if self._begun is None:
            raise ResetNeeded("call reset() first")
        return self._begun

    def _number(self, agent: str) -> int:
        """The number of an agent."""
        if agent not in self.possible_agents:
            raise ValueError(f"the agents are {', '.join(self.possible_agents)}, not {agent}")
        return self.possible_agents.index(agent)

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Space]:
        return {agent: observation_space(self.game, self.max_observed) for agent in self.possible_agents}

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Space]:
        return {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[self.possible_agents[self._number(agent)]]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[self.possible_agents[self._number(agent)]]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return observation(self.state_, self._number(agent), self.max_observed)

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed_given(seed))
        self.agents = list(self.possible_agents)
        self._begun = self.game.new_initial_state()
        draw(self.state_, self._rng)

    def _ends(self) -> tuple[bool, bool]:
        """Whether the game is over, and whether it is cut off."""
        over = self.state_.is_terminal()
        return over, not over and self.max_plies is not None and self.state_.plies >= self.max_plies

    def render(self) -> str:
        return rendered(self.state_, self.render_mode)

    def close(self) -> None:
        pass


class TurnEnv(_Shared, AECEnv):
    """One game, whose players act in turn. What chance decides is drawn inside.

    Observations are dictionaries: `observation` as `Game.observation_shape` says, in games that hide something the last `max_observed` tags
    that the player observed (by default `Game.max_observed`); and `action_mask`, 1 for legal actions, which the `infos` have, too. An action that is not legal raises
    `rgc.IllegalAction`. Rewards are what scores are worth, at the end. When the game is over, the last observations show the last position, in which nothing is legal. Without a
    seed, the first `reset` draws one from the system's entropy.
    """

    def __getattr__(self, name: str) -> Any:
        # Only what an instance does not have comes here.
        if name in ("agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"there is no `{name}` yet: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _ready(self) -> str:
        """The agent whose turn it is."""
        if self._begun is None:
            raise ResetNeeded("call reset() first")
        if not self.agents:
            raise ResetNeeded("the game is over for all agents: call reset() for the next one")
        return self.agent_selection

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        if self._begun is None:
            raise ResetNeeded("call reset() first")
        return super().agent_iter(max_iter)

    def _turn(self) -> None:
        """Says whose turn it is, and what is legal."""
        player = self.state_.current_player()
        if player >= 0:
            self.agent_selection = self.possible_agents[player]
        self.infos = {agent: {"action_mask": mask(self.state_, at)} for at, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        # An agent of a game that was left before all agents knew of its end.
        self._skip_agent_selection = None
        # Chance may have decided everything.
        if self.state_.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self.state_.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._turn()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._ready()
        return super().last(observe)

    def step(self, action: int | None) -> None:
        agent = self._ready()
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to choose an action: None is for agents whose game is over")
        self.state_.apply_action(integer("an action", action))
        self._cumulative_rewards[agent] = 0.0
        draw(self.state_, self._rng)
        self.rewards = dict(zip(self.possible_agents, self.state_.returns(), strict=True))
        over, cut = self._ends()
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self._turn()
        self._accumulate_rewards()

    def state(self) -> np.ndarray:
        """What all players together know, if nothing is hidden."""
        return self.state_.observation_tensor(max(self.state_.current_player(), 0))


class JointEnv(_Shared, ParallelEnv):
    """One game, whose players act at once: a step takes an action of each, which is a whole move. What chance decides is drawn inside.

    Observations, masks and rewards are those of `TurnEnv`. Players that have only one action in a step may be left out. An action that is not legal raises
    `rgc.IllegalAction`.
    """

    def __init__(self, game: Game, *, max_plies: int | None = None, max_observed: int | None = None, render_mode: str | None = None) -> None:
        if not game.simultaneous:
            others = ", ".join(_simultaneous(game.name))
            raise ValueError(f"the players of {game.name}.{game.language} act in turn: use `env`{f', or {others}, where they act at once' if others else ''}")
        if game.action_kind != "moves":
            raise ValueError(f'actions of {game.name} are steps of moves, which cannot be taken together: load it with actions="moves", or use `env`')
        super().__init__(game, max_plies=max_plies, max_observed=max_observed, render_mode=render_mode)

    def _joint(self) -> dict[int, State]:
        """By player, the state in which it acts in this step. Which actions are legal does not depend on what the players before it do."""
        found: dict[int, State] = {}
        state = self.state_
        while not state.is_terminal() and state.current_player() not in found and not state.is_chance_node():
            found[state.current_player()] = state
            actions = state.legal_actions()
            state = state.child(actions[0])
        return found

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        joint, observations = self._joint(), {}
        for player, agent in enumerate(self.possible_agents):
            observations[agent] = self.observe(agent)
            if player in joint:
                observations[agent]["action_mask"] = mask(joint[player], player)
        return observations, {agent: {"action_mask": observation["action_mask"]} for agent, observation in observations.items()}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        return self._seen()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        if not self.agents:
            raise ResetNeeded("call reset() first" if self._begun is None else "the game is over: call reset() for the next one")
        unknown = [agent for agent in actions if agent not in self.possible_agents]
        if unknown:
            raise ValueError(f"the agents are {', '.join(self.possible_agents)}, not {', '.join(map(str, unknown))}")
        state = self.state_.clone()
        for player in self._joint():
            if state.is_terminal() or state.current_player() != player:
                break
            agent, legal = self.possible_agents[player], state.legal_actions()
            if agent not in actions and len(legal) > 1:
                raise ValueError(f"{agent} has to choose an action")
            state.apply_action(integer(f"an action of {agent}", actions[agent]) if agent in actions else legal[0])
        self._begun = state
        draw(self.state_, self._rng)
        over, cut = self._ends()
        agents, returns = self.agents, self.state_.returns()
        observations, infos = self._seen()
        if over or cut:
            self.agents = []
        return observations, dict(zip(agents, returns, strict=True)), dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos
