"""Games as environments of Gymnasium: one player against agents, and many games at once.

>>> import gymnasium, rgc.gymnasium
>>> environment = gymnasium.make("rgc/Game-v0", game="connectFour.hrg", opponent="uct:200p")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymVectorEnv
from gymnasium.vector.utils import batch_space

from . import State
from ._adapter import RENDER_FPS, RENDER_MODES, draw, max_observed_of, observation, observation_space, render_mode_of, rendered
from ._arguments import Actions, Agent, GameLike, Utilities, chooser, count, game_of, integer, let_act, player_of, plies_of, seed_given

AUTORESET = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP, "disabled": AutoresetMode.DISABLED}
"""What `VectorEnv` does with games that are over, and what Gymnasium calls that."""


def register() -> None:
    """Registers `rgc/Game-v0`, once; done when the module is imported, which `gymnasium.make("rgc.gymnasium:rgc/Game-v0", ...)` does by itself."""
    if "rgc/Game-v0" not in gymnasium.registry:
        gymnasium.register("rgc/Game-v0", entry_point="rgc.gymnasium:Env", vector_entry_point="rgc.gymnasium:VectorEnv")


def _known(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    """The options of a reset. Raises `ValueError` for others than those that there are."""
    options = options or {}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ValueError(f"there is no option {', '.join(map(repr, unknown))}: `options` may have {' and '.join(map(repr, known)) or 'nothing'}")
    return options


class Env(gymnasium.Env):
    """One player of a game against opponents.

    `actions` and `utilities` are those of `rgc.load`. `player` is a number or a name. `opponent` is an agent (`"uct:1s"`, or what `Game.agent` makes of it; its seed comes from that of `reset`) or a function from a state to
    an action, for all other players. An action that is not legal loses: the game is
    over with the least score that there is, and `info["illegal"]` is true. Where a game is over, or cut off, before the player has to act, the first step says so,
    whatever its action. When the game is over or cut off, the last position is observed, in which nothing is legal if it is over; after an action that is not legal, the position
    in which that was taken. Without a seed, the first `reset` draws one from the system's entropy. A game is cut off after `max_plies` moves of players, once chance has answered the last one.

    `copy.deepcopy` makes an environment that goes on as this one does and shares nothing with it, an opponent from a text included; one that is a function is copied and pickled as Python
    does it, so that a function is shared, and a lambda cannot be pickled. In an environment that was pickled, an opponent from a text begins anew, with the seed that it had.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: GameLike,
        *,
        actions: Actions | None = None,
        utilities: Utilities | None = None,
        player: int | str = 0,
        opponent: Agent = "random",
        max_plies: int | None = None,
        max_observed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game, actions, utilities)
        self.player, self.opponent = player_of(self.game, player), opponent
        self.max_plies, self.max_observed = plies_of(max_plies), max_observed_of(self.game, max_observed)
        self.render_mode = render_mode_of(render_mode)
        self.observation_space = observation_space(self.game, self.max_observed)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self.state: State | None = None
        # Whether the game was cut off, and whether its end was told.
        self._cut = self._told = False
        self._choose = self._opponent(0)

    def _opponent(self, seed: int) -> Callable[[State], int]:
        return chooser(self.game, self.opponent, seed)

    def _observation(self) -> dict[str, np.ndarray]:
        return observation(self.state, self.player, self.max_observed)

    def _go_on(self) -> bool:
        """Lets chance and the opponents act, until the player has to. Whether the game was cut off."""
        draw(self.state, self.np_random)
        while not self.state.is_terminal() and (self.max_plies is None or self.state.plies < self.max_plies):
            if self.state.current_player() == self.player:
                return False
            let_act(self.state, self._choose, self.opponent)
            draw(self.state, self.np_random)
        return not self.state.is_terminal()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        _known(options)
        super().reset(seed=None if seed is None else seed_given(seed))
        self._choose = self._opponent(int(self.np_random.integers(2**31)))
        self.state = self.game.new_initial_state()
        self._cut, self._told = self._go_on(), False
        observation = self._observation()
        return observation, {"action_mask": observation["action_mask"]}

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self.state is None or self._told:
            raise gymnasium.error.ResetNeeded("call reset() before the first step, and after a game is over")
        action = integer("an action", action)
        acts = not (self.state.is_terminal() or self._cut)
        if acts and action not in self.state.legal_actions(self.player):
            observation = self._observation()
            self.state = None
            return observation, float(min(self.game.utilities)), True, False, {"action_mask": observation["action_mask"], "illegal": True}
        if acts:
            self.state.apply_action(action)
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

    `actions` and `utilities` are those of `rgc.load`. The reward of a step is that of the player who has acted; `info` has those of all players (`rewards`), who is to move (`current_player`) and
    the legal actions (`action_mask`). With `copy=False`, every step fills the same arrays, as those of `Game.batch`, which saves time: copy what has to be kept.

    `autoreset` is `"same_step"`, `"next_step"` or `"disabled"`, or one of Gymnasium's `AutoresetMode`. With `"same_step"`, observations of games that are over in this step are
    those of the next game, and `info["final_obs"]` has the last ones where `info["_final_obs"]` is true: planes only, since nothing is legal any more, and not in games that hide
    something. Observations of finished games show their last position.

    Without a `seed`, games draw from the system's entropy. `reset(options={"reset_mask": ..., "states": ...})` begins some games only, and in states: `which` and `states` of `BatchEnv.reset`.
    """

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        *,
        actions: Actions | None = None,
        utilities: Utilities | None = None,
        seed: int | None = None,
        threads: int = 1,
        autoreset: str | AutoresetMode = "same_step",
        max_plies: int | None = None,
        max_observed: int | None = None,
        copy: bool = True,
        **others: Any,
    ) -> None:
        if others:
            advice = ': the caller acts for all players of all games; with `gymnasium.make_vec(..., vectorization_mode="sync")`, there is an `Env` for each game, which has an opponent'
            raise TypeError(f"a `VectorEnv` has no {', '.join(map(repr, others))}{advice if {'opponent', 'player'} & set(others) else ''}")
        self.game = game_of(game, actions, utilities)
        name = next((name for name, mode in AUTORESET.items() if autoreset in (name, mode)), None)
        if name is None:
            raise ValueError(f"`autoreset` is {', '.join(map(repr, AUTORESET))}, or one of Gymnasium's `AutoresetMode`, not {autoreset!r}")
        self.metadata = {"autoreset_mode": AUTORESET[name]}
        self.num_envs, self.copy = count("num_envs", num_envs, least=1), copy
        max_plies, max_observed = plies_of(max_plies), max_observed_of(self.game, max_observed)
        self.single_observation_space = observation_space(self.game, max_observed)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        seed, threads, shown = None if seed is None else seed_given(seed), count("threads", threads, least=1), max_observed if self.game.hides else None
        self.batch = self.game.batch(num_envs, seed=seed, threads=threads, autoreset=name, max_plies=max_plies, max_observed=shown)

    def _kept(self, array: np.ndarray) -> np.ndarray:
        """An array that the caller may keep, if that is wanted: the next step fills those of the batch again."""
        return array.copy() if self.copy else array

    def _seen(self) -> dict[str, np.ndarray]:
        observation = self.batch.observed if self.game.hides else self.batch.observations
        return {"observation": self._kept(observation), "action_mask": self._kept(self.batch.mask).view(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {name: self._kept(getattr(self.batch, of)) for name, of in (("action_mask", "mask"), ("current_player", "current_player"), ("rewards", "rewards"))}

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        """A seed for each game, `None` for those whose streams go on. As in Gymnasium, one seed stands for itself and the following ones."""
        if seed is None:
            return None
        if hasattr(seed, "__index__") and not isinstance(seed, np.ndarray):
            first = seed_given(seed)
            return [(first + number) % 2**64 for number in range(self.num_envs)]
        if isinstance(seed, str) or not hasattr(seed, "__len__"):
            raise TypeError(f"`seed` is an integer, or one for each game, not {seed!r}")
        seeds = [None if one is None else seed_given(one) for one in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"`seed` is an integer, or one for each of {self.num_envs} games, not {len(seeds)}")
        return seeds

    def _actions(self, actions: Any) -> np.ndarray:
        """An action for each game."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {array.dtype}: {actions!r}")
        if array.shape != (self.num_envs,):
            raise ValueError(f"there are {self.num_envs} games, but actions of the shape {array.shape}")
        return array.astype(np.int64, copy=False)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        options = _known(options, "reset_mask", "states")
        mask = options.get("reset_mask")
        if mask is not None and np.asarray(mask).dtype != np.bool_:
            raise ValueError(f"reset_mask is an array of bool, not of {np.asarray(mask).dtype}")
        self.batch.reset(self._seeds(seed), which=mask, states=options.get("states"))
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        movers = np.maximum(self.batch.current_player, 0).astype(np.intp)
        self.batch.step(self._actions(actions))
        info = self._info()
        over = self.batch.done | self.batch.truncated
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and over.any() and not self.game.hides:
            info["final_obs"], info["_final_obs"] = self._kept(self.batch.final_observations), over
        rewards = self.batch.rewards[np.arange(self.num_envs), movers]
        return self._seen(), rewards, self._kept(self.batch.done), self._kept(self.batch.truncated), info


register()
