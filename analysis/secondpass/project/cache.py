"""What earlier runs found, kept on disk for the next: a file is checked again only if something that had a say changed.

One index for each folder that checks are started from and each set of settings, in the platform's folder for caches.
An entry holds for the very bytes of the file, of the files it read through imports, and for the names in the folders in
which it looked for some. An index of another version of secondpass, or one that cannot be read, counts as none. It is
written beside and moved into place, so that two runs at once cost each other entries at worst.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from secondpass.findings import Report
from secondpass.project.kept import packed, unpacked
from secondpass.project.shared import Shared, digest
from secondpass.settings import Settings

ENTRIES = 20_000
"""Most files of one index; beyond, only those of the last run are kept."""
BYTES = 64_000_000
"""All indices together take no more room: those used longest ago go first."""


@dataclass(slots=True)
class Entry:
    """One file's report, and the digests of all that it hangs on, the file itself included."""

    report: Any
    """As `kept.packed` makes it."""
    files: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)


class Cache:
    """The index for checks with these settings from the current folder. No failure of the disk is one of the check."""

    def __init__(self, settings: Settings, folder: Path | None = None) -> None:
        self.folder = folder or _folder()
        self._file = self.folder / f"{digest(repr((str(Path.cwd()), settings)).encode('utf-8', 'surrogatepass'))}.json"
        self._now = Shared()
        self._made_by = _made_by()
        self._entries = self._load()
        self._ours: dict[str, Entry] = {}
        self._new = False

    def report(self, path: str) -> Report | None:
        """What was found in a file, if nothing that had a say in it has changed."""
        entry = self._entries.get(path)
        if entry is None or path not in entry.files or not self._holds(entry):
            return None
        try:
            found = unpacked(entry.report)
        except (TypeError, ValueError, LookupError, AttributeError):
            return None
        self._ours[path] = entry
        return found

    def keep(self, path: str, report: Report, files: dict[str, str], folders: dict[str, str]) -> None:
        self._ours[path] = Entry(packed(report), files, folders)
        self._new = True

    def save(self) -> None:
        """Write the index, with what another run has put there meanwhile, and keep the folder in bounds."""
        with contextlib.suppress(OSError, ValueError):
            if not self._new:
                os.utime(self._file)
                return
            entries = {**self._load(), **self._ours}
            if len(entries) > ENTRIES:
                entries = self._ours
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".new")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    out.write(_written(entries, self._made_by))
                Path(name).replace(self._file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._bound()

    def _holds(self, entry: Entry) -> bool:
        return all(self._now.digest(path) == was for path, was in entry.files.items()) and all(
            self._now.listing(path) == was for path, was in entry.folders.items()
        )

    def _load(self) -> dict[str, Entry]:
        try:
            index = json.loads(self._file.read_bytes())
            if index["made by"] != self._made_by:
                return {}
            files, folders = index["files"], index["folders"]
            return {
                path: Entry(report, dict(files[i] for i in mine), dict(folders[i] for i in searched))
                for path, (report, mine, searched) in index["entries"].items()
            }
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return {}

    def _bound(self) -> None:
        left = BYTES
        for file, size in sorted(self._sizes(), key=lambda one: -one[0].stat().st_mtime):
            left -= size
            if left < 0 and file != self._file:
                file.unlink(missing_ok=True)

    def _sizes(self) -> Iterator[tuple[Path, int]]:
        for file in self.folder.iterdir():
            yield file, file.stat().st_size


def _folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("secondpass", appauthor=False))


def _made_by() -> str:
    """This very secondpass, on this very Python: its version, and when its files were last changed."""
    from secondpass import __version__

    home = Path(__file__).parent.parent
    stamps = []
    for folder, _, names in sorted(os.walk(home)):
        for name in sorted(names):
            if name.endswith(".py"):
                state = Path(folder, name).stat()
                stamps.append((folder, name, state.st_mtime_ns, state.st_size))
    return digest(repr((__version__, sys.version, stamps)).encode("utf-8", "surrogatepass"))


def _written(entries: dict[str, Entry], made_by: str) -> str:
    """The index as text. Most files hang on the same few: each digest is written once."""
    files: dict[tuple[str, str], int] = {}
    folders: dict[tuple[str, str], int] = {}
    listed = {
        path: (
            entry.report,
            [files.setdefault(one, len(files)) for one in entry.files.items()],
            [folders.setdefault(one, len(folders)) for one in entry.folders.items()],
        )
        for path, entry in entries.items()
    }
    return json.dumps({"made by": made_by, "files": list(files), "folders": list(folders), "entries": listed})
