"""Hover, highlight, hints, lenses and commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlparse

from .conftest import CARRIED
from .lsp_client import Client

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}


def test_hover_tells_the_story_and_its_first_line_stands_alone(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    pushed.diagnostics(uri, 1)
    pushed.actions(uri, 5, 26)  # the fixes are proved
    found = pushed.at("textDocument/hover", uri, 5, 26)
    lines = found["contents"]["value"].splitlines()
    assert lines[0] == "**SP101** `h` carries the graph of the previous iteration"
    assert "2. iteration 1 consumes that graph here: `loss.backward()`" in lines
    assert "Fix: Detach `h` before it is used" in lines
    assert found["range"] == {"start": {"line": 5, "character": 25}, "end": {"line": 5, "character": 36}}


def test_hover_on_a_variable_says_what_it_holds(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    found = pushed.at("textDocument/hover", uri, 7, 6)
    assert found["contents"]["value"].splitlines()[0] == "`loss`: live graph of this iteration"
    assert found["range"] == {"start": {"line": 7, "character": 4}, "end": {"line": 7, "character": 8}}
    assert pushed.at("textDocument/hover", uri, 0, 3) is None


def test_a_client_without_markdown_gets_none(bare: Client, uri: str) -> None:
    bare.open(uri, CARRIED)
    contents = bare.at("textDocument/hover", uri, 5, 26)["contents"]
    assert contents["kind"] == "plaintext"
    assert contents["value"].startswith("SP101 h carries the graph")
    assert "*" not in contents["value"]


def test_highlight_lights_the_steps_of_the_story(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    found = pushed.at("textDocument/documentHighlight", uri, 7, 6)
    assert [(one["range"]["start"]["line"], one["kind"]) for one in found] == [(5, 3), (7, 2)]
    assert pushed.at("textDocument/documentHighlight", uri, 0, 0) is None


def test_a_hint_stands_where_the_graph_crosses_the_iteration(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    (hint,) = pushed.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": WHOLE})
    assert (hint["label"], hint["position"]) == ("h ⟲", {"line": 5, "character": 25})
    above = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
    assert pushed.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": above}) == []


def test_lenses_stand_over_the_loop_and_the_backward_call(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    found = pushed.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    titles = ["1 graph walked twice", "Validate with a traced run", "Show graph"]
    assert [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found] == [
        *((3, title) for title in titles),
        *((7, title) for title in titles),
    ]


def test_a_lens_stands_over_the_function_of_a_finding_without_a_loop(pushed: Client, uri: str) -> None:
    pushed.open(
        uri,
        "def other():\n    pass\n\nasync def step(h):\n    if h:\n\n        out = rnn(x, h)\n        h.backward()\n",
    )
    found = pushed.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [lens["range"]["start"]["line"] for lens in found[::3]] == [3, 7]
    wrapped = "async def step(\n    x,\n    h,\n):\n    out = rnn(x, h)\n    h.backward()\n"
    pushed.change(uri, 2, {"text": wrapped})
    found = pushed.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [lens["range"]["start"]["line"] for lens in found[::3]] == [0, 5]


def test_the_editor_is_asked_to_refresh_when_a_check_changed_something(pushed: Client, uri: str) -> None:
    pushed.quiet(0.1)
    pushed.open(uri, CARRIED)
    pushed.wait("workspace/codeLens/refresh")
    pushed.wait("workspace/inlayHint/refresh")


def test_show_graph_opens_a_page_of_its_own(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    shown = pushed.command("secondpass.showGraph", uri, 4)
    assert pushed.wait("window/showDocument")["uri"] == shown
    assert Path(unquote(urlparse(shown).path)).read_text() == "<!doctype html><title>4 None</title>"


def test_explain_gives_the_rule_and_opens_its_page(pushed: Client, bare: Client) -> None:
    assert pushed.command("secondpass.explain", "SP101") == "# SP101\n\nwhy it raises"
    assert pushed.wait("window/showDocument")["external"] is True
    bare.command("secondpass.explain", "SP101")
    assert bare.wait("window/showMessage")["message"].startswith("# SP101")


def test_status_tells_memory_and_queue(pushed: Client) -> None:
    status = pushed.command("secondpass.status")
    assert status["queued"] == 0
    assert 10 < status["memory"]["server"] < 120
    assert status["encoding"] == "utf-16"


def test_restart_brings_a_new_process_and_checks_again(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    client.command("secondpass.restart")
    assert len(client.diagnostics(uri, 1)) == 1
    assert client.command("secondpass.status")["workerStarts"] == 2


def test_a_command_on_what_is_not_open_is_an_error_of_one_line(pushed: Client) -> None:
    error = pushed.error(
        "workspace/executeCommand", {"command": "secondpass.showGraph", "arguments": ["file:///no/such.py"]}
    )
    assert error["message"] == "file:///no/such.py is not an open Python file or notebook"
    assert (
        pushed.error("workspace/executeCommand", {"command": "secondpass.nothing", "arguments": []})["code"] == -32602
    )
