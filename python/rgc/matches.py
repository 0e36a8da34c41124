"""Agents against agents.

>>> import rgc
>>> game = rgc.load("ticTacToe.hrg")
>>> match = rgc.match(game, ["random", "uct:50p"], games=10)
>>> len(match.games), match.agents
(10, ['random', 'uct:50p'])
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import nan

from ._arguments import Actions, Agent, GameLike, Utilities, agents_of, chooser, count, game_of, integer, let_act, let_chance_act, name_of, plies_of, seed_of, tried_agents
from ._rgc import IllegalAction, State, _elo, _ratings, _seats


@dataclass(frozen=True)
class Played:
    """A game that was played."""

    number: int
    seats: tuple[int, ...]
    """By player, the number of the agent that played it."""
    actions: tuple[int, ...]
    """From the beginning, those of chance included."""
    returns: tuple[float, ...]
    """By player; zeros if the game was cut off (`truncated`)."""
    truncated: bool
    action_version: str = ""
    """What the actions mean: `Game.action_version` of the game that was played."""

    def states(self, game: GameLike) -> list[State]:
        """The states from the first to the last, each a new one. Raises `ValueError` for a game whose actions are others than those that were played."""
        game = game_of(game)
        if self.action_version not in ("", game.action_version):
            raise ValueError(f"the actions were played in another game than {game!r}, or in one with other actions")
        state = game.new_initial_state()
        states = [state.clone()]
        for action in self.actions:
            try:
                state.apply_action(action)
            except IllegalAction as error:
                raise ValueError(f"the actions were played in another game than {game!r}: after {state.plies} moves, {error}") from None
            states.append(state.clone())
        return states


@dataclass(frozen=True)
class Result:
    """How one agent did against another: a game is won by who has the greater return."""

    won: int
    drawn: int
    lost: int

    @property
    def score(self) -> float:
        """The mean of 1 for a won, 1/2 for a drawn and 0 for a lost game; 1/2 without games."""
        games = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / games if games else 0.5

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference of Elo ratings that the score stands for, and its 95 % interval; infinite where every game was won or lost."""
        return _elo(self.won, self.drawn, self.lost)


class Match:
    """The games of a match, in their order."""

    def __init__(self, agents: Sequence[Agent], games: Iterable[Played]) -> None:
        self.agents = [name_of(agent) for agent in agents]
        self.games = sorted(games, key=lambda played: played.number)

    def _number(self, agent: int) -> int:
        """The number of an agent that there is."""
        number = integer("an agent", agent)
        if not 0 <= number < len(self.agents):
            raise ValueError(f"the agents are the numbers from 0 to {len(self.agents) - 1}, not {number}")
        return number

    def result(self, agent: int, other: int) -> Result:
        """How an agent did against another, by their numbers. Games that were cut off do not count. Raises `ValueError` for an agent against itself."""
        agent, other, won, drawn, lost = self._number(agent), self._number(other), 0, 0, 0
        if agent == other:
            raise ValueError(f"a result is one of two agents, not of agent {agent} against itself")
        for played in self.games:
            if played.truncated or not {agent, other} <= set(played.seats):
                continue
            own, others = (_mean(played, who) for who in (agent, other))
            won, drawn, lost = won + (own > others), drawn + (own == others), lost + (own < others)
        return Result(won, drawn, lost)

    @property
    def ratings(self) -> list[tuple[float, float]]:
        """By agent, the Elo rating that explains all results best, relative to the mean, and half of its 95 % interval."""
        count = len(self.agents)
        pairs = [(one, other) for one in range(count) for other in range(one + 1, count)]
        results = [(one, other, self.result(one, other)) for one, other in pairs]
        return _ratings(count, [(one, other, found.won, found.drawn, found.lost) for one, other, found in results])

    def _means(self, agent: int) -> list[float]:
        """An agent's mean return in each of its games that ended."""
        return [_mean(played, agent) for played in self.games if agent in played.seats and not played.truncated]

    def mean_returns(self, agent: int) -> float:
        """The mean of an agent's returns over its games that ended; NaN without any. Games that were cut off have no returns, and do not count."""
        means = self._means(self._number(agent))
        return sum(means) / len(means) if means else nan

    def _counted(self) -> str:
        """How many games there are, and which of them all figures are of."""
        cut = sum(played.truncated for played in self.games)
        rest = f"; all figures are of the other {len(self.games) - cut}" if cut else ""
        return f"{len(self.games)} games, {cut} of them cut off{rest}"

    def __str__(self) -> str:
        width = max((len(name) for name in self.agents), default=0)
        lines = [self._counted()]
        for agent, (name, (elo, half)) in enumerate(zip(self.agents, self.ratings, strict=True)):
            ended = len(self._means(agent))
            mean = f"mean return {self.mean_returns(agent):g} in {ended} {'games' if ended != 1 else 'game'}" if ended else "no game that ended"
            lines.append(f"{name:<{width}}  Elo {elo:+.0f} ± {half:.0f}, {mean}")
        for one, name in enumerate(self.agents):
            for other in range(one + 1, len(self.agents)):
                found = self.result(one, other)
                lines.append(f"{name} : {self.agents[other]} = {found.won} won, {found.drawn} drawn, {found.lost} lost")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table for notebooks: ratings, mean returns, and what each agent (row) won, drew and lost against each (column)."""
        head = ["", "Elo", "mean return", *self.agents]
        rows = []
        for one, (name, (elo, half)) in enumerate(zip(self.agents, self.ratings, strict=True)):
            cells = [name, f"{elo:+.0f} ± {half:.0f}", f"{self.mean_returns(one):g}" if self._means(one) else ""]
            for other in range(len(self.agents)):
                found = None if one == other else self.result(one, other)
                cells.append("" if found is None else f"{found.won} / {found.drawn} / {found.lost}")
            rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
        caption = f"<caption>{self._counted()}; won / drawn / lost</caption>"
        return f"<table>{caption}<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def __repr__(self) -> str:
        return f"<Match of {', '.join(self.agents)}: {len(self.games)} games>"


def _mean(played: Played, agent: int) -> float:
    """An agent's mean return over the players that it was."""
    own = [value for seat, value in zip(played.seats, played.returns, strict=True) if seat == agent]
    return sum(own) / len(own)


def play(
    game: GameLike,
    agents: Sequence[Agent],
    *,
    seats: Sequence[int] | None = None,
    number: int = 0,
    seed: int | None = None,
    max_plies: int | None = None,
    actions: Actions | None = None,
    utilities: Utilities | None = None,
) -> Played:
    """Plays a game; `seats` says which of the agents each player is, without it they are in their order.

    `actions` and `utilities` are those of `rgc.load`. What is drawn depends on `seed` and `number` alone: what `Game.agent` has made plays as its text does. Without a seed, every call draws anew. Functions get a copy of
    the whole state, also what is hidden from their player; agents know no more than it. Raises `IllegalAction` if the action of a function is not legal.

    A game is cut off after `max_plies` moves of players, once chance has answered the last one.
    """
    game = game_of(game, actions, utilities)
    agents, max_plies = agents_of(game, agents), plies_of(max_plies)
    if seats is None and len(agents) != game.num_players:
        raise ValueError(f"{game.name} has {game.num_players} players, but there are {len(agents)} agents")
    seats = tuple(range(game.num_players) if seats is None else (integer("a seat", seat) for seat in seats))
    if len(seats) != game.num_players or not all(0 <= seat < len(agents) for seat in seats):
        raise ValueError(f"seats are the numbers of {game.num_players} of the agents, not {seats}")

    seed = seed_of(seed)

    def drawn(what: object) -> random.Random:
        return random.Random(f"{seed}/{number}/{what}")

    choose = [chooser(game, agents[seat], drawn(player).getrandbits(63)) for player, seat in enumerate(seats)]
    chance = drawn("chance")
    state = game.new_initial_state()
    let_chance_act(state, chance.choice)
    while not state.is_terminal() and (max_plies is None or state.plies < max_plies):
        player = state.current_player()
        let_act(state, choose[player], agents[seats[player]], number)
        let_chance_act(state, chance.choice)
    return Played(number, seats, tuple(state.history()), tuple(state.returns()), not state.is_terminal(), game.action_version)


def schedule(agents: int, players: int, games: int) -> list[tuple[int, ...]]:
    """By game, the seats of its players: a round robin, with `games` games for each choice of as many agents as there are players."""
    return [tuple(seats) for seats in _seats(agents, players, games)]


def match(
    game: GameLike, agents: Sequence[Agent], games: int, *, seed: int | None = None, max_plies: int | None = None, actions: Actions | None = None, utilities: Utilities | None = None
) -> Match:
    """A round robin of `games` games for each choice of agents, which take the seats in turn. `actions` and `utilities` are those of `rgc.load`. Without a seed, every call draws anew.
    `rgc.distributed.match` plays it in many processes."""
    game, seed = game_of(game, actions, utilities), seed_of(seed)
    agents, games = tried_agents(game, agents), count("games", games)
    seatings = schedule(len(agents), game.num_players, games)
    return Match(agents, (play(game, agents, seats=seats, number=number, seed=seed, max_plies=max_plies) for number, seats in enumerate(seatings)))
