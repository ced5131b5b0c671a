"""Hand-made reports of all shapes: the formats are tested on values, not on what the analysis finds today."""

from __future__ import annotations

import json
from textwrap import dedent

from secondpass.findings import (
    Edit,
    FileError,
    Finding,
    Fix,
    RaisesAt,
    Report,
    Role,
    Severity,
    Span,
    Step,
    TraceVerdict,
)

CARRIED = dedent("""\
    import torch

    rnn = torch.nn.RNN(3, 4)
    h = torch.zeros(1, 1, 4)
    for step in range(3):
        inp = torch.randn(1, 1, 3)
        out, h = rnn(inp, h)
        loss = out.sum()

        loss.backward()
    """)

TRICKY = dedent("""\
    def 学习(模型, 数据):  # 😀
    \tstate = f(模型["漢字"], g(模型["漢字"])); state.sum().backward()
        total = torch.cat([
            a,
            b,
            c,
            d,
            e,
            f,
        ]).sum()
    """)

HELPER = dedent("""\
    def walk(loss):
        loss.backward()
    """)

NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "id": "a", "source": ["# Title"]},
            {
                "cell_type": "code",
                "metadata": {},
                "id": "b",
                "outputs": [],
                "source": ["x = net(y)\n", "loss = x.mean()"],
            },
            {"cell_type": "code", "metadata": {}, "id": "c", "outputs": [], "source": "loss.backward()"},
        ],
    }
)

TEXTS = {"train.py": CARRIED, "数据/tricky.py": TRICKY, "lib/helper.py": HELPER, "study.ipynb": NOTEBOOK}


def span(
    line: int, column: int, end_column: int, path: str = "train.py", end_line: int = 0, cell: int | None = None
) -> Span:
    return Span(path, line, column, end_line or line, end_column, cell)


def step(role: Role, where: Span, iteration: int, text: str) -> Step:
    return Step(role, where, iteration, text)


DETACH = Fix(
    "detach-at-end",
    "Detach `h` at the end of each step (gradients stop at the step's start)",
    "changes-gradients",
    True,
    (Edit(span(11, 1, 1), "    h = h.detach()\n"),),
)
ONE_WALK = Fix(
    "walk-once",
    "Walk once after the loop, over the sum of losses (memory grows with the number of steps)",
    "costs-memory",
    False,
    (Edit(span(8, 5, 21), "loss = loss + out.sum()"), Edit(span(10, 5, 20), "pass")),
)

CARRIED_STATE = Finding(
    rule="SP101",
    name="carried-state",
    severity=Severity.ERROR,
    span=span(7, 14, 25),
    message="`h` carries the graph of the previous step into `rnn(inp, h)`",
    help="cut the history once the step is done (gradients then stop at the step's start)",
    raises_at=RaisesAt("train.py", 10, 2),
    witness=(
        step("built", span(7, 10, 11), 1, "iteration 1 builds `h` here, and `h` keeps its graph"),
        step("consumed", span(10, 5, 20), 1, "iteration 1 consumes that graph here"),
        step("entered", span(7, 14, 25), 2, "iteration 2 builds on iteration 1's graph here"),
        step("walked-again", span(10, 5, 20), 2, "iteration 2 walks into it and raises"),
    ),
    loop=span(5, 1, 22),
    subject="h",
    fixes=(DETACH, ONE_WALK),
)

ASSUMED = Finding(
    rule="SP102",
    name="repeated-backward",
    severity=Severity.WARNING,
    span=span(2, 43, 65, "数据/tricky.py"),
    message="`state.sum()` is walked a second time,\nby `walk`",
    assumptions=("assuming `模型` has trainable parameters", "`f` keeps its argument's history"),
    raises_at=RaisesAt("lib/helper.py", 2, 1),
    witness=(
        step("built", span(2, 10, 16, "数据/tricky.py"), 1, "built here"),
        step("built", span(2, 18, 24, "数据/tricky.py"), 1, "from this"),
        step("carried", span(3, 13, 13, "数据/tricky.py", end_line=10), 1, "kept in `total`, all of it"),
        step("consumed", span(2, 43, 65, "数据/tricky.py"), 1, "consumed here: 100% of it"),
    ),
)

IN_NOTEBOOK = Finding(
    rule="SP107",
    name="cell-rerun",
    severity=Severity.INFORMATION,
    span=span(1, 1, 16, "study.ipynb", cell=2),
    message="this cell cannot run a second time by itself: it walks the graph of `loss`, which another cell built",
    raises_at=RaisesAt("study.ipynb", 1, 2, 2),
    witness=(
        step("built", span(2, 8, 16, "study.ipynb", cell=1), 1, "built here, in another cell"),
        step("consumed", span(1, 1, 16, "study.ipynb", cell=2), 1, "consumed by the first run of this cell"),
    ),
    fixes=(
        Fix(
            "again",
            "Build `loss` in this cell",
            "safe",
            True,
            (Edit(span(1, 1, 1, "study.ipynb", cell=2), "loss = x.mean()\n"),),
        ),
    ),
    trace=TraceVerdict("confirmed", 2, "the second run raised"),
)

VANISHED = Finding(
    rule="SP301",
    name="growing-history",
    severity=Severity.HINT,
    span=span(3, 1, 5, "gone.py"),
    message="`total` keeps every iteration's graph alive\x1b[2J",
    witness=(step("carried", span(3, 1, 5, "gone.py"), 1, "grows here"),),
)

REPORT = Report(
    files=5,
    findings=[CARRIED_STATE, ASSUMED, IN_NOTEBOOK, VANISHED],
    errors=[
        FileError("old.py", 3, "Python 2 syntax: `print` needs parentheses"),
        FileError("data:1,x.bin", 0, "not text"),
    ],
    notes=[FileError("train.py", 5, "stopped after 24 iterations")],
)
