"""Learns tic-tac-toe from nothing by playing against itself, with a table of values: `python tabular.py`.

The table has, for each position, what the player who has just moved may expect. A player takes the action that leads to the best position, now
and then another one; after each game, the values of its positions are moved towards what came of it (Monte Carlo control). Any small game of two
players without hidden information or chance will do: `python tabular.py hexapawn.gdl`.
"""

from __future__ import annotations

import random
import sys

import rgc


class Table:
    """Values of positions for the player who moved there."""

    def __init__(self, game: rgc.Game, seed: int = 0) -> None:
        self.game, self.rng = game, random.Random(seed)
        self.values: dict[rgc.State, float] = {}
        self.low, self.high = min(game.utilities), max(game.utilities)
        self.games = 0

    def value(self, state: rgc.State, player: int) -> float:
        """From 0 to 1: what a player may expect of a position to which it has moved."""
        if state.is_terminal():
            return (state.returns()[player] - self.low) / (self.high - self.low)
        return self.values.get(state, 0.5)

    def choose(self, state: rgc.State, explore: float = 0.0) -> int:
        actions = state.legal_actions()
        if self.rng.random() < explore:
            return self.rng.choice(actions)
        self.rng.shuffle(actions)
        return max(actions, key=lambda action: self.value(state.child(action), state.current_player()))

    def learn(self, games: int, rate: float = 0.2, explore: float = 0.1) -> None:
        self.games += games
        for _ in range(games):
            state, visited = self.game.new_initial_state(), []
            while not state.is_terminal():
                player = state.current_player()
                state.apply_action(self.choose(state, explore))
                visited.append((state.clone(), player))
            for position, player in visited:
                old, new = self.values.get(position, 0.5), self.value(state, player)
                self.values[position] = old + rate * (new - old)


def score(table: Table, games: int, seed: int = 0) -> float:
    """The share of the points that the table makes against random play, from both sides."""
    rng, points = random.Random(seed), 0.0
    for number in range(games):
        state, side = table.game.new_initial_state(), number % 2
        while not state.is_terminal():
            is_table = state.current_player() == side
            state.apply_action(table.choose(state) if is_table else rng.choice(state.legal_actions()))
        points += (state.returns()[side] - table.low) / (table.high - table.low)
    return points / games


def main(name: str = "ticTacToe.hrg") -> tuple[float, float]:
    table = Table(rgc.load(name))
    before = score(table, 400)
    print(f"{name}: {100 * before:.0f} % against random play without a table")
    for total in (1_000, 4_000, 10_000):
        table.learn(total - table.games)
        after = score(table, 400)
        print(f"{total} games: {100 * after:.0f} %, {len(table.values)} positions")
    return before, after


if __name__ == "__main__":
    main(*sys.argv[1:2])
