"""One fix tried in a traced run, in a copy of its folder: a code action beside each fix, and the command behind it.

Nothing is written: the person sees what the run says, and takes the fix or not. The texts are those of the editor,
saved or not. Only this command starts the run; an editor that knows untrusted folders asks before it sends it.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from ..analysis import Finding, Fix
from ..documents import Program
from ..link import child
from ..server import Server
from .commands import asked, end, program_at

COMMAND = "secondpass.tryFix"
TITLE = "Try this fix in a traced run"


def offered(program: Program, index: int, fixes: list[Fix], told: list[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """One action for each fix of the finding at `index`; none for a text that lies in no file."""
    if not Path(program.path).is_file():
        return []
    actions = []
    for fix in fixes:
        title = f"{TITLE}: {fix.title}" if len(fixes) > 1 else TITLE
        command = lsp.Command(title, COMMAND, arguments=[program.uri, program.revision, index, fix.title])
        actions.append(
            lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=told or None, command=command)
        )
    return actions


async def try_fix(ls: Server, uri: Any, revision: Any, index: Any, title: Any) -> dict[str, str]:
    """Run a program as it is and with one of its fixes; what the runs say is shown, and is the reply."""
    session, program = ls.session, program_at(ls, uri)
    checked = session.checked.get(program.uri)
    if checked is None or not program.revision == checked.revision == revision:
        raise JsonRpcInvalidParams("the text has changed since this fix was offered")
    fix = next((one for one in checked.fixes.get(index, ()) if one.title == title), None)
    if fix is None:
        raise JsonRpcInvalidParams(f"no such fix: {title}")
    finding, unit = checked.findings[index], session.unit(program)
    then: dict[str, str] = await asked(ls, "fixed", lambda: (unit, fix))
    now = {**unit.open_texts, unit.path: unit.text}
    python = session.settings_of(program).python
    said = await run(ls, wish(unit.path, now, {**now, **then}, python, finding), Path(unit.path))
    if "failed" in said:
        raise JsonRpcException(said["failed"])
    kind = lsp.MessageType.Info if said["kind"] == "runs" else lsp.MessageType.Warning
    ls.window_show_message(lsp.ShowMessageParams(kind, shown(Path(unit.path).name, fix, said)))
    return said


def wish(path: str, now: dict[str, str], then: dict[str, str], python: str, finding: Finding) -> bytes:
    """What the process that tries is told; see `secondpass.trace.tried`."""
    told = {
        "path": path,
        "now": now,
        "then": then,
        "python": python,
        "rule": finding.rule,
        "subject": finding.subject,
    }
    return json.dumps(told).encode()


def shown(name: str, fix: Fix, said: dict[str, str]) -> str:
    """`train.py raises at train.py:8 in iteration 2. With this fix it runs (3 backward calls): Detach ...`."""
    return f"{name} {said['before']}. With this fix it {said['said']}: {fix.title}"


async def run(ls: Server, wished: bytes, script: Path) -> dict[str, str]:
    """What the process that tries says last; its progress is shown on the way and can be cancelled."""
    token = f"secondpass-{uuid.uuid4().hex}" if ls.session.client.progress else None
    if token is not None:
        await ls.work_done_progress.create_async(token)
        begin = lsp.WorkDoneProgressBegin("secondpass: trying a fix", message=script.name, cancellable=True)
        ls.work_done_progress.begin(token, begin)
    process = await asyncio.create_subprocess_exec(
        *child("secondpass.trace.tried:main"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=script.parent,
    )
    try:
        assert process.stdin is not None
        process.stdin.write(wished)
        process.stdin.close()
        return await listen(ls, process, token)
    finally:
        await end(process)
        if token is not None:
            ls.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
            ls.work_done_progress.tokens.pop(token, None)


async def listen(ls: Server, process: asyncio.subprocess.Process, token: str | None) -> dict[str, str]:
    assert process.stdout is not None
    while True:
        line = asyncio.ensure_future(process.stdout.readline())
        while not line.done():
            await asyncio.wait({line}, timeout=0.1)
            future = ls.work_done_progress.tokens.get(token) if token is not None else None
            if future is not None and future.cancelled():
                line.cancel()
                raise JsonRpcException("the traced run was cancelled")
        if not line.result():
            raise JsonRpcException("the traced run ended without a word")
        said: dict[str, str] = json.loads(line.result())
        if "progress" not in said:
            return said
        if token is not None:
            ls.work_done_progress.report(token, lsp.WorkDoneProgressReport(message=said["progress"]))


def register(ls: Server) -> None:
    ls.command(COMMAND)(try_fix)
