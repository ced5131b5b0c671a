"""Fixes in a notebook: changed cells go back into its JSON, whose layout stays as it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from typing import Any

from ..source.source import Source
from .change import Change
from .proof import changed_cells


def changed_notebook(text: str, source: Source, changes: Iterable[Change]) -> str:
    """The notebook's file text after changes to its joined code.

    The file is written the way it was (indentation, escapes, end of file). One whose layout is of no usual kind keeps
    its content and takes nbformat's layout.
    """
    cells = dict(changed_cells(source, list(changes)))
    notebook = json.loads(text)
    layout = _layout(text, notebook)
    listed: list[Any] = notebook.get("cells")
    if listed is None:  # nbformat 3
        listed = [cell for sheet in notebook["worksheets"] for cell in sheet.get("cells", ())]
    old = {cell.index: cell.text for cell in source.cells or ()}
    for index, code in cells.items():
        if code != old[index]:
            key = "source" if "source" in listed[index] else "input"
            whole = isinstance(listed[index].get(key), str)
            listed[index][key] = code if whole else code.splitlines(keepends=True)
    return _dumped(notebook, *layout)


def _layout(text: str, notebook: Any) -> tuple[int | str | None, bool, str]:
    end = text[len(text.rstrip()) :]
    indents: tuple[int | str | None, ...] = (1, 2, 4, None, "\t")
    for indent, escaped in product(indents, (False, True)):
        if _dumped(notebook, indent, escaped, end) == text:
            return indent, escaped, end
    return 1, False, end


def _dumped(notebook: Any, indent: int | str | None, escaped: bool, end: str) -> str:
    return json.dumps(notebook, indent=indent, ensure_ascii=escaped) + end
