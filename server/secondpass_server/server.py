"""The server object: pygls' language server with our protocol and a session."""

from __future__ import annotations

import asyncio
import logging
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from .analysis import INSTALLED
from .protocol import Protocol
from .session import Session

log = logging.getLogger("secondpass_server")

NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    notebook_selector=[
        lsp.NotebookDocumentFilterWithCells(
            notebook="jupyter-notebook", cells=[lsp.NotebookCellLanguage(language="python")]
        ),
        lsp.NotebookDocumentFilterWithCells(
            cells=[lsp.NotebookCellLanguage(language="python")], notebook="interactive"
        ),
    ],
    save=True,
)


class Server(LanguageServer):
    def __init__(self, analysis: str = INSTALLED) -> None:
        super().__init__(
            "secondpass",
            own_version(),
            # Incremental: cells of notebooks arrive as partial changes whatever is asked for.
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            notebook_document_sync=NOTEBOOKS,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.session = Session(analysis)
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Any) -> None:
        """Run a coroutine on its own; what it raises is one line in the log."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("%s: %s", type(error).__name__, error)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A fault of ours is a line in the log, not a window in front of somebody's code.

        What was wrong with a request is said in the reply to it, and nowhere else.
        """
        if isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError):
            return
        log.error("%s: %s", type(error).__name__, str(error).partition("\n")[0])

    def shutdown(self) -> None:
        self.session.desk.stop()
        super().shutdown()  # type: ignore[no-untyped-call]


def own_version() -> str:
    try:
        return version("secondpass")
    except PackageNotFoundError:
        return "0"
