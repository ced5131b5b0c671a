"""GitHub Actions workflow commands: each finding becomes an annotation on the changed lines of a pull request."""

from __future__ import annotations

from ..findings import FileError, Finding, Report, Severity

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(report: Report, *, verbose: bool = False) -> str:
    out = [_finding(finding) for finding in report.findings]
    out += [_problem("error", error) for error in report.errors]
    if verbose:
        out += [_problem("notice", note) for note in report.notes]
    return "".join(f"{line}\n" for line in out)


def _finding(finding: Finding) -> str:
    span = finding.span
    properties = {"title": f"{finding.rule} {finding.name}", "file": span.path}
    if span.cell is None:
        properties |= {"line": str(span.line), "endLine": str(span.end_line)}
        if span.line == span.end_line:
            properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    told = [finding.message]
    told += [f"line {step.span.line}, iteration {step.iteration}: {step.text}" for step in finding.witness if step.text]
    told += [f"assuming {text.removeprefix('assuming ')}" for text in finding.assumptions]
    if finding.help:
        told.append(f"help: {finding.help}")
    return _command(_COMMANDS[finding.severity], properties, "\n".join(told))


def _problem(command: str, problem: FileError) -> str:
    properties = {"title": "secondpass", "file": problem.path}
    if problem.line and problem.cell is None:
        properties["line"] = str(problem.line)
    return _command(command, properties, problem.message)


def _command(command: str, properties: dict[str, str], message: str) -> str:
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{command} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
