"""The other files of a project, as the program that is checked imports them.

A name is looked for where Python would find it when the checked file is run: beside that file, beside the importer, in
the folders above up to the project's root, and in a `src` folder there. Only what is imported is read; each file is
parsed once, compiled once for a machine, and run at its first import of every run. Nothing of the project is executed.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from secondpass.machine.compiler.core import Compiler, Scope
from secondpass.machine.machine import Frame, Machine
from secondpass.machine.values import MISSING, Module, Raised, V
from secondpass.project.callers import ends_each_iteration, trains
from secondpass.project.roots import folders
from secondpass.project.shared import Shared
from secondpass.project.summary import Summary
from secondpass.source.errors import SourceError
from secondpass.source.source import Source, parse

NEST = 12
"""Deepest chain of imports that is followed."""
MOST = 90
"""Most files of the project that one check parses."""
ACTING = 12
"""Most of them for what their import does: names that are used must not lack their files for it."""
MANY = 300
"""Most files of the project that are searched for the callers of a module."""


class Project:
    """The files around one checked file. `texts` holds unsaved text of open files by path."""

    def __init__(self, path: str, texts: Mapping[str, str] | None = None, shared: Shared | None = None) -> None:
        self.main = path
        self.texts = texts or {}
        self.shared = shared or Shared()
        self.folders = folders(Path(path))
        self.sources: dict[str, Source | None] = {}
        self.read: dict[str, str | None] = {}
        self._found: dict[tuple[str, int, str], str | None] = {}
        self._summaries: dict[str, Summary] = {}
        self._anew: dict[tuple[str, frozenset[str], frozenset[str]], bool] = {}
        self._acting: dict[str, bool] = {}
        # What was asked of the disk, and what it answered.
        self._files: dict[str, bool] = {}
        self._folders: dict[str, tuple[str, ...]] = {}
        self._stamps: dict[str, tuple[int, int]] = {}

    def still(self, texts: Mapping[str, str]) -> bool:
        """Whether all that was read, or looked for in vain, is still as it was; `texts` is the unsaved text by now."""
        asked = {*self._files, *self.read, *self.sources}
        if (
            any(texts.get(path) != self.texts.get(path) for path in {*texts, *self.texts} & asked)
            or any(os.path.isfile(path) != was for path, was in self._files.items())
            or any(_stamp(path) != was for path, was in self._stamps.items())
        ):
            return False
        self.texts = texts
        return True

    def searched(self) -> set[str]:
        """The folders whose contents had a say in what was found."""
        return {*map(os.path.dirname, self._files), *self._folders, *self.folders}

    # --- finding ------------------------------------------------------------------------------------------------

    def find(self, name: str, level: int, importer: str) -> str | None:
        """The path of a module's file, as a person would write it from where they stand; None if it is not ours."""
        asked = (name, level, importer)
        if asked not in self._found:
            self._found[asked] = self._find(name, level, importer)
        return self._found[asked]

    def _find(self, name: str, level: int, importer: str) -> str | None:
        parts = [p for p in name.split(".") if p]
        if level:
            folder = os.path.dirname(importer)
            for _ in range(level - 1):
                folder = os.path.dirname(os.path.abspath(folder or ".")) if not folder else os.path.dirname(folder)
            return self._file(folder, parts)
        if not parts or (parts[0] in sys.stdlib_module_names or parts[0] in FOREIGN):
            return None
        beside = os.path.dirname(importer)
        for folder in dict.fromkeys([os.path.dirname(self.main), beside, *self.folders, *self._put(importer)]):
            found = self._file(folder, parts)
            if found is not None and found != os.path.normpath(self.main):
                return found
        return None

    def _put(self, importer: str) -> list[str]:
        """The folders that the checked file or the importer puts on `sys.path`."""
        return [*self.summary(self.main).puts, *(self.summary(importer).puts if importer != self.main else ())]

    def _file(self, folder: str, parts: list[str]) -> str | None:
        base = os.path.normpath(os.path.join(folder, *parts))
        # As Python does: a package before a module of the same name. A package itself is no module beside its folder.
        for candidate in (os.path.join(base, "__init__.py"), *([f"{base}.py"] if parts else [])):
            candidate = os.path.normpath(candidate)
            self._files[candidate] = self.shared.is_file(candidate)
            if candidate in self.texts or self._files[candidate]:
                return candidate
        if parts and any(name.endswith(".py") for name in self._list(base)):
            # A namespace package: a folder of modules without an __init__.py.
            return base
        return None

    def source(self, path: str) -> Source | None:
        """A file of the project, parsed; None if it cannot be."""
        if path in self.sources:
            return self.sources[path]
        self.sources[path] = None
        text = self.text(path)
        if text is not None and len(self.sources) <= MOST:
            with contextlib.suppress(SourceError):
                self.sources[path] = parse(text, path) if path in self.texts else self.shared.source(path)
        return self.sources[path]

    def text(self, path: str) -> str | None:
        """The text of a file, unsaved or from disk; None if it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        if path not in self.read:
            self.read[path] = None
            if not os.path.isdir(path):
                self._stamps[path] = _stamp(path)
                with contextlib.suppress(SourceError):
                    self.read[path] = self.shared.text(path)
        return self.read[path]

    def mentions(self, pattern: str) -> bool:
        """Whether another file beside the checked one holds this pattern."""
        folder = os.path.dirname(self.main) or "."
        wanted = re.compile(pattern)
        for name in self._list(folder)[:MOST]:
            path = os.path.normpath(os.path.join(os.path.dirname(self.main), name))
            if name.endswith(".py") and path != os.path.normpath(self.main):
                text = self.text(path)
                if text is not None and wanted.search(text):
                    return True
        return False

    def summary(self, path: str) -> Summary:
        """What a file's text says of it; that of one that cannot be read says nothing."""
        text = self.text(path)
        if path in self.texts or text is None:
            if path not in self._summaries:
                self._summaries[path] = Summary(text or "", path)
            return self._summaries[path]
        return self.shared.summary(text, path)

    def starts_anew(self, cls: str, methods: set[str], attributes: set[str]) -> bool:
        """Whether another file makes such a module where it trains, or ends in each iteration what it keeps."""
        asked = cls, frozenset(methods), frozenset(attributes)
        if asked not in self._anew:
            self._anew[asked] = self._starts_anew(cls, methods, attributes)
        return self._anew[asked]

    def _starts_anew(self, cls: str, methods: set[str], attributes: set[str]) -> bool:
        names = "|".join(map(re.escape, sorted(methods))) or "(?!)"
        stored = "|".join(map(re.escape, sorted(attributes))) or "(?!)"
        ends = re.compile(rf"\.(?:{names})\(|\.(?:{stored})\s*=(?!=)")
        makes = re.compile(rf"\b{re.escape(cls)}\(")
        for path in self._near():
            text = self.text(path)
            if text is None:
                continue
            if (makes.search(text) and trains(text)) or (
                ends.search(text) and ends_each_iteration(text, methods, attributes)
            ):
                return True
        return False

    def _near(self) -> list[str]:
        """The other files of the project, from its top folder down."""
        here = os.path.normpath(self.main)
        folders = [f for f in self.folders if os.path.basename(f) != "src"]
        marked = len(folders) < len(self.folders)
        todo = [folders[-1] if marked else folders[min(1, len(folders) - 1)]]
        found: list[str] = []
        while todo and len(found) < MANY:
            folder = todo.pop(0)
            for name in self._list(folder or "."):
                path = os.path.normpath(os.path.join(folder, name))
                if name.endswith(".py"):
                    found += [path] if path != here else []
                elif not name.startswith((".", "__")) and "." not in name and os.path.isdir(path):
                    todo.append(path)
        return found

    def _list(self, folder: str) -> tuple[str, ...]:
        if folder not in self._folders:
            self._stamps[folder] = _stamp(folder)  # which moves on when something is put in or taken out
            self._folders[folder] = _listed(folder)
        return self._folders[folder]

    # --- running ------------------------------------------------------------------------------------------------

    def load(self, m: Machine, name: str, level: int, importer: str) -> V:
        """The module of that name, run; MISSING for one that is not of the project."""
        path = self.find(name, level, importer)
        if path is None:
            return MISSING
        module = self._run(m, path, name)
        if level == 0 and "." in name:
            self._attach(m, name, module, importer)
        return module

    def act(self, m: Machine, name: str, level: int, importer: str) -> None:
        """Run what an import is for, where that is what a file does when it is imported: it registers, hooks, sets."""
        if not self.summary(self.main).is_script:
            return
        parts = name.split(".") if name else []
        for count in range(1 if parts else 0, len(parts) + 1):
            part = ".".join(parts[:count])
            path = self.find(part, level, importer)
            if path is not None and len(self.sources) < ACTING and self._acts(path):
                # It is run for what it brings along; the budget is the program's own.
                steps = m.steps
                self._run(m, path, part)
                m.steps = steps

    def _acts(self, path: str) -> bool:
        """Whether a file's import does something, or that of a part which a package imports."""
        if path not in self._acting:
            self._acting[path] = False
            asked = self.summary(path)
            self._acting[path] = asked.acts or (
                path.endswith("__init__.py") and any(self._acts(part) for part in self._parts(asked))
            )
        return self._acting[path]

    def _parts(self, package: Summary) -> list[str]:
        """The files that a package imports from itself."""
        found = [self.find(name, level, package.path) for name, level in package.imports if level]
        return [path for path in found if path is not None]

    def _run(self, m: Machine, path: str, name: str) -> Module:
        loaded: dict[str, Module] = m.state.setdefault("modules", {})
        found = loaded.get(path)
        if found is not None:
            # A module that imports itself in a circle sees what there is of it so far.
            return found
        m.lasting()
        vars: dict[str, V] = {"__name__": name, "@path": path}
        module = loaded[path] = Module(name, vars)
        depth = m.state.get("importing", 0)
        source = self.source(path)
        if source is None or depth >= NEST:
            if not os.path.isdir(path):
                m.cut(self._why_unread(path, depth), m.site)
            return module
        body = m.compiled.get(path)
        if body is None:
            body = m.compiled[path] = Compiler(m, source).block(source.tree.body, Scope())
        m.state["importing"] = depth + 1
        iterations, chain, mode, trying = m.iterations, m.chain, m.grad_mode, m.trying
        m.iterations, m.chain, m.grad_mode, m.trying = (), None, True, 0
        try:
            body(Frame(vars, None, vars))
        except Raised:
            m.cut(f"{path} stops before its end", m.site)
        finally:
            m.iterations, m.chain, m.grad_mode, m.trying = iterations, chain, mode, trying
            m.state["importing"] = depth
        return module

    def _why_unread(self, path: str, depth: int) -> str:
        if self.text(path) is None:
            return f"{path} could not be read"
        if depth >= NEST:
            return f"{path} is imported through more than {NEST} files"
        return (
            f"{path} is beyond the {MOST} files that one check parses"
            if len(self.sources) > MOST
            else (f"{path} cannot be parsed")
        )

    def _attach(self, m: Machine, name: str, module: Module, importer: str) -> None:
        """`import a.b`: `b` is found as an attribute of `a`."""
        outer, _, last = name.rpartition(".")
        path = self.find(outer, 0, importer)
        if path is not None:
            self._run(m, path, outer).vars.setdefault(last, module)


def _listed(folder: str) -> tuple[str, ...]:
    """The names in a folder; none if there is no such folder."""
    try:
        return tuple(sorted(os.listdir(folder)))
    except OSError:
        return ()


def _stamp(path: str) -> tuple[int, int]:
    """When a file was changed last (nanoseconds), and its size; zeros for one that is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


FOREIGN = frozenset(
    (
        *("torch", "torchvision", "numpy", "lightning", "pytorch_lightning", "accelerate", "transformers", "ignite"),
        *("deepspeed", "fastai", "gpytorch", "skorch", "snntorch", "spikingjelly"),
    )
)
"""Packages that are never a project's own, whatever lies beside the file."""
