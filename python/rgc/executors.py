"""Where units of work are done: in this process, in others on this machine, or on the machines of a Ray cluster.

An executor has one method, `run(task, units)`: it calls `task(unit)` for every unit, somewhere, and yields `(index, result)` as they are done, in any order. A
task and its units have to be picklable. What a task raises is raised by `run`, and ends it; an exception that cannot be pickled is raised as a `RuntimeError` with its
traceback.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from ._arguments import count

Task = Callable[[Any], Any]
Units = Sequence[tuple[int, Any]]
"""Units with their indices."""


class Executor(Protocol):
    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]: ...


class WorkerLost(RuntimeError):
    """A unit was given to several workers, and each of them died."""


class Serial:
    """In this process, one after the other."""

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        for index, unit in units:
            yield index, task(unit)


class Local:
    """In processes of this machine, as many as there are processors if `workers` does not say.

    A process that dies is replaced, and its unit is done by another one, at most `attempts` times. Processes are new ones (`spawn`), which import the main module: a
    program needs `if __name__ == "__main__":` around what it does. They end with the process that has started them, however that ends.
    """

    def __init__(self, workers: int | None = None, *, attempts: int = 3) -> None:
        self.workers = _processors() if workers is None else count("workers", workers, least=1)
        self.attempts = count("attempts", attempts, least=1)

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        todo, tries, stillborn = deque(units), dict.fromkeys((index for index, _ in units), 0), 0
        payload = _pickled(task)
        workers: list[_Worker] = []
        left = len(todo)
        try:
            for _ in range(min(self.workers, len(todo))):
                workers.append(_Worker(payload))
            while left:
                for worker in workers:
                    if worker.is_free and todo:
                        tries[todo[0][0]] += 1
                        worker.begin(todo.popleft())
                heard = wait([worker.connection for worker in workers if not worker.is_free])
                for at, worker in enumerate(workers):
                    if worker.connection not in heard:
                        continue
                    try:
                        answer = worker.connection.recv_bytes()
                    except (EOFError, OSError):
                        code = worker.end()
                        workers[at] = _Worker(payload)
                        if worker.unit is None:
                            stillborn += 1
                            if stillborn >= self.attempts:
                                raise WorkerLost(f"{stillborn} workers have ended before they began, the last one with code {code}") from None
                        elif tries[worker.unit[0]] >= self.attempts:
                            raise WorkerLost(f"unit {worker.unit[0]} has ended {self.attempts} workers, the last one with code {code}") from None
                        else:
                            todo.appendleft(worker.unit)
                        continue
                    unit, worker.unit, worker.is_free = worker.unit, None, True
                    done, result = pickle.loads(answer)
                    if not done:
                        raise result
                    if unit is not None:
                        stillborn, left = 0, left - 1
                        yield unit[0], result
        finally:
            for worker in workers:
                worker.end()


def _pickled(task: Task) -> bytes:
    """What processes do, as bytes. Raises `PicklingError`, which says what can be done, whatever pickle raises."""
    try:
        return pickle.dumps(task)
    except Exception as error:
        advice = 'functions have to be known by name in a module, which lambdas and functions inside others are not; executor="serial" needs no other process'
        raise pickle.PicklingError(f"the work cannot be sent to other processes: {error}; {advice}") from error


class _Worker:
    """A process that does one unit after the other."""

    def __init__(self, payload: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, payload), daemon=True)
        try:
            self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()
        self.unit: tuple[int, Any] | None = None
        self.is_free = False  # Until it says that it is ready.

    def begin(self, unit: tuple[int, Any]) -> None:
        self.unit, self.is_free = unit, False
        data = pickle.dumps(unit[1])
        with suppress(OSError):  # It has died already: who waits for its answer finds out.
            self.connection.send_bytes(data)

    def end(self) -> int | None:
        self.connection.close()
        self.process.kill()
        self.process.join()
        return self.process.exitcode


def _work(connection: Connection, payload: bytes) -> None:
    """What a process does until nobody needs it any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who waits, who ends this one.
    threading.Thread(target=_follow, daemon=True).start()
    task: Task | None = None

    def answer(unit: bytes | None) -> bytes:
        nonlocal task
        try:
            task = task or pickle.loads(payload)
            return pickle.dumps((True, None if unit is None else task(pickle.loads(unit))))
        except BaseException as error:  # Also `SystemExit`, and what Rust raises if it panics.
            return _failure(error)

    with suppress(EOFError, OSError):
        connection.send_bytes(answer(None))
        while True:
            connection.send_bytes(answer(connection.recv_bytes()))


def _follow() -> None:
    """Ends this process when the one that has started it is gone, whatever is being done."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _failure(error: BaseException) -> bytes:
    """What was raised, pickled; where that cannot be unpickled again, its traceback in another exception."""
    try:
        data = pickle.dumps((False, error))
        pickle.loads(data)
        return data
    except Exception:
        return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))


class Ray:
    """On the machines of a Ray cluster; on this one if none is connected (`ray.init`). Ray does the units of workers that die anew, at most `attempts` times."""

    def __init__(self, *, attempts: int = 3) -> None:
        self.attempts = count("attempts", attempts, least=1)

    def run(self, task: Task, units: Units) -> Iterator[tuple[int, Any]]:
        import ray

        if not ray.is_initialized():
            ray.init(include_dashboard=False, log_to_driver=False)
        shared = ray.put(task)
        call = ray.remote(max_retries=self.attempts)(_call)
        # Not all at once: Ray keeps what it was told to do.
        todo, at_once = deque(units), 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        running: dict[Any, int] = {}
        try:
            while todo or running:
                while todo and len(running) < at_once:
                    index, unit = todo.popleft()
                    running[call.remote(shared, unit)] = index
                done, _ = ray.wait(list(running), num_returns=1)
                for reference in done:
                    yield running.pop(reference), ray.get(reference)
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _call(task: Task, unit: Any) -> Any:
    return task(unit)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


NAMED: dict[str, Callable[[], Executor]] = {"serial": Serial, "local": Local, "ray": Ray}


def of(executor: str | Executor) -> Executor:
    """An executor by name, or as it is."""
    said = f"executors are {', '.join(map(repr, NAMED))}, or have a method `run`, not {executor!r}"
    if not isinstance(executor, str):
        if isinstance(executor, type) or not callable(getattr(executor, "run", None)):
            raise TypeError(said)
        return executor
    if executor not in NAMED:
        raise ValueError(said)
    return NAMED[executor]()
