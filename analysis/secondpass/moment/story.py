"""Chooses the finding that explains a surfaced error, and tells it as `check` does, with its best fix.

The sources that the error passed through are analysed, the one that was started first: a finding explains the error
if it is of its kind and says that it surfaces on a line which the error passed. Where there is none, that is said, and
what would show more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

from ..engine import check_text
from ..fault import guarded
from ..findings import Finding, RaisesAt, Report, Severity
from ..report.console import show, width_of
from ..report.lines import lines_of
from ..report.snippet import Styled
from ..report.text import render_finding
from ..settings import Settings
from .surfaced import Place, Surfaced

CHANGED_IN_PLACE = "SP203"
"""The rule of values changed in place; all other findings that raise are of a graph walked a second time."""


def tell(moment: Surfaced, more: str, stream: TextIO, note: str = "") -> None:
    """Write the story of an error to a stream; see `story`. Whatever goes wrong here is one line, no more."""
    guarded(
        lambda: show(story(moment, more, width_of(stream), note), stream),
        lambda told: stream.write(f"secondpass: {told}\n") and None,
    )
    stream.flush()


def story(moment: Surfaced, more: str, width: int | None = None, note: str = "") -> list[Styled]:
    """The story as styled lines. `more` is the command that would show more where nothing was found, `note` a remark
    on how places are named."""
    finding = explaining(moment)
    if finding is None:
        return [[], [(f"secondpass: found no cause for this in the source; `{more}` would show what the run does", "")]]
    head = f"secondpass: why this was raised{note}"
    return [[], [(head, "bold")], *render_finding(_with_fixes(finding, moment), lines_of(moment.texts), width=width)]


def explaining(moment: Surfaced) -> Finding | None:
    """The finding that explains the error: it surfaces on the innermost line of the user's that any finding names."""
    best: tuple[int, int, Finding] | None = None
    for finding in _findings(moment):
        depth = next((i for i, place in enumerate(moment.places) if _same(finding.raises_at, place)), None)
        if depth is None or (finding.rule == CHANGED_IN_PLACE) is not moment.in_place:
            continue
        rank = (depth, list(Severity).index(finding.severity))
        if best is None or rank < best[:2]:
            best = (*rank, finding)
    return best[2] if best is not None else None


def _findings(moment: Surfaced) -> Iterator[Finding]:
    for path, text in moment.texts.items():
        yield from check_text(text, path).findings


def _same(raises_at: RaisesAt | None, place: Place) -> bool:
    if raises_at is None or (raises_at.line, raises_at.cell) != (place.line, place.cell):
        return False
    return raises_at.path == place.path or os.path.realpath(raises_at.path) == os.path.realpath(place.path)


def _with_fixes(finding: Finding, moment: Surfaced) -> Finding:
    from ..cli.offers import with_fixes

    return with_fixes(Report(findings=[finding]), moment.texts, Settings()).findings[0]
