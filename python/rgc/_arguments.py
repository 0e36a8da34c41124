"""What arguments may be: games and players also by name, agents of every kind, and whole numbers that are never rounded."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from os import PathLike
from typing import Any, Literal

from ._rgc import Agent as Program
from ._rgc import Game, GameError, IllegalAction, RulesWarning, State, load, loads

GameLike = Game | str | PathLike[str]
"""A game, or the bundled game or file of that name."""

Agent = str | Program | Callable[[State], int]
"""An agent of the command line (`"uct:1000p"`), what `Game.agent` makes of it, or a function from a state to a legal action."""


Actions = Literal["auto", "moves", "steps", "places"]
"""What is one action, as `rgc.load` has it."""

Utilities = Mapping[str | int, float]
"""What scores are worth, as `rgc.load` has it."""


def game_of(game: GameLike, actions: Actions | None = None, utilities: Utilities | None = None) -> Game:
    """A game, or the bundled game or file of that name. `actions` and `utilities` are those of `rgc.load`.

    A game that was loaded already is loaded once more with those that are given, without warnings on its rules; what is `None` stays as it is.
    """
    if isinstance(game, Game):
        if actions is None and utilities is None:
            return game
        rebuild, (text, language, name, own_actions, own_utilities) = game.__reduce__()
        actions = own_actions if actions is None else actions
        if utilities is None:
            return rebuild(text, language, name, actions, own_utilities)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RulesWarning)
            return loads(text, language=language, name=f"{name}.{language}", actions=actions, utilities=utilities)
    if isinstance(game, (str, PathLike)):
        return load(game, actions="auto" if actions is None else actions, utilities=utilities)
    raise TypeError(f"a game is what `rgc.load` returns, the name of a bundled game, or a path, not {game!r}")


def integer(name: str, value: Any) -> int:
    """A whole number, also one of numpy. Raises `TypeError` for all else: nothing is rounded."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {value!r}") from None


def count(name: str, value: Any, least: int = 0) -> int:
    """A whole number that is not too small."""
    number = integer(f"`{name}`", value)
    if number < least:
        raise ValueError(f"`{name}` is at least {least}, not {number}")
    return number


def limit(name: str, value: Any, least: int = 0) -> int | None:
    """A count, or `None` for none."""
    return None if value is None else count(name, value, least)


def plies_of(value: Any) -> int | None:
    """After how many moves of players a game is cut off, once chance has answered the last one; `None` for never."""
    return limit("max_plies", value, least=1)


def seed_given(seed: Any) -> int:
    """A seed: an integer from 0 to 2**64 - 1. Raises `TypeError` and `ValueError` for all else."""
    number = integer("`seed`", seed)
    if not 0 <= number < 2**64:
        raise ValueError(f"`seed` is an integer from 0 to 2**64 - 1, not {number}")
    return number


def seed_of(seed: Any) -> int:
    """A seed that was given; a fresh one of the system's entropy for `None`."""
    return secrets.randbits(63) if seed is None else seed_given(seed)


def player_of(game: Game, player: int | str) -> int:
    """The number of a player, which may be given by its name."""
    names = game.players
    known = f"the players of {game.name} are {', '.join(f'{at} ({name!r})' for at, name in enumerate(names))}"
    if isinstance(player, str):
        if player not in names:
            raise ValueError(f"{known}, not {player!r}")
        return names.index(player)
    number = integer("`player`", player) if hasattr(player, "__index__") else None
    if number is None:
        raise TypeError(f"{known}, not {player!r}")
    if not 0 <= number < len(names):
        raise ValueError(f"{known}, not {number}")
    return number


def agent_of(game: Game, agent: Agent) -> str | Callable[[State], int]:
    """A text or a function. What `Game.agent` has made becomes its text: every game has a new one, whose seed comes from that of the game.

    Raises `ValueError` for one that was made for another game.
    """
    if isinstance(agent, Program):
        if agent.game != game:
            raise ValueError(f"{agent!r} is for another game than {game!r}, or for one with other actions or utilities")
        return agent.spec
    if not isinstance(agent, str) and not callable(agent):
        raise TypeError(f'an agent is a text such as "uct:1s", what `Game.agent` returns, or a function from a state to an action, not {agent!r}')
    return agent


def agents_of(game: Game, agents: Iterable[Agent]) -> list[str | Callable[[State], int]]:
    """Several agents. Raises `TypeError` for a single one: the letters of a text are no agents."""
    if isinstance(agents, (str, Program)) or not isinstance(agents, Iterable):
        raise TypeError(f"`agents` is a list of agents, not {agents!r}")
    return [agent_of(game, agent) for agent in agents]


def tried_agents(game: Game, agents: Iterable[Agent]) -> list[str | Callable[[State], int]]:
    """Several agents, each of which can play the game. Raises `ValueError` for a text that is none."""
    tried = agents_of(game, agents)
    for agent in tried:
        chooser(game, agent, 0)
    return tried


@dataclass(frozen=True)
class _Checked:
    """A function as an agent."""

    agent: Callable[[State], int]

    def __call__(self, state: State) -> int:
        # A copy: what the function does to it changes nothing in the game.
        return integer(f"an action of {name_of(self.agent)}", self.agent(state.clone()))


def chooser(game: Game, agent: Agent, seed: int) -> Callable[[State], int]:
    """What chooses in one game. A copy of it goes on as it does if the agent is a text; it is pickled if the agent is."""
    agent = agent_of(game, agent)
    return game.agent(agent, seed=seed) if isinstance(agent, str) else _Checked(agent)


MAX_CHANCE = 10_000
"""Actions of chance in a row at most."""


def let_chance_act(state: State, choose: Callable[[list[int]], int]) -> None:
    """Draws what chance decides before somebody acts or the game is over. Raises `GameError` where that does not end."""
    for _ in range(MAX_CHANCE):
        if not state.is_chance_node():
            return
        state.apply_action(int(choose(state.legal_actions())))
    error = GameError(f"`random` takes {MAX_CHANCE} actions in a row")
    error.findings = []
    raise error


def let_act(state: State, choose: Callable[[State], int], agent: Agent, number: int | None = None) -> None:
    """Takes the action that an agent chooses with this function. Raises `IllegalAction`, which says whose action it was, and when."""
    action = choose(state)
    try:
        state.apply_action(action)
    except IllegalAction as error:
        player, game = state.game.players[state.current_player()], "" if number is None else f" of game {number}"
        raise IllegalAction(f"{name_of(agent)} as {player}, after {state.plies} moves{game}: {error}") from None


def name_of(agent: Agent) -> str:
    """What an agent is called in results."""
    if isinstance(agent, (str, Program)):
        return agent if isinstance(agent, str) else agent.spec
    return getattr(agent, "__qualname__", type(agent).__qualname__)
