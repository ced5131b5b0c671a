"""The texts as the client has them: files, notebooks and their cells.

pygls keeps documents too, but splits lines as `str.splitlines` does: an edit after a form feed, U+2028 and others then
lands in the wrong place. Here a line ends where the protocol says (`\\n`, `\\r\\n`, `\\r`) and nowhere else, which is
also where Python's own tokenizer ends it. URIs are kept byte for byte as the client wrote them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from .analysis import LineTable, Units


class Text:
    """One text and its lines, with positions in the client's units."""

    def __init__(self, text: str, units: Units) -> None:
        self.text = text
        self.units: Units = units
        self.table = LineTable(text)

    @property
    def lines(self) -> list[str]:
        """The lines without their endings; the last may be empty."""
        return self.table.lines

    def position(self, line: int, column: int) -> lsp.Position:
        """The client's position of a line and column in characters, both from 1; what lies outside is brought in."""
        line = min(max(line, 1), len(self.lines))
        column = min(max(column, 1), len(self.lines[line - 1]) + 1)
        return lsp.Position(*self.table.to_protocol(line, column, self.units))

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """Line and column in characters, both from 1, of the client's position; what lies outside is brought in."""
        return self.table.from_protocol(position.line, position.character, self.units)

    def offset(self, position: lsp.Position) -> int:
        """How many characters of the text stand before a position."""
        return self.table.offset(*self.place(position))

    def edited(self, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> Text:
        """The text after the client's changes, each of which counts in the text that the one before has left."""
        now = self
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = now.offset(change.range.start), now.offset(change.range.end)
                now = Text(now.text[:start] + change.text + now.text[end:], self.units)
            else:
                now = Text(change.text, self.units)
        return now


@dataclass
class Document:
    """One open text: a file, or a cell of a notebook."""

    uri: str
    language: str
    version: int
    content: Text

    @property
    def text(self) -> str:
        return self.content.text


@dataclass
class Notebook:
    """An open notebook; its cells in order, each with the URI of its text."""

    uri: str
    version: int
    kind: str
    cells: list[lsp.NotebookCell] = field(default_factory=list)


@dataclass
class Program:
    """What is analysed as one: a file, or a notebook as a whole. `revision` counts its states."""

    uri: str
    path: str
    document: Document | None = None
    notebook: Notebook | None = None
    revision: int = 0
    closed: bool = False


class Documents:
    """All open texts. Lookups accept a URI quoted in another way; what is handed out is the client's own spelling."""

    def __init__(self, units: Units) -> None:
        self.units: Units = units
        self.programs: dict[str, Program] = {}
        self._documents: dict[str, Document] = {}
        self._cell_programs: dict[str, Program] = {}

    def document(self, uri: str) -> Document | None:
        return self._documents.get(unquote(uri))

    def program(self, uri: str) -> Program | None:
        """The program a document or a notebook belongs to."""
        return self.programs.get(unquote(uri)) or self._cell_programs.get(unquote(uri))

    def open_file(self, item: lsp.TextDocumentItem) -> Program:
        document = self._keep(item)
        path = path_of(item.uri)
        if path.endswith(
            ".ipynb"
        ):  # jupyterlab-lsp shows a whole notebook as one Python text, under the notebook's name
            path += ".py"
        program = Program(item.uri, path, document=document)
        self.programs[unquote(item.uri)] = program
        return program

    def open_notebook(self, notebook: lsp.NotebookDocument, cells: Sequence[lsp.TextDocumentItem]) -> Program:
        program = Program(
            notebook.uri,
            path_of(notebook.uri),
            notebook=Notebook(notebook.uri, notebook.version, notebook.notebook_type, list(notebook.cells)),
        )
        self.programs[unquote(notebook.uri)] = program
        for item in cells:
            self._keep(item)
            self._cell_programs[unquote(item.uri)] = program
        return program

    def change(self, identifier: lsp.VersionedTextDocumentIdentifier, changes: Sequence[Any]) -> Program | None:
        """Edit a document; None for one that is not open (some clients send changes after they closed it)."""
        document = self.document(identifier.uri)
        if document is None:
            return None
        document.content = document.content.edited(changes)
        document.version = identifier.version
        program = self.program(identifier.uri)
        if program is not None:
            program.revision += 1
        return program

    def change_notebook(self, params: lsp.DidChangeNotebookDocumentParams) -> tuple[Program | None, list[str]]:
        """Edit a notebook; with it the URIs of the cells that went away."""
        program = self.programs.get(unquote(params.notebook_document.uri))
        if program is None or program.notebook is None:
            return None, []
        notebook, gone = program.notebook, list[str]()
        notebook.version = params.notebook_document.version
        program.revision += 1
        change = params.change.cells
        if change is None:
            return program, gone
        if structure := change.structure:
            array = structure.array
            notebook.cells[array.start : array.start + array.delete_count] = array.cells or []
            for item in structure.did_open or []:
                self._keep(item)
                self._cell_programs[unquote(item.uri)] = program
            kept = {unquote(cell.document) for cell in notebook.cells}
            for closed in structure.did_close or []:
                if unquote(closed.uri) not in kept:
                    gone.append(closed.uri)
                    self._forget(closed.uri)
        for data in change.data or []:
            for cell in notebook.cells:
                if cell.document == data.document:
                    cell.kind = data.kind
        for text in change.text_content or []:
            if document := self.document(text.document.uri):
                document.content = document.content.edited(text.changes)
                document.version = text.document.version
        return program, gone

    def close(self, uri: str) -> tuple[Program | None, list[str]]:
        """Forget a program; with it the URIs of the documents that were shown for it."""
        program = self.programs.pop(unquote(uri), None)
        if program is None:
            return None, []
        program.closed = True
        gone = [document.uri for document in self.documents(program)]
        for each in gone:
            self._forget(each)
        return program, gone

    def documents(self, program: Program) -> Iterator[Document]:
        """The documents of a program, in order (the code cells of a notebook)."""
        if program.document is not None:
            yield program.document
        if program.notebook is not None:
            for cell in program.notebook.cells:
                if cell.kind is lsp.NotebookCellKind.Code and (document := self.document(cell.document)):
                    yield document

    def cell_document(self, program: Program, cell: int | None) -> Document | None:
        """The document in which a cell (its index from 0) of a notebook, or a file, is shown."""
        if program.notebook is None or cell is None:
            return program.document
        if not 0 <= cell < len(program.notebook.cells):
            return None
        return self.document(program.notebook.cells[cell].document)

    def cell_index(self, program: Program, uri: str) -> int | None:
        """Which cell of its notebook a document is; None for a file."""
        for index, cell in enumerate(program.notebook.cells if program.notebook else ()):
            if unquote(cell.document) == unquote(uri):
                return index
        return None

    def text(self, program: Program) -> str:
        """A program's text as the analysis reads it: a file's text, a notebook's JSON form."""
        if program.notebook is None:
            return program.document.text if program.document else ""
        cells: list[dict[str, Any]] = []
        for cell in program.notebook.cells:
            document = self.document(cell.document)
            code = cell.kind is lsp.NotebookCellKind.Code and (document is None or document.language == "python")
            cells.append(
                {
                    "cell_type": "code" if code else "markdown",
                    "metadata": {},
                    "source": document.text if document else "",
                    **({"execution_count": None, "outputs": []} if code else {}),
                }
            )
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def _keep(self, item: lsp.TextDocumentItem) -> Document:
        document = Document(item.uri, str(item.language_id), item.version, Text(item.text, self.units))
        self._documents[unquote(item.uri)] = document
        return document

    def _forget(self, uri: str) -> None:
        self._documents.pop(unquote(uri), None)
        self._cell_programs.pop(unquote(uri), None)


def path_of(uri: str) -> str:
    """The path the analysis knows a document by: its file's, or the URI itself where there is no file."""
    return to_fs_path(uri) or uri
