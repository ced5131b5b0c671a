"""One fix tried for an editor: a process that reads what to try on its standard input and tells JSON, line by line.

It reads `{"path", "now", "then", "python", "rule", "subject"}`: the program, texts by path without and with the fix,
and the finding that it is for. It writes `{"progress": line}` while it runs, and last `{"before", "kind", "said"}`, or
`{"failed": line}`. An interrupt ends it with all that it started.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..fault import guarded
from .proof import below, run_changed
from .record import Trace, TraceError
from .runner import Bounds
from .trial import Trial, judged


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wish = json.load(sys.stdin)
    try:
        _write(guarded(lambda: _tried(wish), lambda line: {"failed": line}))
    except KeyboardInterrupt:
        return 130
    return 0


def _tried(wish: Mapping[str, Any]) -> dict[str, str]:
    try:
        before, after = _runs(wish)
    except TraceError as error:
        return {"failed": str(error)}
    return {"before": before.said, "kind": after.kind, "said": after.said}


def _runs(wish: Mapping[str, Any]) -> tuple[Trial, Trial]:
    path: str = wish["path"]
    now: dict[str, str] = wish["now"]
    then: dict[str, str] = wish["then"]
    changed = [name for name, text in then.items() if now.get(name) != text]
    root = Path(os.path.commonpath([Path(name).resolve().parent for name in (path, *changed)]))

    def run(what: str, texts: Mapping[str, str]) -> Trace:
        inside = {name: text for name, text in texts.items() if Path(name).resolve().is_relative_to(root)}
        return run_changed(
            inside,
            root=root,
            arguments=[below(root, path)],
            bounds=Bounds(),
            python=wish["python"] or None,
            told=lambda line: _write({"progress": f"{what}: {line}"}),
        )

    before = judged(run("as it is", now), [below(root, path)])
    if before.trace.outcome.reason in ("no-torch", "refused"):
        raise TraceError(f"{Path(path).name} cannot be run: {before.trace.outcome.note}")
    names = [below(root, name) for name in changed]
    after = judged(run("with the fix", then), names, before.trace, wish["rule"], wish["subject"])
    return before, after


def _write(said: Mapping[str, str]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
