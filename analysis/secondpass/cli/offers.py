"""Gives the findings of a report their proved fixes, for the formats that show them.

Only files with findings are looked at again, and a fault of ours there leaves the findings without fixes, in one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ..fault import guarded
from ..findings import FileError, Finding, Report
from ..settings import Settings


def with_fixes(report: Report, texts: Mapping[str, str], settings: Settings) -> Report:
    """The same report, its findings with fixes; `texts` holds what is not on disk (standard input), by path."""
    by_path: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    offered: dict[int, Finding] = {}
    errors = list(report.errors)

    def refused(path: str, findings: list[Finding], told: str) -> list[Finding]:
        errors.append(FileError(path, 1, told))
        return findings

    for path, findings in by_path.items():
        given = guarded(partial(_offered, path, texts.get(path), findings, settings), partial(refused, path, findings))
        offered.update(zip(map(id, findings), given, strict=True))
    return Report(report.files, [offered[id(finding)] for finding in report.findings], errors, report.notes)


def _offered(path: str, text: str | None, findings: list[Finding], settings: Settings) -> list[Finding]:
    from ..fixes.offer import fixes_in
    from ..fixes.proof import run
    from ..source.decode import decode, read_bytes
    from ..source.errors import SourceError

    if text is None:
        try:
            text, _ = decode(read_bytes(Path(path)), path)
        except SourceError:
            return findings  # gone or changed since it was checked: nothing can be proved about it
    ran = run(text, path, settings)
    if ran is None:
        return findings
    return [finding.with_fixes(fixes_in(ran, finding, settings)) for finding in findings]
