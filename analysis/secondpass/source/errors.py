"""The one exception of this folder: a file of which nothing can be analysed, told in one line."""

from __future__ import annotations

from ..findings import FileError


class SourceError(Exception):
    """Nothing of this file can be analysed; `error` says what, where and what to do."""

    def __init__(self, path: str, line: int, message: str, cell: int | None = None) -> None:
        super().__init__(message)
        self.error = FileError(path, line, message, cell)
