"""Source lines for a report: a callable from (path, line, cell) to the line's text, read from disk on first use.

A report may be made long after the check, or of text that is not on disk (standard input), so every format takes the
callable and none opens files itself.
"""

from __future__ import annotations

import io
import json
import re
import tokenize
from collections.abc import Callable, Mapping
from pathlib import Path

SourceLines = Callable[[str, int, int | None], str | None]
"""(path, line from 1, cell or None) to the line's text without its ending; None when there is no such line."""

_ENDINGS = re.compile(r"\r\n|\r|\n")


def split(text: str) -> list[str]:
    """Lines as Python counts them: only LF, CRLF and CR end one."""
    return _ENDINGS.split(text)


def lines_of(texts: Mapping[str, str] | None = None) -> SourceLines:
    """Lines of the given texts (by path), and of files on disk for every other path."""
    files: dict[tuple[str, int | None], list[str]] = {
        (path, None): split(text) for path, text in (texts or {}).items() if not path.endswith(".ipynb")
    }

    def line(path: str, number: int, cell: int | None = None) -> str | None:
        key = (path, cell)
        if key not in files:
            files[key] = _read(path, cell, (texts or {}).get(path))
        lines = files[key]
        return lines[number - 1] if 0 < number <= len(lines) else None

    return line


def _read(path: str, cell: int | None, text: str | None) -> list[str]:
    """The lines of a file or of one cell of a notebook; none when they can no longer be had."""
    try:
        raw = Path(path).read_bytes() if text is None else text.encode("utf-8")
        if cell is None:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
            return split(raw.decode(encoding))
        source = json.loads(raw)["cells"][cell]["source"]
    except (OSError, SyntaxError, ValueError, LookupError, TypeError):
        return []
    return split(source if isinstance(source, str) else "".join(map(str, source)))
