"""Work in many processes: the same results everywhere, and nothing is lost where one is killed."""

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rgc
from rgc import distributed, executors
from rgc.executors import Executor, Local, Serial, Task, Units, WorkerLost
from shared import load


class Backwards:
    """Does the last unit first."""

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        return Serial().run(task, units[::-1])


class Killing:
    """Kills a worker for every few units that are done."""

    def __init__(self, executor: Executor, every: int, workers: Callable[[], list[int]]) -> None:
        self.executor, self.every, self.workers, self.killed = executor, every, workers, 0

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        for count, done in enumerate(self.executor.run(task, units)):
            if count % self.every == 0:
                workers = self.workers()
                with suppress(ProcessLookupError):
                    os.kill(workers[count // self.every % len(workers)], signal.SIGKILL)
                    self.killed += 1
            yield done


def children() -> list[int]:
    """The processes of `Local`."""
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def of_ray() -> list[int]:
    """The processes in which Ray does units; it names them after what they do."""
    found = []
    for name in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if name.read_bytes().startswith((b"ray::_call", b"ray::IDLE")):
                found.append(int(name.parent.name))
    return sorted(found)


@pytest.mark.parametrize("name", ["connectFour.hrg", "chess.rbg", "ticTacDie.hrg", "leducPoker.hrg", "hexapawn.gdl", "englishDraughts.hrg"])
def test_parts_add_up(name: str) -> None:
    game = load(name)
    for depth in range(5 if name != "chess.rbg" else 4):
        assert distributed.perft(game, depth, executor="serial") == game.perft(depth), depth


def test_nothing_is_lost_with_workers() -> None:
    game = load("connectFour.hrg")
    killing = Killing(Local(2), every=60, workers=children)
    assert distributed.perft(game, 7, executor=killing) == game.perft(7)
    assert killing.killed > 5


def suicide(unit: int) -> int:
    """Dies of one of the units."""
    if unit == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return unit


def fail(unit: int) -> int:
    raise rgc.IllegalAction(f"unit {unit}")


def test_units_that_end_workers_are_given_up() -> None:
    with pytest.raises(WorkerLost, match="unit 3 has ended 2 workers"):
        dict(Local(2, attempts=2).run(suicide, [(at, at) for at in range(6)]))
    with pytest.raises(rgc.IllegalAction, match="unit"):
        dict(Local(2).run(fail, [(0, 0), (1, 1)]))
    assert dict(Local(2).run(suicide, [(0, 7)])) == {0: 7} and dict(Local(2).run(suicide, [])) == {}
    assert not multiprocessing.active_children()


class Picky(Exception):
    """It is pickled, but not unpickled."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}: {why}")


def wrong(kind: str) -> Any:
    """Ends in some unusual way."""
    if kind == "exit":
        sys.exit(3)
    if kind == "picky":
        raise Picky("unit", "no")
    if kind == "unpicklable":
        raise ValueError("a function", lambda: None)
    return lambda: None


@pytest.mark.parametrize(("kind", "raised", "said"), [("exit", SystemExit, "3"), ("picky", RuntimeError, "Picky: unit: no"), ("unpicklable", RuntimeError, "a function"), ("result", Exception, "lambda")])
def test_what_tasks_raise_is_raised(kind: str, raised: type[BaseException], said: str) -> None:
    with pytest.raises(raised, match=said):
        dict(Local(1).run(wrong, [(0, kind)]))
    assert not multiprocessing.active_children()


def test_workers_are_ended_if_another_one_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Second(executors._Worker):
        def __init__(self, payload: bytes) -> None:
            if begun:
                raise OSError("no more processes")
            begun.append(self)
            super().__init__(payload)

    monkeypatch.setattr(executors, "_Worker", Second)
    with pytest.raises(OSError, match="no more"):
        dict(Local(2).run(suicide, [(0, 0), (1, 1)]))
    assert begun and not multiprocessing.active_children()


ORPHANS = """
import os
import sys
import time
from pathlib import Path
from rgc.executors import Local

def slow(path):
    Path(path).write_text(f"{os.getpid()}.")
    time.sleep(300)

if __name__ == "__main__":
    dict(Local(1).run(slow, [(0, sys.argv[1])]))
"""


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def test_workers_end_with_who_started_them(tmp_path: Path) -> None:
    program, said = tmp_path / "orphans.py", tmp_path / "process"
    program.write_text(ORPHANS)
    running = subprocess.Popen([sys.executable, str(program), str(said)], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (said.exists() and said.read_text().endswith(".")):
        time.sleep(0.01)
    worker = int(said.read_text()[:-1])
    assert lives(worker)
    running.kill()
    running.wait()
    while time.monotonic() < until and lives(worker):
        time.sleep(0.01)
    assert not lives(worker)


def test_games_are_the_same_everywhere() -> None:
    game = load("leducPoker.hrg")
    games = [distributed.self_play(game, "uct:20p", 12, seed=5, at_once=at_once, executor=executor) for executor, at_once in (("serial", 5), (Backwards(), 3), (Local(2), 4))]
    assert games[0] == games[1] == games[2] and [played.number for played in games[0]] == list(range(12))
    game = load("ticTacToe.hrg")
    match = distributed.match(game, ["random", "greedy"], 10, seed=2, executor=Local(2))
    assert match.games == rgc.match(game, ["random", "greedy"], 10, seed=2).games


def test_journals_go_on(tmp_path: Path) -> None:
    game, path = load("ticTacToe.hrg"), tmp_path / "journal.jsonl"
    whole = distributed.self_play(game, "random", 40, at_once=4, executor="serial", journal=path)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 11 and json.loads(lines[0])["task"] == "self-play"
    # Some units, and half a line.
    path.write_bytes(b"".join(lines[:5]) + lines[5][:9])
    counted = Counted()
    assert distributed.self_play(game, "random", 40, at_once=4, executor=counted, journal=path) == whole
    assert counted.units == 6 and sorted(path.read_bytes().splitlines()) == sorted(b"".join(lines).splitlines())
    with pytest.raises(ValueError, match="another task: seed differ"):
        distributed.self_play(game, "random", 40, at_once=4, seed=1, executor="serial", journal=path)
    path.write_text("something else\n")
    with pytest.raises(ValueError, match="no journal"):
        distributed.self_play(game, "random", 40, executor="serial", journal=path)
    assert path.read_text() == "something else\n"


def chosen(place: int, state: rgc.State) -> int:
    legal = state.legal_actions()
    return legal[place % len(legal)]


def test_journals_tell_agents_and_versions_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = load("ticTacToe.hrg"), tmp_path / "journal.jsonl"
    first = distributed.self_play(game, partial(chosen, 0), 2, executor="serial", journal=path)
    assert distributed.self_play(game, partial(chosen, 0), 2, executor="serial", journal=path) == first
    with pytest.raises(ValueError, match="another task: agents differ"):
        distributed.self_play(game, partial(chosen, -1), 2, executor="serial", journal=path)
    with pytest.raises(ValueError, match="<lambda> cannot be told from others in a journal"):
        distributed.self_play(game, lambda state: state.legal_actions()[0], 2, executor="serial", journal=path)
    counts = tmp_path / "counts.jsonl"
    assert distributed.perft(game, 4, executor="serial", journal=counts) == 3024
    # As if another version cut the work into other units.
    monkeypatch.setattr(distributed, "SHORT", 3)
    monkeypatch.setattr(distributed, "__version__", "another")
    with pytest.raises(ValueError, match="another task: units, version differ"):
        distributed.perft(game, 4, executor="serial", journal=counts)


class Lazy:
    """Leaves the second unit out."""

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        return Serial().run(task, [*units[:1], *units[2:]])


def test_wrong_arguments_are_refused() -> None:
    game = load("ticTacToe.hrg")
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="`workers` is at least 1"):
            Local(wrong)
        with pytest.raises(ValueError, match="`at_once` is at least 1"):
            distributed.self_play(game, "random", 4, at_once=wrong, executor="serial")
    with pytest.raises(ValueError, match="`games` is at least 0"):
        distributed.self_play(game, "random", -1, executor="serial")
    with pytest.raises(ValueError, match="2 players: self-play is for one agent, or as many, not 3"):
        distributed.self_play(game, ["random"] * 3, 4, executor="serial")
    with pytest.raises(RuntimeError, match="left out 1 of 4 units: 1$"):
        distributed.self_play(game, "random", 4, at_once=1, executor=Lazy())


class Counted:
    """Counts units."""

    units = 0

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        self.units += len(units)
        return Serial().run(task, units)


PROGRAM = """
import sys
import rgc
from rgc import distributed
from rgc.executors import Local

if __name__ == "__main__":
    print(distributed.perft(rgc.load("connectFour.hrg"), 9, executor=Local(2), journal=sys.argv[1]))
"""


def test_a_program_that_is_killed_goes_on(tmp_path: Path) -> None:
    program, journal = tmp_path / "count.py", tmp_path / "journal.jsonl"
    program.write_text(PROGRAM)
    running = subprocess.Popen([sys.executable, str(program), str(journal)], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and (not journal.exists() or journal.read_bytes().count(b"\n") < 20):
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    running.wait()
    done = journal.read_bytes().count(b"\n")
    assert done >= 20, "nothing was done"
    found = subprocess.run([sys.executable, str(program), str(journal)], capture_output=True, text=True, check=True)
    assert int(found.stdout) == load("connectFour.hrg").perft(9)
    assert journal.read_bytes().count(b"\n") > done


def test_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        game = load("connectFour.hrg")
        assert distributed.perft(game, 6, executor="ray") == game.perft(6)
        expected = distributed.self_play(game, "random", 8, seed=1, at_once=2, executor="serial")
        assert distributed.self_play(game, "random", 8, seed=1, at_once=2, executor="ray") == expected
        with pytest.raises(ValueError):
            distributed.self_play(game, "no such agent", 2, executor="ray")
        if Path("/proc/self/cmdline").exists():
            killing = Killing(executors.Ray(), every=800, workers=of_ray)
            assert distributed.perft(game, 7, executor=killing) == game.perft(7)
            assert killing.killed >= 3
    finally:
        ray.shutdown()


def test_executors_by_name() -> None:
    with pytest.raises(ValueError, match="'serial', 'local', 'ray'"):
        distributed.perft(load("ticTacToe.hrg"), 3, executor="cluster")


def test_what_cannot_be_sent_is_told() -> None:
    game = load("ticTacToe.hrg")
    with pytest.raises(pickle.PicklingError, match="the work cannot be sent to other processes: .*known by name in a module"):
        distributed.match(game, [lambda state: state.legal_actions()[0], "random"], 2)
    for executor in (3, None, Local, object()):
        with pytest.raises(TypeError, match="executors are 'serial', 'local', 'ray', or have a method `run`, not "):
            distributed.perft(game, 2, executor=executor)
    with pytest.raises(ValueError, match="executors are .*, not 'threads'"):
        distributed.perft(game, 2, executor="threads")


def test_modules_are_there_without_their_own_import() -> None:
    program = "import rgc; assert rgc.distributed.perft('ticTacToe.hrg', 2, executor=rgc.executors.Serial()) == 72"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
    with pytest.raises(AttributeError, match="module 'rgc' has no attribute 'executor'"):
        rgc.executor
