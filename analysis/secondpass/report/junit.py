"""JUnit XML: one test case a finding or unreadable file, and one that passes if there is nothing."""

from __future__ import annotations

from xml.etree import ElementTree

from ..findings import Report, Span
from .cells import one_line
from .text import place


def render(report: Report) -> str:
    failures = [
        (finding.span.path, f"{finding.rule} {finding.name}", _at(finding.span), finding.message)
        for finding in report.findings
    ]
    failures += [
        (error.path, "unreadable", place(error.path, error.line, None, error.cell), error.message)
        for error in report.errors
    ]
    counts = {"tests": str(max(len(failures), 1)), "failures": str(len(failures)), "errors": "0"}
    suite = ElementTree.Element("testsuite", {"name": "secondpass", **counts})
    for path, name, at, message in failures:
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": _clean(path), "name": _clean(f"{name} {at}"), "file": _clean(path)}
        )
        failure = ElementTree.SubElement(case, "failure", {"message": _clean(message)})
        failure.text = _clean(f"{at}: {message}")
    if not failures:
        ElementTree.SubElement(suite, "testcase", {"classname": "secondpass", "name": "nothing found"})
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _at(span: Span) -> str:
    return place(span.path, span.line, span.column, span.cell)


def _clean(text: str) -> str:
    """Text that XML can hold: no control characters and no half characters of undecodable names."""
    return "".join(c if c.isprintable() else "\ufffd" for c in one_line(text))
