"""Notebooks: cells as they are opened, edited, moved and taken away; one program, told cell by cell."""

from __future__ import annotations

from typing import Any

from .lsp_client import Client, part

NOTEBOOK = "file:///tmp/nowhere/a.ipynb"
SETUP = "import torch\nh = torch.zeros(1, 3)\n"
LOOP = 'for step in range(3):\n    s = "😀"; out, h = rnn(inp, h)\n    out.sum().backward()'


def cell(name: str) -> str:
    return f"vscode-notebook-cell:/tmp/nowhere/a.ipynb#{name}"


def opened(client: Client, notebook: str, *cells: tuple[str, int, str]) -> None:
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": notebook,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": kind, "document": cell(name)} for name, kind, _ in cells],
            },
            "cellTextDocuments": [
                {"uri": cell(name), "languageId": "python", "version": 1, "text": text}
                for name, kind, text in cells
                if kind == 2
            ],
        },
    )


def changed(client: Client, notebook: str, version: int, **cells: Any) -> None:
    client.notify(
        "notebookDocument/didChange",
        {"notebookDocument": {"uri": notebook, "version": version}, "change": {"cells": cells}},
    )


def test_a_notebook_lives(pushed: Client) -> None:
    opened(pushed, NOTEBOOK, ("text", 1, "# title"), ("setup", 2, SETUP), ("loop", 2, LOOP))
    assert pushed.diagnostics(cell("setup"), 1) == []
    (diagnostic,) = pushed.diagnostics(cell("loop"), 1)
    assert diagnostic["range"]["start"] == {"line": 1, "character": 23}
    assert {step["location"]["uri"] for step in diagnostic["relatedInformation"]} == {cell("loop")}

    # the pieces of every feature are found in the cell
    assert pushed.at("textDocument/hover", cell("loop"), 1, 25)["contents"]["value"].startswith("**SP101**")
    assert len(pushed.request("textDocument/codeLens", {"textDocument": {"uri": cell("loop")}})) == 6
    assert pushed.request("textDocument/codeLens", {"textDocument": {"uri": cell("setup")}}) == []
    assert pushed.command("secondpass.showGraph", cell("loop"), 1)
    action = pushed.request("codeAction/resolve", pushed.actions(cell("loop"), 1, 25)[0])
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": cell("loop"), "version": 1}

    # an edit inside a cell
    identifier = {"uri": cell("loop"), "version": 2}
    edit = {"document": identifier, "changes": [part(1, 4, 4, "h = h.detach(); ")]}
    changed(pushed, NOTEBOOK, 2, textContent=[edit])
    assert pushed.diagnostics(cell("loop"), 2) == []
    edit = {"document": {**identifier, "version": 3}, "changes": [part(1, 4, 20, "")]}
    changed(pushed, NOTEBOOK, 3, textContent=[edit])
    assert len(pushed.diagnostics(cell("loop"), 3)) == 1

    # a new cell before it, and the loop's cell taken away
    added = {"uri": cell("new"), "languageId": "python", "version": 1, "text": "x = 1"}
    array = {"start": 1, "deleteCount": 0, "cells": [{"kind": 2, "document": cell("new")}]}
    changed(pushed, NOTEBOOK, 4, structure={"array": array, "didOpen": [added]})
    assert pushed.diagnostics(cell("new"), 1) == []
    assert len(pushed.diagnostics(cell("loop"), 3)) == 1
    array = {"start": 3, "deleteCount": 1}
    changed(pushed, NOTEBOOK, 5, structure={"array": array, "didClose": [{"uri": cell("loop")}]})
    assert pushed.diagnostics(cell("loop")) == []

    pushed.notify(
        "notebookDocument/didClose",
        {
            "notebookDocument": {"uri": NOTEBOOK},
            "cellTextDocuments": [{"uri": cell("setup")}, {"uri": cell("new")}],
        },
    )
    assert pushed.diagnostics(cell("setup")) == []


def test_a_cell_that_becomes_text_is_no_code_any_more(pushed: Client) -> None:
    notebook = "file:///tmp/nowhere/b.ipynb"
    opened(pushed, notebook, ("b-loop", 2, LOOP), ("b-rest", 2, "y = 2"))
    assert len(pushed.diagnostics(cell("b-loop"), 1)) == 1
    array = {"start": 0, "deleteCount": 1, "cells": [{"kind": 1, "document": cell("b-text")}]}
    changed(pushed, notebook, 2, structure={"array": array, "didClose": [{"uri": cell("b-loop")}]})
    assert pushed.diagnostics(cell("b-loop")) == []
    assert pushed.diagnostics(cell("b-rest"), 1) == []


def test_fix_all_of_a_notebook_reaches_every_cell(pushed: Client) -> None:
    notebook = "file:///tmp/nowhere/d.ipynb"
    opened(pushed, notebook, ("d-one", 2, "# safe\n" + LOOP), ("d-rest", 2, "y = 2"), ("d-two", 2, LOOP))
    pushed.diagnostics(cell("d-two"), 1)
    for kind in ("notebook.source.fixAll", "notebook.source.fixAll.secondpass"):
        (action,) = pushed.actions(cell("d-one"), 0, 0, only=[kind])
        changed_cells = [change["textDocument"]["uri"] for change in action["edit"]["documentChanges"]]
        assert changed_cells == [cell("d-one"), cell("d-two")]


def test_a_whole_notebook_as_one_python_text(bare: Client) -> None:
    """As jupyterlab-lsp shows it: cells apart by two blank lines, under the notebook's own name."""
    uri = "file:///tmp/nowhere/.virtual_documents/c.ipynb"
    bare.open(uri, f"{SETUP}\n\n{LOOP}\n")
    (diagnostic,) = bare.diagnostics(uri, 1)
    assert diagnostic["range"]["start"]["line"] == 5
