"""Settings: asked for, pushed, per folder, wrong ones told once."""

from __future__ import annotations

from collections.abc import Callable

from .conftest import CARRIED
from .lsp_client import BARE, Client


def test_settings_are_asked_for_and_taken_again_when_they_change(started: Callable[..., Client], uri: str) -> None:
    client = started(settings={"severity": {"SP101": "information"}})
    client.open(uri, CARRIED)
    client.wait("textDocument/publishDiagnostics", lambda p: p["diagnostics"] and p["diagnostics"][0]["severity"] == 3)
    client.settings = {"enable": False}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait("textDocument/publishDiagnostics", lambda p: p["diagnostics"] == [])
    assert client.at("textDocument/hover", uri, 7, 6) is None
    registered = [r["method"] for m in client.asked for r in (m.get("params") or {}).get("registrations", [])]
    assert registered == ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]


def test_a_client_that_cannot_be_asked_pushes_its_settings(started: Callable[..., Client], uri: str) -> None:
    client = started(BARE, {"severity": {"SP101": "hint"}})
    client.open(uri, CARRIED)
    assert client.diagnostics(uri)[0]["severity"] == 4
    client.notify("workspace/didChangeConfiguration", {"settings": {"secondpass": {"severity": {"SP101": "warning"}}}})
    assert client.diagnostics(uri)[0]["severity"] == 2


def test_each_folder_has_its_own(started: Callable[..., Client]) -> None:
    one, two = "file:///tmp/one", "file:///tmp/one/two"
    client = started(folders=[one], settings={})
    client.scoped = {one: {"severity": {"SP101": "warning"}}, two: {"severity": {"SP101": "hint"}}}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.open(f"{one}/a.py", CARRIED)
    client.wait("textDocument/publishDiagnostics", lambda p: p["diagnostics"] and p["diagnostics"][0]["severity"] == 2)
    client.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": two, "name": "2"}], "removed": []}}
    )
    client.open(f"{two}/b.py", CARRIED)
    client.wait("textDocument/publishDiagnostics", lambda p: p["diagnostics"] and p["diagnostics"][0]["severity"] == 4)
    assert client.command("secondpass.status")["folders"] == [one, two]


def test_a_wrong_value_is_told_in_one_line(started: Callable[..., Client], uri: str) -> None:
    client = started(settings={"codeLens": "yes"})
    assert client.wait("window/logMessage")["message"] == "secondpass.codeLens: expected bool, got 'yes'"


def test_hints_and_lenses_can_be_turned_off(started: Callable[..., Client], uri: str) -> None:
    client = started(BARE, {"codeLens": False, "inlayHints": False})
    client.open(uri, CARRIED)
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole}) == []


def test_a_root_alone_is_a_folder_too(started: Callable[..., Client]) -> None:
    client = Client()
    with client:
        client.request("initialize", {"processId": None, "rootUri": "file:///tmp/r", "capabilities": {}})
        client.notify("initialized", {})
        assert client.command("secondpass.status")["folders"] == ["file:///tmp/r"]
