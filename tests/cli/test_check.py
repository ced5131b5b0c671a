"""`secondpass check` around a given report: exit status, formats, and what is asked of the engine."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from secondpass.findings import FileError, Finding, Report, Severity, Span

from .conftest import Engine, Run
from .test_fix import SAFE


def finding(severity: Severity) -> Finding:
    return Finding("SP101", "carried-state", severity, Span("train.py", 1, 1, 1, 2), "`h` carries its graph")


@pytest.mark.parametrize(
    ("report", "status"),
    [
        (Report(files=1), 0),
        (Report(files=1, findings=[finding(Severity.ERROR)]), 1),
        (Report(files=1, findings=[finding(Severity.WARNING)]), 1),
        (Report(files=1, findings=[finding(Severity.INFORMATION)]), 0),
        (Report(files=1, findings=[finding(Severity.HINT)]), 0),
        (Report(files=1, errors=[FileError("old.py", 1, "Python 2")]), 0),
        (Report(files=0, errors=[FileError("old.py", 1, "Python 2")]), 2),
        (Report(files=0), 0),
    ],
)
def test_exit_status(report: Report, status: int, engine: Engine, run: Callable[..., Run]) -> None:
    engine.report = report
    assert run("check").status == status


def test_the_current_folder_is_checked_by_default(engine: Engine, run: Callable[..., Run]) -> None:
    run("check")
    (paths, settings, more) = engine.asked[0]
    assert paths == ["."]
    assert settings.select == () and more["jobs"] is None


def test_options_reach_the_engine(engine: Engine, run: Callable[..., Run]) -> None:
    ended = run("check", "a.py", "b", "--select", "SP1,sp203", "--ignore", "SP102", "--exclude", "old/", "--jobs", "2")
    (paths, settings, more) = engine.asked[0]
    assert paths == ["a.py", "b"]
    assert (settings.select, settings.ignore, settings.exclude) == (("SP1", "SP203"), ("SP102",), ("old/",))
    assert more["jobs"] == 2
    assert ended.status == 2, "neither path is there"


def test_configuration_holds_and_options_are_stronger(
    engine: Engine, run: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text('[tool.secondpass]\nselect = ["SP1"]\nignroe = ["SP107"]\n')
    ended = run("check", "--ignore", "SP103")
    settings = engine.asked[0][1]
    assert (settings.select, settings.ignore) == (("SP1",), ("SP103",))
    assert ended.err == "secondpass: pyproject.toml:3: unknown key `ignroe`; did you mean `ignore`?\n"
    run("check", "--select", "SP2")
    assert engine.asked[1][1].select == ("SP2",)


def test_standard_input(engine: Engine, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("x = 'é'\n".encode())))
    engine.report = Report(1, [finding(Severity.ERROR)])
    ended = run("check", "-", "--stdin-filename", "train.py")
    assert engine.asked[0][:2] == ("x = 'é'\n", "train.py")
    assert "1 | x = 'é'\n" in ended.out


def test_binary_standard_input(engine: Engine, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\x00\x01\xff\xfe" * 9)))
    ended = run("check", "-", "--output-format", "concise")
    assert ended.status == 2 and ended.out.startswith("<stdin>:1:1: error ") and ended.out.count("\n") == 1


def test_every_format_is_printed(engine: Engine, run: Callable[..., Run]) -> None:
    engine.report = Report(1, [finding(Severity.ERROR)])
    assert run("check").out.startswith("error[SP101]: `h` carries its graph\n --> train.py:1:1\n")
    assert run("check", "--output-format", "concise").out == "train.py:1:1: SP101 error `h` carries its graph\n"
    assert json.loads(run("check", "--output-format", "json").out)["files"] == 1
    assert json.loads(run("check", "--output-format", "sarif").out)["version"] == "2.1.0"
    assert run("check", "--output-format", "github").out.startswith("::error title=SP101 carried-state,file=train.py,")


def test_fixing_first_keeps_the_report_alone_on_stdout(
    engine: Engine, outcome: SimpleNamespace, run: Callable[..., Run], tmp_path: Path
) -> None:
    file = tmp_path / "train.py"
    file.write_text("x = 1\n")
    engine.report = Report(files=1)
    outcome.fixed = [SimpleNamespace(path="train.py", before="", after="", applied=[(finding(Severity.ERROR), SAFE)])]
    ended = run("check", str(file), "--fix", "--output-format", "json")
    assert ended.status == 0 and json.loads(ended.out)["files"] == 1
    assert ended.err == "fixed train.py:1:1 SP101: Walk once over the sum of losses\n"
    assert outcome.asked == ([str(file)], {"rules": (), "unsafe": False, "write": True, "choose": None})
