"""Files that change on disk: configuration, and the modules that open files import."""

from __future__ import annotations

import logging
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from ..server import Server
from . import diagnostics

log = logging.getLogger(__name__)

PATTERNS = ("**/*.py", "**/*.ipynb", "**/pyproject.toml", "**/secondpass.toml")


async def ask(ls: Server) -> None:
    if not ls.session.client.watch:
        return
    options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(pattern) for pattern in PATTERNS])
    registration = lsp.Registration("secondpass-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await ls.client_register_capability_async(lsp.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.info("the client watches no files (%s)", error)


def changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    session, documents = ls.session, ls.session.documents
    elsewhere = False
    for change in params.changes:
        program = documents.programs.get(unquote(change.uri))
        if program is None:
            elsewhere = True
        elif change.type is lsp.FileChangeType.Deleted and not Path(to_fs_path(change.uri) or "").exists():
            diagnostics.clear(ls, [document.uri for document in documents.documents(program)])
    if elsewhere:
        session.recheck()


def register(ls: Server) -> None:
    ls.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed)
