"""The programs in the docs do what is written there."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def blocks() -> list[tuple[str, int]]:
    """The programs of the page, each with its line."""
    text = PAGE.read_text()
    return [(match[1], text[: match.start()].count("\n") + 1) for match in re.finditer(r"```python\n(.*?)```", text, re.DOTALL)]


def needs(code: str) -> None:
    """Skips where something is not installed."""
    for module in ("pettingzoo", "gymnasium", "pyspiel"):
        if re.search(rf"\b{module}\b", code):
            pytest.importorskip(module)


@pytest.mark.parametrize(("code", "line"), blocks(), ids=lambda value: str(value) if isinstance(value, int) else "program")
def test_programs_of_the_page_run(code: str, line: int) -> None:
    needs(code)
    exec(compile("\n" * line + code, str(PAGE), "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("name", ["rgc", "rgc.pettingzoo", "rgc.gymnasium", "rgc.openspiel"])
def test_programs_of_the_modules_run(name: str) -> None:
    if name != "rgc":
        pytest.importorskip({"openspiel": "pyspiel"}.get(name.split(".")[1], name.split(".")[1]))
    module = importlib.import_module(name)
    if name == "rgc.openspiel":
        return  # The second line names a file.
    assert doctest.testmod(module).failed == 0


def test_the_table_learns() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    import tabular

    before, after = tabular.main()
    assert before < 0.85 and after > 0.93
