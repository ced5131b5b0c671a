"""Hover: the story of a finding, or what the variable, attribute or call under the cursor holds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from lsprotocol import types as lsp

from ..analysis import Finding, Fix, Hover
from ..documents import Document, Program
from ..places import holds, range_in, told
from ..server import Server
from ..session import Checked

PATIENCE = 2.0
"""Seconds after which a hover is given up: nobody still looks."""
SHORT_PATIENCE = 0.3
"""The same where there is a finding's story to show already."""


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None or not session.settings_of(program).enable:
        return None
    line, column = document.content.place(params.position)
    checked = await session.current(program, PATIENCE)
    if checked is None:
        return None
    found = at(ls, program, document, checked, line, column)
    answer = await held(ls, program, document, checked, (line, column), PATIENCE if found is None else SHORT_PATIENCE)
    if program.revision != checked.revision or (found is None and answer is None):
        return None  # what is shown must be about the text that is there
    parts, span = [], None
    if found is not None:
        index, finding = found
        parts.append(story(ls, finding, checked.fixes.get(index)))
        span = ls.session.shown_in(program, document, finding)
    if answer is not None:
        parts += beyond(answer.markdown, checked.findings if found else ())
        span = answer.span
    text = "\n\n---\n\n".join(parts)
    kind = lsp.MarkupKind.Markdown if session.client.markdown else lsp.MarkupKind.PlainText
    return lsp.Hover(
        contents=lsp.MarkupContent(kind, text if session.client.markdown else plain(text)),
        range=range_in(document.content, span) if span else None,
    )


def at(
    ls: Server, program: Program, document: Document, checked: Checked, line: int, column: int
) -> tuple[int, Finding] | None:
    """The finding under the cursor, the narrowest if there are more."""
    found = []
    for index, finding in enumerate(checked.findings):
        shown = ls.session.shown_in(program, document, finding)
        if shown is not None and holds(shown, line, column):
            found.append((index, finding))

    def size(one: tuple[int, Finding]) -> tuple[int, int]:
        span = one[1].span
        return span.end_line - span.line, span.end_column - span.column

    return min(found, key=size, default=None)


async def held(
    ls: Server, program: Program, document: Document, checked: Checked, place: tuple[int, int], patience: float
) -> Hover | None:
    """What the analysis says of the name or call at a place: at once if it is prepared."""
    hovers = checked.hovers
    if hovers is None:
        try:
            hovers = await asyncio.wait_for(ls.session.hovers(program, checked), patience)
        except asyncio.TimeoutError:
            return None
    if hovers is None:
        return None
    before, ls.session.hovered = ls.session.hovered, hovers
    if before is not None and before is not hovers:
        before.rest()
    return hovers.at(*place, ls.session.documents.cell_index(program, document.uri))


def beyond(markdown: str, told: Sequence[Finding]) -> list[str]:
    """What an answer says besides the findings it starts with, where their story stands above it already."""
    known = {f"**{one.rule}**: {one.message}" for one in told}
    rest = "\n\n".join(part for part in markdown.split("\n\n") if part not in known)
    return [rest] if rest else []


def story(ls: Server, finding: Finding, fixes: tuple[Fix, ...] | None) -> str:
    """A finding as Markdown; its first line stands alone, since some clients show no more.

    What helps is told once its fixes were looked for (None: not yet), so that it says what the bulb offers.
    """
    lines = [f"**{finding.rule}** {finding.message}"]
    if finding.witness:
        lines += ["", *(f"{number}. {told(ls.session, step)}" for number, step in enumerate(finding.witness, 1))]
    if finding.assumptions:
        lines += ["", f"Assuming {'; '.join(one.removeprefix('assuming ') for one in finding.assumptions)}."]
    if fixes:
        lines += ["", f"Fix: {min(fixes, key=lambda fix: not fix.preferred).title}"]
    elif fixes is not None and finding.help:
        lines += ["", finding.with_fixes(()).help]
    if finding.trace is not None:
        lines += ["", f"A traced run says: {finding.trace.verdict}."]
    return "\n".join(lines)


def plain(markdown: str) -> str:
    """Markdown for clients that show it as it stands: without its marks."""
    return re.sub(r"\*\*|`|^---$|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", markdown, flags=re.MULTILINE)


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_HOVER, lsp.HoverOptions())(hover)
