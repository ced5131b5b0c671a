"""A rule's page: what happens inside autograd, what raises and what runs, which fix is right and what it costs.

`parts` says what stands on a page and in which order; `render` lays it out for a terminal, markdown.py for a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Protocol

from ..findings import Severity
from .snippet import Styled, wrap

_RAISES = re.compile(r"# raises\b")
_INPLACE = re.compile(r"# raises: inplace\b")
_WANT = re.compile(r"# want: (?=SP)")
_MARK = re.compile(r"  # (?:raises|SP\d{3})\b")
_WIDEST = 100
"""Cells of prose at most: longer lines are hard to read however wide the terminal is."""
SHOWN = 2
"""Examples of each kind on a page in the terminal; a browser has room for all."""


class Example(Protocol):
    @property
    def program(self) -> str: ...
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


@dataclass(frozen=True, slots=True)
class Part:
    """A titled stretch of a page: prose, or programs with a note each."""

    title: str
    text: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    """Note and program, marks made readable."""


def parts(rule: Rule) -> Iterator[Part]:
    """The parts of a page that have something to say, in their order."""
    raising = any(_RAISES.search(example.program) for example in rule.raises)
    wrong, right = ("Raises", "Runs") if raising else ("Told", "Not told")
    found = (
        Part("What happens", cleandoc(rule.why)),
        Part(wrong, examples=tuple((example.note, shown(example)) for example in rule.raises)),
        Part(right, examples=tuple((example.note, shown(example)) for example in rule.runs)),
        Part("Which fix is right", cleandoc(rule.choosing)),
        Part("What a fix changes", cleandoc(rule.fix_safety)),
        Part("What is not seen", cleandoc(rule.limits)),
    )
    return (part for part in found if part.text or part.examples)


def shown(example: Example) -> str:
    """A program as readers see it: `# raises` where PyTorch raises, `# SP101` where the finding stands."""
    return _WANT.sub("# ", _INPLACE.sub("# raises (in place)", example.program)).rstrip("\n")


def render(rule: Rule, width: int | None) -> list[Styled]:
    """The page as styled lines, prose wrapped to `width` cells (at most 100)."""
    room = min(width or _WIDEST, _WIDEST)
    out: list[Styled] = [
        [(f"{rule.code} ", rule.severity.value), (rule.name, "bold"), (f"  ({rule.severity.value})", "dim")]
    ]
    out += _prose(rule.summary, room)
    for part in parts(rule):
        if part.text:
            out += [[], [(part.title, "bold")], *_prose(part.text, room)]
        for note, program in part.examples[:SHOWN]:
            first, *more = wrap(f"{part.title}: {note}" if note else part.title, room)
            out += [[], [(part.title, "bold"), (first[len(part.title) :], "")], *([(row, "")] for row in more), []]
            out += [_program_line(line, rule.severity.value) for line in program.split("\n")]
    return out


def _program_line(line: str, style: str) -> Styled:
    """A line of an example; what its marks say stands out in the rule's own colour."""
    text = f"    {line}".rstrip()
    mark = _MARK.search(text)
    return [(text[: mark.start()], "code"), (text[mark.start() :], style)] if mark else [(text, "code")]


def _prose(text: str, room: int) -> Iterator[Styled]:
    for index, paragraph in enumerate(text.split("\n\n")):
        if index:
            yield []
        for item in re.split(r"\n(?=- )", paragraph):
            bullet = "- " if item.startswith("- ") else ""
            coded = False
            for n, row in enumerate(wrap(" ".join(item.removeprefix(bullet).split()), room - len(bullet))):
                styled, coded = _coded(row, coded)
                yield [(bullet if n == 0 else " " * len(bullet), ""), *styled] if bullet else styled


def _coded(row: str, inside: bool) -> tuple[Styled, bool]:
    """A row with what stands in backticks styled as code; a span may begin on the row before and end on the next."""
    styled: Styled = []
    for part in re.split("(`)", row):
        if part:
            styled.append((part, "code" if inside or part == "`" else ""))
        inside ^= part == "`"
    return styled, inside
