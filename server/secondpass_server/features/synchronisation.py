"""Texts and notebooks as the client opens, changes, saves and closes them."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..server import Server
from . import diagnostics


def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    if str(item.language_id) not in ("python", ""):
        return
    session = ls.session
    before = session.documents.program(item.uri)
    if before is not None and before.document is None:
        return  # a notebook's cell, opened a second time as a text: the notebook speaks for it
    session.changed(session.documents.open_file(item))


def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    program = ls.session.documents.change(params.text_document, params.content_changes)
    if program is not None:
        ls.session.changed(program)


def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    _saved(ls, params.text_document.uri)


def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    _closed(ls, params.text_document.uri)


def notebook_opened(ls: Server, params: lsp.DidOpenNotebookDocumentParams) -> None:
    program = ls.session.documents.open_notebook(params.notebook_document, params.cell_text_documents)
    ls.session.changed(program)


def notebook_changed(ls: Server, params: lsp.DidChangeNotebookDocumentParams) -> None:
    program, gone = ls.session.documents.change_notebook(params)
    diagnostics.clear(ls, gone)
    if program is not None:
        ls.session.changed(program)


def notebook_saved(ls: Server, params: lsp.DidSaveNotebookDocumentParams) -> None:
    _saved(ls, params.notebook_document.uri)


def notebook_closed(ls: Server, params: lsp.DidCloseNotebookDocumentParams) -> None:
    _closed(ls, params.notebook_document.uri)


def _saved(ls: Server, uri: str) -> None:
    """The text is the same, but what is read from disk may not be: configuration for clients that watch no files."""
    program = ls.session.documents.program(uri)
    if program is not None and not ls.session.client.watch:
        ls.session.recheck([program])


def _closed(ls: Server, uri: str) -> None:
    program, gone = ls.session.documents.close(uri)
    if program is not None:
        ls.session.closed(program)
        diagnostics.clear(ls, gone)


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(opened)
    ls.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(changed)
    ls.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))(saved)
    ls.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(closed)
    ls.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)(notebook_opened)
    ls.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)(notebook_changed)
    ls.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)(notebook_saved)
    ls.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)(notebook_closed)
