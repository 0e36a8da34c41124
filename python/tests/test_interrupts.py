"""Long work, and Ctrl-C."""

import signal
import subprocess
import sys
import time

import pytest



def endless(count: int) -> str:
    """A game whose plays do not end, with that many bits of which each move changes one: each takes a while."""
    bits = "".join(f"var b{bit}: Bit = 0;" for bit in range(count))
    moves = "".join(f"m, {kind}{bit}: b{bit} == {old}; {kind}{bit}, t{kind}{bit}: b{bit} = {1 - old}; t{kind}{bit}, u{bit}: $ x{bit};" for bit in range(count) for kind, old in (("n", 0), ("o", 1)))
    back = "".join(f"u{bit}, m: player = p;" for bit in range(count))
    return f"type Player = {{ p }}; type Score = {{ 0 }}; type Bit = {{ 0, 1 }}; {bits} begin, m: player = p; {moves} {back} m, e: player == keeper; e, end: player = keeper;"


ENDLESS = endless(40)


SECRET = endless(40).replace("{ p }", "{ p, q }").replace("begin, m: player = p;", "begin, h: visible[q] = 0; h, m: player = p;")
"""As `ENDLESS`, with another player who sees nothing of it."""

# What is done before, and what takes hours, or at least long.
BREAKTHROUGH = "game = rgc.load('breakthrough.rbg')"
PLAYED = "state = rgc.loads(SECRET, language='rg').new_initial_state(); [state.apply_action(state.legal_actions()[ply % 40]) for ply in range(1000)]"
WORK = [
    (BREAKTHROUGH, "game.perft(12)"),
    (BREAKTHROUGH, "game.perft(70)"),
    (BREAKTHROUGH, "game.playouts(10**9)"),
    (BREAKTHROUGH, "game.playouts(10**9, max_plies=20)"),
    (BREAKTHROUGH, "game.audit(playouts=10**8)"),
    (BREAKTHROUGH, "game.audit(positions=10**8, proper=True)"),
    (BREAKTHROUGH, "game.agent('uct:1000s').choose(game.new_initial_state())"),
    ("game = rgc.load('backgammon.hrg')", "game.perft(9)"),
    ("game = rgc.loads(ENDLESS, language='rg')", "game.playouts(10**9)"),
    ("game = rgc.loads(ENDLESS, language='rg')", "game.playouts(1)"),
    (PLAYED, "state.resample(1, seed=1)"),
    ("game = rgc.load('chess.rbg')", "game.batch(2**17, mask=False, observations=False)"),
]


@pytest.mark.parametrize(("before", "work"), WORK)
def test_long_work_is_interrupted(before: str, work: str) -> None:
    """Ctrl-C ends it soon."""
    # A process that was started in the background ignores the signal until it says otherwise.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heed}; import rgc; ENDLESS, SECRET = {ENDLESS!r}, {SECRET!r}; {before}; print('ready', flush=True); {work}; print('done', flush=True)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        try:
            told, said = child.communicate(timeout=20)
        finally:
            child.kill()
        assert child.returncode != 0 and b"KeyboardInterrupt" in said and b"done" not in told
