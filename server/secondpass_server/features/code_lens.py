"""Code lenses over the loops, functions and `backward` calls of findings: how many, validate, show the graph."""

from __future__ import annotations

import re
from dataclasses import replace

from lsprotocol import types as lsp

from ..analysis import Finding, Span
from ..documents import Document
from ..places import range_in
from ..server import Server

DEFINITION = re.compile(r"\s*(?:async\s+)?def\s")


async def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None or not session.settings_of(program).code_lens:
        return []
    checked = await session.current(program)
    places: dict[tuple[int, int], tuple[Span, list[Finding]]] = {}
    for finding in checked.findings if checked else ():
        for span in lens_places(document, finding):
            if session.in_document(program, document, span):
                findings = places.setdefault((span.line, span.column), (span, []))[1]
                if finding not in findings:
                    findings.append(finding)
    found = []
    for span, findings in places.values():
        shown = range_in(document.content, span)
        for title, command, arguments in (
            (count(findings), "secondpass.explain", [findings[0].rule]),
            ("Validate with a traced run", "secondpass.validate", [uri]),
            ("Show graph", "secondpass.showGraph", [uri, span.line]),
        ):
            found.append(lsp.CodeLens(shown, lsp.Command(title, command, arguments=arguments)))
    return found


def lens_places(document: Document, finding: Finding) -> list[Span]:
    """Where a finding has a lens: its loop, or the function it is in, or its own place; and the walks of its graph."""
    walks = [step.span for step in finding.witness if step.role in ("consumed", "walked-again")]
    return [finding.loop or header(document, finding.span), *walks]


def header(document: Document, span: Span) -> Span:
    """The line of the function around a place; the place itself if it is in none."""
    lines = document.content.lines
    if not 1 <= span.line <= len(lines):
        return span
    depth = indent(lines[span.line - 1])
    for number in range(span.line - 1, 0, -1):
        line = lines[number - 1]
        # A line that only closes brackets ends a header or call that stands above it.
        if line.strip() and indent(line) < depth and line.strip()[0] not in ")]}":
            depth = indent(line)
            if DEFINITION.match(line):
                return replace(span, line=number, column=depth + 1, end_line=number, end_column=len(line) + 1)
    return span


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def count(findings: list[Finding]) -> str:
    """`1 graph walked twice`, or how many findings where they are of other kinds."""
    number = len(findings)
    if all(finding.rule.startswith("SP1") for finding in findings):
        return f"{number} graph{'s' if number > 1 else ''} walked twice"
    return f"{number} finding{'s' if number > 1 else ''}"


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))(lenses)
