"""The command line run in this process, and an engine whose reports the tests make by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from secondpass.cli.main import main
from secondpass.findings import Report


@dataclass
class Run:
    status: int
    out: str
    err: str


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    def call(*arguments: str) -> Run:
        status = main(arguments)
        out, err = capfd.readouterr()
        return Run(status, out, err)

    return call


@dataclass
class Engine:
    """Stands in for `secondpass.engine`: answers with `report` (or raises `fault`) and keeps what it was asked."""

    report: Report = field(default_factory=Report)
    fault: BaseException | None = None
    asked: list[Any] = field(default_factory=list)

    def check_paths(self, paths: Sequence[str], settings: Any = None, **more: Any) -> Report:
        self.asked.append((list(paths), settings, more))
        if self.fault is not None:
            raise self.fault
        return self.report

    def check_text(self, text: str, path: str, settings: Any = None, **more: Any) -> Report:
        self.asked.append((text, path, settings, more))
        return self.report


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    stand_in = Engine()
    module = ModuleType("secondpass.engine")
    module.__dict__.update(check_paths=stand_in.check_paths, check_text=stand_in.check_text)
    monkeypatch.setitem(sys.modules, "secondpass.engine", module)
    return stand_in


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What the stand-in for `secondpass.fixes.apply.fix_paths` answers; `asked` is what it was asked."""
    given = SimpleNamespace(files=1, fixed=[], left=[], errors=[], asked=None)

    def fix_paths(paths: Sequence[str], settings: Any, **more: Any) -> SimpleNamespace:
        given.asked = (list(paths), more)
        return given

    module = ModuleType("secondpass.fixes.apply")
    module.__dict__["fix_paths"] = fix_paths
    monkeypatch.setitem(sys.modules, "secondpass.fixes.apply", module)
    return given
