"""JSON-RPC as pygls speaks it, without its traps.

Four things differ. A request with bad parameters gets an error reply (pygls answers nothing at all). A notification
leaves nothing behind (pygls keeps its future for ever). Shutting down while requests wait works (pygls changes a
dictionary while it walks it). The handlers of text and notebook synchronisation are ours
alone (see `documents` for the reason).
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from functools import partial
from typing import Any

from cattrs import Converter
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

log = logging.getLogger(__name__)

OUR_OWN = (
    lsp.TEXT_DOCUMENT_DID_OPEN,
    lsp.TEXT_DOCUMENT_DID_CHANGE,
    lsp.TEXT_DOCUMENT_DID_CLOSE,
    lsp.NOTEBOOK_DOCUMENT_DID_OPEN,
    lsp.NOTEBOOK_DOCUMENT_DID_CHANGE,
    lsp.NOTEBOOK_DOCUMENT_DID_CLOSE,
)
NOTHING = JsonRPCNotification(method="$/nothing", jsonrpc="2.0", params=None)
"""Stands for a message that was already answered; an unknown `$/` notification is ignored."""


class Protocol(LanguageServerProtocol):
    def __init__(self, server: Any, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in OUR_OWN:
            self.fm.builtin_features.pop(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            method = data.get("method")
            if method is not None and "id" in data:
                error = JsonRpcInvalidParams(f"{method}: the parameters are not what the protocol says")
                self._send_response(data["id"], None, error.to_response_error())
            else:
                log.warning("ignored %s with parameters that are not what the protocol says", method or "a reply")
            return NOTHING

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != self.msg_id and not future.done():
                future.cancel()
        if handler := self.fm.features.get(lsp.SHUTDOWN):
            yield handler, args, None
        self._shutdown = True

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Any,
        callback: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        if future := self._request_futures.get(msg_id):
            future.add_done_callback(partial(self._forget_request, msg_id))

    def _forget_request(self, msg_id: str | int, future: Any) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]
