"""Code actions: the proved fixes of the findings in a range, all safe fixes at once, suppress, explain.

They come from our own findings by range, never from what the client sends back of them: some clients drop `data`,
some send nothing. Only the outcome of the text as it is counts, so an edit always fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types as lsp

from ..analysis import Edit, Fix
from ..documents import Program
from ..places import range_in, touches
from ..server import Server
from ..session import Checked
from . import try_fix
from .diagnostics import SOURCE

FIX_ALL = "source.fixAll.secondpass"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.secondpass"
KINDS = (lsp.CodeActionKind.QuickFix, FIX_ALL, NOTEBOOK_FIX_ALL)
ANNOTATIONS = {
    "changes-gradients": lsp.ChangeAnnotation(
        "Changes gradients", needs_confirmation=False, description="gradients stop at the cut"
    ),
    "costs-memory": lsp.ChangeAnnotation(
        "Costs memory", needs_confirmation=False, description="the graph is kept for another walk"
    ),
}


async def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction | lsp.Command] | None:
    session, uri = ls.session, params.text_document.uri
    program, document = session.documents.program(uri), session.documents.document(uri)
    if program is None or document is None:
        return None
    checked = await session.current(program)
    if checked is None:
        return None
    only = params.context.only
    found: list[lsp.CodeAction] = []
    if wanted(lsp.CodeActionKind.QuickFix, only):
        for index, finding in enumerate(checked.findings):
            span = session.shown_in(program, document, finding)
            if span is not None:
                here = range_in(document.content, span)
                if touches(here, params.range) or same_lines(here, params.range):
                    told = [d for d in params.context.diagnostics if d.source == SOURCE and d.range == here]
                    found += await of_finding(ls, program, checked, index, told)
    for kind in (FIX_ALL, NOTEBOOK_FIX_ALL):
        if only and wanted(kind, only):
            found += await fix_all(ls, program, checked, kind)
    if program.revision != checked.revision:
        return None  # the text went on while fixes were being proved
    if not session.client.action_literals:
        return [action.command for action in found if action.command]
    return list(found)


def wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in map(str_of, only))


def str_of(kind: str | lsp.CodeActionKind) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind


def same_lines(one: lsp.Range, cursor: lsp.Range) -> bool:
    """An empty range is a cursor: people ask from anywhere on the line."""
    return cursor.start == cursor.end and one.start.line <= cursor.start.line <= one.end.line


async def of_finding(
    ls: Server,
    program: Program,
    checked: Checked,
    index: int,
    told: list[lsp.Diagnostic],
) -> list[lsp.CodeAction]:
    finding = checked.findings[index]
    fixes = sorted(await ls.session.fixes(program, checked, index), key=lambda fix: not fix.preferred)
    found = []
    for fix in fixes:
        action = lsp.CodeAction(
            fix.title, kind=lsp.CodeActionKind.QuickFix, diagnostics=told or None, is_preferred=fix.preferred or None
        )
        if ls.session.client.resolve_edit:
            action.data = {
                "uri": program.uri,
                "revision": program.revision,
                "finding": index,
                "fix": fix.id,
                "title": fix.title,
            }
        else:
            action.edit = workspace_edit(ls, program, [fix])
        found.append(action)
    found += try_fix.offered(program, index, fixes, told)
    silencing = await ls.session.silencing(program, checked, index)
    if silencing is not None:
        found.append(
            lsp.CodeAction(
                f"Ignore {finding.rule} on this line",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=told or None,
                edit=workspace_edit(ls, program, [silencing]),
            )
        )
    title = f"Explain {finding.rule} ({finding.name})"
    found.append(
        lsp.CodeAction(
            title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=told or None,
            command=lsp.Command(title, "secondpass.explain", arguments=[finding.rule]),
        )
    )
    return found


async def fix_all(ls: Server, program: Program, checked: Checked, kind: str) -> list[lsp.CodeAction]:
    """One action with the safe preferred fixes of all findings, those that do not get in each other's way."""
    chosen: list[Fix] = []
    for index in range(len(checked.findings)):
        for fix in await ls.session.fixes(program, checked, index):
            if fix.preferred and fix.safety == "safe" and not any(clash(fix, other) for other in chosen):
                chosen.append(fix)
    if not chosen:
        return []
    edit = workspace_edit(ls, program, chosen)
    return [lsp.CodeAction("Apply all safe fixes of secondpass", kind=kind, edit=edit)]


def clash(one: Fix, other: Fix) -> bool:
    return any(
        (a.span.path, a.span.cell) == (b.span.path, b.span.cell)
        and (a.span.line, a.span.column) <= (b.span.end_line, b.span.end_column)
        and (b.span.line, b.span.column) <= (a.span.end_line, a.span.end_column)
        for a in one.edits
        for b in other.edits
    )


def resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """Fill in the edit of an action that was offered for the text as it still is."""
    data: Any = action.data
    if hasattr(data, "_asdict"):
        data = data._asdict()
    if not isinstance(data, dict):
        return action
    program = ls.session.documents.program(str(data.get("uri")))
    checked = ls.session.checked.get(program.uri) if program else None
    if program is None or checked is None or not program.revision == checked.revision == data.get("revision"):
        return action
    for fix in checked.fixes.get(data.get("finding", -1), ()):
        if (fix.id, fix.title) == (data.get("fix"), data.get("title", fix.title)):
            action.edit = workspace_edit(ls, program, [fix])
    return action


# -- edits


def workspace_edit(ls: Server, program: Program, fixes: Sequence[Fix]) -> lsp.WorkspaceEdit:
    """The edits of fixes, in the form the client takes."""
    by_uri: dict[str, list[tuple[lsp.TextEdit, str]]] = {}
    for fix in fixes:
        for edit in fix.edits:
            uri, text_edit = text_edit_of(ls, edit)
            by_uri.setdefault(uri, []).append((text_edit, fix.safety))
    return as_client_takes(ls, by_uri)


def text_edit_of(ls: Server, edit: Edit) -> tuple[str, lsp.TextEdit]:
    uri, text = ls.session.text_of(edit.span.path, edit.span.cell)
    new = edit.text
    if text is not None and "\r\n" in text.text and "\r\n" not in new:
        new = new.replace("\n", "\r\n")
    return uri, lsp.TextEdit(range_in(text, edit.span), new)


def as_client_takes(ls: Server, by_uri: dict[str, list[tuple[lsp.TextEdit, str]]]) -> lsp.WorkspaceEdit:
    client = ls.session.client
    if not client.document_changes:
        return lsp.WorkspaceEdit(changes={uri: [edit for edit, _ in edits] for uri, edits in by_uri.items()})
    changes = []
    used = set()
    for uri, edits in by_uri.items():
        document = ls.session.documents.document(uri)
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, document.version if document else None)
        made: list[lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit] = []
        for edit, safety in edits:
            if client.annotations and safety in ANNOTATIONS:
                used.add(safety)
                made.append(lsp.AnnotatedTextEdit(annotation_id=safety, range=edit.range, new_text=edit.new_text))
            else:
                made.append(edit)
        changes.append(lsp.TextDocumentEdit(identifier, made))
    return lsp.WorkspaceEdit(
        document_changes=changes, change_annotations={key: ANNOTATIONS[key] for key in sorted(used)} or None
    )


def register(ls: Server) -> None:
    options = lsp.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)
    ls.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)(actions)
    ls.feature(lsp.CODE_ACTION_RESOLVE)(resolve)
