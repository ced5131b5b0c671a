"""Fixes tried in a traced run: the program with a fix in it is run in a copy of its project, and what came of it told.

A fix that runs is better than one that does not, however well either was reasoned. Where a program holds two faults,
the fix of the first cannot make it run; it is then told apart by the error that follows being another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..findings import Finding, Fix
from ..report.cells import one_line
from ..report.text import place
from .interpreter import choose
from .proof import below, run_changed
from .reconcile import GROWS
from .record import Raised, Trace, TraceError
from .runner import Bounds

Kind = Literal["runs", "moved", "raises", "grows", "stopped", "unclear"]
"""`moved`: this error is gone, and the run met another one."""

Texts = Mapping[str, str]
"""Texts by path, in place of what is on disk."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one traced run says of a program as it was changed."""

    kind: Kind
    said: str
    """The end of a sentence that begins with the fix: `runs (3 backward calls)`."""
    trace: Trace


def judged(
    trace: Trace, changed: Sequence[str], before: Trace | None = None, rule: str = "", subject: str = ""
) -> Trial:
    """What a run in which the files `changed` (paths in its folder) had other texts says.

    `before` is the run of the program as it is: with it a second fault is told from the same one again, and a run that
    was stopped counts only if it came as far. `rule` and `subject` are those of the finding the change is for.
    """
    error, outcome = trace.raised, trace.outcome
    if error is not None:
        where = f"{place(error.path, error.line, None, error.cell)} in iteration {error.iteration}"
        if before is not None and before.raised is not None and _same(error) != _same(before.raised):
            return Trial("moved", f"gets past this error, then raises at {where}", trace)
        return Trial("raises", f"raises at {where}", trace)
    if outcome.reason not in ("finished", "turns", "timeout"):
        kind: Kind = "unclear" if outcome.reason == "raised" else "stopped"
        return Trial(kind, f"ends otherwise: {outcome.note or outcome.reason}", trace)
    if outcome.exit_code not in (0, None):
        return Trial("unclear", f"ends with status {outcome.exit_code}{_last_words(trace)}", trace)
    ran = {row.path for row in trace.executed}
    if not ran.intersection(changed):
        return Trial("unclear", f"says nothing: the run did not reach {', '.join(changed)}", trace)
    calls = f"{trace.backward_count} backward call{'' if trace.backward_count == 1 else 's'}"
    far = before.raised.backward if before is not None and before.raised is not None else 1
    if trace.backward_count < (far if outcome.reason != "finished" else 1):
        return Trial("stopped", f"says too little: {outcome.note or 'it ended'}, with {calls}", trace)
    if rule in GROWS and before is not None:
        for name in sorted(_growing(before, subject) & _growing(trace, subject)):
            return Trial("grows", f"runs, and `{name}` still grows", trace)
    return Trial("runs", f"runs ({calls if outcome.reason == 'finished' else outcome.note})", trace)


@dataclass(slots=True)
class Prover:
    """Tries fixes by running one program: `arguments`, or the fixed file itself if there are none.

    `say` hears one line of each run.
    """

    say: Callable[[str], None]
    arguments: Sequence[str] = ()
    bounds: Bounds | None = None
    failure: str | None = None
    """Why a program could not be run at all; no fix is chosen from then on."""
    _known: tuple[dict[str, str], Trial] | None = None
    """The last chosen fix's texts and run, which are those before the next one."""

    def choose(self, path: str, finding: Finding, now: Texts, candidates: Sequence[tuple[Fix, Texts]]) -> Fix | None:
        """The first fix with which the program at `path` runs; else the first that gets past the finding's error."""
        if self.failure is not None:
            return None
        try:
            return self._chosen(path, finding, now, candidates)
        except TraceError as error:
            self.failure = str(error)
            return None

    def _chosen(self, path: str, finding: Finding, now: Texts, candidates: Sequence[tuple[Fix, Texts]]) -> Fix | None:
        before = self._before(path, now)
        if before.kind in ("unclear", "stopped") and before.trace.outcome.reason not in ("memory", "killed"):
            return None  # nor would a run say anything of a fix
        at = place(finding.span.path, finding.span.line, finding.span.column, finding.span.cell)
        second: tuple[Fix, Texts, Trial] | None = None
        for fix, texts in candidates:
            trace = self._run(path, texts)
            changed = below(root_of(path), fix.edits[0].span.path)
            trial = judged(trace, [changed], before.trace, finding.rule, finding.subject)
            self.say(f"tried {at} {finding.rule}: {one_line(fix.title)}: {trial.said}")
            if trial.kind == "runs":
                self._known = dict(texts), trial
                return fix
            if trial.kind == "moved" and second is None:
                second = fix, texts, trial
        if second is None:
            return None
        self._known = dict(second[1]), second[2]
        return second[0]

    def _run(self, path: str, texts: Texts) -> Trace:
        """One run of the program with these texts in a copy."""
        root = root_of(path)
        program = list(self.arguments) or [below(root, path)]
        whole = {str(Path(name).resolve()): text for name, text in texts.items()}
        return run_changed(whole, root=root, arguments=program, bounds=self.bounds)

    def _before(self, path: str, now: Texts) -> Trial:
        if self._known is None or self._known[0] != now:
            if self._known is None:
                found = choose(None, root_of(path))
                self.say(f"running {' '.join(self.arguments) or path} in a copy, with {found.path} ({found.why})")
            trial = judged(self._run(path, now), [below(root_of(path), path)])
            if trial.trace.outcome.reason in ("no-torch", "refused"):
                raise TraceError(f"{path} cannot be run to try its fixes: {trial.trace.outcome.note}")
            self.say(f"as it is {path} {trial.said}")
            self._known = dict(now), trial
        return self._known[1]


def root_of(path: str) -> Path:
    """The folder that is copied to run a file: the current one, or the file's own where it lies elsewhere."""
    here, folder = Path.cwd(), Path(path).resolve().parent
    return here if folder.is_relative_to(here) else folder


def _same(error: Raised) -> tuple[object, ...]:
    """What two runs of one fault have in common, wherever its lines went."""
    built = error.built[0].text if error.built else ""
    return error.kind, error.text, built, sorted({carrier.name for carrier in error.carried})


def _growing(trace: Trace, subject: str) -> set[str]:
    tail = subject.split("[")[0].rsplit(".", 1)[-1]
    return {row.name for row in trace.growth if row.steady and row.name.split("[")[0].rsplit(".", 1)[-1] == tail}


def _last_words(trace: Trace) -> str:
    said = [line.strip() for line in trace.stderr.text.splitlines() if line.strip()]
    return f": {said[-1][:200]}" if said else ""
