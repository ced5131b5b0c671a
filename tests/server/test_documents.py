"""The server's text is the client's text, whatever is typed, in every unit the protocol knows."""

from __future__ import annotations

import random

import pytest
from lsprotocol import types as lsp
from secondpass_server.analysis import Units
from secondpass_server.documents import Text

ALPHABET = [
    "a",
    "é",
    "漢",
    "😀",
    "\n",
    "\r\n",
    "\r",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u2028",
    "\t",
    "",
    "e\u0301",
    " ",
]
WIDTHS: dict[Units, str] = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def units(text: str, kind: Units) -> int:
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[kind]
    return len(text.encode(WIDTHS[kind])) // size


def position(text: str, offset: int, kind: Units) -> lsp.Position | None:
    """The protocol's position of an offset, by the letter of the specification; None inside `\\r\\n`."""
    if text[offset - 1 : offset + 1] == "\r\n" and offset:
        return None
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), units(line, kind))


@pytest.mark.parametrize("kind", ["utf-8", "utf-16", "utf-32"])
def test_random_edits_leave_both_sides_with_the_same_text(kind: Units) -> None:
    draw = random.Random(f"edits {kind}")
    for _ in range(60):
        mine = "".join(draw.choices(ALPHABET, k=draw.randrange(30)))
        theirs = Text(mine, kind)
        for _ in range(40):
            start, end = sorted(draw.randrange(len(mine) + 1) for _ in range(2))
            first, last = position(mine, start, kind), position(mine, end, kind)
            if first is None or last is None:
                continue
            new = "".join(draw.choices(ALPHABET, k=draw.randrange(4)))
            change = lsp.TextDocumentContentChangePartial(range=lsp.Range(first, last), text=new)
            theirs = theirs.edited([change])
            mine = mine[:start] + new + mine[end:]
            assert theirs.text == mine


@pytest.mark.parametrize("kind", ["utf-8", "utf-16", "utf-32"])
def test_every_place_has_a_position_that_leads_back_to_it(kind: Units) -> None:
    draw = random.Random(f"places {kind}")
    for _ in range(100):
        text = Text("".join(draw.choices(ALPHABET, k=20)), kind)
        for number, line in enumerate(text.lines, 1):
            for column in range(1, len(line) + 2):
                found = text.position(number, column)
                assert found == lsp.Position(number - 1, units(line[: column - 1], kind))
                assert text.place(found) == (number, column)


def test_what_lies_outside_is_brought_in() -> None:
    text = Text("ab\ncd", "utf-16")
    assert text.place(lsp.Position(0, 99)) == (1, 3)
    assert text.place(lsp.Position(9, 0)) == (2, 3)
    assert text.position(9, 9) == lsp.Position(1, 2)
    assert text.offset(lsp.Position(1, 99)) == 5
    assert Text("", "utf-8").place(lsp.Position(0, 0)) == (1, 1)


def test_changes_of_one_message_count_one_after_the_other() -> None:
    text = Text("one\ntwo\n", "utf-16")
    first = lsp.TextDocumentContentChangePartial(range=lsp.Range(lsp.Position(0, 0), lsp.Position(1, 0)), text="")
    second = lsp.TextDocumentContentChangePartial(range=lsp.Range(lsp.Position(0, 3), lsp.Position(0, 3)), text="!")
    assert text.edited([first, second]).text == "two!\n"
    whole = lsp.TextDocumentContentChangeWholeDocument(text="new")
    assert text.edited([first, whole]).text == "new"
