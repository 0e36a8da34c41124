"""What the adapters have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import Game, State
from ._arguments import count, let_chance_act

if TYPE_CHECKING:
    from gymnasium import spaces

RENDER_MODES = ["ansi", "svg"]

RENDER_FPS = 2
"""Positions that are shown in a second where somebody watches: what asks for it wants a number."""

MAX_OBSERVED = 1 << 16
"""Tags that are shown at most of those that a player observed."""


def render_mode_of(mode: str | None) -> str | None:
    """A way to show positions, if it is one."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {', '.join(map(repr, RENDER_MODES))} or None, not {mode!r}")
    return mode


def max_observed_of(game: Game, most: Any) -> int:
    """How many of the tags that a player observed last are shown in a game that hides something; `None` stands for `Game.max_observed`.

    Raises `ValueError` for a number in a game that hides nothing, and for one above 65,536.
    """
    if most is None:
        return game.max_observed
    most = count("max_observed", most)
    if not game.hides:
        raise ValueError(f"`max_observed` is for games that hide something, which {game.name} does not")
    if most > MAX_OBSERVED:
        raise ValueError(f"`max_observed` is at most {MAX_OBSERVED}, not {most}")
    return most


def latest(observed: list[int], most: int) -> np.ndarray:
    """The last `most` tags of those that a player observed, the latest one last, after zeros."""
    row, last = np.zeros(most, np.int32), observed[max(len(observed) - most, 0) :]
    row[most - len(last) :] = last
    return row


def mask(state: State, player: int) -> np.ndarray:
    """1 for each action that is legal for a player."""
    return state.legal_actions_mask(player).astype(np.int8)


def observation(state: State, player: int, max_observed: int) -> dict[str, np.ndarray]:
    """What a player sees, and the mask of its legal actions: an element of `observation_space`."""
    seen = latest(state.observed(player), max_observed) if state.game.hides else state.observation_tensor(player)
    return {"observation": seen, "action_mask": mask(state, player)}


def observation_space(game: Game, max_observed: int) -> spaces.Dict:
    """Of observations with a mask."""
    from gymnasium import spaces

    seen = spaces.Box(0, len(game.tags), (max_observed,), np.int32) if game.hides else spaces.Box(0, 255, game.observation_shape, np.uint8)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def draw(state: State, rng: np.random.Generator) -> None:
    """Draws what chance decides before somebody acts."""
    let_chance_act(state, rng.choice)


def rendered(state: State, mode: Any) -> str:
    """A picture of the position, or text."""
    return state.svg() if mode == "svg" else str(state)
