"""Diagnostics, pushed or pulled; both are made here, from the outcome of the text as it is, and sent from here only.

A push carries the document's version; since only the outcome of the current text is kept, and everything is sent from
the one event loop, versions never go back. A pull waits for the outcome of the current text.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Iterable

from lsprotocol import types as lsp

from ..analysis import Finding, Severity, Span
from ..documents import Document, Program
from ..places import location, range_in, told
from ..server import Server
from ..session import Checked

log = logging.getLogger(__name__)

SOURCE = "secondpass"
PAGES = "https://github.com/secondpass/secondpass/blob/main/docs/rules/"
SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
UNNECESSARY = ("SP202", "SP900")
"""Rules that tell of code that could as well not be there."""


def page(code: str) -> str:
    return f"{PAGES}{code}.md"


def of_finding(ls: Server, document: Document, finding: Finding, span: Span) -> lsp.Diagnostic:
    client = ls.session.client
    tags = [lsp.DiagnosticTag.Unnecessary] if finding.rule in UNNECESSARY and client.tags else None
    related = [lsp.DiagnosticRelatedInformation(location(ls.session, step.span), step.text) for step in finding.witness]
    return lsp.Diagnostic(
        range=range_in(document.content, span),
        message=message(ls, finding, essence=not client.related),
        severity=SEVERITIES[finding.severity],
        source=SOURCE,
        code=finding.rule,
        code_description=lsp.CodeDescription(page(finding.rule)) if client.code_description else None,
        tags=tags,
        related_information=related if related and client.related else None,
    )


def message(ls: Server, finding: Finding, *, essence: bool) -> str:
    """What a person reads; with the story in short for clients that do not show related information."""
    lines = [finding.message]
    if essence:
        lines += [told(ls.session, step) for step in finding.witness]
    if finding.assumptions:
        lines.append(f"assuming {'; '.join(one.removeprefix('assuming ') for one in finding.assumptions)}")
    if finding.trace is not None:
        verdict = finding.trace.verdict
        iteration = f" in iteration {finding.trace.iteration}" if finding.trace.iteration is not None else ""
        lines.append(f"a traced run says: {verdict}{iteration}")
    return "\n".join(lines)


def of_document(ls: Server, program: Program, document: Document, checked: Checked) -> list[lsp.Diagnostic]:
    session = ls.session
    return [
        of_finding(ls, document, finding, span)
        for finding in checked.findings
        if (span := session.shown_in(program, document, finding)) is not None
    ]


# -- push


def publish(ls: Server, program: Program, checked: Checked) -> None:
    for document in ls.session.documents.documents(program):
        ls.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                document.uri, of_document(ls, program, document, checked), version=document.version
            )
        )


def clear(ls: Server, uris: Iterable[str]) -> None:
    """Take back what was shown for documents that went away."""
    for uri in uris:
        ls.session.result_ids.pop(uri, None)
        if not ls.session.client.pull:
            ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def on_outcome(ls: Server, program: Program, before: Checked | None, now: Checked) -> None:
    client = ls.session.client
    if not client.pull:
        publish(ls, program, now)
    different = before is None or before.findings != now.findings
    # A pulling client asks after each of its own edits; it must be told when another file's edit changed this one.
    if client.pull and client.refresh_diagnostics and different and before is not None:
        ls.workspace_diagnostic_refresh(None)
    if client.refresh_lenses and different:
        ls.workspace_code_lens_refresh(None)
    if client.refresh_hints and (different or before is None or before.inlays != now.inlays):
        ls.workspace_inlay_hint_refresh(None)


# -- pull


def report(
    ls: Server, program: Program, document: Document, checked: Checked, previous: str | None
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    items = of_document(ls, program, document, checked)
    known = ls.session.result_ids.get(document.uri)
    if known is None or known[1] != items:
        known = ls.session.result_ids[document.uri] = (uuid.uuid4().hex, items)
    if previous == known[0]:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=known[0])
    return lsp.RelatedFullDocumentDiagnosticReport(items=items, result_id=known[0])


async def pulled(
    ls: Server, params: lsp.DocumentDiagnosticParams
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None:
        return lsp.RelatedFullDocumentDiagnosticReport(items=[])
    checked = await session.current(program) or session.checked.get(program.uri)
    if checked is None or program.closed:
        return lsp.RelatedFullDocumentDiagnosticReport(items=[])
    return report(ls, program, document, checked, params.previous_result_id)


async def workspace_pulled(ls: Server, params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
    """The open programs' diagnostics, told one by one where the client takes partial results."""
    session = ls.session
    previous = {each.uri: each.value for each in params.previous_result_ids}
    reports: list[lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport] = []
    programs = list(session.documents.programs.values())
    token = params.work_done_token
    if token is not None:
        ls.work_done_progress.begin(token, lsp.WorkDoneProgressBegin("secondpass", cancellable=True, percentage=0))
    try:
        for number, program in enumerate(programs):
            checked = await session.current(program)
            for document in session.documents.documents(program):
                if checked is None:
                    continue
                one = in_workspace(document, report(ls, program, document, checked, previous.get(document.uri)))
                if params.partial_result_token is not None:
                    partial = lsp.WorkspaceDiagnosticReportPartialResult([one])
                    ls.progress(
                        lsp.ProgressParams(params.partial_result_token, ls.protocol._converter.unstructure(partial))
                    )
                else:
                    reports.append(one)
            if token is not None:
                done = lsp.WorkDoneProgressReport(percentage=100 * (number + 1) // len(programs))
                ls.work_done_progress.report(token, done)
                await asyncio.sleep(0)
                if (future := ls.work_done_progress.tokens.get(token)) and future.cancelled():
                    break
    finally:
        if token is not None:
            ls.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
            ls.work_done_progress.tokens.pop(token, None)
    return lsp.WorkspaceDiagnosticReport(reports)


def in_workspace(
    document: Document,
    one: lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport,
) -> lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport:
    if isinstance(one, lsp.RelatedUnchangedDocumentDiagnosticReport):
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(
            uri=document.uri, result_id=one.result_id, version=document.version
        )
    return lsp.WorkspaceFullDocumentDiagnosticReport(
        uri=document.uri, items=one.items, result_id=one.result_id, version=document.version
    )


def register_for(ls: Server) -> None:
    """Offer pulling to a client that can pull."""
    session = ls.session
    if not session.client.pull:
        return
    options = lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE, work_done_progress=True
    )
    ls.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(pulled)
    if session.settings.workspace_diagnostics:
        ls.feature(lsp.WORKSPACE_DIAGNOSTIC)(workspace_pulled)


def register(ls: Server) -> None:
    ls.session.on_outcome.append(lambda program, before, now: on_outcome(ls, program, before, now))
