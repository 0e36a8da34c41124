"""What was done of a long task, in a file, so that it goes on where it was interrupted.

A line of JSON each: first what the task is, then the index of each unit that was done with its result. Lines are appended and flushed one by one; a last line that
was cut off is done anew.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any


def kept_seed(path: str | PathLike[str]) -> int | None:
    """The seed of the task that a journal is of; `None` if there is no journal, or none that names a seed."""
    try:
        with Path(path).open("rb") as file:
            task = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    seed = task.get("seed") if isinstance(task, dict) else None
    return seed if isinstance(seed, int) else None


class Journal:
    """The results of a task's units by index, those of an earlier run included. Without a path, they are kept in memory only.

    Raises `ValueError` if the file is the journal of another task, or none.
    """

    def __init__(self, path: str | PathLike[str] | None, task: dict[str, Any]) -> None:
        self.results: dict[int, Any] = {}
        self._file = None
        if path is None:
            return
        path, task = Path(path), json.loads(json.dumps(task))
        kept = self._read(path, task) if path.exists() else 0
        self._file = path.open("ab")
        self._file.truncate(kept)
        if kept == 0:
            self._write(task)

    def _read(self, path: Path, task: dict[str, Any]) -> int:
        """Reads the results of an earlier run. Returns the length of what is whole."""
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            if data and not json.dumps(task).encode().startswith(data):
                raise ValueError(f"{path} is no journal")
            return 0
        try:
            first, *lines = [json.loads(line) for line in whole.splitlines()]
            results = {int(index): result for index, result in lines}
        except (ValueError, TypeError) as error:
            raise ValueError(f"{path} is no journal: {error}") from error
        if first != task:
            keys = sorted({*first, *task}) if isinstance(first, dict) else []
            other = [key for key in keys if first.get(key) != task.get(key)]
            raise ValueError(f"{path} is the journal of another task: {', '.join(other) or 'all'} differ; name another file, or remove it")
        self.results = results
        return len(whole)

    def _write(self, line: Any) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()

    def add(self, index: int, result: Any) -> None:
        """A unit is done."""
        self.results[index] = result
        if self._file is not None:
            self._write([index, result])

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
