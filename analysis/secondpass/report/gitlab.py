"""GitLab's code quality report: findings in the merge request. https://docs.gitlab.com/ci/testing/code_quality/"""

from __future__ import annotations

import hashlib
import json

from ..findings import Finding, Report, Severity
from .lines import SourceLines

_LEVELS = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def render(report: Report, lines: SourceLines) -> str:
    return json.dumps([_finding(finding, lines) for finding in report.findings], indent=1) + "\n"


def _finding(finding: Finding, lines: SourceLines) -> dict[str, object]:
    span = finding.span
    text = (lines(span.path, span.line, span.cell) or "").strip()
    same = "\0".join((span.path, str(span.cell), finding.rule, text, finding.message))
    return {
        "description": finding.message,
        "check_name": f"{finding.rule} {finding.name}",
        "fingerprint": hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": _LEVELS[finding.severity],
        "location": {"path": span.path, "lines": {"begin": span.line, "end": span.end_line}},
    }
