"""Document highlight: with the cursor on a finding or on a step of its story, all steps of the story light up."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..places import holds, range_in
from ..server import Server

WRITES = ("built", "carried", "stepped")
"""Steps at which something is made or kept; at the others it is used."""


async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None:
        return None
    checked = await session.current(program)
    line, column = document.content.place(params.position)
    for finding in checked.findings if checked else ():
        here = [step for step in finding.witness if session.in_document(program, document, step.span)]
        spans = {step.span: step.role in WRITES for step in here}
        if (shown := session.shown_in(program, document, finding)) is not None:
            spans.setdefault(shown, False)
        if any(holds(span, line, column) for span in spans):
            return [
                lsp.DocumentHighlight(
                    range_in(document.content, span),
                    lsp.DocumentHighlightKind.Write if writes else lsp.DocumentHighlightKind.Read,
                )
                for span, writes in spans.items()
            ]
    return None


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(highlight)
