"""The report of one process, as docs/trace.md describes it."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from .markers import LOOP, SITES, SOURCES, STMT, TICK

if TYPE_CHECKING:
    from .session import Session

FORMAT = 1


def report(session: Session, reason: str, note: str, exit_code: int | None) -> dict[str, Any]:
    counts: dict[int, int] = {}
    for log in list(session.threads.logs.values()):
        for number, times in log.total_counts().items():
            counts[number] = counts.get(number, 0) + times
    if session.forked:
        session.notes.append(f"{session.forked} child processes were forked; what they did is not recorded")
    torch = session.torch
    return {
        "format": FORMAT,
        "command": session.label,
        "cwd": session.places.cwd,
        "raised": session.stories[0] if session.stories else None,
        "errors": session.stories,
        "other_errors": session.other_errors,
        "backwards": _backwards(session),
        "backward_count": session.call_count,
        "step_count": session.step_count,
        "steps": _steps(session),
        "turns": _iterations(session, counts),
        "growth": session.growth.report(session.places),
        "executed": _executed(session, counts),
        "outcome": {
            "reason": reason,
            "note": note,
            "exit_code": exit_code,
            "seconds": round(time.time() - session.started, 3),
            "rank": int(os.environ["RANK"]) if os.environ.get("RANK", "").isdigit() else None,
        },
        "notes": session.notes,
        "versions": {
            "recorder": FORMAT,
            "python": ".".join(map(str, sys.version_info[:3])),
            "torch": getattr(torch, "__version__", None),
            "executable": sys.executable,
        },
    }


def _backwards(session: Session) -> list[dict[str, Any]]:
    rows = []
    calls = [(call, call.site) for call in session.calls if call.site is not None]
    iterations = session.places.with_iterations([(call.thread, call.position) for call, _ in calls])
    for (call, (path, line, function)), (snapshot, iteration) in zip(calls, iterations):
        row = {"n": call.n, "call": call.function, **session.places.file(path), "line": line, "turn": iteration}
        row.update(function=function, retain_graph=call.retain, create_graph=call.create, inputs=call.limited)
        row.update(walked=call.walked, freed=0 if call.retain else call.walked)
        row["loops"] = session.places.loops_of(snapshot)
        rows.append(row)
    return rows


def _steps(session: Session) -> list[dict[str, Any]]:
    rows = []
    steps = list(session.steps)
    iterations = session.places.with_iterations([(step.thread, step.position) for step in steps])
    for step, (snapshot, iteration) in zip(steps, iterations):
        if snapshot is not None and snapshot.sites:
            rows.append({**session.places.place(SITES[snapshot.sites[-1]], iteration), "optimizer": step.name})
    return rows


def _iterations(session: Session, counts: dict[int, int]) -> list[dict[str, Any]]:
    begun: dict[int, int] = {}
    ticked: dict[int, int] = {}
    for number, times in counts.items():
        site = SITES[number]
        if site.kind == LOOP:
            begun[site.loop] = times
        elif site.kind == TICK:
            ticked[site.loop] = times
    return [
        {**session.places.loop(loop), "starts": begun[loop],
         "turns": ticked.get(loop, 0)}
        for loop in sorted(begun)
    ]  # fmt: skip


def _executed(session: Session, counts: dict[int, int]) -> list[dict[str, Any]]:
    """Per file or cell: the lines on which a statement began."""
    lines: dict[str, set[int]] = {path: set() for path in SOURCES}
    for number in counts:
        site = SITES[number]
        if site.kind in (STMT, LOOP, TICK):
            lines[site.path].add(site.line)
    return [{**session.places.file(path), "lines": sorted(found)} for path, found in lines.items()]
