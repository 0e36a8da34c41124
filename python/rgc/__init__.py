"""Games from their rules: states, batches of environments, agents.

>>> import rgc
>>> game = rgc.load("ticTacToe")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> len(state.legal_actions())
8
"""

from functools import lru_cache as _lru_cache
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._rgc import (
    Agent,
    Audit,
    BatchEnv,
    Finding,
    Game,
    GameError,
    IllegalAction,
    RulesWarning,
    ScoreWarning,
    State,
    __version__,
    _rebuilt,
    games,
    load,
    loads,
)

from .matches import Match, Played, Result, match, play

if _TYPE_CHECKING:
    from . import distributed as distributed
    from . import executors as executors

__all__ = [
    "Agent",
    "Audit",
    "BatchEnv",
    "Finding",
    "Game",
    "GameError",
    "IllegalAction",
    "Match",
    "Played",
    "Result",
    "RulesWarning",
    "ScoreWarning",
    "State",
    "__version__",
    "distributed",
    "executors",
    "games",
    "load",
    "loads",
    "match",
    "play",
]


class _Drawing(str):
    """A drawing as the text of its SVG, which notebooks show."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def __getattr__(name: str) -> _Any:
    # Imported when they are needed: a program that plays in one process needs no others.
    if name in ("distributed", "executors"):
        return _import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@_lru_cache(maxsize=64)
def _rebuild(text: str, language: str, name: str, actions: str, utilities: tuple[tuple[str, float], ...] | None) -> Game:
    """A game that was pickled: states that are unpickled one after the other share it."""
    return _rebuilt(text, language, f"{name}.{language}", actions, None if utilities is None else list(utilities))


def _state(game: Game, data: bytes) -> State:
    """A state that was pickled."""
    return game.state_from_bytes(bytes(data))


def _agent(game: Game, spec: str, seed: int) -> Agent:
    """An agent that was pickled."""
    return game.agent(spec, seed=seed)


def _batch(game: Game, size: int, options: dict[str, _Any], games: bytes, kept: tuple[_Any, ...]) -> BatchEnv:
    """A batch that was pickled."""
    batch = game.batch(size, **options)
    batch._restore(games, kept)
    return batch
