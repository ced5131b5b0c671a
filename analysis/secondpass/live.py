"""Files that are checked again and again while somebody types: the same findings as of a check, sooner.

What a check of the text before has parsed, compiled and run is used again where the new text cannot have changed it:
`source.changing` parses changed statements only, `machine.run.Program` runs again what went through changed functions,
`project.modules.Project` keeps the other files for as long as they are the same.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from secondpass.collecting import held_off
from secondpass.engine import check_source, check_text, concerned, project_of
from secondpass.findings import Report
from secondpass.settings import Settings

if TYPE_CHECKING:
    from secondpass.machine.run import Outcome, Program
    from secondpass.project.modules import Project
    from secondpass.source.changing import Changing

MOST = 4
"""How many files are kept at hand; those used least lately are let go."""


class Live:
    """The files that are being worked at."""

    def __init__(self) -> None:
        self._files: dict[str, File] = {}

    def check(
        self, text: str, path: str, settings: Settings | None = None, texts: Mapping[str, str] | None = None
    ) -> Report:
        """What `check_text` gives."""
        settings = settings or Settings()
        if path.endswith(".ipynb") or not concerned(text, path, lambda: project_of(path, texts)):
            return check_text(text, path, settings, texts)
        # A check that is broken off leaves a file half changed: it is back at hand only when it is through.
        file = self._files.pop(path, None)
        if file is None or file.settings != settings:
            file = File(path, settings)
        with held_off():
            report = file.check(text, texts or {})
        self._files[path] = file
        while len(self._files) > MOST:
            del self._files[next(iter(self._files))]
        return report


class File:
    """One file, with what is known of its last text."""

    def __init__(self, path: str, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self._changing: Changing | None = None
        self._project: Project | None = None
        self._program: Program | None = None
        # What changed since the program was run, which is not at every text.
        self._statements = True
        self._bodies: set[ast.AST] = set()

    def check(self, text: str, texts: Mapping[str, str]) -> Report:
        from secondpass.source.errors import SourceError

        report = Report(files=1)
        try:
            self._become(text)
        except SourceError as error:
            report.errors.append(error.error)
            return report
        assert self._changing is not None
        source = self._changing.source
        if self._project is None or not self._project.still(texts):
            project = project_of(source.path, texts)
            if project is not self._project:
                self._project, self._program = project, None
        check_source(source, self.settings, report, self._project, self._run)
        return report

    def _become(self, text: str) -> None:
        if self._changing is None:
            from secondpass.source.changing import Changing

            self._changing = Changing(text, self.path)
            return
        change = self._changing.become(text)
        self._statements = self._statements or change.statements
        self._bodies |= change.bodies

    def _run(self) -> Outcome:
        from secondpass.machine.run import Program
        from secondpass.pytorch.library import PyTorch

        assert self._changing is not None
        source = self._changing.source
        if self._program is None:
            self._program = Program(source, PyTorch(), self.settings.budget, self._project)
            self._statements = True
        outcome = self._program.run(source.tree, None if self._statements else self._bodies)
        self._statements, self._bodies = False, set()
        return outcome
