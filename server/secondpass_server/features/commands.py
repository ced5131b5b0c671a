"""Commands: validate with a traced run, show the graph, explain a rule, restart, status."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.uris import from_fs_path

from ..analysis import Outcome, interpreter
from ..desk import Fault
from ..documents import Program
from ..link import child
from ..server import Server
from ..worker import memory
from .diagnostics import page

log = logging.getLogger(__name__)

TRACE_SECONDS = 120
"""How long a traced run may take."""
END_PATIENCE = 10.0
"""Seconds that a recording may take to end the program it runs."""


def program_at(ls: Server, uri: Any) -> Program:
    program = ls.session.documents.program(str(uri))
    if program is None:
        raise JsonRpcInvalidParams(f"{uri} is not an open Python file or notebook")
    return program


async def asked(ls: Server, method: str, arguments: Callable[[], tuple[Any, ...] | None]) -> Any:
    """The analysis' answer; its failure is the command's error reply."""
    try:
        return await ls.session.desk.ask(method, arguments)
    except Fault as fault:
        raise JsonRpcException(str(fault)) from None


async def explain(ls: Server, code: Any) -> str:
    """Open the rule's page where the client can; its text is the reply."""
    text: str = await asked(ls, "explain", lambda: (str(code),))
    if ls.session.client.show_document:
        await ls.window_show_document_async(lsp.ShowDocumentParams(uri=page(str(code)), external=True))
    else:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))
    return text


async def show_graph(ls: Server, uri: Any, *lines: Any) -> str:
    """Write the picture of the graph to a file of its own and show it; the file's URI is the reply."""
    session, program = ls.session, program_at(ls, uri)
    cell = session.documents.cell_index(program, str(uri))
    at = next((line for line in lines if isinstance(line, int)), None)
    html: str = await asked(ls, "graph", lambda: (session.unit(program), at, cell))
    folder = Path(tempfile.mkdtemp(prefix="secondpass-graph-"))
    file = folder / f"{Path(program.path).stem or 'graph'}.html"
    file.write_text(html, encoding="utf-8")
    shown: str = from_fs_path(str(file)) or ""
    if session.client.show_document:
        await ls.window_show_document_async(lsp.ShowDocumentParams(uri=shown, external=True))
    else:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"the graph is in {file}"))
    return shown


async def validate(ls: Server, uri: Any) -> list[dict[str, Any]]:
    """Run the script once with the recorder, and say of each finding what the run says; the verdicts are the reply."""
    session, program = ls.session, program_at(ls, uri)
    script = Path(program.path)
    if not script.is_file():
        raise JsonRpcInvalidParams(f"{program.path} is not on disk; save it before it is run")
    if program.document is None or program.document.text != script.read_bytes().decode("utf-8", "replace"):
        raise JsonRpcInvalidParams(f"{script.name} has changes that are not saved; save it before it is run")
    with tempfile.TemporaryDirectory(prefix="secondpass-trace-") as folder:
        trace = Path(folder) / "trace.json"
        await traced_run(ls, script, trace, session.settings_of(program).python)
        revision = program.revision

        def arguments() -> tuple[Any, ...] | None:
            return (session.unit(program), str(trace)) if program.revision == revision else None

        outcome: Outcome | None = await asked(ls, "traced", arguments)
    if outcome is None or program.revision != revision:
        raise JsonRpcException("the text changed while the script ran")
    session.replace(program, outcome)
    return [
        {"rule": f.rule, "line": f.span.line, "verdict": f.trace.verdict if f.trace else "not-reached"}
        for f in outcome.report.findings
    ]


async def traced_run(ls: Server, script: Path, trace: Path, python: str) -> None:
    """Record one run of a script, in the interpreter that was set if one was, with progress that can be cancelled.

    The progress begins with the interpreter, and where it was found, before anything runs.
    """
    try:
        python, why = interpreter(python, script)
    except LookupError as missing:
        raise JsonRpcException(str(missing)) from None
    token = f"secondpass-{uuid.uuid4().hex}" if ls.session.client.progress else None
    if token is not None:
        await ls.work_done_progress.create_async(token)
        message = f"{script.name} with {python} ({why})"
        begin = lsp.WorkDoneProgressBegin("secondpass: traced run", message=message, cancellable=True)
        ls.work_done_progress.begin(token, begin)
    command = child("secondpass.cli.main:main", "trace", "--timeout", str(TRACE_SECONDS), "--output", str(trace))
    command += ["--python", python]
    run = await asyncio.create_subprocess_exec(
        *command,
        str(script),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=script.parent,
    )
    try:
        done = asyncio.ensure_future(run.communicate())
        while not done.done():
            await asyncio.wait({done}, timeout=0.1)
            future = ls.work_done_progress.tokens.get(token) if token is not None else None
            if future is not None and future.cancelled():
                raise JsonRpcException("the traced run was cancelled")
        said = done.result()[0].decode("utf-8", "replace").strip().splitlines()
        if not trace.exists() or run.returncode not in (0, 1):
            raise JsonRpcException(f"the run could not be recorded: {reason(said)}")
    finally:
        await end(run)
        if token is not None:
            ls.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
            ls.work_done_progress.tokens.pop(token, None)


def reason(said: list[str]) -> str:
    """Why a recording failed, from what it printed: our own word of it, or else the last line."""
    ours = [line.removeprefix("secondpass: ") for line in said if line.startswith("secondpass: ")]
    return next(iter([*ours[-1:], *said[-1:]]), "it said nothing")


async def end(run: asyncio.subprocess.Process) -> None:
    """End a recording that still runs as Ctrl-C does, so that it ends the program that it runs."""
    if run.returncode is not None:
        return
    run.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        await asyncio.wait_for(run.wait(), END_PATIENCE)
    except asyncio.TimeoutError:
        run.kill()


def restart(ls: Server) -> None:
    """A new analysing process, and everything checked again."""
    ls.session.desk.restart()
    ls.session.recheck()


def status(ls: Server) -> dict[str, Any]:
    session = ls.session
    running = session.desk.running
    return {
        "version": ls.version,
        "process": os.getpid(),
        "python": sys.version.split()[0],
        "encoding": session.documents.units,
        "diagnostics": "pull" if session.client.pull else "push",
        "folders": session.folders,
        "programs": len(session.documents.programs),
        "checks": session.checks,
        "queued": session.desk.queued,
        "running": running.method if running else None,
        "workerStarts": session.desk.starts,
        "memory": {"server": round(memory(), 1), "worker": round(session.desk.memory, 1)},
    }


def register(ls: Server) -> None:
    ls.command("secondpass.explain")(explain)
    ls.command("secondpass.showGraph")(show_graph)
    ls.command("secondpass.validate")(validate)
    ls.command("secondpass.restart")(restart)
    ls.command("secondpass.status")(status)
