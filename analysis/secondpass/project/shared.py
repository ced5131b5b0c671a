"""What the checks of one run have in common: each file around them is read and parsed once, and compiled once.

Nothing of what one check found out is seen by another: shared are texts, trees, compiled code and the answers of the
file system, and the machine only because compiled code belongs to one. What was used longest ago is let go of first.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
from collections import OrderedDict
from pathlib import Path

from secondpass.machine.machine import Machine
from secondpass.project.roots import MARKS
from secondpass.project.summary import Summary
from secondpass.source.decode import decode, read_bytes
from secondpass.source.errors import SourceError
from secondpass.source.source import Source, parse

KEPT = 2_000_000
"""Characters of parsed text kept between two checks (a tree and its compiled code take some sixty times as much)."""
MISSING = ""
"""The digest of what is not there or cannot be read."""


class Shared:
    """Files of one run; `settle` is called between two checks."""

    def __init__(self) -> None:
        self.digests: dict[str, str] = {}
        """A digest of the bytes of every file read, by path."""
        self._texts: OrderedDict[str, str | SourceError] = OrderedDict()
        self._sources: OrderedDict[str, Source | SourceError] = OrderedDict()
        self._files: dict[str, bool] = {}
        self._summaries: dict[str, Summary] = {}
        self._listings: dict[str, str] = {}
        self._machine: Machine | None = None
        self._dropped = 0

    def is_file(self, path: str) -> bool:
        found = self._files.get(path)
        if found is None:
            found = self._files[path] = os.path.isfile(path)
        return found

    def digest(self, path: str) -> str:
        """A digest of a file's bytes now, without a look at them."""
        if path not in self.digests:
            self.digests[path] = MISSING
            with contextlib.suppress(SourceError):
                self.digests[path] = digest(read_bytes(Path(path)))
        return self.digests[path]

    def text(self, path: str) -> str:
        """The text of a file; raises `SourceError` if it cannot be read."""
        found = self._texts.get(path)
        if found is None:
            self.digests[path] = MISSING
            try:
                data = read_bytes(Path(path))
                self.digests[path] = digest(data)
                found, _ = decode(data, path)
            except SourceError as error:
                found = error
            self._texts[path] = found
        else:
            self._texts.move_to_end(path)
        if isinstance(found, SourceError):
            raise found
        return found

    def source(self, path: str) -> Source:
        """A Python file, parsed; raises `SourceError` if it cannot be."""
        found = self._sources.get(path)
        if found is None:
            try:
                found = parse(self.text(path), path)
            except SourceError as error:
                found = error
            self._sources[path] = found
        else:
            self._sources.move_to_end(path)
        if isinstance(found, SourceError):
            raise found
        return found

    def summary(self, text: str, path: str) -> Summary:
        """What a file's text says of it; asked once for all checks of a run."""
        found = self._summaries.get(path)
        if found is None or found.text is not text:
            found = self._summaries[path] = Summary(text, path)
        return found

    def listing(self, folder: str) -> str:
        """A digest of what an import could find in a folder: its Python files and its folders, by name."""
        found = self._listings.get(folder)
        if found is None:
            found = self._listings[folder] = list_modules(folder)
        return found

    def machine(self, fresh: Machine) -> Machine:
        """The machine for the next run: the one that the last checks ran on, or `fresh` if it has another budget."""
        if self._machine is None or self._machine.budget != fresh.budget:
            self._machine = fresh
        return self._machine

    def forget_machine(self) -> None:
        """Run no other check on a machine that a fault of ours has left in the middle of something."""
        self._machine = None

    def settle(self) -> bool:
        """End a check: let go of what was used longest ago, beyond what may be kept.

        Whether that has become so much that it is time to look for all that hangs together in circles.
        """
        if self._machine is not None:
            self._machine.reset({})
        for source in self._sources.values():
            if isinstance(source, Source):
                source.__dict__.pop("suppressions", None)  # which of them were needed is a matter of one check
        kept = sum(len(one.text) for one in self._sources.values() if isinstance(one, Source))
        while kept > KEPT:
            path, source = self._sources.popitem(last=False)
            self._texts.pop(path, None)
            self._summaries.pop(path, None)
            if isinstance(source, Source):
                kept -= len(source.text)
                self._dropped += len(source.text)
                self._release(source)
        kept = sum(len(one) for one in self._texts.values() if isinstance(one, str))
        while kept > 2 * KEPT:
            path, text = self._texts.popitem(last=False)
            self._summaries.pop(path, None)
            kept -= len(text) if isinstance(text, str) else 0
        full = self._dropped > KEPT
        if full:
            self._dropped = 0
        return full

    def _release(self, source: Source) -> None:
        """Let go of a file. Its nodes point to it and it to them: without that circle counting references frees all."""
        if self._machine is not None:
            self._machine.compiled.pop(source.path, None)
        source.tree = ast.Module([], [])


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def list_modules(folder: str) -> str:
    names = []
    with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
        names = [e.name if e.name.endswith(".py") else f"{e.name}/" for e in entries if _counts(e)]
    return digest("\n".join(sorted(names)).encode("utf-8", "surrogatepass"))


def _counts(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name.endswith(".py") or name in MARKS or (name.isidentifier() and name != "__pycache__" and entry.is_dir())
