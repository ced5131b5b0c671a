"""Notebooks: cells, magics and the way back."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from secondpass.findings import FileError, Span
from secondpass.source import SourceError, parse, read
from secondpass.source.magics import neutralise
from secondpass.source.notebook import join_cells, parse_notebook


def notebook(*cells: tuple[str, str | list[str]], **extra: object) -> str:
    return json.dumps(
        {"cells": [{"cell_type": kind, "source": text} for kind, text in cells], "nbformat": 4, "metadata": {}} | extra
    )


def test_cells_are_counted_with_markdown_and_lines_within_the_cell() -> None:
    text = notebook(
        ("markdown", "# x = 0"),
        ("code", ["a = 1\n", "b = 'é'; c = 3"]),
        ("raw", "nothing"),
        ("code", ""),
        ("code", "\nd = f(\n  c)\n"),
    )
    source = parse_notebook(text, "n.ipynb")
    spans = [source.span(node) for node in source.tree.body]
    assert spans == [
        Span("n.ipynb", 1, 1, 1, 6, 1),
        Span("n.ipynb", 2, 1, 2, 8, 1),
        Span("n.ipynb", 2, 10, 2, 15, 1),
        Span("n.ipynb", 2, 1, 3, 5, 4),
    ]
    assert source.cells is not None and [cell.index for cell in source.cells] == [1, 3, 4]
    assert source.joined_line(4, 2) == source.tree.body[3].lineno
    assert source.line(source.joined_line(1, 2)) == "b = 'é'; c = 3"
    assert source.segment(source.tree.body[3]) == "d = f(\n  c)"


@pytest.mark.parametrize("ending", ["", "\n", "\r", "\r\n", "\n\n"])
def test_what_a_cell_ends_in_does_not_shift_the_next(ending: str) -> None:
    source = join_cells([(0, "a = 1" + ending), (1, "b = 2")], "n.ipynb")
    assert [source.span(node) for node in source.tree.body] == [
        Span("n.ipynb", 1, 1, 1, 6, 0),
        Span("n.ipynb", 1, 1, 1, 6, 1),
    ]


def test_a_fault_stays_in_its_cell() -> None:
    cells = [(0, "a = 1\n"), (2, "x = 1\nb = f(\n"), (3, "c = 3\nd = '''\n"), (5, "e = 5\nf'}'")]
    source = join_cells(cells, "n.ipynb")
    assert [(problem.cell, problem.line) for problem in source.problems] == [(2, 2), (3, 2), (5, 2)]
    assert [(source.span(n).cell, source.span(n).line) for n in source.tree.body] == [
        (0, 1), (2, 1), (2, 2), (3, 1), (3, 2), (5, 1), (5, 2),
    ]  # fmt: skip


def test_suppressions_in_cells() -> None:
    source = join_cells([(1, "a = 1"), (4, "b = 2\nc = 3  # secondpass: ignore[SP1]")], "n.ipynb")
    assert source.suppressions.all[0].span == Span("n.ipynb", 2, 8, 2, 33, 4)
    assert source.suppressions.suppressed("SP101", source.joined_line(4, 2))
    assert not source.suppressions.suppressed("SP101", source.joined_line(4, 1))


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install a \\\n  b\nx = 1", "pass\n\nx = 1"),
        ("if a:\n    !ls it's\n    x = 1", "if a:\n    pass\n    x = 1"),
        ("%time x = f()", "if 1: x = f()"),
        ("  %time x = f()".strip() + "\ny = 2", "if 1: x = f()\ny = 2"),
        ("%timeit -n 10 f(x)", "if 1:         f(x)"),
        ("%time x = f(\n  1)", "if 1: x = f(\n  1)"),
        ("?x\nx?\nx.y??\ny = 1", "pass\npass\npass\ny = 1"),
        ("files = !ls\nenv = %env\nx = 1", "files = ...\nenv = ...\nx = 1"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("\n%%time\n%%capture out\nx = 1\n!ls", "\npass\npass\nx = 1\npass"),
        ("%%bash\nls | grep x\nrm it's", "pass\n\n"),
        ("%%writefile a.py\nx = 1", "pass\n"),
        ("x = (a\n     % b)\n!ls", "x = (a\n     % b)\npass"),
        ("x = '''\n%time\n!ls\n'''\n!ls", "x = '''\n%time\n!ls\n'''\npass"),
        ("x = a % b\ny = 'what?'", "x = a % b\ny = 'what?'"),
        ("x = a \\\n  % b\n%time", "x = a \\\n  % b\npass"),
    ],
)
def test_magics(cell: str, read: str) -> None:
    assert neutralise(cell) == read
    ast.parse(read)


def test_code_behind_a_magic_keeps_its_columns() -> None:
    source = join_cells([(0, "%timeit -r 2 y = f(x)\n")], "n.ipynb")
    name = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "f")
    assert source.span(name) == Span("n.ipynb", 1, 18, 1, 19, 0)
    assert source.text == "%timeit -r 2 y = f(x)\n\n"


def test_nbformat_3_and_other_languages() -> None:
    old = {
        "worksheets": [{"cells": [{"cell_type": "heading", "source": "t"}, {"cell_type": "code", "input": ["x = 1"]}]}]
    }
    assert [cell.index for cell in parse_notebook(json.dumps(old), "n").cells or ()] == [1]
    mixed = {"cells": [{"cell_type": "code", "source": "SELECT", "metadata": {"vscode": {"languageId": "sql"}}}]}
    assert parse_notebook(json.dumps(mixed), "n").tree.body == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "is not a notebook: expecting value"),
        ('{\n"cells": [\n', 3, "is not a notebook: expecting value"),
        ("[1]", 1, "is not a notebook: no cells in it"),
        ("{}", 1, "is not a notebook: no cells in it"),
        ("[" * 100_000, 1, "is not a notebook: nested too deep"),
        (notebook(metadata={"kernelspec": {"language": "R"}}), 1, "is a notebook in r; only Python is checked"),
    ],
)
def test_what_is_no_notebook_of_ours(text: str, line: int, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_notebook(text, "n.ipynb")
    assert caught.value.error == FileError("n.ipynb", line, message)


def test_python_2_in_a_cell_names_the_cell() -> None:
    with pytest.raises(SourceError) as caught:
        join_cells([(0, "x = 1"), (3, "y = 1\nprint 'x'")], "n.ipynb")
    assert (caught.value.error.cell, caught.value.error.line) == (3, 2)


def test_an_empty_notebook(tmp_path: Path) -> None:
    path = tmp_path / "n.ipynb"
    path.write_text(notebook())
    source = read(path)
    assert source.tree.body == [] and source.cells == () and source.suppressions.all == ()


def test_percent_scripts_are_plain_python() -> None:
    source = parse("# %% one\nx = 1\n# %%\ny = 2\n", "f.py")
    assert source.cells is None and [source.span(n).line for n in source.tree.body] == [2, 4]
