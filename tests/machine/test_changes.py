"""When a condition changes its side, against trying every iteration."""

from __future__ import annotations

import ast
import random

from secondpass.machine.changes import Arithmetic, Condition, Leaf, Term, next_change

OPS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
MOST = 400


def term(rng: random.Random, leaves: list[int], steps: list[int], depth: int) -> Term:
    if depth and rng.random() < 0.7:
        op = rng.choice((ast.Add, ast.Sub, ast.Mod, ast.FloorDiv, ast.Mod, ast.Mult))
        left = term(rng, leaves, steps, depth - 1)
        if op in (ast.Mod, ast.FloorDiv, ast.Mult):
            leaves.append(rng.choice((2, 3, 7, 20, -4)))
            steps.append(0)
            return Arithmetic(op, left, Leaf(len(leaves) - 1))
        return Arithmetic(op, left, term(rng, leaves, steps, depth - 1))
    leaves.append(rng.randint(-30, 60))
    steps.append(rng.choice((0, 0, 1, 1, 1, -1, 2, 5)))
    return Leaf(len(leaves) - 1)


def tried(condition: Condition, values: list[int], steps: list[int]) -> int | None:
    side = condition.side(values)
    for n in range(1, MOST + 1):
        if condition.side([v + d * n for v, d in zip(values, steps, strict=True)]) is not side:
            return n
    return None


def test_the_next_change_is_the_first_that_trying_finds() -> None:
    rng = random.Random(7)
    changing = 0
    for _ in range(3000):
        values: list[int] = []
        steps: list[int] = []
        condition = Condition(rng.choice(OPS), term(rng, values, steps, 2), term(rng, values, steps, 1))
        expected = tried(condition, values, steps)
        changing += expected is not None
        assert next_change(condition, values, steps, MOST) == expected, (values, steps)
    assert changing > 500


def test_members_are_met_one_by_one() -> None:
    chosen = Condition(ast.In, Leaf(0), Leaf(1))
    members = (13, 14, 57)
    assert next_change(chosen, (0, members), (1, 0), MOST) == 13
    assert next_change(chosen, (13, members), (1, 0), MOST) == 2
    assert next_change(chosen, (15, members), (1, 0), MOST) == 42
    assert next_change(chosen, (15, members), (2, 0), MOST) == 21
    assert next_change(chosen, (58, members), (1, 0), MOST) is None
