"""What a terminal picture of a finding marks: spans with their labels, taken from the finding's story.

Steps that stand on the very same span share one mark, their texts joined in the order of the story.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..findings import Finding, Span
from .lines import SourceLines

_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


@dataclass(frozen=True, slots=True)
class Label:
    """One marked span; the primary one is underlined with carets and names the place of the finding."""

    span: Span
    text: str
    primary: bool = False


def ordinal(number: int) -> str:
    return _ORDINALS.get(number, f"{number}th")


def labels(finding: Finding, lines: SourceLines) -> list[Label]:
    """All marks of a finding, the primary one first."""
    texts: dict[Span, list[str]] = {finding.span: []}
    if finding.loop is not None:
        texts.setdefault(finding.loop, []).append(_loop_text(finding))
    for step in finding.witness:
        told = texts.setdefault(step.span, [])
        if step.text and step.text not in told:
            told.append(step.text)
    for span, text in _where_it_raises(finding, lines, texts):
        texts.setdefault(span, []).append(text)
    return [Label(span, "; ".join(told), span == finding.span) for span, told in texts.items()]


def _loop_text(finding: Finding) -> str:
    iteration = finding.raises_at.iteration if finding.raises_at else 0
    return (
        f"from the {ordinal(iteration)} iteration of this loop on"
        if iteration > 1
        else "in the iterations of this loop"
    )


def _where_it_raises(finding: Finding, lines: SourceLines, told: dict[Span, list[str]]) -> Iterator[tuple[Span, str]]:
    """The line on which PyTorch's exception surfaces, when no step of the story stands on it."""
    at = finding.raises_at
    if at is None or any((s.path, s.cell) == (at.path, at.cell) and s.line <= at.line <= s.end_line for s in told):
        return
    line = lines(at.path, at.line, at.cell)
    if line is None:
        return
    first = len(line) - len(line.lstrip()) + 1
    last = max(len(line.rstrip()) + 1, first + 1)
    iteration = f" in iteration {at.iteration}" if at.iteration > 1 else ""
    yield Span(at.path, at.line, first, at.line, last, at.cell), f"PyTorch raises here{iteration}"
