"""Steps of batches and calls of states: `python bench.py [GAME ...]`; medians of five runs of half a second of CPU time each."""

from __future__ import annotations

import statistics
import sys
import time

import rgc

GAMES = ("breakthrough.rbg", "connectFour.hrg", "chess.rbg", "leducPoker.hrg")
SIZE = 4096


def rate(act, count: int) -> float:
    """How often a second something is done, of which a call does so many."""
    rates = []
    for _ in range(6):
        begin, done = time.process_time(), 0
        while time.process_time() - begin < 0.5:
            act()
            done += count
        rates.append(done / (time.process_time() - begin))
    return statistics.median(rates[1:])


def main(names: tuple[str, ...]) -> None:
    for name in names:
        game = rgc.load(name)
        batch = game.batch(SIZE)
        batch.reset()
        steps = rate(lambda batch=batch: batch.step(batch.sample()), SIZE)
        state = game.new_initial_state()
        calls = {"current_player": state.current_player, "legal_actions": state.legal_actions, "clone": state.clone, "is_terminal": state.is_terminal}
        each = {call: 1e6 / rate(lambda act=act: [act() for _ in range(1000)], 1000) for call, act in calls.items()}
        text = ", ".join(f"{call} {micro:.2f}" for call, micro in each.items())
        print(f"{name}: {steps:,.0f} env-steps/s ({SIZE} games, masks and observations); microseconds: {text}")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or GAMES)
