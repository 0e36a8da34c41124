"""What tests share."""

from functools import lru_cache

import rgc

load = lru_cache(maxsize=None)(rgc.load)
"""A game, which is read once by all tests of a process: games do not change. Chess takes seconds in builds for development."""
