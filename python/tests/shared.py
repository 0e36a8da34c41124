"""What tests share."""

import random
from functools import lru_cache

import rgc

load = lru_cache(maxsize=None)(rgc.load)
"""A game, which is read once by all tests of a process: games do not change. Chess takes seconds in builds for development."""

NAMES = ["ticTacToe.rbg", "breakthrough.sbg", "connectFour.gdl", "chess.rbg", "hex.hrg", "kuhnPoker.hrg", "ticTacDie.hrg", "englishDraughts.hrg"]


def play(state: rgc.State, rng: random.Random, most: int = 60) -> list[rgc.State]:
    """A random game, state by state."""
    states = [state.clone()]
    while not state.is_terminal() and len(states) < most:
        state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states
