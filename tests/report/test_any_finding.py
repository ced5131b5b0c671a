"""Whatever spans a finding has, however odd the text, every format shows it and none falls over."""

from __future__ import annotations

import random

import pytest
from secondpass.findings import Edit, Finding, Fix, RaisesAt, Report, Severity, Span, Step
from secondpass.report import concise, github, picture, picture_text, sarif, text
from secondpass.report import json as json_report
from secondpass.report.cells import cells
from secondpass.report.graph_model import picture_of
from secondpass.report.lines import lines_of

ALPHABET = "ab(). \t漢é😀\u0301\x0c\x1b\u200b"
ROLES = ("built", "consumed", "carried", "entered", "walked-again", "retained", "stepped")


def any_span(chance: random.Random) -> Span:
    line, column = chance.randint(1, 14), chance.randint(1, 30)
    end_line = line + chance.choice((0, 0, 0, 1, 4, 20))
    end_column = chance.randint(column, 32) if end_line == line else chance.randint(1, 30)
    return Span(chance.choice(("a.py", "b.py")), line, column, end_line, end_column)


def any_finding(chance: random.Random) -> Finding:
    steps = tuple(
        Step(
            chance.choice(ROLES),
            any_span(chance),
            chance.randint(0, 3),
            chance.choice(("", "here", "a longer text " * 6)),
        )
        for _ in range(chance.randint(0, 7))
    )
    edits = tuple(Edit(any_span(chance), chance.choice(("", "x", "y\nz\n"))) for _ in range(chance.randint(0, 2)))
    return Finding(
        "SP101",
        "x",
        chance.choice(list(Severity)),
        any_span(chance),
        "message",
        raises_at=chance.choice((None, RaisesAt("a.py", chance.randint(1, 20), 2))),
        loop=chance.choice((None, any_span(chance))),
        subject="h",
        witness=steps,
        fixes=(Fix("f", "Do it", "safe", True, edits),) if edits else (),
    )


@pytest.mark.parametrize("seed", range(12))
def test_any_finding(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        texts = {
            path: "\n".join("".join(chance.choices(ALPHABET, k=chance.randint(0, 24))) for _ in range(12))
            for path in ("a.py", "b.py")
        }
        lines = lines_of(texts)
        finding = any_finding(chance)
        report = Report(1, [finding])
        told = text.plain(text.render(report, lines, width=chance.choice((None, 40, 80))))
        for step in finding.witness:
            assert not step.text or step.text.split()[0] in told
        assert "\x1b" not in told and all(cells(line) >= 0 for line in told.splitlines())
        assert concise.render(report).count("\n") == github.render(report).count("\n") == 1
        json_report.render(report)
        sarif.render(report, lines, {}, "1")
        drawn = picture_of(finding, lines)
        picture_text.draw(drawn, chance.choice((None, 60)))
        picture.html(drawn)
