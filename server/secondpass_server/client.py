"""What the client at the other end can do, read once from its `initialize`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp


@dataclass(frozen=True)
class Client:
    pull: bool = False
    related: bool = False
    tags: bool = False
    code_description: bool = False
    document_changes: bool = False
    annotations: bool = False
    resolve_edit: bool = False
    action_literals: bool = False
    markdown: bool = False
    progress: bool = False
    show_document: bool = False
    configuration: bool = False
    watch: bool = False
    register_configuration: bool = False
    refresh_diagnostics: bool = False
    refresh_hints: bool = False
    refresh_lenses: bool = False


def read(params: lsp.InitializeParams) -> Client:
    def has(*path: str) -> Any:
        value: Any = params.capabilities
        for name in path:
            value = getattr(value, name, None)
            if value is None:
                return None
        return value

    publish = ("text_document", "publish_diagnostics")
    pull = has("text_document", "diagnostic")
    wanted = mode(params)
    resolve = has("text_document", "code_action", "resolve_support", "properties") or ()
    formats = has("text_document", "hover", "content_format") or ()
    return Client(
        pull=bool(pull) and wanted != "push",
        related=bool(has(*publish, "related_information") or has("text_document", "diagnostic", "related_information")),
        tags=bool(has(*publish, "tag_support") or has("text_document", "diagnostic", "tag_support")),
        code_description=bool(
            has(*publish, "code_description_support") or has("text_document", "diagnostic", "code_description_support")
        ),
        document_changes=bool(has("workspace", "workspace_edit", "document_changes")),
        annotations=has("workspace", "workspace_edit", "change_annotation_support") is not None,
        resolve_edit="edit" in resolve,
        action_literals=has("text_document", "code_action", "code_action_literal_support") is not None,
        markdown=lsp.MarkupKind.Markdown in formats,
        progress=bool(has("window", "work_done_progress")),
        show_document=bool(has("window", "show_document", "support")),
        configuration=bool(has("workspace", "configuration")),
        watch=bool(has("workspace", "did_change_watched_files", "dynamic_registration")),
        register_configuration=bool(has("workspace", "did_change_configuration", "dynamic_registration")),
        refresh_diagnostics=bool(has("workspace", "diagnostics", "refresh_support")),
        refresh_hints=bool(has("workspace", "inlay_hint", "refresh_support")),
        refresh_lenses=bool(has("workspace", "code_lens", "refresh_support")),
    )


def mode(params: lsp.InitializeParams) -> str:
    """`push`, `pull` or `auto`: how this client wants its diagnostics (initialization option `diagnostics`)."""
    options = params.initialization_options
    wanted = options.get("diagnostics", "auto") if isinstance(options, dict) else "auto"
    return wanted if wanted in ("push", "pull") else "auto"
