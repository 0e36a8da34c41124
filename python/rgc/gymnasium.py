"""Games as environments of Gymnasium: one player against agents, and many games at once.

>>> import gymnasium, rgc.gymnasium
>>> environment = gymnasium.make("rgc/Game-v0", game="connectFour.hrg", opponent="uct:200p")
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymVectorEnv
from gymnasium.vector.utils import batch_space

from . import Game, State
from ._adapter import MAX_OBSERVED, RENDER_MODES, draw, game_of, observation, observation_space, render_mode_of, rendered

Opponent = str | Callable[[State], int]


def register() -> None:
    """Registers `rgc/Game-v0`, once; done by the entry point, and when the module is imported."""
    if "rgc/Game-v0" not in gymnasium.registry:
        gymnasium.register("rgc/Game-v0", entry_point="rgc.gymnasium:Env", vector_entry_point="rgc.gymnasium:VectorEnv")


class Env(gymnasium.Env):
    """One player of a game against opponents.

    `opponent` is an agent (`"uct:1s"`) or a function from a state to an action, for all other players. An action that is not legal loses: the game is
    over with the least score that there is, and `info["illegal"]` is true. Where a game is over, or cut off, before the player has to act, the first step says so,
    whatever its action.
    """

    metadata = {"render_modes": RENDER_MODES}

    def __init__(
        self,
        game: Game | str | PathLike[str],
        *,
        player: int = 0,
        opponent: Opponent = "random",
        max_plies: int | None = None,
        max_observed: int = MAX_OBSERVED,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game)
        if not 0 <= player < self.game.num_players:
            raise ValueError(f"players are the numbers from 0 to {self.game.num_players - 1}, not {player}")
        self.player, self.opponent = player, opponent
        self.max_plies, self.max_observed, self.render_mode = max_plies, max_observed, render_mode_of(render_mode)
        self.observation_space = observation_space(self.game, max_observed)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.state: State | None = None
        # Whether the game was cut off, and whether its end was told.
        self._cut = self._told = False
        self._choose = self._opponent(0)

    def _opponent(self, seed: int) -> Callable[[State], int]:
        return self.game.agent(self.opponent, seed=seed).choose if isinstance(self.opponent, str) else self.opponent

    def _observation(self) -> dict[str, np.ndarray]:
        return observation(self.state, self.player, self.max_observed)

    def _go_on(self) -> bool:
        """Lets chance and the opponents act, until the player has to. Whether the game was cut off."""
        while not self.state.is_terminal() and self.state.current_player() != self.player:
            if self.max_plies is not None and self.state.plies >= self.max_plies:
                return True
            if self.state.is_chance_node():
                draw(self.state, self.np_random)
            else:
                self.state.apply_action(int(self._choose(self.state)))
        return not self.state.is_terminal() and self.max_plies is not None and self.state.plies >= self.max_plies

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        self._choose = self._opponent(int(self.np_random.integers(2**31)))
        self.state = self.game.new_initial_state()
        self._cut, self._told = self._go_on(), False
        observation = self._observation()
        return observation, {"action_mask": observation["action_mask"]}

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self.state is None or self._told:
            raise gymnasium.error.ResetNeeded("call reset before the first step, and after a game is over")
        acts = not (self.state.is_terminal() or self._cut)
        if acts and int(action) not in self.state.legal_actions(self.player):
            observation = self._observation()
            self.state = None
            return observation, float(min(self.game.utilities)), True, False, {"action_mask": observation["action_mask"], "illegal": True}
        if acts:
            self.state.apply_action(int(action))
            self._cut = self._go_on()
        over, observation = self.state.is_terminal(), self._observation()
        self._told = over or self._cut
        return observation, float(self.state.returns()[self.player]), over, self._cut, {"action_mask": observation["action_mask"]}

    def render(self) -> str | None:
        if self.render_mode is None or self.state is None:
            return None
        return rendered(self.state, self.render_mode)


class VectorEnv(GymVectorEnv):
    """Many games at once, in which the caller acts for all players.

    The reward of a step is that of the player who has acted; `info` has those of all players (`rewards`), who is to move (`current_player`) and
    the legal actions (`action_mask`). Arrays are filled anew by every step.
    """

    def __init__(
        self,
        game: Game | str | PathLike[str],
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: str = "same_step",
        max_plies: int | None = None,
        max_observed: int = MAX_OBSERVED,
    ) -> None:
        self.game = game_of(game)
        modes = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}
        self.metadata = {"autoreset_mode": modes[autoreset]}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.game, max_observed)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = self.game.batch(num_envs, seed=seed, threads=threads, autoreset=autoreset, max_plies=max_plies, max_observed=max_observed)

    def _seen(self) -> dict[str, np.ndarray]:
        observation = self.batch.observed if self.game.hides else self.batch.observations
        return {"observation": observation, "action_mask": self.batch.mask.view(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask, "current_player": self.batch.current_player, "rewards": self.batch.rewards}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        which = (options or {}).get("reset_mask")
        self.batch.reset(seed, which=which)
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        movers = np.maximum(self.batch.current_player, 0).astype(np.intp)
        self.batch.step(np.asarray(actions, np.int64))
        info = self._info()
        over = self.batch.done | self.batch.truncated
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and over.any() and not self.game.hides:
            info["final_obs"], info["_final_obs"] = self.batch.final_observations, over
        rewards = self.batch.rewards[np.arange(self.num_envs), movers]
        return self._seen(), rewards, self.batch.done, self.batch.truncated, info


register()
