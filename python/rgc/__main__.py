"""`python -m rgc selftest`: ten bundled games against their known numbers of plays."""

import sys
import time

from . import __version__, load

KNOWN = {
    "ticTacToe.rbg": (9, 72, 504, 3024),
    "ticTacToe.hrg": (9, 72, 504, 3024),
    "breakthrough.rbg": (22, 484, 11132, 256036),
    "breakthrough.sbg": (22, 484, 11132, 256036),
    "breakthrough.gdl": (22, 484, 11132),
    "connectFour.hrg": (7, 49, 343, 2401, 16807),
    "chess.rbg": (20, 400, 8902),
    "reversi.hrg": (4, 12, 56, 244, 1396),
    "hex.hrg": (121, 14520),
    "knightthrough.rg": (40, 1600, 63520),
}


def selftest() -> int:
    begin, wrong = time.perf_counter(), 0
    for name, numbers in KNOWN.items():
        game = load(name)
        found = tuple(game.perft(depth) for depth in range(1, len(numbers) + 1))
        if found != numbers:
            wrong += 1
            print(f"{name}: {found}, known are {numbers}", file=sys.stderr)
    print(f"rgc {__version__}: {len(KNOWN) - wrong} of {len(KNOWN)} games as known, {time.perf_counter() - begin:.1f} s")
    return 1 if wrong else 0


def main() -> int:
    if sys.argv[1:] == ["selftest"]:
        return selftest()
    print("usage: python -m rgc selftest", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
