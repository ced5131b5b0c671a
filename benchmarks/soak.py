"""Thousands of random edits over many files and notebooks, with random requests and cancellations.

`python -m benchmarks.soak [--edits 20000] [--seed 1] [--fake]`, from the repository's root. Typing, pasting, deleting
halves of statements, undoing, all kinds of line ends and characters, cells added, moved and taken away. At the end:
no error in the log, every request answered in time, and what is shown for each document is what a fresh server shows
for the final texts. Exit status 0 only then.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from benchmarks.latency import memory
from benchmarks.training_file import PIECE
from tests.server.lsp_client import FAKE, PUSHED, REAL, Client, Message

ROOT = "file:///tmp/secondpass-soak"
PATIENCE = 15.0
"""Seconds within which every request must be answered."""
SCRAPS = [
    *"abhx(){}[]:=,.'\"#\\ \t",
    "\n",
    "\r\n",
    "\r",
    "\x0c",
    "\x85",
    "\u2028",
    "é漢😀",
    "\n    ",
    "\nfor step in range(3):\n    out, h = rnn(inp, h)\n    out.sum().backward()\n",
    "loss.backward(retain_graph=True)\n",
    "h = h.detach()\n",
    "def f(x):\n    return x * 2\n",
    "import torch\n",
    "with torch.no_grad():\n",
    '"""',
    "f'{h!r:>{10}}'",
    "else:\n",
    "@",
    "lambda: (yield)",
    "match h:\n    case [a, *_]:\n        pass\n",
]


class Text:
    """A text as an editor holds it, with its undo list; positions by the letter of the protocol, in UTF-16."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.text = text
        self.version = 1
        self.before: list[str] = []
        self.first = text

    def position(self, offset: int) -> Message:
        head = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = head.rpartition("\n")[2]
        return {"line": head.count("\n"), "character": len(line.encode("utf-16-le")) // 2}

    def place(self, draw: random.Random) -> int:
        offset = draw.randrange(len(self.text) + 1)
        return offset + 1 if self.text[offset - 1 : offset + 1] == "\r\n" and offset else offset

    def edit(self, draw: random.Random) -> list[Message]:
        self.version += 1
        way = draw.random()
        if way < 0.15 and self.before:
            self.text = self.before.pop()
            return [{"text": self.text}]
        if way < 0.18:  # back to where it was: otherwise there would soon be no Python left to find anything in
            self.text, self.before = self.first, []
            return [{"text": self.text}]
        self.before = [*self.before[-20:], self.text]
        start = self.place(draw)
        end = start
        if draw.random() < 0.45 or len(self.text) > 6000:
            end = min(len(self.text), start + draw.choice([1, 1, 3, 12, 40, 400]))
            if self.text[end - 1 : end + 1] == "\r\n":
                end += 1
        new = "".join(draw.choices(SCRAPS, k=draw.choice([0, 1, 1, 1, 2]))) if end > start else draw.choice(SCRAPS)
        change = {"range": {"start": self.position(start), "end": self.position(end)}, "text": new}
        self.text = self.text[:start] + new + self.text[end:]
        return [change]


class Notebook:
    def __init__(self, name: str, draw: random.Random) -> None:
        self.uri = f"{ROOT}/{name}.ipynb"
        self.name = name
        self.version = 1
        self.count = 0
        self.cells = [self.new(draw) for _ in range(6)]
        self.gone: list[str] = []

    def new(self, draw: random.Random) -> Text:
        self.count += 1
        return Text(f"vscode-notebook-cell:/tmp/secondpass-soak/{self.name}.ipynb#c{self.count}", draw.choice(SCRAPS))

    def opening(self) -> Message:
        return {
            "notebookDocument": {
                "uri": self.uri,
                "notebookType": "jupyter-notebook",
                "version": self.version,
                "cells": [{"kind": 2, "document": cell.uri} for cell in self.cells],
            },
            "cellTextDocuments": [item(cell) for cell in self.cells],
        }

    def edit(self, draw: random.Random) -> Message:
        self.version += 1
        way = draw.random()
        if way < 0.05:
            at, cell = draw.randrange(len(self.cells) + 1), self.new(draw)
            self.cells.insert(at, cell)
            array = {"start": at, "deleteCount": 0, "cells": [{"kind": 2, "document": cell.uri}]}
            cells: Message = {"structure": {"array": array, "didOpen": [item(cell)]}}
        elif way < 0.1 and len(self.cells) > 2:
            at = draw.randrange(len(self.cells))
            cell = self.cells.pop(at)
            self.gone.append(cell.uri)
            cells = {"structure": {"array": {"start": at, "deleteCount": 1}, "didClose": [{"uri": cell.uri}]}}
        else:
            cell = draw.choice(self.cells)
            changes = cell.edit(draw)
            cells = {"textContent": [{"document": {"uri": cell.uri, "version": cell.version}, "changes": changes}]}
        return {"notebookDocument": {"uri": self.uri, "version": self.version}, "change": {"cells": cells}}


def item(text: Text) -> Message:
    return {"uri": text.uri, "languageId": "python", "version": text.version, "text": text.text}


def ask(client: Client, draw: random.Random, text: Text) -> int:
    position = text.position(text.place(draw))
    end = {"line": position["line"] + draw.randrange(3), "character": 0}
    at: Message = {"textDocument": {"uri": text.uri}}
    area = {"start": position, "end": position if draw.random() < 0.5 else end}
    method, more = draw.choice(
        [
            ("textDocument/hover", {"position": position}),
            ("textDocument/codeAction", {"range": area, "context": {"diagnostics": []}}),
            ("textDocument/codeLens", {}),
            ("textDocument/inlayHint", {"range": area}),
            ("textDocument/documentHighlight", {"position": position}),
        ]
    )
    number = client.begin(method, {**at, **more})
    if draw.random() < 0.3:
        client.notify("$/cancelRequest", {"id": number})
    return number


def shown(client: Client, wanted: set[str], quiet: float) -> dict[str, Any]:
    """The last diagnostics of each document, once nothing more comes and the queue is empty."""
    last: dict[str, Any] = {}
    end = time.monotonic() + 120
    while time.monotonic() < end:
        notes = client.quiet(quiet)
        for note in notes:
            if note["method"] == "textDocument/publishDiagnostics":
                last[note["params"]["uri"]] = note["params"]
        status = client.command("secondpass.status")
        if not notes and not status["queued"] and status["running"] is None and wanted <= set(last):
            return last
    raise TimeoutError(f"still busy: {status}, without diagnostics: {wanted - set(last)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fake", action="store_true", help="with the tests' own analysis")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    command = FAKE if options.fake else REAL
    files = [
        Text(
            f"{ROOT}/file{n}.py",
            "import torch\nfrom torch import nn\n" + PIECE.format(n=n, size=4, cut="            pass"),
        )
        for n in range(20)
    ]
    notebooks = [Notebook(f"book{n}", draw) for n in range(2)]
    last: dict[str, Any] = {}
    open_requests: dict[int, float] = {}
    slowest = 0.0
    failures: list[str] = []
    begun = time.monotonic()
    with Client(command) as client:
        client.initialize(PUSHED, folders=[ROOT])
        for text in files:
            client.open(text.uri, text.text)
        for book in notebooks:
            client.notify("notebookDocument/didOpen", book.opening())
        sizes = []
        for number in range(options.edits):
            if draw.random() < 0.85:
                text = draw.choice(files)
                changes = text.edit(draw)
                client.change(text.uri, text.version, *changes)
            else:
                book = draw.choice(notebooks)
                client.notify("notebookDocument/didChange", book.edit(draw))
                text = draw.choice(book.cells)
            if draw.random() < 0.3:
                open_requests[ask(client, draw, text)] = time.monotonic()
            if number % 20 == 19:
                # an editor waits for its replies before it asks much more
                for request, since in list(open_requests.items()):
                    reply = client.reply(request, PATIENCE)
                    slowest = max(slowest, time.monotonic() - since)
                    if "error" in reply and reply["error"]["code"] not in (-32800, -32801):
                        failures.append(f"request {request}: {reply['error']}")
                    del open_requests[request]
                for note in client.quiet(0):
                    if note["method"] == "textDocument/publishDiagnostics":
                        last[note["params"]["uri"]] = note["params"]
            if number % max(1, options.edits // 10) == 0:
                sizes.append(memory(client.process.pid))
                print(f"{number:6} edits {time.monotonic() - begun:6.1f} s  {sizes[-1]:.0f} MiB", flush=True)
        texts = {text.uri: text for text in [*files, *(cell for book in notebooks for cell in book.cells)]}
        late = {uri for uri, text in texts.items() if last.get(uri, {}).get("version") != text.version}
        settled = {**last, **shown(client, late, 1.0)}
        print(f"memory {sizes[0]:.0f} to {memory(client.process.pid):.0f} MiB; slowest reply {slowest:.2f} s")
        failures += [f"log: {line}" for line in client.logged]
        failures += [f"stderr: {client.stderr[-500:]!r}"] if client.stderr.strip() else []
    with Client(command) as fresh:
        fresh.initialize(PUSHED, folders=[ROOT])
        for text in files:
            fresh.open(text.uri, text.text)
        for book in notebooks:
            fresh.notify("notebookDocument/didOpen", book.opening())
        expected = shown(fresh, set(texts), 1.0)
    found = 0
    for uri, text in texts.items():
        one, other = settled[uri], expected[uri]
        found += len(other["diagnostics"])
        if one.get("version") != text.version:
            failures.append(f"{uri}: shown for version {one.get('version')}, the text is at {text.version}")
        elif one["diagnostics"] != other["diagnostics"]:
            failures.append(f"{uri}: shown {one['diagnostics']}, a fresh server shows {other['diagnostics']}")
    for uri in (uri for book in notebooks for uri in book.gone):
        if settled.get(uri, {"diagnostics": []})["diagnostics"]:
            failures.append(f"{uri}: still shown although the cell is gone")
    for failure in failures[:20]:
        print(failure[:600])
    seconds = time.monotonic() - begun
    print(f"{options.edits} edits, {found} findings at the end, {len(failures)} failures, {seconds:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
