"""`Try this fix in a traced run`: offered beside each fix, run in a copy, told, cancelled; nothing is written."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import CARRIED
from .lsp_client import PUSHED, REAL, Client

TITLE = "Try this fix in a traced run"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    file = tmp_path / "train.py"
    file.write_text(CARRIED, "utf-8")
    return file


def commands(client: Client, uri: str) -> list[dict[str, Any]]:
    return [one["command"] for one in client.actions(uri, 5, 26) if one["title"].startswith(TITLE)]


def test_beside_each_fix_where_there_is_a_file_to_run(started: Callable[..., Client], file: Path, uri: str) -> None:
    client = started()
    client.open(file.as_uri(), CARRIED)
    offered = commands(client, file.as_uri())
    assert [(one["title"], one["command"]) for one in offered] == [
        (f"{TITLE}: Detach `h` before it is used", "secondpass.tryFix"),
        (f"{TITLE}: Keep the graph", "secondpass.tryFix"),
    ]
    client.open(uri, CARRIED)
    assert client.actions(uri, 5, 26) and not commands(client, uri)


def test_only_for_the_text_and_the_fix_that_were_offered(started: Callable[..., Client], file: Path) -> None:
    client = started()
    client.open(file.as_uri(), CARRIED)
    command = commands(client, file.as_uri())[0]
    unknown = {**command, "arguments": [*command["arguments"][:3], "nothing"]}
    assert client.error("workspace/executeCommand", unknown)["message"] == "no such fix: nothing"
    client.change(file.as_uri(), 2, {"text": CARRIED + "\n"})
    client.diagnostics(file.as_uri(), 2)
    error = client.error("workspace/executeCommand", command)
    assert error["message"] == "the text has changed since this fix was offered"


def test_a_fix_that_raises_is_a_warning(started: Callable[..., Client], file: Path) -> None:
    client = started(PUSHED)
    client.open(file.as_uri(), CARRIED)
    said = client.request("workspace/executeCommand", commands(client, file.as_uri())[1], timeout=60)
    assert said == {
        "before": "raises at train.py:8 in iteration 2",
        "kind": "raises",
        "said": "raises at train.py:9 in iteration 2",
    }
    shown = client.wait("window/showMessage")
    assert shown["type"] == 2
    assert shown["message"] == (
        "train.py raises at train.py:8 in iteration 2. "
        "With this fix it raises at train.py:9 in iteration 2: Keep the graph"
    )


def test_from_the_finding_to_the_proof(file: Path) -> None:
    unsaved = CARRIED.replace("range(3)", "range(4)")
    with Client(REAL) as client:
        client.initialize(PUSHED, folders=[file.parent.as_uri()])
        client.open(file.as_uri(), unsaved)
        client.diagnostics(file.as_uri(), 1)
        command = commands(client, file.as_uri())[0]
        said = client.request("workspace/executeCommand", command, timeout=60)
        assert (said["kind"], said["said"]) == ("runs", "runs (4 backward calls)")
        notes = client.quiet(0.2)
        steps = [m["params"]["value"] for m in notes if m["method"] == "$/progress"]
        assert [step["kind"] for step in (steps[0], steps[-1])] == ["begin", "end"]
        assert steps[1]["message"].startswith("as it is: running with ")
        assert any(step.get("message", "").startswith("with the fix: backward call") for step in steps)
        (shown,) = [m["params"] for m in notes if m["method"] == "window/showMessage"]
        assert shown["type"] == 3
        assert shown["message"].startswith(
            "train.py raises at train.py:8 in iteration 2. With this fix it runs (4 backward calls): Detach `h`"
        )
    assert file.read_text("utf-8") == CARRIED
    assert list(file.parent.iterdir()) == [file]


def test_cancelled_it_leaves_nothing_behind(started: Callable[..., Client], file: Path, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    text = CARRIED + f"import pathlib, time\npathlib.Path({str(mark)!r}).touch()\ntime.sleep(60)\n"
    text = text.replace("loss.backward()", "pass  # .backward()")
    client = started(PUSHED)
    client.open(file.as_uri(), text)
    number = client.begin("workspace/executeCommand", commands(client, file.as_uri())[0])
    token = client.wait("$/progress", lambda p: p["value"]["kind"] == "begin")["token"]
    end = time.monotonic() + 20
    while not mark.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert client.reply(number, 20)["error"]["message"] == "the traced run was cancelled"
    running = subprocess.run(["ps", "-eo", "args="], capture_output=True, text=True, check=True).stdout
    assert not [line for line in running.splitlines() if "secondpass.trace.tried" in line or "secondpass-fix-" in line]
