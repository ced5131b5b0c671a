"""A text that moves while it is typed, where a piece of syntax is held again by what stands for it."""

from __future__ import annotations

import ast

from secondpass.machine.compiler.conditions import against_zero
from secondpass.source.changing import shift


def test_a_piece_that_its_twin_holds_is_moved_once() -> None:
    node = ast.parse("step % k", mode="eval").body
    assert isinstance(node, ast.BinOp)
    asked = against_zero(node)
    shift(node, 2)
    assert (node.lineno, node.left.lineno, asked.lineno) == (3, 3, 3)
