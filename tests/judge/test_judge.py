"""The judge itself, and its judgement: a few hundred random programs on which torch and secondpass must agree."""

from __future__ import annotations

import ast
import time
from collections import Counter

import pytest

from tests.judge.compare import compare
from tests.judge.forkserver import shared, truth
from tests.judge.generate import generate
from tests.judge.shrink import shrink

SEED, COUNT = 7_000_000, 300
SHARE = 0.995

HEAD = "import torch\nx = torch.rand(3, requires_grad=True)\n"


@pytest.mark.parametrize(
    ("text", "exception", "line"),
    [
        (HEAD + "loss = x.exp().sum()\nfor _ in range(3):\n    loss.backward()\n", "second-time", 5),
        (HEAD + "loss = (x + 1.0).sum()\nloss.backward()\nloss.backward()\n", None, None),
        (HEAD + "y = x.exp()\ny.sum().backward()\ny.grad_fn._saved_result\n", "second-time", 5),
        (HEAD + "y = x.exp()\ny.add_(1)\n(\n    y\n    .sum()\n    .backward()\n)\n", "inplace-version", 8),
        (HEAD + "def walk(t):\n    t.backward()\nt = x.exp().sum()\nwalk(t)\nwalk(t)\n", "second-time", 4),
        ("import sys\nsys.exit(3)\n", None, None),
        ("import os\nos._exit(0)\n", None, None),
        ("import os\nos._exit(3)\n", "other", None),
        ("import os\nos.fork()\n", None, None),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "other", None),
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n", None, None),
        ("import os, time\nif os.fork() == 0:\n    time.sleep(60)\n", None, None),
        ("print('x' * 100_000)\n1 / 0\n", "other", 2),
        ("x = (\n", "other", 1),
    ],
)
def test_truth_of_a_program(text: str, exception: str | None, line: int | None) -> None:
    found = truth(text)
    assert (found.exception, found.line) == (exception, line), found


def test_truth_counts_the_walks_of_a_line() -> None:
    lines = (
        "y = x.exp().sum()",
        "for iteration in range(3):",
        "    x.exp().sum().backward()",
        "y.backward()",
        "y.backward()",
    )
    found = truth(HEAD + "\n".join(lines))
    assert (found.exception, found.line, found.walks, found.walked) == ("second-time", 7, 1, (5, 6, 7))


def test_a_program_that_hangs_is_ended() -> None:
    server = shared()
    limit, server.timeout = server.timeout, 0.3
    try:
        start = time.monotonic()
        found = server.truth("while True:\n    pass\n")
    finally:
        server.timeout = limit
    assert (found.exception, found.type) == ("other", "TimeoutExpired")
    assert time.monotonic() - start < 3


def test_a_seed_is_a_program() -> None:
    assert generate(5) == generate(5)
    assert generate(5).text != generate(6).text


def test_programs_are_valid_short_and_various() -> None:
    programs = [generate(seed) for seed in range(200)]
    for program in programs:
        ast.parse(program.text)
        assert 10 <= program.text.count("\n") <= 130, program.seed
    assert len({program.text for program in programs}) == 200
    assert len({feature for program in programs for feature in program.features}) > 250


def test_shrinking_keeps_what_is_interesting_and_little_else() -> None:
    lines = (
        "def noise(a, b=2):",
        "    return a * b",
        "class Unused:",
        "    pass",
        "total = 0",
        "for i in range(3):",
        "    with torch.enable_grad():",
        "        loss = noise(x.exp().sum(), b=3)",
        "        total = total + loss",
        "        print(i, total)",
        "    if i >= 0:",
        "        total.backward()",
    )
    text = HEAD + "\n".join(lines)
    small = shrink(text, lambda candidate: truth(candidate).exception == "second-time")
    assert truth(small).exception == "second-time"
    assert len(small.splitlines()) <= 7, small
    assert "Unused" not in small and "noise" not in small and "print" not in small


def test_secondpass_agrees_with_torch() -> None:
    tally = compare((generate(SEED + number) for number in range(COUNT)), shared())
    truths: Counter[str] = tally.truths()
    assert len(tally.dropped) <= 0.02 * COUNT
    assert 0.35 <= 1 - truths["clean"] / len(tally.judged) <= 0.65, truths
    assert not tally.of("crash"), tally.of("crash")[0].ours.crash
    told = "\n".join(map(str, tally.disagreements))
    assert tally.agree >= SHARE * len(tally.judged), f"{tally.agree} of {len(tally.judged)} agree\n{told}"
