"""Code lenses over loops and `backward` calls that findings speak of: how many, validate, show the graph."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..analysis import Finding, Span
from ..places import range_in
from ..server import Server


async def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None or not session.settings_of(program).code_lens:
        return []
    checked = await session.current(program)
    places: dict[tuple[int, int], tuple[Span, list[Finding]]] = {}
    for finding in checked.findings if checked else ():
        for span in lens_places(finding):
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


def lens_places(finding: Finding) -> list[Span]:
    """Where a finding has a lens: its loop, or its own place if it has none, and the walks of its graph."""
    walks = [step.span for step in finding.witness if step.role in ("consumed", "walked-again")]
    return [finding.loop or finding.span, *walks]


def count(findings: list[Finding]) -> str:
    """`1 graph walked twice`, or how many findings where they are of other kinds."""
    number = len(findings)
    if all(finding.rule.startswith("SP1") for finding in findings):
        return f"{number} graph{'s' if number > 1 else ''} walked twice"
    return f"{number} finding{'s' if number > 1 else ''}"


def register(ls: Server) -> None:
    ls.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))(lenses)
