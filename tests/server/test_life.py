"""Never slow, never dead: faults, dead processes, cancellation, bad messages, leaving."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from secondpass_server.worker import INTERRUPTED, Work

from .conftest import CARRIED
from .lsp_client import Client, part


def children(process: int) -> list[int]:
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [int(line) for line in out.stdout.split()]


def spent(process: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_server_that_is_leaving_does_nothing_more(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# BUSY:30\n")
    while client.command("secondpass.status")["running"] != "check":
        pass
    client.request("shutdown", None)
    before = spent(client.process.pid)
    time.sleep(1)
    assert spent(client.process.pid) - before < 0.3


def test_a_fault_is_one_line_and_the_last_good_findings_stay(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    client.change(uri, 2, part(0, 0, 0, "# FAULT\n"))
    logged = client.wait("window/logMessage")
    assert logged["type"] == 1
    assert logged["message"].startswith(
        f"{uri.removeprefix('file://')}: check: ValueError: asked to fail (fake_analysis.py:"
    )
    assert "\n" not in logged["message"]
    assert [m for m in client.quiet(0.2) if m["method"] == "textDocument/publishDiagnostics"] == []
    assert client.actions(uri, 6, 30) == []
    client.change(uri, 3, part(0, 0, 7, ""))
    assert len(client.diagnostics(uri, 3)) == 1


def test_a_process_that_dies_on_a_text_is_replaced(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# DIE\n")
    assert client.wait("window/logMessage")["message"].endswith("check: the analysing process ended")
    client.change(uri, 2, {"text": CARRIED})
    assert len(client.diagnostics(uri, 2)) == 1


def test_a_process_that_is_killed_comes_back_unnoticed(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# SLOW:0.4\n")
    time.sleep(0.6)
    (worker,) = children(client.process.pid)
    os.kill(worker, signal.SIGKILL)
    assert len(client.diagnostics(uri, 1)) == 1
    assert client.logged == []


def test_the_loop_answers_while_the_analysis_works(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    client.open(uri + "x", "# SLOW:1\n")
    time.sleep(0.1)
    begun = time.perf_counter()
    assert client.request(
        "textDocument/documentHighlight", {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 6}}
    )
    assert client.command("secondpass.status")["running"] == "check"
    assert time.perf_counter() - begun < 0.3


def test_a_check_nobody_waits_for_any_more_is_given_up(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# SLOW:60\n")
    time.sleep(0.3)
    client.change(uri, 2, {"text": CARRIED})
    assert len(client.diagnostics(uri, 2, timeout=5)) == 1


def test_a_newer_text_interrupts_the_check_of_the_older(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    client.change(uri, 2, {"text": "# BUSY:30\n"})
    time.sleep(0.3)
    begun = time.perf_counter()
    client.change(uri, 3, {"text": CARRIED})
    assert len(client.diagnostics(uri, 3)) == 1
    assert time.perf_counter() - begun < 0.5
    assert client.command("secondpass.status")["workerStarts"] == 1


def test_fixes_that_are_being_prepared_make_nobody_wait(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# PROVE:0.8\n")
    client.diagnostics(uri, 1)
    time.sleep(0.5)
    assert client.command("secondpass.status")["running"] == "fixes"
    begun = time.perf_counter()
    client.change(uri, 2, part(0, 0, 0, "\n"))
    assert len(client.diagnostics(uri, 2)) == 1
    assert time.perf_counter() - begun < 0.3
    time.sleep(1.5)
    begun = time.perf_counter()
    assert len(client.actions(uri, 6, 30)) == 4
    assert time.perf_counter() - begun < 0.3
    assert client.command("secondpass.status")["workerStarts"] == 1


def test_hovers_are_prepared_and_make_nobody_wait(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# LOOK:0.8\n")
    client.diagnostics(uri, 1)
    time.sleep(0.5)
    assert client.command("secondpass.status")["running"] == "hovers"
    begun = time.perf_counter()
    client.change(uri, 2, part(0, 0, 0, "\n"))
    assert len(client.diagnostics(uri, 2)) == 1
    assert time.perf_counter() - begun < 0.3
    time.sleep(1.5)
    begun = time.perf_counter()
    assert client.at("textDocument/hover", uri, 8, 6)["range"]["start"] == {"line": 8, "character": 4}
    assert client.at("textDocument/hover", uri, 7, 6)["range"]["start"] == {"line": 7, "character": 4}
    assert time.perf_counter() - begun < 0.2
    assert client.command("secondpass.status")["workerStarts"] == 1


def test_a_hover_that_cannot_wait_joins_the_preparation(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# LOOK:0.8\n")
    client.diagnostics(uri, 1)
    time.sleep(0.6)
    begun = time.perf_counter()
    number = client.begin("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 6}})
    client.command("secondpass.explain", "SP101")  # does not interrupt what somebody waits for now
    assert client.reply(number)["result"]["contents"]["value"].startswith("`loss`")
    assert time.perf_counter() - begun < 0.8


def test_a_hover_is_never_answered_for_another_text(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# LOOK:0.5\n")
    client.diagnostics(uri, 1)
    number = client.begin("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 6}})
    time.sleep(0.2)
    client.change(uri, 2, part(0, 0, 0, "\n\n"))
    assert client.reply(number)["result"] is None
    assert client.at("textDocument/hover", uri, 9, 6)["range"]["start"] == {"line": 9, "character": 4}


def test_cancel_really_cancels(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# SLOW:3\n")
    number = client.begin(
        "textDocument/codeAction",
        {"textDocument": {"uri": uri}, "range": part(0, 0, 0, "")["range"], "context": {"diagnostics": []}},
    )
    time.sleep(0.2)
    begun = time.perf_counter()
    client.notify("$/cancelRequest", {"id": number})
    assert client.reply(number)["error"]["code"] == -32800
    assert time.perf_counter() - begun < 0.5


def test_cancel_ends_the_work_behind_the_request(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# PROVE:20\n")
    client.diagnostics(uri, 1)
    params = {"textDocument": {"uri": uri}, "range": part(5, 30, 30, "")["range"], "context": {"diagnostics": []}}
    number = client.begin("textDocument/codeAction", params)
    time.sleep(0.3)
    assert client.command("secondpass.status")["running"] == "fixes"
    client.notify("$/cancelRequest", {"id": number})
    assert client.reply(number)["error"]["code"] == -32800
    begun = time.perf_counter()
    assert client.command("secondpass.explain", "SP101")  # a person waits for this, and for the fixes nobody any more
    assert time.perf_counter() - begun < 0.5
    assert client.command("secondpass.status")["workerStarts"] == 1


def test_typing_faster_than_checks_take_makes_few_checks(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# SLOW:0.15\n")
    client.diagnostics(uri, 1)
    for version in range(2, 22):
        client.change(uri, version, part(0, 0, 0, "#" if version > 2 else "#\n"))
        time.sleep(0.02)
    client.diagnostics(uri, 21)
    assert client.command("secondpass.status")["checks"] <= 5


def test_a_quick_check_never_waits(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED)
    client.diagnostics(uri, 1)
    taken = []
    for version in range(2, 12):
        begun = time.perf_counter()
        client.change(uri, version, part(0, 0, 0, "#" if version > 2 else "#\n"))
        client.diagnostics(uri, version)
        taken.append(time.perf_counter() - begun)
    assert sorted(taken)[5] < 0.05


def test_a_process_that_grows_is_replaced(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, CARRIED + "# GROW:300\n")
    assert len(client.diagnostics(uri, 1)) == 1
    client.change(uri, 2, {"text": CARRIED})
    assert len(client.diagnostics(uri, 2)) == 1
    status = client.command("secondpass.status")
    assert (status["workerStarts"], status["memory"]["worker"] < 200) == (2, True)
    assert [line for line in client.logged if "is replaced" in line]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": {"uri": "file:///x.py"}}),
        ("textDocument/codeAction", {}),
        ("textDocument/codeLens", None),
        ("textDocument/inlayHint", {"textDocument": 3, "range": []}),
        ("workspace/executeCommand", {"arguments": 3}),
    ],
)
def test_bad_parameters_get_an_error_reply(pushed: Client, method: str, params: object) -> None:
    error = pushed.error(method, params)
    assert error["code"] == -32602
    assert "\n" not in error["message"]


def test_an_unknown_method_gets_an_error_reply(pushed: Client) -> None:
    assert pushed.error("textDocument/definitely", {})["code"] == -32601


def test_bad_notifications_and_broken_bodies_do_no_harm(pushed: Client, uri: str) -> None:
    pushed.notify("textDocument/didChange", {"textDocument": 1})
    pushed.notify("textDocument/didOpen", None)
    pushed.change("file:///tmp/never-opened.py", 3, part(0, 0, 0, "x"))
    pushed.shut("file:///tmp/never-opened.py")
    pushed.send_bytes(b"{not json")
    pushed.send({"jsonrpc": "2.0", "id": "never-asked", "result": None})
    pushed.notify("$/cancelRequest", {"id": 99999})
    pushed.open(uri, CARRIED)
    assert len(pushed.diagnostics(uri, 1)) == 1


def test_leaving_takes_everything_along(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# SLOW:30\n")
    time.sleep(0.7)
    workers = children(client.process.pid)
    begun = time.perf_counter()
    assert client.leave() == 0
    assert time.perf_counter() - begun < 1.5
    gone(workers)


def test_an_editor_that_dies_takes_everything_along(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# SLOW:30\n")
    time.sleep(0.7)
    workers = children(client.process.pid)
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.process.wait(3)
    gone(workers)


def test_a_killed_server_leaves_no_process_behind(started: Callable[..., Client], uri: str) -> None:
    client = started()
    client.open(uri, "# SLOW:30\n")
    time.sleep(0.7)
    workers = children(client.process.pid)
    client.process.kill()
    client.process.wait(3)
    gone(workers)


def gone(processes: list[int]) -> None:
    assert processes
    end = time.monotonic() + 3
    while any(alive(process) for process in processes):
        assert time.monotonic() < end, "the analysing process lives on"
        time.sleep(0.05)


def alive(process: int) -> bool:
    out = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(out.stdout.strip()) and not out.stdout.startswith("Z")


def test_work_can_be_interrupted_before_during_and_after() -> None:
    """The worker's own end: an interrupt is for one request, and never for the one after it."""

    class Spinning:
        def spin(self, seconds: float) -> str:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                pass
            return "done"

    work = Work(Spinning())  # type: ignore[arg-type]
    work.interrupt(1)
    assert work.answer(1, "spin", (5.0,))[:2] == (False, INTERRUPTED)
    threading.Timer(0.1, work.interrupt, (2,)).start()
    begun = time.perf_counter()
    assert work.answer(2, "spin", (5.0,))[:2] == (False, INTERRUPTED)
    assert time.perf_counter() - begun < 1
    work.interrupt(2)
    assert work.answer(3, "spin", (0.01,))[:2] == (True, "done")
