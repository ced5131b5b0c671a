"""Writing a fixed file: in one step, with its mode and encoding, and never over somebody else's change."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


class Refused(Exception):
    """The file was not written; the message is one line."""


def replace_file(path: Path, before: bytes, text: str, encoding: str) -> None:
    """Put `text` in the place of a file that held `before`; a link keeps pointing at the file that it names.

    Raises `Refused` if the file has changed since, or cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError as error:
        raise Refused(
            f"the fixed text cannot be written in the file's encoding ({error.reason}); nothing written"
        ) from None
    temporary = ""
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        if not os.access(target, os.W_OK):
            raise Refused("is read-only; nothing written")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        if target.read_bytes() != before:
            raise Refused("has changed while it was being fixed; nothing written, run the fix again")
        Path(temporary).replace(target)
        temporary = ""
    except OSError as error:
        raise Refused(f"cannot be written: {(error.strerror or str(error)).lower()}") from None
    finally:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink()
