"""A failure that a person has silenced hides nothing: what comes after it is told as if it were mended."""

from __future__ import annotations

import pytest
from secondpass import Settings, check_text, fixes_for, hover

TWICE = """
import torch

w = torch.ones(3, requires_grad=True)
first = (w * w).sum()
first.backward()
first.backward()  {comment}
second = (w * w).sum()
second.backward()
second.backward()
"""


@pytest.mark.parametrize(
    ("comment", "lines"),
    [("", [7]), ("# secondpass: ignore[SP102]", [10]), ("# secondpass: ignore", [10])],
)
def test_what_follows_a_suppressed_failure_is_told(comment: str, lines: list[int]) -> None:
    report = check_text(TWICE.format(comment=comment), "program.py")
    assert [(f.rule, f.span.line) for f in report.findings] == [("SP102", line) for line in lines]


def test_what_follows_a_failure_that_is_not_asked_for_is_told() -> None:
    shared = "shared = w.exp()\nshared.sum().backward()\n(shared + 1).sum().backward()\n"
    report = check_text(TWICE.format(comment="") + shared, "program.py", Settings(ignore=("SP102",)))
    assert [(f.rule, f.span.line) for f in report.findings] == [("SP105", 13)]


def test_it_has_its_fix_and_its_hover() -> None:
    text = TWICE.format(comment="# secondpass: ignore[SP102]")
    (finding,) = check_text(text, "program.py").findings
    assert fixes_for(text, "program.py", finding)
    told = hover(text, "program.py", 10, 3)
    assert told is not None
    assert told.markdown.startswith("**SP102**: ")
