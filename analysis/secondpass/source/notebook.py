"""A notebook as one program: its code cells joined in order, with the way back to cell and line.

Cells are numbered from 0 over all cells as the notebook lists them, markdown included, as notebook editors and nbformat
do. The joined text holds each code cell followed by a line end; `Source.span` answers in cell and line within it.
A fault in one cell cannot swallow another: each cell is repaired by itself. Python scripts with `# %%` marks are plain
Python and do not come here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..findings import FileError
from .errors import SourceError
from .magics import neutralise
from .positions import split_lines
from .source import Cell, Source, cell_at, parse_pieces


def parse_notebook(text: str, path: str) -> Source:
    """The text of a notebook file (nbformat 3 or 4, JSON); raises `SourceError` if it is none or not one of Python."""
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(path, error.lineno, f"is not a notebook: {error.msg.lower()}") from None
    except RecursionError:
        raise SourceError(path, 1, "is not a notebook: nested too deep") from None
    if not isinstance(notebook, dict):
        raise SourceError(path, 1, "is not a notebook: no cells in it")
    language = _language(notebook)
    if language not in ("", "python", "ipython"):
        raise SourceError(path, 1, f"is a notebook in {language}; only Python is checked")
    return join_cells(_code_cells(notebook, path), path)


def join_cells(cells: Iterable[tuple[int, str]], path: str) -> Source:
    """One source from code cells, each given as its index among all cells and its text, in the order they run.

    Raises `SourceError` if nothing of them can be analysed.
    """
    placed: list[Cell] = []
    line = 1
    for index, text in cells:
        placed.append(Cell(index, line, text))
        line += len(split_lines(text + "\n")) - 1
    plain = "".join(neutralise(cell.text) + "\n" for cell in placed)
    pieces = [(cell.first, cell.first + len(split_lines(cell.text + "\n")) - 2) for cell in placed]
    try:
        tree, problems, lost = parse_pieces(plain, path, pieces)
    except SourceError as error:
        told = _in_cell(error.error, placed)
        raise SourceError(path, told.line, told.message, told.cell) from None
    text = "".join(cell.text + "\n" for cell in placed)
    told_problems = tuple(_in_cell(problem, placed) for problem in problems)
    return Source(path, text, tree, told_problems, lost=lost, cells=tuple(placed))


def _in_cell(problem: FileError, cells: list[Cell]) -> FileError:
    """A problem at a line of the joined text, told by cell and line within it."""
    cell = cell_at(cells, problem.line)
    return replace(problem, line=problem.line - cell.first + 1, cell=cell.index) if cell else problem


def _language(notebook: Mapping[str, object]) -> str:
    metadata = notebook.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(key)
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return str(part[name]).lower()
    return ""


def _code_cells(notebook: Mapping[str, object], path: str) -> list[tuple[int, str]]:
    """Index and text of each code cell of Python."""
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):  # nbformat 3
        cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells", ())]
    if not isinstance(cells, list):
        raise SourceError(path, 1, "is not a notebook: no cells in it")
    found = []
    for index, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        metadata = cell.get("metadata")
        vscode = metadata.get("vscode") if isinstance(metadata, dict) else None
        language = cell.get("language") or (vscode.get("languageId") if isinstance(vscode, dict) else None) or "python"
        text = cell.get("source", cell.get("input", ""))
        if isinstance(text, list):
            text = "".join(part for part in text if isinstance(part, str))
        if language == "python" and isinstance(text, str):
            found.append((index, text))
    return found
