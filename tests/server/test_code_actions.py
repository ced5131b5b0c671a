"""Fixes, in the form each client takes them, and what they make of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from .conftest import CARRIED
from .lsp_client import Client


def applied(text: str, edits: Sequence[Any]) -> str:
    """The text after edits in UTF-16 columns (none behind a wide character here)."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: edit["range"]["start"]["line"], reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        before = lines[start["line"]].encode("utf-16-le")[: 2 * start["character"]].decode("utf-16-le")
        after = lines[end["line"]].encode("utf-16-le")[2 * end["character"] :].decode("utf-16-le")
        lines[start["line"] : end["line"] + 1] = [before + edit["newText"] + after]
    return "\n".join(lines)


def test_the_preferred_fix_comes_first_and_is_filled_in_when_chosen(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    found = pushed.actions(uri, 5, 26)
    assert [(a["title"], a.get("isPreferred", False)) for a in found] == [
        ("Detach `h` before it is used", True),
        ("Keep the graph", False),
        ("Ignore SP101 on this line", False),
        ("Explain SP101 (carried-state)", False),
    ]
    assert "edit" not in found[0]
    edit = pushed.request("codeAction/resolve", found[0])["edit"]
    (change,) = edit["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert edit["changeAnnotations"]["changes-gradients"]["label"] == "Changes gradients"
    assert change["edits"][0]["annotationId"] == "changes-gradients"
    expected = CARRIED.replace('    s = "', '    h = h.detach()\n    s = "')
    assert applied(CARRIED, change["edits"]) == expected


def test_an_old_client_gets_changes_by_uri(bare: Client, uri: str) -> None:
    bare.open(uri, CARRIED)
    edit = bare.actions(uri, 5, 26)[0]["edit"]
    assert list(edit) == ["changes"]
    assert edit["changes"][uri][0]["newText"] == "    h = h.detach()\n"


def test_a_fix_offered_for_an_older_text_is_not_filled_in(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    action = pushed.actions(uri, 5, 26)[0]
    pushed.change(uri, 2, {"text": "\n\n" + CARRIED})
    pushed.diagnostics(uri, 2)
    assert "edit" not in pushed.request("codeAction/resolve", action)


def test_line_ends_of_the_file_are_kept(bare: Client, uri: str) -> None:
    bare.open(uri, CARRIED.replace("\n", "\r\n"))
    assert bare.actions(uri, 5, 26)[0]["edit"]["changes"][uri][0]["newText"] == "    h = h.detach()\r\n"


def test_anywhere_on_the_line_will_do_but_not_elsewhere(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    assert pushed.actions(uri, 5, 0)
    assert pushed.actions(uri, 4, 0) == []


def test_diagnostics_sent_back_are_tied_to_the_action(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    (diagnostic,) = pushed.diagnostics(uri, 1)
    params = {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic]}}
    found = pushed.request("textDocument/codeAction", params)
    assert found[0]["diagnostics"][0]["code"] == "SP101"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    out, h = rnn(inp, h)", "    out, h = rnn(inp, h)  # secondpass: ignore[SP101]"),
        (
            "    out, h = rnn(inp, h)  # secondpass: ignore[SP202] meant",
            "    out, h = rnn(inp, h)  # secondpass: ignore[SP202, SP101] meant",
        ),
    ],
)
def test_ignore_writes_the_comment(bare: Client, uri: str, line: str, expected: str) -> None:
    text = f"for x in y:\n{line}\n    h.sum().backward()\n"
    bare.open(uri, text)
    action = next(a for a in bare.actions(uri, 1, 5) if a["title"].startswith("Ignore"))
    assert applied(text, action["edit"]["changes"][uri]) == text.replace(line, expected)


def test_nothing_is_written_behind_a_backslash(bare: Client, uri: str) -> None:
    text = "out, h = rnn(inp, h) \\\n    + 0\n"
    bare.open(uri, text)
    action = next(a for a in bare.actions(uri, 0, 5) if a["title"].startswith("Ignore"))
    assert applied(text, action["edit"]["changes"][uri]) == text.replace("+ 0", "+ 0  # secondpass: ignore[SP101]")


def test_a_comment_stands_where_none_is_inside_a_string(bare: Client, uri: str) -> None:
    text = 'out, h = rnn(inp, h), """\nsome # text\n"""  # why\n'
    bare.open(uri, text)
    action = next(a for a in bare.actions(uri, 0, 5) if a["title"].startswith("Ignore"))
    wanted = text.replace("  # why", "  # secondpass: ignore[SP101]  # why")
    assert applied(text, action["edit"]["changes"][uri]) == wanted


def test_fix_all_takes_safe_fixes_only_and_only_when_asked_for(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    assert pushed.actions(uri, 0, 0, only=["source.fixAll"]) == []
    pushed.change(uri, 2, {"text": CARRIED + "# safe\n"})
    (action,) = pushed.actions(uri, 0, 0, only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.secondpass"
    assert action["edit"]["documentChanges"][0]["edits"][0]["newText"] == "    h = h.detach()\n"
    (notebook,) = pushed.actions(uri, 0, 0, only=["notebook.source.fixAll.secondpass"])
    assert notebook["kind"] == "notebook.source.fixAll.secondpass"
    assert [a["kind"] for a in pushed.actions(uri, 5, 26, only=["quickfix"])] == ["quickfix"] * 4
    assert pushed.actions(uri, 5, 26, only=["refactor"]) == []
