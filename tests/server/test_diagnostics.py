"""What is pushed: where, with what, for which version, and that it is taken back."""

from __future__ import annotations

import time
from collections.abc import Callable

from .conftest import CARRIED
from .lsp_client import Client, part


def test_a_finding_stands_on_its_characters_with_its_story(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    (diagnostic,) = pushed.diagnostics(uri, 1)
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    assert (start["line"], start["character"], end["character"]) == (5, 25, 36)
    assert diagnostic["message"] == "`h` carries the graph of the previous iteration"
    assert (diagnostic["severity"], diagnostic["code"], diagnostic["source"]) == (1, "SP101", "secondpass")
    assert diagnostic["codeDescription"]["href"].endswith("/SP101.md")
    steps = diagnostic["relatedInformation"]
    assert [step["location"]["range"]["start"]["line"] for step in steps] == [5, 7, 7]
    assert {step["location"]["uri"] for step in steps} == {uri}


def test_a_client_without_related_information_reads_the_story_in_the_message(bare: Client, uri: str) -> None:
    bare.open(uri, CARRIED)
    (diagnostic,) = bare.diagnostics(uri)
    assert diagnostic["message"].splitlines()[1:] == [
        "iteration 1 builds `h` here: `rnn(inp, h)`",
        "iteration 1 consumes that graph here: `loss.backward()`",
        "iteration 2 walks into it and raises: `loss.backward()`",
    ]
    assert "relatedInformation" not in diagnostic
    assert "codeDescription" not in diagnostic


def test_assumptions_are_said(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED + "# assume\n")
    assert pushed.diagnostics(uri, 1)[0]["message"].endswith("\nassuming `rnn` has parameters")


def test_an_edit_moves_it_and_a_cut_clears_it(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    pushed.diagnostics(uri, 1)
    pushed.change(uri, 2, part(0, 0, 0, "# a line\n"))
    assert pushed.diagnostics(uri, 2)[0]["range"]["start"] == {"line": 6, "character": 25}
    pushed.change(uri, 3, part(6, 4, 4, "h = h.detach(); "))
    assert pushed.diagnostics(uri, 3) == []


def test_versions_never_go_back_and_the_last_text_wins(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    for version in range(2, 60):
        pushed.change(uri, version, part(0, 0, 0, "#" if version % 2 else "#\n"))
    seen = []
    while not seen or seen[-1] != 59:
        params = pushed.wait("textDocument/publishDiagnostics", lambda params: params["uri"] == uri)
        seen.append(params["version"])
        last = params["diagnostics"]
    assert seen == sorted(set(seen))
    assert last[0]["range"]["start"]["line"] == 5 + 29


def test_a_slow_result_for_an_old_text_is_never_shown(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# SLOW:0.6\n")
    time.sleep(0.5)
    client.change(uri, 2, {"text": "x = 1\n"})
    params = client.wait("textDocument/publishDiagnostics", lambda params: params["uri"] == uri)
    assert (params["version"], params["diagnostics"]) == (2, [])


def test_closing_clears_and_nothing_comes_after(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    client.change(uri, 2, part(0, 0, 0, "# SLOW:0.3\n"))
    client.shut(uri)
    assert client.diagnostics(uri) == []
    assert [m for m in client.quiet(0.6) if m["method"] == "textDocument/publishDiagnostics"] == []


def test_a_deleted_file_is_cleared(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED)
    assert pushed.diagnostics(uri, 1)
    pushed.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    assert pushed.diagnostics(uri) == []


def test_the_unsaved_text_of_an_imported_open_file_counts(pushed: Client) -> None:
    main, helper = "file:///tmp/nowhere/main.py", "file:///tmp/nowhere/helper.py"
    pushed.open(helper, " one\n")
    pushed.open(main, "import helper\n" + CARRIED)
    assert pushed.diagnostics(main, 1)[0]["message"].endswith(" one")
    pushed.change(helper, 2, {"text": " two\n"})
    assert pushed.diagnostics(main, 1)[0]["message"].endswith(" two")
    pushed.shut(helper)
    assert pushed.diagnostics(main, 1)[0]["message"].endswith("iteration")


def test_untitled_and_foreign_uris_come_back_byte_for_byte(pushed: Client) -> None:
    for uri in (
        "untitled:Untitled-1",
        "file:///c%3A/Users/m%C3%A9/tr%20ain.py",
        "file:///C:/Users/x/train.py",
        "vscode-vfs://github/a/b.py",
        "file:///tmp/nowhere/a%2Bb.py",
    ):
        pushed.open(uri, CARRIED)
        assert pushed.diagnostics(uri, 1)[0]["relatedInformation"][0]["location"]["uri"] == uri
        pushed.shut(uri)


def test_other_languages_are_left_alone(pushed: Client, uri: str) -> None:
    pushed.open(uri, CARRIED, language="toml")
    assert [m for m in pushed.quiet(0.3) if (m.get("params") or {}).get("uri") == uri] == []
