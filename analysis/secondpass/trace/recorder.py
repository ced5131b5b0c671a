"""Runs a program unmodified and records where each autograd node was built, walked and freed.

Stands alone with the folder `recording` beside it: standard library and torch (2.1 and newer), Python 3.9 and newer. It
is run by path in the user's own interpreter, where secondpass need not be installed:

    python recorder.py --out trace.json [--turns 50] [--seconds 60] SCRIPT [ARGS...]
    python recorder.py --out trace.json -m package.module [ARGS...]
    python recorder.py --out trace.json --call train SCRIPT
    python recorder.py --out trace.json --cells 0,1,2,1 NOTEBOOK.ipynb
    python recorder.py --out trace.json --torchrun --nproc-per-node 2 SCRIPT [ARGS...]

How it knows a node's line. Autograd numbers its nodes, per thread, in the order they are made, and tells the next
number (`torch.autograd._get_sequence_nr`, 34 ns). Modules that belong to the user are given a marker before each
statement as they are imported; a marker appends `site << 40 | next number` to an array. The line of a node is then a
bisection away, and nothing is paid for per operation. Markers at a function's entry and return give the call chain,
markers at the top of a loop's body its iteration; both are found by replaying the array, only when somebody asks.

How it knows who freed a graph. The backward calls are seen where they enter the engine. The roots of the last few calls
that freed their graph are held, so that when the engine raises, the first of them that reaches the node that raised is
the one that freed it. All of this is worked out after the engine has raised; a call that succeeds costs microseconds.

The report is described in docs/trace.md and read by secondpass.trace.record.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib.machinery
import importlib.util
import json
import os
import re
import signal
import sys
import sysconfig
import threading
import time
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from secondpass.trace.recording import frames, markers, session
else:  # run by path: the folder beside this file is loaded under a name no program has
    _FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recording")
    _SPEC = importlib.util.spec_from_file_location(
        "_secondpass_recording", os.path.join(_FOLDER, "__init__.py"), submodule_search_locations=[_FOLDER]
    )
    sys.modules[_SPEC.name] = importlib.util.module_from_spec(_SPEC)
    frames, markers, session = (
        importlib.import_module(f"{_SPEC.name}.{name}") for name in ("frames", "markers", "session")
    )


class UserFinder:
    """Gives markers to the user's modules as they are imported, and tells when torch has been."""

    def __init__(self, recording: session.Session) -> None:
        self.recording = recording
        self.watched = {
            "torch": recording.hook_torch,
            "torch._dynamo.symbolic_convert": recording.twins.hook,
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        if name in self.watched:
            _after_import(spec.loader, self.watched.pop(name))
        elif type(spec.loader) is importlib.machinery.SourceFileLoader and is_user_file(spec.origin or ""):
            spec.loader = UserLoader(spec.loader.name, spec.loader.path)
        return spec


def _after_import(loader: Any, told: Any) -> None:
    execute = loader.exec_module

    def exec_module(module: Any) -> None:
        execute(module)
        told(module)

    loader.exec_module = exec_module


class UserLoader(importlib.machinery.SourceFileLoader):
    """Compiles with markers, and leaves no .pyc behind."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        text = importlib.util.decode_source(self.get_data(path))
        return markers.instrument(text, path)


_OWN = os.path.realpath(__file__)


_LIBRARIES = tuple(
    os.path.realpath(p) + os.sep for key in ("stdlib", "platstdlib") for p in [sysconfig.get_paths().get(key, "")] if p
)


def is_user_file(path: str) -> bool:
    """Everything but the standard library and installed packages."""
    full = os.path.realpath(path)
    parts = full.split(os.sep)
    if "site-packages" in parts or "dist-packages" in parts or full.startswith(os.path.dirname(_OWN) + os.sep):
        return False
    return full.endswith(".py") and not full.startswith(_LIBRARIES)


def read_text(path: str) -> str:
    """The text of a Python file in its declared encoding."""
    with open(path, "rb") as handle:
        data = handle.read()
    return importlib.util.decode_source(data)


def new_main(path: str, package: str | None = None, spec: Any = None) -> types.ModuleType:
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins, __package__=package, __spec__=spec, __cached__=None)
    sys.modules["__main__"] = module
    return module


def run_script(path: str) -> None:
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    code = markers.instrument(read_text(path), path)
    exec(code, new_main(path).__dict__)


def run_module(name: str) -> None:
    sys.path[0] = os.getcwd()
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError:
        spec = None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise Refused(f"no module named {name} with a source file can be run")
    sys.argv[0] = spec.origin
    exec(markers.instrument(read_text(spec.origin), spec.origin), new_main(spec.origin, spec.parent, spec).__dict__)


def run_function(path: str, name: str) -> None:
    """Imports the script under its own name (not `__main__`) and calls one of its functions without arguments."""
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__dict__.update(__file__=path)
    sys.modules[module.__name__] = module
    exec(markers.instrument(read_text(path), path), module.__dict__)
    function = module
    for part in name.split("."):
        function = getattr(function, part, None)  # type: ignore[assignment]
    if not callable(function):
        raise Refused(f"{path} has no function {name}")
    function()


def run_cells(path: str, order: list[int] | None) -> None:
    """Runs a notebook's code cells, from top to bottom or in the given order of cell indices."""
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    try:
        cells = json.loads(read_text(path))["cells"]
    except (ValueError, KeyError, TypeError):
        raise Refused(f"{path} is not a notebook") from None
    code_cells = [i for i, cell in enumerate(cells) if cell.get("cell_type") == "code"]
    wrong = [i for i in order or [] if i not in code_cells]
    if wrong:
        raise Refused(f"{path} has no code cell {wrong[0]}; its code cells are {', '.join(map(str, code_cells))}")
    module = new_main(path)
    module.__dict__["display"] = print
    compiled: dict[int, types.CodeType] = {}
    for index in code_cells if order is None else order:
        code = compiled.get(index) or compiled.setdefault(index, compile_cell(path, index, cells[index]))
        if code.co_flags & 0x80:  # a coroutine: the cell awaits at its top level
            importlib.import_module("asyncio").run(eval(code, module.__dict__))
        else:
            exec(code, module.__dict__)


def compile_cell(path: str, index: int, cell: dict[str, Any]) -> types.CodeType:
    """A cell under a name of its own, which tracebacks can show the text of."""
    source = cell.get("source", "")
    text = without_magics("".join(source) if isinstance(source, list) else source)
    name = f"{path}#cell-{index}"
    markers.CELLS[name] = (path, index)
    importlib.import_module("linecache").cache[name] = (len(text), None, text.splitlines(True), name)
    return markers.instrument(text, name, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def without_magics(text: str) -> str:
    """The cell without IPython's magics, line for line; a cell magic other than a timer takes the cell with it."""
    lines = text.splitlines()
    if lines and lines[0].startswith("%%") and not re.match(r"%%(time|capture|prun)\b", lines[0]):
        return ""
    out = []
    for line in lines:
        bare = line.lstrip()
        magic = bare.startswith(("%", "!")) or (bare.endswith("?") and "#" not in bare)
        out.append(line[: len(line) - len(bare)] + "pass" if magic else line)
    return "\n".join(out)


def run_torchrun(options: argparse.Namespace, arguments: list[str]) -> None:
    """Hands over to torchrun, with this recorder around the script of every rank."""
    run = importlib.import_module("torch.distributed.run")
    parsed = run.get_args_parser().parse_args(arguments)
    script, rest = parsed.training_script, parsed.training_script_args
    before = arguments[: len(arguments) - len(rest) - 1]
    own = ["--out", options.out, "--turns", str(options.turns), "--seconds", str(options.seconds)]
    if parsed.module:
        before = [a for a in before if a not in ("-m", "--module")]
        rest = ["-m", script, *rest]
    else:
        rest = [script, *rest]
    run.main([*before, _OWN, *own, *rest])


class Refused(Exception):
    """The program cannot be run; the message is one clear line."""


def watch(recording: session.Session) -> None:
    """Ends the run when its time is over or its runner gone, even inside a long call; keeps the logs short."""
    deadline = recording.started + recording.seconds
    runner = os.getppid()
    while recording.alive:
        if os.getppid() != runner:  # whoever started the run is gone; nobody reads the report
            os.killpg(0, signal.SIGKILL) if hasattr(os, "killpg") and os.getpgrp() == os.getpid() else os._exit(1)
        left = deadline - time.time() if recording.seconds else 1.0
        if left <= 0:
            where = ""
            frame = sys._current_frames().get(recording.main)
            chain = frames.user_chain(frame)
            if chain:
                where = f", at {recording.places.file(chain[0][0])['path']}:{chain[0][1]}"
            recording.stop(session.Stop("timeout", f"stopped after {recording.seconds:g} s{where}"))
        time.sleep(min(0.5, max(left, 0.01)))
        for log in list(recording.threads.logs.values()):
            log.trim()


def parse_arguments(argv: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="recorder.py", allow_abbrev=False)
    parser.add_argument("--out", required=True, help="where the report is written (JSON)")
    parser.add_argument("--turns", type=int, default=50, help="stop after this many backward calls; 0 for no bound")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after this time; 0 for no bound")
    parser.add_argument("--progress", type=int, default=None, help="a file descriptor told about backward calls")
    parser.add_argument("--call", default=None, help="call this function of the script instead of running it")
    parser.add_argument("--cells", default=None, help="indices of a notebook's cells in the order to run them")
    parser.add_argument("--torchrun", action="store_true", help="the rest are torchrun's arguments")
    parser.add_argument("-m", dest="module", action="store_true", help="the first of the rest names a module")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)
    rest = options.rest[1:] if options.rest[:1] == ["--"] else options.rest
    if not rest:
        parser.error("nothing to run")
    return options, rest


def run_program(options: argparse.Namespace, rest: list[str]) -> None:
    program = rest[0]
    sys.argv[:] = rest
    if options.module:
        run_module(program)
    elif not os.path.isfile(program):
        raise Refused(f"{program} is not a file")
    elif program.endswith(".ipynb"):
        run_cells(program, [int(c) for c in options.cells.split(",")] if options.cells else None)
    elif options.call:
        run_function(program, options.call)
    else:
        run_script(program)


def without_recorder(error: BaseException) -> None:
    """Takes this file's frames off the head of the traceback."""
    link = error.__traceback__
    while link is not None and link.tb_frame.f_code.co_filename == __file__:
        link = link.tb_next
    error.__traceback__ = link


def main(argv: list[str]) -> int:
    """Runs the program; returns its exit status, or 3 with one line on stderr if it could not be run at all."""
    options, rest = parse_arguments(argv)
    if options.torchrun:
        run_torchrun(options, rest)
        return 0
    rank = os.environ.get("RANK", "")
    out = f"{options.out}.rank{rank}" if rank.isdigit() and "TORCHELASTIC_RUN_ID" in os.environ else options.out
    recording = session.Session(os.path.abspath(out), options.turns, options.seconds, options.progress, rest)
    recording.places.absolute = os.path.isabs(rest[0])
    if importlib.util.find_spec("torch") is None:
        recording.write("no-torch", f"torch is not installed for {sys.executable}", 3)
        print(f"secondpass: torch is not installed for {sys.executable}", file=sys.stderr)
        return 3
    recording.switch_on()
    recording.threads.watch(lambda: recording.alive)
    finder = UserFinder(recording)
    for name in [name for name in finder.watched if name in sys.modules]:  # the process was forked from a warm one
        finder.watched.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, finder)
    signal.signal(signal.SIGTERM, lambda *_: recording.stop(session.Stop("cancelled", "stopped from outside")))
    leave = os._exit

    def exit_now(code: int) -> None:
        recording.write("finished", "the program ended itself with os._exit", code)
        leave(code)

    os._exit = exit_now  # type: ignore[assignment]
    threading.Thread(target=watch, args=(recording,), name="secondpass-watch", daemon=True).start()
    status = 0
    note = ""
    try:
        run_program(options, rest)
    except Refused as refused:
        print(f"secondpass: {refused}", file=sys.stderr)
        recording.write("refused", str(refused), 3)
        return 3
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        if leaving.code is not None and not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException as error:
        without_recorder(error)
        recording.unseen(error)
        status = 130 if isinstance(error, KeyboardInterrupt) else 1
        note = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        sys.excepthook(type(error), error, error.__traceback__)
    recording.exit_code = status
    wait_for_threads()
    recording.write("raised" if note else "finished", note, status)
    return status


def wait_for_threads() -> None:
    """Lets the program's own threads end, as the interpreter would, before the report is written."""
    me = threading.current_thread()
    for thread in threading.enumerate():
        if thread is not me and not thread.daemon:
            thread.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
