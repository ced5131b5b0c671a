"""The two verdicts on a program side by side: PyTorch's, by running it, and ours, by looking at it.

Ours is "second-time" if a serious finding of the SP1xx family stands, "inplace-version" if SP203 does, None otherwise;
the line agrees if such a finding says that the exception surfaces where it did. The same measure as is used from
outside on programs nobody here has seen.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.judge.forkserver import ForkServer, Truth
from tests.judge.generate import Program

Kind = Literal["agrees", "false alarm", "missed", "other word", "line", "crash"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What secondpass says: the word, the lines on which it expects the exception, the codes of serious findings."""

    exception: str | None
    lines: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()
    crash: str = ""


def verdict(text: str, path: str = "program.py") -> Verdict:
    """Check one text; an exception of the checker is a verdict of its own, for it must never happen."""
    from secondpass import check_text

    try:
        report = check_text(text, path)
    except Exception:
        return Verdict(None, crash=traceback.format_exc())
    serious = [finding for finding in report.findings if finding.severity.serious]
    second = [finding for finding in serious if finding.rule.startswith("SP1")]
    stale = [finding for finding in serious if finding.rule == "SP203"]
    word = "second-time" if second else "inplace-version" if stale else None
    lines = tuple(sorted({finding.raises_at.line for finding in second or stale if finding.raises_at}))
    return Verdict(word, lines, tuple(sorted({finding.rule for finding in serious})))


def kind_of(truth: Truth, ours: Verdict) -> Kind:
    """How the two relate; exactly one word for every pair."""
    if ours.crash:
        return "crash"
    if truth.exception == ours.exception:
        return "agrees" if truth.line is None or truth.line in ours.lines else "line"
    if truth.exception is None:
        return "false alarm"
    return "missed" if ours.exception is None else "other word"


@dataclass(frozen=True, slots=True)
class Judged:
    """A program with both verdicts."""

    program: Program
    truth: Truth
    ours: Verdict

    @property
    def kind(self) -> Kind:
        return kind_of(self.truth, self.ours)

    def __str__(self) -> str:
        want = f"{self.truth.exception} at {self.truth.line}" if self.truth.exception else "a clean run"
        got = (
            f"{self.ours.exception} at {list(self.ours.lines)} {','.join(self.ours.rules)}"
            if self.ours.exception
            else "nothing"
        )
        return (
            f"{self.kind}: seed {self.program.seed} torch: {want}; secondpass: {got}; {' '.join(self.program.features)}"
        )


@dataclass
class Tally:
    """The outcome over many programs; programs that end in another exception are not judged, only counted."""

    judged: list[Judged] = field(default_factory=list)
    dropped: list[tuple[Program, Truth]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """What each check took."""

    def of(self, kind: Kind) -> list[Judged]:
        return [case for case in self.judged if case.kind == kind]

    @property
    def disagreements(self) -> list[Judged]:
        return [case for case in self.judged if case.kind != "agrees"]

    @property
    def verdicts_agree(self) -> int:
        return len(self.of("agrees")) + len(self.of("line"))

    @property
    def agree(self) -> int:
        return len(self.of("agrees"))

    def truths(self) -> Counter[str]:
        return Counter(case.truth.exception or "clean" for case in self.judged)

    def suspects(self, kind: Kind, most: int = 8) -> list[tuple[str, int, int]]:
        """The features met most disproportionately in disagreements of a kind: (feature, there, everywhere)."""
        everywhere = Counter(feature for case in self.judged for feature in case.program.features)
        there = Counter(feature for case in self.of(kind) for feature in case.program.features)
        ranked = sorted(there, key=lambda feature: (there[feature] ** 2 / everywhere[feature], feature), reverse=True)
        return [(feature, there[feature], everywhere[feature]) for feature in ranked[:most]]


def compare(programs: Iterable[Program], server: ForkServer) -> Tally:
    """Judge programs one by one."""
    tally = Tally()
    for program in programs:
        truth = server.truth(program.text)
        if truth.exception == "other":
            tally.dropped.append((program, truth))
            continue
        start = time.perf_counter()
        ours = verdict(program.text)
        tally.seconds.append(time.perf_counter() - start)
        tally.judged.append(Judged(program, truth, ours))
    return tally


def as_case(case: Judged, text: str | None = None, truth: Truth | None = None) -> str:
    """The text of a disagreement with its truth as marks (see tests/test_programs.py) and as comments."""
    text, truth = text or case.program.text, truth or case.truth
    lines = text.splitlines()
    if truth.line is not None:
        mark = "# raises: inplace" if truth.exception == "inplace-version" else "# raises"
        lines[truth.line - 1] += f"  {mark}"
    return "\n".join([f"# {part}" for part in _wrapped(str(case))] + lines) + "\n"


def _wrapped(text: str) -> Sequence[str]:
    import textwrap

    return textwrap.wrap(text, 116)
