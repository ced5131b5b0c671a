"""From `initialize` to `shutdown`: who the client is, what it wants, when the analysing process lives."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from .. import client, settings
from ..analysis import Units
from ..documents import Documents
from ..server import Server
from . import configuration, diagnostics, watching


def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    session = ls.session
    session.client = client.read(params)
    session.documents = Documents(units(ls))
    session.settings = settings.read(params.initialization_options)
    session.folders = [folder.uri for folder in params.workspace_folders or []]
    if not session.folders:  # lsp-mode and others still speak of one root only
        root = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
        session.folders = [root] if root else []
    diagnostics.register_for(ls)
    session.desk.start()


def units(ls: Server) -> Units:
    """How the client counts columns, as pygls has agreed with it."""
    agreed = ls.workspace.position_encoding
    if agreed == lsp.PositionEncodingKind.Utf8:
        return "utf-8"
    return "utf-32" if agreed == lsp.PositionEncodingKind.Utf32 else "utf-16"


async def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    await watching.ask(ls)
    await configuration.ask(ls)


def folders_changed(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    gone = {folder.uri for folder in params.event.removed}
    added = [folder.uri for folder in params.event.added]
    ls.session.folders = [uri for uri in ls.session.folders if uri not in gone] + added
    ls.spawn(configuration.refresh(ls))


def shutdown(ls: Server, params: Any) -> None:
    ls.session.desk.stop()


class ToClient(logging.Handler):
    """Log lines as `window/logMessage`, where every editor keeps a server's log."""

    def __init__(self, ls: Server) -> None:
        super().__init__(logging.INFO)
        self.ls = ls

    def emit(self, record: logging.LogRecord) -> None:
        kind = lsp.MessageType.Error if record.levelno >= logging.ERROR else lsp.MessageType.Info
        if record.levelno == logging.WARNING:
            kind = lsp.MessageType.Warning
        self.ls.window_log_message(lsp.LogMessageParams(kind, record.getMessage()))


def register(ls: Server) -> None:
    ls.feature(lsp.INITIALIZE)(initialize)
    ls.feature(lsp.INITIALIZED)(initialized)
    ls.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(folders_changed)
    ls.feature(lsp.SHUTDOWN)(shutdown)
    logger = logging.getLogger("secondpass_server")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(ToClient(ls))
    # pygls tells standard error of every late cancellation, with tracebacks; what matters of it comes our way too
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
