"""The programs in the docs do what is written there."""

import ast
import doctest
import importlib
import inspect
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
    for module in ("pettingzoo", "gymnasium", "pyspiel", "ray"):
        if re.search(rf"\b{module}\b", code):
            pytest.importorskip(module)


@pytest.mark.parametrize(("code", "line"), blocks(), ids=lambda value: str(value) if isinstance(value, int) else "program")
def test_programs_of_the_page_run(code: str, line: int) -> None:
    needs(code)
    exec(compile("\n" * line + code, str(PAGE), "exec"), {"__name__": "__main__"})


def test_help_is_what_the_stubs_say() -> None:
    """Everything public has a docstring at run time, the same as in the stubs."""
    import rgc
    from rgc import _rgc

    compared = 0
    for node in ast.parse((Path(rgc.__file__).parent / "_rgc.pyi").read_text()).body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
            continue
        owner = getattr(_rgc, node.name)
        members = [(node, owner)]
        if isinstance(node, ast.ClassDef):
            functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            members += [(item, inspect.getattr_static(owner, item.name)) for item in functions if not item.name.startswith("_") or ast.get_docstring(item)]
        for item, found in members:
            said = ast.get_docstring(item)
            assert said, f"{node.name}.{item.name} has no docstring in the stubs"
            if item.name not in ("__getitem__",):  # Slots have the words of Python.
                assert inspect.cleandoc(found.__doc__ or "") == said, f"{node.name}.{item.name}"
                compared += 1
    assert compared > 90


@pytest.mark.parametrize("name", ["rgc", "rgc.matches", "rgc.pettingzoo", "rgc.gymnasium", "rgc.openspiel"])
def test_programs_of_the_modules_run(name: str) -> None:
    if name not in ("rgc", "rgc.matches"):
        pytest.importorskip({"openspiel": "pyspiel"}.get(name.split(".")[1], name.split(".")[1]))
    module = importlib.import_module(name)
    if name == "rgc.openspiel":
        return  # The second line names a file.
    assert doctest.testmod(module).failed == 0


def test_the_notebook_runs(tmp_path: Path) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(Path(__file__).parents[1] / "examples" / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output.data["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 2 and all("<svg" in picture for picture in pictures)
    assert any("uct:100p" in output.get("text", "") for output in outputs)


def test_the_table_learns() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    import tabular

    before, after = tabular.main()
    assert before < 0.85 and after > 0.93
