"""Real children: bounds, hanging programs, children of children, output, exit statuses, ranks, interpreters.

Programs that need no torch start in a tenth of a second, so most of these have none.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from secondpass.trace import interpreter, record
from secondpass.trace.proof import first_that_runs, raises, run_changed
from secondpass.trace.record import Trace, TraceError
from secondpass.trace.runner import Bounds, trace_command

CARRY = """\
import torch
print("begins")
cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
for step in range(3):
    h = cell(torch.randn(2, 3), h)
    h.sum().backward()
"""
FIXED = CARRY + "    h = h.detach()\n"


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def run(folder: Path, text: str, *, bounds: Bounds | None = None, **how: object) -> Trace:
    (folder / "program.py").write_text(text)
    return trace_command(["program.py"], folder=folder, bounds=bounds, **how)  # type: ignore[arg-type]


def processes(word: str) -> list[str]:
    """The ids of live processes with a word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line, state = (entry / "cmdline").read_bytes(), (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if word.encode() in line and state[0] not in "ZX":
                found.append(entry.name)
    return found


def test_a_program_that_raises(tmp_path: Path) -> None:
    said: list[str] = []
    heard: dict[str, bytes] = {"stdout": b"", "stderr": b""}

    def hear(stream: str, chunk: bytes) -> None:
        heard[stream] += chunk

    trace = run(tmp_path, CARRY, told=said.append, heard=hear)
    assert trace.raised is not None
    assert (trace.raised.path, trace.raised.line, trace.raised.iteration) == ("program.py", 6, 2)
    assert [(place.line, place.iteration) for place in trace.raised.built] == [(5, 1)]
    assert trace.outcome.exit_code == 1
    assert (trace.outcome.reason, trace.cwd) == ("raised", str(tmp_path))
    assert trace.stdout.text == "begins\n" == heard["stdout"].decode()
    assert trace.stderr.text.count("Traceback") == 1
    assert "recorder" not in trace.stderr.text
    assert trace.versions.torch and trace.versions.executable == sys.executable
    assert said[0].startswith(f"running with {sys.executable} (")
    assert "backward call 1 at program.py:6" in said
    again = tmp_path / "trace.json"
    record.save(trace, again)
    assert record.load(again) == trace


def test_it_never_ends_and_holds_the_interpreter(tmp_path: Path) -> None:
    """A C call that never lets go of the interpreter: the recorder cannot act, the runner does."""
    text = "print('in', flush=True)\nsum(range(10**14))\n"
    began = time.monotonic()
    trace = run(tmp_path, text, bounds=Bounds(timeout=0.5))
    assert time.monotonic() - began < 9
    assert trace.outcome.reason == "timeout"
    assert trace.outcome.note == "stopped after 0.5 s"
    assert trace.outcome.exit_code is None
    assert trace.stdout.text == "in\n"


def test_children_of_children_end_too(tmp_path: Path) -> None:
    """Also one that ignores the request to end, and one that left the session."""
    word = f"orphan-{os.getpid()}"
    text = f"""\
import subprocess, sys, time
ignore = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
for away in (False, True):
    child = subprocess.Popen([sys.executable, "-c", ignore, "{word}"], start_new_session=away, stdout=subprocess.PIPE)
    child.stdout.readline()
print("both up", flush=True)
"""
    for ending, bounds in [("", None), ("time.sleep(600)\n", Bounds(timeout=1))]:
        trace = run(tmp_path, text + ending, bounds=bounds)
        assert trace.stdout.text == "both up\n"
        assert trace.outcome.reason == ("timeout" if ending else "finished")
        assert processes(word) == []


def test_cancel(tmp_path: Path) -> None:
    cancelled = threading.Event()
    text = "import time\nwhile True:\n    print('up', flush=True)\n    time.sleep(1)\n"
    began = time.monotonic()
    trace = run(tmp_path, text, cancelled=cancelled, heard=lambda *_: cancelled.set())
    assert time.monotonic() - began < 5
    assert trace.outcome.reason == "cancelled"
    assert {row.line for row in trace.iterations} == {2}


def test_memory(tmp_path: Path) -> None:
    text = "kept = []\nwhile True:\n    kept.append(bytearray(20_000_000))\n    import time; time.sleep(0.01)\n"
    trace = run(tmp_path, text, bounds=Bounds(memory=400_000_000))
    assert trace.outcome.reason == "memory"
    assert trace.outcome.note == "stopped because it used more than 400 MB of memory"


def test_a_gigabyte_of_output(tmp_path: Path) -> None:
    text = "import sys\nline = 'x' * 999_999 + '\\n'\nfor i in range(1000):\n    sys.stdout.write(line)\nprint('end')\n"
    trace = run(tmp_path, text)
    assert trace.outcome.reason == "finished"
    assert trace.stdout.size == 1_000_000_004
    assert len(trace.stdout.text) < 200_000
    assert trace.stdout.text.endswith("x\nend\n")


def test_standard_input_is_closed(tmp_path: Path) -> None:
    trace = run(tmp_path, "import sys\nprint(repr(sys.stdin.read()))\n")
    assert trace.stdout.text == "''\n"


def test_killed_by_a_signal(tmp_path: Path) -> None:
    trace = run(tmp_path, "import os\nos.kill(os.getpid(), 11)\n")
    assert (trace.outcome.reason, trace.outcome.note) == ("killed", "the program was killed by SIGSEGV")


def test_the_runner_dies_and_the_program_with_it(tmp_path: Path) -> None:
    word = f"left-{os.getpid()}"
    (tmp_path / f"{word}.py").write_text("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    program = (
        "import sys; from secondpass.trace.runner import trace_command\n"
        "trace_command([sys.argv[1]], heard=lambda _, text: (sys.stdout.buffer.write(text), sys.stdout.flush()))"
    )
    import subprocess

    with subprocess.Popen(
        [sys.executable, "-c", program, f"{word}.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        child.kill()
    deadline = time.monotonic() + 5
    while processes(f"{word}.py") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes(f"{word}.py") == []


def test_no_torch(tmp_path: Path) -> None:
    """An interpreter without torch is named in one line (-S leaves out the installed packages)."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    bare.chmod(0o755)
    trace = run(tmp_path, "print('never')\n", python=str(bare))
    assert trace.outcome.reason == "no-torch"
    assert trace.outcome.note.startswith("torch is not installed for ")
    assert trace.stdout.text == ""


def test_wrong_use(tmp_path: Path) -> None:
    for arguments, python, said in [
        ([], None, "nothing to run: name a script, a notebook, -m MODULE or torchrun ..."),
        (["x.py"], "/no/python", "there is no Python interpreter at /no/python"),
    ]:
        with pytest.raises(TraceError, match=said):
            trace_command(arguments, folder=tmp_path, python=python)
    assert trace_command(["gone.py"], folder=tmp_path).outcome.note == "gone.py is not a file"


def test_the_interpreter_is_chosen_in_order(tmp_path: Path) -> None:
    for home in ("active", ".venv"):
        (tmp_path / home / "bin").mkdir(parents=True)
        (tmp_path / home / "bin/python").touch()
    inner = tmp_path / "src"
    inner.mkdir()
    active = {"VIRTUAL_ENV": str(tmp_path / "active")}
    assert interpreter.choose(sys.executable, inner, active).why == "as asked"
    assert interpreter.choose(None, inner, active).path == str(tmp_path / "active/bin/python")
    assert interpreter.choose(None, inner, {}).path == str(tmp_path / ".venv/bin/python")


def test_two_ranks(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("""\
import sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.GRUCell(3, 4))
h = torch.zeros(2, 4)
for step in range(3):
    h = model(torch.randn(2, 3), h)
    h.sum().backward()
    print(f"rank {dist.get_rank()} of {dist.get_world_size()} {sys.argv[1:]}\\n", end="", flush=True)
""")
    command = ["torchrun", "--standalone", "--nproc-per-node", "2", "train.py", "--lr", "3"]
    trace = trace_command(command, folder=tmp_path)
    assert trace.raised is not None
    assert [(rank.rank, rank.raised, rank.line, rank.iteration) for rank in trace.ranks] == [
        (0, True, 7, 2),
        (1, True, 7, 2),
    ]
    assert trace.raised.rank == 0
    assert sorted(trace.stdout.text.splitlines()) == [f"rank {n} of 2 ['--lr', '3']" for n in (0, 1)]
    assert [place.line for place in trace.raised.built] == [6]


def test_a_fix_is_proved_in_a_copy(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CARRY)
    (tmp_path / "venv").mkdir()
    assert first_that_runs([{"train.py": CARRY}, {"train.py": FIXED}], root=tmp_path, arguments=["train.py"]) == 1
    assert (
        run_changed({"train.py": "import os; print(os.listdir())"}, root=tmp_path, arguments=["train.py"]).stdout.text
        == "['train.py']\n"
    )
    assert raises("train.py", "print('no walk')", root=tmp_path) is None
    assert (tmp_path / "train.py").read_text() == CARRY
    with pytest.raises(TraceError, match="lies outside"):
        run_changed({"../other.py": ""}, root=tmp_path, arguments=["train.py"])
