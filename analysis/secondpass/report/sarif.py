"""SARIF 2.1.0, for code-scanning services: the witness is a code flow, the fixes are artifact changes.

Columns are counted in characters (`columnKind: unicodeCodePoints`). SARIF knows no cells of notebooks: a place in a
cell names the notebook as a whole, and its message says the cell and line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from ..findings import FileError, Finding, Fix, Report, Severity, Span
from .lines import SourceLines

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}


class RuleWords(Protocol):
    """What of a rule goes into the report."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def summary(self) -> str: ...
    @property
    def why(self) -> str: ...


def render(
    report: Report, lines: SourceLines, rules: Mapping[str, RuleWords], version: str, *, verbose: bool = False
) -> str:
    return json.dumps(document(report, lines, rules, version, verbose=verbose), indent=1) + "\n"


def document(
    report: Report, lines: SourceLines, rules: Mapping[str, RuleWords], version: str, *, verbose: bool = False
) -> dict[str, Any]:
    codes = sorted({*rules, *(finding.rule for finding in report.findings)})
    names = {finding.rule: finding.name for finding in report.findings}
    notices = [_notification("error", error) for error in report.errors]
    if verbose:
        notices += [_notification("note", note) for note in report.notes]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "secondpass",
                        "version": version,
                        "rules": [_rule(code, names.get(code, code), rules.get(code)) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notices}],
                "results": [_result(finding, codes.index(finding.rule), lines) for finding in report.findings],
            }
        ],
    }


def _rule(code: str, name: str, rule: RuleWords | None) -> dict[str, Any]:
    if rule is None:
        return {"id": code, "name": name}
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why or rule.summary},
        "help": {"text": f"{rule.why or rule.summary}\n\nMore: secondpass explain {code}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, index: int, lines: SourceLines) -> dict[str, Any]:
    told = [finding.message]
    if finding.span.cell is not None:
        told[0] += f" (cell {finding.span.cell + 1}, line {finding.span.line})"
    told += [f"assuming {text.removeprefix('assuming ')}" for text in finding.assumptions]
    if finding.help:
        told.append(f"help: {finding.help}")
    out: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join(told)},
        "locations": [_location(finding.span)],
        "partialFingerprints": {"secondpass/v1": _fingerprint(finding, lines)},
    }
    if finding.witness:
        flow = {
            "threadFlows": [
                {"locations": [_flow_step(step.span, step.text, step.role, step.iteration) for step in finding.witness]}
            ]
        }
        out["codeFlows"] = [flow]
    fixes = [_fix(fix) for fix in finding.fixes if all(edit.span.cell is None for edit in fix.edits)]
    if fixes:
        out["fixes"] = fixes
    properties: dict[str, Any] = {}
    if finding.raises_at:
        at = finding.raises_at
        properties["raisesAt"] = {"uri": _uri(at.path), "line": at.line, "turn": at.iteration}
    if finding.trace:
        properties["trace"] = {"verdict": finding.trace.verdict, "turn": finding.trace.iteration}
    if properties:
        out["properties"] = properties
    return out


def _flow_step(span: Span, text: str, role: str, iteration: int) -> dict[str, Any]:
    told = text or role
    if span.cell is not None:
        told += f" (cell {span.cell + 1}, line {span.line})"
    return {
        "location": {**_location(span), "message": {"text": told}},
        "kinds": [role],
        "properties": {"turn": iteration},
        "importance": "essential",
    }


def _location(span: Span) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(span.path)}}
    if span.cell is None:
        physical["region"] = _region(span)
    return {"physicalLocation": physical}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    paths = dict.fromkeys(edit.span.path for edit in fix.edits)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": _uri(path)},
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                    for edit in fix.edits
                    if edit.span.path == path
                ],
            }
            for path in paths
        ],
    }


def _notification(level: str, error: FileError) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(error.path)}}
    if error.line > 0 and error.cell is None:
        physical["region"] = {"startLine": error.line}
    return {"level": level, "message": {"text": error.message}, "locations": [{"physicalLocation": physical}]}


def _fingerprint(finding: Finding, lines: SourceLines) -> str:
    """Stays the same while the file moves or grows above the finding: the rule, the line's own text, the subject."""
    line = lines(finding.span.path, finding.span.line, finding.span.cell) or ""
    told = "\0".join((finding.rule, Path(finding.span.path).name, line.strip(), finding.subject))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(path: str) -> str:
    """A relative path stays relative, in URI form; an absolute one becomes a file URI."""
    given = Path(path)
    return given.as_uri() if given.is_absolute() else quote(given.as_posix())
