"""A text that changes is parsed in pieces, and the tree is what parsing the whole of it gives."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from secondpass.source.changing import Changing
from secondpass.source.errors import SourceError
from secondpass.source.source import Source, parse

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").rglob("*.py"))
TYPED = (
    "x",
    " ",
    "\n",
    "    ",
    "(",
    ")",
    '"',
    '"""',
    "#",
    ":",
    "else:\n",
    "h = h.detach()\n",
    "\\\n",
    ";",
    "é😀",
    "\t",
)
PIECES = (
    "\n\ndef helper(a, b=1):\n    return a\n",
    "@decorated\n",
    "import torch\n",
    "class A:\n    x = 1\n\n    def f(self):\n        yield 1\n",
    "if x:\n    pass\nelse:\n    pass\n",
)

START = """import torch
CONSTANT = 1


class Model:
    size = 3

    def forward(self, x):
        y = x * 2
        return y

    @property
    def width(self):
        return self.size


def train(steps: int = 3):
    h = None
    for step in range(steps):
        h += step
    return h


train()
"""


def dumped(source: Source) -> tuple[str, object, object, str]:
    return ast.dump(source.tree, include_attributes=True), source.problems, source.lost, source.text


def edited(text: str, chance: random.Random) -> str:
    """A text after one edit as people make them."""
    at = chance.randrange(len(text) + 1)
    kind = chance.random()
    if kind < 0.5:
        return text[:at] + chance.choice(TYPED) + text[at:]
    if kind < 0.75:
        return text[:at] + text[at + chance.choice((1, 1, 1, 4, 30, 200)) :]
    lines = text.split("\n")
    line = chance.randrange(len(lines))
    if kind < 0.85:
        del lines[line : line + chance.choice((1, 2, 5))]
    elif kind < 0.95:
        lines.insert(line, chance.choice(PIECES))
    else:
        lines[line:line] = lines[line : line + 8]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_the_tree_is_that_of_the_whole_text(seed: int) -> None:
    chance = random.Random(seed)
    for program in chance.sample(PROGRAMS, 8):
        text = program.read_text()
        changing = Changing(text, "a.py")
        history = [text]
        for _ in range(15):
            text = history[-2] if len(history) > 1 and chance.random() < 0.25 else edited(text, chance)
            history.append(text)
            try:
                expected: object = dumped(parse(text, "a.py"))
            except SourceError as error:
                expected = str(error)
            try:
                changing.become(text)
                given: object = dumped(changing.source)
            except SourceError as error:
                given = str(error)
            assert given == expected, f"seed {seed}, {program.name}:\n{text}"


def after(old: str, new: str, text: str = START) -> tuple[Changing, bool, set[str]]:
    """What a replacement in the text changed: whether statements did, and the functions with new bodies."""
    changing = Changing(text, "a.py")
    assert old in text
    change = changing.become(text.replace(old, new))
    return changing, change.statements, {function.name for function in change.bodies}


@pytest.mark.parametrize(
    ("old", "new", "statements", "bodies"),
    [
        ("h += step", "h -= step", False, {"train"}),
        ("h += step", "h += step\n        h += 1", False, {"train"}),
        ("y = x * 2", "y = x * 3", False, {"forward"}),
        ("y = x * 2", "y = x *  2  # twice", False, set()),
        ("return self.size", "return self.size\n        # no more", False, set()),
        ("CONSTANT = 1", "CONSTANT = 1  # one", False, set()),
        ("CONSTANT = 1", "# why\n\nCONSTANT = 1", False, set()),
        ("CONSTANT = 1", "CONSTANT = True", True, set()),
        ("CONSTANT = 1", "CONSTANT = 1\nOTHER = 2", True, set()),
        ("size = 3", "size = 4", True, set()),
        ("steps: int = 3", "steps: int = 4", True, set()),
        ("return y", "yield y", True, set()),
        ("def width", "def wide", True, set()),
        ("    @property\n", "", True, set()),
    ],
)
def test_what_changed_is_told(old: str, new: str, statements: bool, bodies: set[str]) -> None:
    changing, changed, given = after(old, new)
    assert (changed, given) == (statements, bodies)
    assert ast.dump(changing.source.tree, include_attributes=True) == ast.dump(
        ast.parse(changing.source.text), include_attributes=True
    )


def test_what_did_not_change_keeps_its_syntax() -> None:
    changing = Changing(START, "a.py")
    before = list(changing.source.tree.body)
    longer = START.replace("y = x * 2", "y = x * 2\n        y += 1")
    changing.become(longer)
    assert [id(node) for node in changing.source.tree.body] == [id(node) for node in before]
    changing.become(longer.replace("CONSTANT = 1", "CONSTANT = 2"))
    kept = {id(node) for node in before} & {id(node) for node in changing.source.tree.body}
    assert len(kept) == len(before) - 1
