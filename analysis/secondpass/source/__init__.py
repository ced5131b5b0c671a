"""Text to syntax tree and back: decoding, positions, notebooks, recovery from broken syntax, suppression comments.

Knows Python's surface and nothing of PyTorch, rules, configuration or where files come from.
"""

from __future__ import annotations

from pathlib import Path

from .decode import decode, read_bytes
from .errors import SourceError
from .positions import LineTable
from .source import Cell, Source, parse
from .suppress import Suppression, Suppressions, Unused

__all__ = [
    "Cell",
    "LineTable",
    "Source",
    "SourceError",
    "Suppression",
    "Suppressions",
    "Unused",
    "parse",
    "read",
]


def read(path: Path) -> Source:
    """A file from disk, parsed; `.ipynb` is a notebook, anything else Python.

    Raises `SourceError` with one clear line if the file cannot be read or nothing of it can be analysed.
    """
    shown = str(path)
    text, encoding = decode(read_bytes(path), shown)
    if path.suffix == ".ipynb":
        from .notebook import parse_notebook

        return parse_notebook(text, shown)
    source = parse(text, shown)
    source.encoding = encoding
    return source
