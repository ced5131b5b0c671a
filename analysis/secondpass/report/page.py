"""A rule's page in the terminal: what happens inside autograd, which fix is right, what raises and what runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Protocol

from ..findings import Severity
from .snippet import Styled, wrap

_MARK = re.compile(r"\s*# want:.*")
_WIDEST = 100
"""Cells of prose at most: longer lines are hard to read however wide the terminal is."""


class Example(Protocol):
    @property
    def code(self) -> str: ...
    @property
    def note(self) -> str: ...


class Rule(Protocol):
    """What a page needs of a rule."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def summary(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def choosing(self) -> str: ...
    @property
    def limits(self) -> str: ...
    @property
    def fix_safety(self) -> str: ...
    @property
    def raises(self) -> Sequence[Example]: ...
    @property
    def runs(self) -> Sequence[Example]: ...


def render(rule: Rule, width: int | None) -> list[Styled]:
    """The page as styled lines, prose wrapped to `width` cells (at most 100)."""
    room = min(width or _WIDEST, _WIDEST)
    out: list[Styled] = [
        [(f"{rule.code} ", rule.severity.value), (rule.name, "bold"), (f"  ({rule.severity.value})", "dim")]
    ]
    out += [[(row, "")] for row in wrap(rule.summary, room)]
    sections = (
        ("What happens", rule.why),
        ("Which fix is right", rule.choosing),
        ("What fixes cost", rule.fix_safety),
        ("What is not seen", rule.limits),
    )
    for title, text in sections[:1]:
        out += _section(title, text, room)
    for title, examples in (("Raises", rule.raises), ("Runs", rule.runs)):
        for example in examples[:2]:
            out += [[], [(title, "bold"), (f": {example.note}" if example.note else "", "")], []]
            out += [[(f"    {line}".rstrip(), "code")] for line in _shown(example.code)]
    for title, text in sections[1:]:
        out += _section(title, text, room)
    return out


def _shown(code: str) -> list[str]:
    """An example's lines without the marks that only its tests read."""
    return [_MARK.sub("", line) for line in dedent(code).strip("\n").split("\n")]


def _section(title: str, text: str, room: int) -> list[Styled]:
    if not text.strip():
        return []
    out: list[Styled] = [[], [(title, "bold")]]
    for index, paragraph in enumerate(text.strip().split("\n\n")):
        if index:
            out.append([])
        out += [[(row, "")] for row in wrap(" ".join(paragraph.split()), room)]
    return out
