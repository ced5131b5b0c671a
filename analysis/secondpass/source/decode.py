"""Bytes to text, as Python reads its sources: byte order mark, PEP 263 cookie, else UTF-8."""

from __future__ import annotations

import codecs
import io
import os
import stat
import tokenize
from pathlib import Path

from .errors import SourceError
from .source import MAX_SIZE


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; raises `SourceError` if it is missing, a folder, unreadable or too large."""
    shown = str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceError(shown, 1, "is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(shown, 1, "is not a regular file; not checked")
        if status.st_size > MAX_SIZE:
            size = status.st_size / 1_000_000
            raise SourceError(
                shown, 1, f"file of {size:.0f} MB looks generated (limit {MAX_SIZE // 1_000_000} MB); not checked"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError(shown, 1, "no such file") from None
    except OSError as error:
        raise SourceError(shown, 1, f"cannot be read: {os.strerror(error.errno or 0).lower()}") from None
    except ValueError:
        raise SourceError(shown, 1, "is not a possible file name") from None


def decode(data: bytes, path: str) -> tuple[str, str]:
    """Text (without byte order mark, line endings as they are) and encoding; raises `SourceError`."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise SourceError(path, 1, "is UTF-16 text, which Python does not read; save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise SourceError(path, line, "is a binary file (it contains a NUL byte)")
    encoding = _encoding(data, path)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{data[error.start]:02x}"
        if encoding.startswith("utf-8"):
            advice = "save it as UTF-8, or name its encoding in the first line: `# -*- coding: latin-1 -*-`"
            raise SourceError(path, line, f"is not UTF-8 text ({byte}); {advice}") from None
        raise SourceError(path, line, f"is not {encoding} text, as its first lines say ({byte})") from None
    except LookupError:
        raise SourceError(path, 1, f"{encoding}, named in its first two lines, is not a text encoding") from None
    return text, encoding


def _encoding(data: bytes, path: str) -> str:
    first = data.find(b"\n") + 1
    second = data.find(b"\n", first) + 1 if first else 0
    head = data[: second or len(data)]
    if b"coding" not in head[:4096]:
        return "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        message = error.msg or ""
        if message.startswith(("invalid or missing", "unable to decode")):
            return "utf-8"  # reading on will tell which byte
        raise SourceError(path, 1, f"{message}, named in its first two lines") from None
    return encoding
