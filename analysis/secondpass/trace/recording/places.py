"""Places in the user's text as the report says them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from .graph import LEAF_SEQ, Call
from .log import Log, Snapshot
from .markers import CELLS, LOOPS, SCOPES, SITES, SOURCES, Site

Key = TypeVar("Key")


class Places:
    """Iterations node numbers, log positions and frames into places."""

    def __init__(self, logs: dict[int, Log]) -> None:
        self.logs = logs
        self.cwd = os.getcwd()
        self.absolute = False
        """Whether paths stay whole: the program was named by an absolute one."""

    def locate(self, wanted: Mapping[Key, tuple[int, int]]) -> dict[Key, Snapshot]:
        """Where nodes were made, from their numbers and threads."""
        out: dict[Key, Snapshot] = {}
        by_thread: dict[int, dict[Key, int]] = {}
        for key, (seq, thread) in wanted.items():
            log = self.logs.get(thread)
            position = log.index_of(seq) if log is not None and seq < LEAF_SEQ else None
            if position is not None:
                by_thread.setdefault(thread, {})[key] = position
        for thread, positions in by_thread.items():
            found = self.logs[thread].snapshots(positions.values())
            out.update({key: found[position] for key, position in positions.items() if position in found})
        return out

    def at(self, thread: int, position: int) -> Snapshot | None:
        log = self.logs.get(thread)
        return log.snapshots([position - 1]).get(position - 1) if log is not None else None

    def file(self, path: str) -> dict[str, Any]:
        """`path` as the report says it: a notebook's cell by its index, a file below the folder of the start relatively
        (unless the program itself was named by an absolute path)."""
        cell = None
        if path in CELLS:
            path, cell = CELLS[path]
        full = os.path.normpath(os.path.join(self.cwd, path))  # the program may be elsewhere by now
        inside = not self.absolute and full.startswith(self.cwd.rstrip(os.sep) + os.sep)
        shown = os.path.relpath(full, self.cwd) if inside else full
        out: dict[str, Any] = {"path": shown.replace(os.sep, "/")}
        if cell is not None:
            out["cell"] = cell
        return out

    def place(self, site: Site, iteration: int) -> dict[str, Any]:
        lines = SOURCES.get(site.path, "").splitlines()
        text = lines[site.line - 1].strip() if site.line <= len(lines) else ""
        return {
            **self.file(site.path), "line": site.line, "end_line": site.end_line, "turn": iteration, "text": text,
            "function": SCOPES[site.scope].name,
        }  # fmt: skip

    def stack(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        """The statements of a snapshot, innermost first, with the iteration of the innermost loop."""
        iteration = snapshot.loops[-1][1] if snapshot.loops else 1
        return [self.place(SITES[number], iteration) for number in reversed(snapshot.sites)]

    def link(self, link: tuple[str, int, str], call: Call, iteration: int | None = None) -> dict[str, Any]:
        path, line, function = link
        lines = SOURCES.get(path, "").splitlines()
        if iteration is None:
            snapshot = self.at(call.thread, call.position)
            iteration = snapshot.loops[-1][1] if snapshot and snapshot.loops else 1
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        where = self.file(path)
        return {**where, "line": line, "end_line": line, "turn": iteration, "text": text, "function": function}

    def loop(self, number: int) -> dict[str, Any]:
        return {**self.file(LOOPS[number].path), "line": LOOPS[number].line}

    def loops_of(self, snapshot: Snapshot | None) -> list[dict[str, Any]]:
        pairs = snapshot.loops if snapshot else ()
        return [{**self.loop(n), "turn": iteration} for n, iteration in pairs]

    def with_iterations(self, calls: list[Any]) -> Iterator[tuple[Any, int]]:
        """Things that have a thread and a position, each with the iteration of the innermost loop around it."""
        by_thread: dict[int, list[int]] = {}
        for thread, position in calls:
            by_thread.setdefault(thread, []).append(position - 1)
        found = {t: self.logs[t].snapshots(p) for t, p in by_thread.items() if t in self.logs}
        for thread, position in calls:
            snapshot = found.get(thread, {}).get(position - 1)
            yield snapshot, snapshot.loops[-1][1] if snapshot and snapshot.loops else 1
