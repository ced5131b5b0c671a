"""A process with torch loaded that forks a child per run: the recorder on a program, or the program alone.

Importing torch takes seconds, a fork some ten milliseconds. The recorder's main is called as it is when run by path;
what a cold start adds (the child, its bounds, its interpreter) is tested in test_runner.py.

In the mode `verify` the run has autograd's anomaly mode on, which keeps the stack of each node, and every backward call
compares the line in it with the recorder's, for every node behind its roots.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).parents[2] / "analysis/secondpass/trace/recorder.py"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended."""

    status: int
    stdout: str
    stderr: str
    report: dict[str, Any] | None
    verified: tuple[int, list[str]] = (0, [])
    """Nodes compared, and those whose lines differ."""


class Warm:
    """The server; `run` is safe to call as often as one likes, one at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        )

    def run(self, folder: Path, *arguments: str, mode: str = "traced") -> Ended:
        """`arguments` are the recorder's without `--out`; `mode` is traced, plain (a script alone) or verify."""
        assert self.process.stdin and self.process.stdout
        with tempfile.TemporaryDirectory() as place:
            asked = {"cwd": str(folder), "place": place, "mode": mode, "arguments": list(arguments)}
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            assert answer, "the warm process ended; is torch installed?"
            out = Path(place)
            text = {name: (out / name).read_text(errors="replace") for name in ("stdout", "stderr")}
            report = json.loads((out / "report").read_text()) if (out / "report").exists() else None
            seen = json.loads((out / "verified").read_text()) if (out / "verified").exists() else [0, []]
            return Ended(int(answer), text["stdout"], text["stderr"], report, (seen[0], seen[1]))

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def serve() -> None:
    for name in ("torch", "numpy", "torch._dynamo", "torch.distributions", "torch.func", "torch.utils.data"):
        importlib.import_module(name)
    sys.modules["torch"].set_num_threads(1)
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _child(asked)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _child(asked: dict[str, Any]) -> None:
    place = Path(asked["place"])
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    sys.stdin = open(0)  # noqa: SIM115
    sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False))  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), write_through=True)  # noqa: SIM115
    os.chdir(asked["cwd"])
    status = 99
    try:
        if asked["mode"] == "plain":
            status = _plain(asked["arguments"])
        else:
            status = _traced(asked, place)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _traced(asked: dict[str, Any], place: Path) -> int:
    sys.path[0] = str(RECORDER.parent)
    spec = importlib.util.spec_from_file_location("recorder_run_by_path", RECORDER)
    assert spec and spec.loader
    recorder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recorder)
    seen: tuple[int, list[str]] = (0, [])
    if asked["mode"] == "verify":
        seen = _verifying(recorder, place)
    status: int = recorder.main(["--out", str(place / "report"), *asked["arguments"]])
    (place / "verified").write_text(json.dumps(seen))
    return status


def _plain(arguments: list[str]) -> int:
    """The script as Python runs it, without the frames of this file in its traceback."""
    sys.argv = list(arguments)
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))  # noqa: PTH100, PTH120
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=arguments[0], __builtins__=__builtins__)
    sys.modules["__main__"] = main
    code = compile(Path(arguments[0]).read_bytes(), arguments[0], "exec", dont_inherit=True)
    try:
        exec(code, main.__dict__)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except Exception as error:
        assert error.__traceback__
        error.__traceback__ = error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _verifying(recorder: Any, place: Path) -> tuple[int, list[str]]:
    """Compares, at each backward call, the recorder's line of every node with the one anomaly mode kept."""
    torch, markers, session = sys.modules["torch"], recorder.markers, recorder.session
    graph = sys.modules["_secondpass_recording.graph"]
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    seen: list[Any] = [0, []]
    before = session.Session.before

    def compared(self: Any, frame: Any) -> None:
        before(self, frame)
        stack = self.running.get(self.threads.log().number)
        if not stack:
            return
        call = stack[-1]
        nodes = graph.reachable(call.roots)
        owners = self.threads.of(nodes, call.thread)
        where = self.places.locate({n: (graph.sequence(n), owners[n]) for n in nodes})
        for node in nodes:
            if graph.is_leaf(node):
                continue
            kept = "".join(node.metadata.get("traceback_", ()))
            lines = re.findall(r'File "([^"]+)", line (\d+)', kept)
            own = [(path, int(line)) for path, line in lines if path in markers.SOURCES]
            if not own:
                continue
            path, line = own[-1]
            site = markers.SITES[where[node].sites[-1]] if node in where and where[node].sites else None
            seen[0] += 1
            if site is None or site.path != path or not site.line <= line <= site.end_line:
                told = f"{site.path}:{site.line}" if site else "nowhere"
                seen[1].append(f"{node.name()} made at {path}:{line}, told {told}")

    session.Session.before = compared
    write = session.Session.write

    def wrote(self: Any, *how: Any) -> None:
        write(self, *how)
        (place / "verified").write_text(json.dumps(seen))

    session.Session.write = wrote
    return seen  # type: ignore[return-value]


if __name__ == "__main__":
    serve()
