"""Perft, self-play and matches in many processes or on many machines.

Work is cut into units that depend on the task alone, not on where or in which order they are done, so that results are the same with every executor and any number of
workers. With `journal="file.jsonl"`, what is done is kept in a file, and the same call goes on where an earlier one was interrupted: with the same version of `rgc`, the
same rules and the same agents. An agent that is a function or an object is known by what pickles of it, which for a function is its name.

`actions` and `utilities` are those of `rgc.load`. `executor` is `"local"` (processes of this machine), `"ray"`, `"serial"`, or an object with a method `run` (`rgc.executors`).
Without a seed, games are drawn anew by every call; with the journal of such a call, they go on with its seed.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from . import Game, __version__, executors
from ._arguments import Actions, Agent, GameLike, Utilities, count, game_of, name_of, plies_of, seed_of, tried_agents
from .executors import Executor
from .journal import Journal, kept_seed
from .matches import Match, Played, play, schedule

__all__ = ["match", "perft", "self_play"]

# Units of a count, at least, if there are that many: enough for dozens of workers.
UNITS = 512
# Moves of a unit, at least: fewer are counted faster than they are sent.
SHORT = 2


def _done(task: Any, units: Sequence[Any], described: dict[str, Any], executor: str | Executor, journal: str | PathLike[str] | None) -> list[Any]:
    """The results of all units, in their order; only those that a journal does not have are worked on."""
    # How the work is cut may change with the version of `rgc`: results of other units must not be mixed in.
    described = {**described, "units": _hash(json.dumps(units).encode())}
    with Journal(journal, described) as kept:
        todo = [(index, unit) for index, unit in enumerate(units) if index not in kept.results]
        for index, result in executors.of(executor).run(task, todo):
            kept.add(index, result)
        missing = [index for index in range(len(units)) if index not in kept.results]
        if missing:
            raise RuntimeError(f"the executor has left out {len(missing)} of {len(units)} units: {', '.join(map(str, missing[:10]))}{', …' * (len(missing) > 10)}")
        return [kept.results[index] for index in range(len(units))]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _described(kind: str, game: Game, **what: Any) -> dict[str, Any]:
    """What a task is, for its journal."""
    rules = _hash(game.source.encode())
    return {"task": kind, "version": __version__, "game": game.name, "language": game.language, "rules": rules, "actions": game.action_version, **what}


def _identity(agent: Agent) -> str:
    """What tells an agent from others, for a journal."""
    if isinstance(agent, str):
        return agent
    try:
        return f"{name_of(agent)} {_hash(pickle.dumps(agent, protocol=4))}"
    except Exception as error:
        raise ValueError(f"the agent {name_of(agent)} cannot be told from others in a journal, since it does not pickle: {error}") from error


@dataclass(frozen=True)
class _Perft:
    game: Game

    def __call__(self, unit: tuple[list[int], int]) -> int:
        history, depth = unit
        state = self.game.new_initial_state()
        for action in history:
            state.apply_action(action)
        return self.game.perft(depth, state=state)


def perft(
    game: GameLike,
    depth: int,
    *,
    executor: str | Executor = "local",
    journal: str | PathLike[str] | None = None,
    actions: Actions | None = None,
    utilities: Utilities | None = None,
) -> int:
    """The number of plays of `depth` moves, as `Game.perft` counts it, whatever `actions` and `utilities` are."""
    game, depth = game_of(game, actions, utilities), count("depth", depth)
    parts = game._perft_parts(depth, SHORT, UNITS)
    return sum(_done(_Perft(game), parts, _described("perft", game, depth=depth), executor, journal))


@dataclass(frozen=True)
class _Games:
    game: Game
    agents: tuple[Agent, ...]
    seed: int
    max_plies: int | None

    def __call__(self, unit: tuple[int, list[tuple[int, ...]]]) -> list[Any]:
        first, seatings = unit
        games = [play(self.game, self.agents, seats=seats, number=number, seed=self.seed, max_plies=self.max_plies) for number, seats in enumerate(seatings, first)]
        return [[played.number, played.seats, played.actions, played.returns, played.truncated] for played in games]


def _games(kind: str, task: _Games, seatings: list[tuple[int, ...]], at_once: int, executor: str | Executor, journal: str | PathLike[str] | None) -> list[Played]:
    at_once = count("at_once", at_once, least=1)
    agents = [name_of(agent) if journal is None else _identity(agent) for agent in task.agents]
    plan = {"games": len(seatings), "at_once": at_once, "seed": task.seed, "max_plies": task.max_plies}
    described = _described(kind, task.game, agents=agents, utilities=task.game.utilities, **plan)
    units = [(first, seatings[first : first + at_once]) for first in range(0, len(seatings), at_once)]
    results = _done(task, units, described, executor, journal)
    return [Played(number, tuple(seats), tuple(actions), tuple(returns), cut, task.game.action_version) for result in results for number, seats, actions, returns, cut in result]


def _seed(seed: int | None, journal: str | PathLike[str] | None) -> int:
    """A seed that was given; else that of the journal, whose games go on, or a fresh one."""
    kept = kept_seed(journal) if seed is None and journal is not None else None
    return seed_of(seed) if kept is None else kept


def self_play(
    game: GameLike,
    agent: Agent | Sequence[Agent],
    games: int,
    *,
    seed: int | None = None,
    max_plies: int | None = None,
    at_once: int = 16,
    executor: str | Executor = "local",
    journal: str | PathLike[str] | None = None,
    actions: Actions | None = None,
    utilities: Utilities | None = None,
) -> list[Played]:
    """Games of an agent against itself, or of as many agents as there are players, in their order. `at_once` games are a unit of work.

    The same games come again only with agents that do not look at the clock (`"uct:1000p"`, not `"uct:1s"`).
    """
    game = game_of(game, actions, utilities)
    agents = tried_agents(game, agent if isinstance(agent, Sequence) and not isinstance(agent, str) else [agent])
    if len(agents) not in (1, game.num_players):
        raise ValueError(f"{game.name} has {game.num_players} players: self-play is for one agent, or as many, not {len(agents)}")
    games = count("games", games)
    seats = tuple(range(game.num_players)) if len(agents) > 1 else (0,) * game.num_players
    task = _Games(game, tuple(agents), _seed(seed, journal), plies_of(max_plies))
    return _games("self-play", task, [seats] * games, at_once, executor, journal)


def match(
    game: GameLike,
    agents: Sequence[Agent],
    games: int,
    *,
    seed: int | None = None,
    max_plies: int | None = None,
    at_once: int = 4,
    executor: str | Executor = "local",
    journal: str | PathLike[str] | None = None,
    actions: Actions | None = None,
    utilities: Utilities | None = None,
) -> Match:
    """As `rgc.match`: the same games with the same seed."""
    game = game_of(game, actions, utilities)
    agents, games = tried_agents(game, agents), count("games", games)
    task = _Games(game, tuple(agents), _seed(seed, journal), plies_of(max_plies))
    seatings = schedule(len(agents), game.num_players, games)
    return Match(agents, _games("match", task, seatings, at_once, executor, journal))
