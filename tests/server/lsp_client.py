"""A small blocking client of the protocol: a test says what is sent and waits for what comes."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FAKE = (sys.executable, str(HERE / "serve_fake.py"))
REAL = (sys.executable, "-m", "secondpass_server", "--stdio")
Message = dict[str, Any]

VSCODE: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}},
        "workspaceFolders": True,
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source"]}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
    "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
}
"""What VS Code says of itself, as far as it matters here."""

PUSHED: Message = {**VSCODE, "textDocument": {k: v for k, v in VSCODE["textDocument"].items() if k != "diagnostic"}}
"""The same without pulling."""

BARE: Message = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}
}
"""An old client: utf-16 without saying, no related information, no document changes."""


class Client:
    def __init__(self, command: Sequence[str] = FAKE, settings: Mapping[str, Any] | None = None) -> None:
        path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        self.settings = settings
        self.scoped: dict[str, Mapping[str, Any]] = {}
        self.number = 0
        self.replies: dict[Any, Message] = {}
        self.came = threading.Condition()
        self.notes: queue.Queue[Message] = queue.Queue()
        self.asked: list[Message] = []
        self.logged: list[str] = []
        self.stderr = b""
        self.writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()

    # -- raw

    def send(self, message: Message) -> None:
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        with self.writing:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        with contextlib.suppress(ValueError):  # closed at the end of the test
            for line in self.process.stderr:
                self.stderr += line

    def _read(self) -> None:
        with contextlib.suppress(ValueError):
            self._read_messages()

    def _read_messages(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            size = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not size:
                return
            message: Message = json.loads(stream.read(size))
            message["at"] = time.perf_counter()
            if "method" in message and "id" in message:
                self.asked.append(message)
                with contextlib.suppress(BrokenPipeError):  # it asked, and left
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message)})
                self.notes.put(message)
            elif "method" in message:
                if message["method"] == "window/logMessage":
                    self.logged.append(message["params"]["message"])
                self.notes.put(message)
            else:
                with self.came:
                    self.replies[message["id"]] = message
                    self.came.notify_all()

    def _answer(self, message: Message) -> Any:
        if message["method"] == "workspace/configuration":
            return [self.scoped.get(item.get("scopeUri"), self.settings) for item in message["params"]["items"]]
        if message["method"] == "window/showDocument":
            return {"success": True}
        return None

    # -- requests and notifications

    def notify(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def reply(self, number: int, timeout: float = 10) -> Message:
        with self.came:
            if not self.came.wait_for(lambda: number in self.replies, timeout):
                raise TimeoutError(f"no reply to request {number}; log: {self.logged}; stderr: {self.stderr[-2000:]!r}")
            return self.replies.pop(number)

    def request(self, method: str, params: Any, timeout: float = 10) -> Any:
        """The result; an error reply fails."""
        message = self.reply(self.begin(method, params), timeout)
        assert "error" not in message, message["error"]
        return message["result"]

    def error(self, method: str, params: Any) -> Message:
        message = self.reply(self.begin(method, params))
        assert "error" in message, message
        error: Message = message["error"]
        return error

    def wait(self, method: str, which: Callable[[Any], bool] = lambda _: True, timeout: float = 10) -> Any:
        """The parameters of the next message of this method that `which` takes."""
        end = time.monotonic() + timeout
        while True:
            try:
                message = self.notes.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"no {method}; log: {self.logged}; stderr: {self.stderr[-2000:]!r}") from None
            if message["method"] == method and which(message.get("params")):
                return message.get("params")

    def quiet(self, seconds: float) -> list[Message]:
        """What came in the meantime."""
        time.sleep(seconds)
        found = []
        while not self.notes.empty():
            found.append(self.notes.get())
        return found

    # -- what tests do again and again

    def initialize(self, capabilities: Message | None = None, options: Any = None, folders: Sequence[str] = ()) -> Any:
        params = {
            "processId": None,
            "rootUri": folders[0] if folders else None,
            "capabilities": PUSHED if capabilities is None else capabilities,
            "initializationOptions": options,
            "workspaceFolders": [{"uri": uri, "name": uri.rpartition("/")[2]} for uri in folders] or None,
        }
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1, language: str = "python") -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Message) -> None:
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def shut(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = None, timeout: float = 10) -> list[Message]:
        """What is published for a document (at this version)."""

        def ours(params: Any) -> bool:
            return bool(params["uri"] == uri and (version is None or params.get("version") == version))

        items: list[Message] = self.wait("textDocument/publishDiagnostics", ours, timeout)["diagnostics"]
        return items

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        position = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": uri}, "position": position, **more})

    def actions(self, uri: str, line: int, character: int, only: Sequence[str] | None = None) -> list[Message]:
        place = {"line": line, "character": character}
        context = {"diagnostics": [], **({"only": list(only)} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
        found: list[Message] | None = self.request("textDocument/codeAction", params)
        return found or []

    def command(self, name: str, *arguments: Any) -> Any:
        return self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    def leave(self) -> int:
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(10)


def part(line: int, start: int, end: int, text: str, end_line: int | None = None) -> Message:
    """An incremental change."""
    last = line if end_line is None else end_line
    return {
        "range": {"start": {"line": line, "character": start}, "end": {"line": last, "character": end}},
        "text": text,
    }
