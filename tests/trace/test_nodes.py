"""The line of every autograd node, against the stack that autograd's own anomaly mode kept of its making."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.generate import generate
from tests.trace.programs import CLEAN, GROWING, RAISING
from tests.trace.warm import Warm

SHAPES = """\
import asyncio
import torch
from torch import nn

w = nn.Parameter(torch.rand(4))
rows = [torch.rand(4) for _ in range(3)]


def scaled(x, by=w * 2):
    if x.sum() > 100 and (w * x).sum() > 0:
        return x
    elif (w - x).sum() > 1e9:
        return -x
    try:
        return x * by
    finally:
        (w + x).sum()


class Meta:
    factor = w.exp()

    @property
    def twice(self):
        return self.factor * 2

    def __call__(self, x):
        return (lambda v: v.tanh()
                * self.twice)(x)


def numbers():
    state = w
    for row in rows:
        state = (state
                 * row)
        got = yield state.sin()
        state = state + (0 if got is None else got)


async def later(x):
    await asyncio.sleep(0)
    return x.cos() + (await inner(x)).exp()


async def inner(x):
    return x.tan()


def recursive(x, depth):
    return x.sin() if depth == 0 else recursive(x * 1.5, depth - 1) * w


total = scaled(rows[0]) * Meta()(w)
i = 0
while (w * i).sum() < 6 and i < 4:
    i += 1
    if i == 2:
        continue
    total = total + recursive(w, i)
else:
    total = total * 1.5
source = numbers()
for value in source:
    total = total + value
with torch.no_grad():
    w.add(0.1)
with torch.enable_grad(): total = total + w.neg(); total = total.sigmoid()
total = total + sum(v * 2 for v in numbers()) + max([w.sin(), w.cos()], key=lambda v: (v * 2).sum().item())
total = asyncio.run(later(total))
match i:
    case 4 if (w * 3).sum() > 0:
        total = total * w
    case _:
        total = total - w
total = total.exp()
(slope,) = torch.autograd.grad(total.sum(), w, create_graph=True)
(slope.pow(2).sum() + total.sum()).backward()
"""


def test_every_shape_of_python(warm: Warm, tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(SHAPES)
    ended = warm.run(tmp_path, "shapes.py", mode="verify")
    assert ended.status == 0, ended.stderr
    compared, wrong = ended.verified
    assert wrong == []
    assert compared > 60


@pytest.mark.parametrize("seed", range(40))
def test_generated_programs(warm: Warm, tmp_path: Path, seed: int) -> None:
    """And the error told is the one that torch raised, on the line on which it came out."""
    (tmp_path / "program.py").write_text(generate(seed).text)
    ended = warm.run(tmp_path, "program.py", mode="verify")
    assert ended.report, ended.stderr
    assert ended.verified[1] == []
    raised = ended.report["raised"]
    plain = warm.run(tmp_path, "program.py", mode="plain")
    words = {"second-time": "through the graph a second time", "inplace-version": "modified by an inplace operation"}
    true = next((kind for kind, word in words.items() if plain.status == 1 and word in plain.stderr), None)
    assert (raised and raised["kind"]) == true
    if raised:
        lines = [part.partition(",")[0] for part in plain.stderr.split('File "program.py", line ')[1:]]
        assert str(raised["line"]) == lines[-1]
        assert raised["built"] and raised["consumed"] and not raised["inferred"]


def test_nodes_are_compared_at_all(warm: Warm, tmp_path: Path) -> None:
    """The comparison above would pass if it compared nothing."""
    seen = 0
    for program in RAISING[:8] + CLEAN + GROWING:
        (tmp_path / "program.py").write_text(program.text)
        ended = warm.run(tmp_path, "program.py", mode="verify")
        assert ended.verified[1] == [], program.name
        seen += ended.verified[0]
    assert seen > 1000
