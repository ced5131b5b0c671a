"""Gives the findings of a report their proved fixes, for the formats that show them.

Only files with findings are looked at again, and a fault of ours there leaves the findings without fixes, in one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..fault import guarded
from ..findings import FileError, Finding, Report
from ..settings import Settings

if TYPE_CHECKING:
    from ..fixes.proof import Ran

MOST = 4
"""Files whose run is looked at for the fixes of one finding."""


def with_fixes(report: Report, texts: Mapping[str, str], settings: Settings) -> Report:
    """The same report, its findings with fixes; `texts` holds what is not on disk (standard input), by path."""
    offered = dict(enumerate(report.findings))
    made: dict[str, Ran | None] = {}
    errors = list(report.errors)

    def refused(path: str, findings: list[Finding], told: str) -> list[Finding]:
        errors.append(FileError(path, 1, told))
        return findings

    for iteration in range(MOST):
        by_path: dict[str, list[int]] = {}
        for index, finding in offered.items():
            runs = _runs(finding)
            if iteration < len(runs) and not finding.fixes:
                by_path.setdefault(runs[iteration], []).append(index)
        for path, indices in by_path.items():
            findings = [offered[index] for index in indices]
            work = partial(_offered, path, texts.get(path), findings, settings, made)
            offered.update(zip(indices, guarded(work, partial(refused, path, findings)), strict=True))
    return replace(report, findings=list(offered.values()), errors=errors)


def _runs(finding: Finding) -> list[str]:
    """The files in whose run a finding may have been made: its own, then those that its story passes through."""
    raising = [finding.raises_at.path] if finding.raises_at is not None else []
    loop = [finding.loop.path] if finding.loop is not None else []
    steps = [step.span.path for step in finding.witness]
    return list(dict.fromkeys([finding.span.path, *loop, *raising, *steps]))[:MOST]


def _offered(
    path: str, text: str | None, findings: list[Finding], settings: Settings, made: dict[str, Ran | None]
) -> list[Finding]:
    """The findings with the fixes that the run of this file gives them; `made` holds the runs made so far, by path."""
    from ..fixes.offer import fixes_in, mendable

    if not any(map(mendable, findings)):
        return findings
    if path not in made:
        made[path] = _ran(path, text, settings)
    ran = made[path]
    if ran is None:
        return findings
    return [
        finding.with_fixes(fixes_in(ran, finding, settings)) if mendable(finding) else finding for finding in findings
    ]


def _ran(path: str, text: str | None, settings: Settings) -> Ran | None:
    from ..fixes.proof import run
    from ..source.decode import decode, read_bytes
    from ..source.errors import SourceError

    if text is None:
        try:
            text, _ = decode(read_bytes(Path(path)), path)
        except SourceError:
            return None  # gone or changed since it was checked: nothing can be proved about it
    return run(text, path, settings)
