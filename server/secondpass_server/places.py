"""From the analysis' places (lines and columns in characters, from 1) to the protocol's, and back."""

from __future__ import annotations

from lsprotocol import types as lsp

from .analysis import Span, Step
from .documents import Text
from .session import Session


def range_in(text: Text | None, span: Span) -> lsp.Range:
    """A span as a range of its text; as it stands where the text cannot be read."""
    if text is None:
        return lsp.Range(
            lsp.Position(max(span.line - 1, 0), max(span.column - 1, 0)),
            lsp.Position(max(span.end_line - 1, 0), max(span.end_column - 1, 0)),
        )
    return lsp.Range(text.position(span.line, span.column), text.position(span.end_line, span.end_column))


def location(session: Session, span: Span) -> lsp.Location:
    uri, text = session.text_of(span.path, span.cell)
    return lsp.Location(uri, range_in(text, span))


def touches(one: lsp.Range, other: lsp.Range) -> bool:
    """Whether two ranges share a position, their ends included."""
    return one.start <= other.end and other.start <= one.end


def holds(span: Span, line: int, column: int) -> bool:
    """Whether a place (in characters, from 1) lies in a span, its end included."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def told(session: Session, step: Step) -> str:
    """A step of a story with the code it speaks of; a line number would be wrong in a notebook."""
    code = quoted(session, step.span)
    return f"{step.text}: `{code}`" if code and code not in step.text else step.text


def quoted(session: Session, span: Span) -> str:
    """The code of a span, its first line only; empty where it cannot be read or would break a Markdown quote."""
    _, text = session.text_of(span.path, span.cell)
    if text is None or not 1 <= span.line <= len(text.lines):
        return ""
    line = text.lines[span.line - 1]
    code = (
        line[span.column - 1 : span.end_column - 1] if span.end_line == span.line else line[span.column - 1 :] + " ..."
    )
    return "" if "`" in code else code.strip()
