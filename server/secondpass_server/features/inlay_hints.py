"""Inlay hints: a mark where a variable crosses an iteration of a loop with its graph (`h ⟲`)."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..server import Server


async def hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None or not session.settings_of(program).inlay_hints:
        return []
    checked = await session.current(program)
    cell = session.documents.cell_index(program, uri)
    first, last = params.range.start.line + 1, params.range.end.line + 1
    return [
        lsp.InlayHint(
            position=document.content.position(inlay.line, inlay.column),
            label=inlay.label,
            tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, inlay.tooltip) if inlay.tooltip else None,
            padding_left=True,
        )
        for inlay in (checked.inlays if checked else ())
        if inlay.cell == cell and first <= inlay.line <= last
    ]


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(hints)
