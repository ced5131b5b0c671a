"""Diagnostics for clients that ask: current text, result ids, the whole workspace."""

from __future__ import annotations

from .conftest import CARRIED
from .lsp_client import Client, part


def pull(client: Client, uri: str, previous: str | None = None) -> dict[str, object]:
    params = {"textDocument": {"uri": uri}, **({"previousResultId": previous} if previous else {})}
    found: dict[str, object] = client.request("textDocument/diagnostic", params)
    return found


def test_a_pull_gets_the_text_as_it_is_and_nothing_is_pushed(pulling: Client, uri: str) -> None:
    pulling.quiet(0)
    pulling.open(uri, CARRIED)
    first = pull(pulling, uri)
    assert first["kind"] == "full"
    assert len(first["items"]) == 1  # type: ignore[arg-type]
    pulling.change(uri, 2, part(5, 4, 4, "h = h.detach(); "))
    assert pull(pulling, uri)["items"] == []
    assert [m for m in pulling.quiet(0.1) if m["method"] == "textDocument/publishDiagnostics"] == []


def test_the_same_result_is_not_sent_twice(pulling: Client, uri: str) -> None:
    pulling.open(uri, CARRIED)
    first = pull(pulling, uri)
    pulling.change(uri, 2, part(0, 12, 12, "  # nothing new"))
    again = pull(pulling, uri, str(first["resultId"]))
    assert (again["kind"], again["resultId"]) == ("unchanged", first["resultId"])
    pulling.change(uri, 3, part(0, 0, 0, "\n"))
    assert pull(pulling, uri, str(first["resultId"]))["kind"] == "full"


def test_a_pull_for_a_document_that_is_not_open_is_empty(pulling: Client) -> None:
    assert pull(pulling, "file:///tmp/nowhere/not-open.py")["items"] == []


def test_a_change_in_an_imported_file_asks_the_client_to_pull_again(pulling: Client) -> None:
    main, helper = "file:///tmp/nowhere/pmain.py", "file:///tmp/nowhere/phelper.py"
    pulling.open(helper, " one\n")
    pulling.open(main, "import phelper\n" + CARRIED)
    assert pull(pulling, main)["items"][0]["message"].endswith(" one")  # type: ignore[index]
    pulling.quiet(0.2)
    pulling.change(helper, 2, {"text": " two\n"})
    pulling.wait("workspace/diagnostic/refresh")
    assert pull(pulling, main)["items"][0]["message"].endswith(" two")  # type: ignore[index]


def test_the_workspace_is_told_in_parts_with_progress(pulling: Client, uri: str) -> None:
    pulling.open(uri, CARRIED)
    whole = pulling.request("workspace/diagnostic", {"previousResultIds": []})
    ours = next(item for item in whole["items"] if item["uri"] == uri)
    assert (ours["kind"], ours["version"], len(ours["items"])) == ("full", 1, 1)
    previous = [{"uri": item["uri"], "value": item["resultId"]} for item in whole["items"]]
    params = {"previousResultIds": previous, "partialResultToken": "part", "workDoneToken": "work"}
    assert pulling.request("workspace/diagnostic", params)["items"] == []
    notes = [m["params"] for m in pulling.quiet(0.1) if m["method"] == "$/progress"]
    parts = [note["value"]["items"][0] for note in notes if note["token"] == "part"]
    assert {part["uri"]: part["kind"] for part in parts}[uri] == "unchanged"
    kinds = [note["value"]["kind"] for note in notes if note["token"] == "work"]
    assert (kinds[0], kinds[-1]) == ("begin", "end")


def test_a_workspace_pull_can_be_cancelled(pulling: Client, uri: str) -> None:
    for number in range(4):
        pulling.open(f"{uri}.{number}.py", f"# SLOW:0.4\n# {number}\n")
    pulling.quiet(0)
    params = {"previousResultIds": [], "workDoneToken": "long"}
    number = pulling.begin("workspace/diagnostic", params)
    pulling.wait("$/progress", lambda p: p["token"] == "long" and p["value"]["kind"] == "report")
    pulling.notify("window/workDoneProgress/cancel", {"token": "long"})
    assert len(pulling.reply(number)["result"]["items"]) < pulling.command("secondpass.status")["programs"]
    pulling.wait("$/progress", lambda p: p["token"] == "long" and p["value"]["kind"] == "end")
