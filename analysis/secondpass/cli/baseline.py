"""Findings that are known and accepted for now: a file that `check --write-baseline` writes and `--baseline` reads.

A finding is known by its rule, its file and the text of its line, not by its number: code above it may come and go.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ..findings import Finding, Report
from ..report.lines import SourceLines
from .boundary import UsageError

VERSION = 1
Key = tuple[str, str, str]
"""Path with slashes, rule, and the line's text without the space around it."""


def known(file: str) -> Counter[Key]:
    """How often each finding is in a baseline. Raises UsageError if that cannot be read."""
    try:
        document = json.loads(Path(file).read_text(encoding="utf-8"))
        if document["version"] != VERSION:
            raise UsageError(f"{file} is a baseline of version {document['version']}: write it again")
        return Counter({(one["path"], one["rule"], one["line"]): int(one["count"]) for one in document["findings"]})
    except OSError as error:
        raise UsageError(f"the baseline {file} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{file} is no baseline: write one with `secondpass check --write-baseline {file}`") from None


def without(report: Report, baseline: Counter[Key], lines: SourceLines) -> Report:
    """The report without the findings that the baseline knows."""
    left = Counter(baseline)
    new = []
    for finding in report.findings:
        key = _key(finding, lines)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    return replace(report, findings=new)


def write(report: Report, file: str, lines: SourceLines) -> None:
    """Write the findings of a report as a baseline. Raises UsageError if that cannot be done."""
    counts = Counter(_key(finding, lines) for finding in report.findings)
    found = [
        {"path": path, "rule": rule, "line": line, "count": count}
        for (path, rule, line), count in sorted(counts.items())
    ]
    text = json.dumps({"version": VERSION, "findings": found}, indent=1, ensure_ascii=False) + "\n"
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the baseline {file} cannot be written: {error.strerror or error}") from None


def _key(finding: Finding, lines: SourceLines) -> Key:
    span = finding.span
    return Path(span.path).as_posix(), finding.rule, (lines(span.path, span.line, span.cell) or "").strip()
