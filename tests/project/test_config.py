"""The project's configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from secondpass.findings import FileError, Severity
from secondpass.project.config import Configurations, from_mapping
from secondpass.settings import Budget, Settings

CODES = ("SP101", "SP102", "SP201", "SP301", "SP900")


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def problems_of(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[FileError]:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "secondpass.toml", text)
    configurations = Configurations(CODES)
    configurations.of(tmp_path / "a.py")
    configurations.of(tmp_path / "b.py")
    return configurations.problems


def test_every_key_of_pyproject(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml",
        """
        [tool.secondpass]
        select = ["SP1", "sp301"]
        ignore = ["SP102"]
        exclude = ["build/", "*_pb2.py"]
        severity = {SP301 = "error", sp2 = "hint"}
        [tool.secondpass.budget]
        turns = 3
        steps = 100
        """,
    )
    configurations = Configurations(CODES)
    assert configurations.of(tmp_path / "deep" / "er" / "a.py") == Settings(
        select=("SP1", "SP301"),
        ignore=("SP102",),
        exclude=("build/", "*_pb2.py"),
        severity={"SP301": Severity.ERROR, "SP2": Severity.HINT},
        budget=Budget(turns=3, steps=100),
        root=tmp_path,
    )
    assert configurations.problems == []


def test_the_nearest_file_counts_and_only_that(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.secondpass]\nselect = ["SP1"]\n')
    write(tmp_path / "a" / "pyproject.toml", "[tool.other]\nx = 1\n")
    write(tmp_path / "a" / "b" / "secondpass.toml", 'ignore = ["SP2"]\n')
    write(tmp_path / "a" / "b" / "pyproject.toml", '[tool.secondpass]\nignore = ["SP3"]\n')
    configurations = Configurations(CODES)
    assert configurations.of(tmp_path / "a" / "x.py").select == ("SP1",)
    inner = configurations.of(tmp_path / "a" / "b" / "c" / "x.py")
    assert (inner.select, inner.ignore, inner.root) == ((), ("SP2",), tmp_path / "a" / "b")
    assert configurations.of(tmp_path / "a") == configurations.of(tmp_path)


def test_a_named_file_is_used_for_everything(tmp_path: Path) -> None:
    chosen = write(tmp_path / "other.toml", 'ignore = ["SP2"]\n')
    write(tmp_path / "a" / "secondpass.toml", 'ignore = ["SP3"]\n')
    assert Configurations(CODES, chosen).of(tmp_path / "a" / "x.py").ignore == ("SP2",)
    missing = Configurations(CODES, tmp_path / "missing.toml")
    missing.of(tmp_path)
    assert [problem.message for problem in missing.problems] == ["cannot be read: no such file or directory"]


def test_a_relative_path_is_looked_up_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "secondpass.toml", 'ignore = ["SP2"]\n')
    write(tmp_path / "sub" / "x.py", "")
    monkeypatch.chdir(tmp_path / "sub")
    assert Configurations(CODES).of(Path("x.py")).ignore == ("SP2",)
    assert Configurations(CODES).of(Path()).ignore == ("SP2",)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('\nselct = ["SP1"]', 2, "unknown key `selct`; did you mean `select`?"),
        (
            "colour = 1",
            1,
            "unknown key `colour`; known are `select`, `ignore`, `exclude`, `per-file-ignores`, `severity`, `budget`",
        ),
        ('select = [\n  "SP1",\n  "SP1O1"]', 3, "unknown rule `SP1O1`; did you mean `SP101`? (in `select`)"),
        ('ignore = [""]', 1, "unknown rule ``; known are `SP101`, `SP102`, `SP201`, `SP301`, `SP900` (in `ignore`)"),
        ('select = "SP1"', 1, "`select` must be a list of strings, not a string"),
        ("exclude = [1]", 1, "`exclude` must be a list of strings, not a list with a number in it"),
        ("severity = 3", 1, "`severity` must be a table of code = level, not a number"),
        ('[severity]\nSP101 = "eror"', 2, "severity of `SP101` must be a level, not `eror`; did you mean `error`?"),
        ('[severity]\nSP191 = "error"', 2, "unknown rule `SP191`; did you mean `SP101`? (in `severity`)"),
        ("budget = []", 1, "`budget` must be a table of numbers, not a list"),
        ("[budget]\ntrns = 3", 2, "unknown key `budget.trns`; did you mean `turns`?"),
        ("[budget]\nturns = 0", 2, "`budget.turns` must be a whole number from 1, not 0"),
        ("[budget]\nturns = true", 2, "`budget.turns` must be a whole number from 1, not true or false"),
        ('[budget]\nturns = "3"', 2, "`budget.turns` must be a whole number from 1, not a string"),
        ("select = [", 1, "is not valid TOML: "),
        ("a = 1\nb = = 2\n", 2, "is not valid TOML: invalid value"),
    ],
)
def test_what_is_wrong_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, line: int, message: str
) -> None:
    problems = problems_of(tmp_path, text, monkeypatch)
    assert len(problems) == 1
    assert (problems[0].path, problems[0].line) == ("secondpass.toml", line)
    assert problems[0].message == message or (message.startswith("is not") and problems[0].message.startswith(message))
    assert "\n" not in problems[0].message


def test_the_rest_of_a_file_with_a_fault_still_counts(tmp_path: Path) -> None:
    write(tmp_path / "secondpass.toml", 'selct = 1\nignore = ["SP9999", "SP2"]\nbudget = {turns = 5, depth = -1}\n')
    configurations = Configurations(CODES)
    settings = configurations.of(tmp_path)
    assert settings.ignore == ("SP2",) and settings.budget == Budget(turns=5)
    assert len(configurations.problems) == 3


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secondpass.toml").write_bytes(b"x = '\xff'")
    write(tmp_path / "big" / "pyproject.toml", "# secondpass\n" * 100_000)
    write(tmp_path / "table" / "pyproject.toml", "[tool]\nsecondpass = 1\n")
    (tmp_path / "mark").mkdir()
    (tmp_path / "mark" / "secondpass.toml").write_bytes(b"\xef\xbb\xbfignore = ['SP2']")
    configurations = Configurations(CODES)
    assert configurations.of(tmp_path).root == tmp_path
    configurations.of(tmp_path / "big")
    configurations.of(tmp_path / "table")
    assert configurations.of(tmp_path / "mark").ignore == ("SP2",)
    assert [problem.message for problem in configurations.problems] == [
        "is not UTF-8 text",
        "is larger than 1 MB",
        "`tool.secondpass` must be a table, not a number",
    ]


def test_an_editors_settings_are_read_the_same_way() -> None:
    settings, problems = from_mapping({"select": ["SP1"], "budget": {"turns": 2}, "trace": True}, CODES)
    assert settings == Settings(select=("SP1",), budget=Budget(turns=2))
    assert [key for key, _ in problems] == ["trace"]
