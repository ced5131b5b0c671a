"""Every feature as each editor's own introduction asks for it (`clients/`: what the real editors sent)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import CARRIED
from .lsp_client import VSCODE, Client

URI = "file:///tmp/nowhere/train.py"
RECORDED = {
    file.stem: json.loads(file.read_text("utf-8")) for file in (Path(__file__).parent / "clients").glob("*.json")
}
EGLOT = RECORDED["eglot-1.9"]
INTRODUCTIONS = {
    **RECORDED,
    "vscode": {"capabilities": VSCODE, "rootUri": "file:///tmp/nowhere"},
    # not recorded: a newer eglot differs in what concerns us by the units it offers
    "eglot-1.17": {
        **EGLOT,
        "capabilities": {
            **EGLOT["capabilities"],
            "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
        },
    },
}
CHARACTER = {"utf-8": 30, "utf-16": 25, "utf-32": 24}
"""Where `rnn(inp, h)` starts on its line."""


@pytest.fixture(params=sorted(INTRODUCTIONS))
def introduced(request: pytest.FixtureRequest) -> Iterator[tuple[Client, dict[str, Any], dict[str, Any]]]:
    introduction = INTRODUCTIONS[request.param]
    with Client() as client:
        told = client.request("initialize", {"processId": None, **introduction})
        client.notify("initialized", {})
        yield client, introduction["capabilities"], told["capabilities"]


def test_every_feature(introduced: tuple[Client, dict[str, Any], dict[str, Any]]) -> None:
    client, can, offered = introduced
    publishing, pulling = can["textDocument"].get("publishDiagnostics", {}), "diagnostic" in can["textDocument"]
    start = CHARACTER[offered["positionEncoding"]]

    client.open(URI, CARRIED)
    if pulling:
        assert offered["diagnosticProvider"]["interFileDependencies"] is True
        (diagnostic,) = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
    else:
        assert "diagnosticProvider" not in offered
        (diagnostic,) = client.diagnostics(URI, 1)
    assert diagnostic["range"]["start"] == {"line": 5, "character": start}
    assert ("relatedInformation" in diagnostic) == bool(publishing.get("relatedInformation"))
    assert ("iteration 1" in diagnostic["message"]) != bool(publishing.get("relatedInformation"))
    assert ("codeDescription" in diagnostic) == bool(publishing.get("codeDescriptionSupport"))

    hover = client.at("textDocument/hover", URI, 5, start + 2)["contents"]
    formats = can["textDocument"].get("hover", {}).get("contentFormat", [])
    assert hover["kind"] == ("markdown" if "markdown" in formats else "plaintext")
    assert "SP101" in hover["value"].splitlines()[0]

    asks = can["textDocument"].get("codeAction", {})
    action = client.actions(URI, 5, start)[0]
    if "codeActionLiteralSupport" not in asks:
        assert action["command"] == "secondpass.explain"  # a command is all it takes
    else:
        if "edit" in asks.get("resolveSupport", {}).get("properties", []):
            action = client.request("codeAction/resolve", action)
        versioned = can.get("workspace", {}).get("workspaceEdit", {}).get("documentChanges")
        assert ("documentChanges" if versioned else "changes") in action["edit"]
        assert json.dumps(action["edit"]).count(URI) == 1

    assert len(client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})) == 6
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    (hint,) = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": whole})
    assert hint["position"]["character"] == start
    assert len(client.at("textDocument/documentHighlight", URI, 7, 6)) == 2
    assert client.command("secondpass.status")["folders"] == ["file:///tmp/nowhere"]

    client.shut(URI)
    if not pulling:
        assert client.diagnostics(URI) == []
    assert client.leave() == 0
    assert client.logged == []
