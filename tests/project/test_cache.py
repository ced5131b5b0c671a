"""The index of earlier runs: it is used, never believed too long, and no trouble with it is the check's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from secondpass import check_paths
from secondpass.findings import Report
from secondpass.project import batch, cache
from secondpass.project.kept import packed, unpacked
from secondpass.settings import Settings

from .test_modules import MAIN, MODEL, TRAINER, write

CUT = TRAINER.format(cut=".detach()")
KEEPS = TRAINER.format(cut="")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / "cache")
    folder = tmp_path / "project"
    main = MAIN.format(package="lib.", every=1)
    write(folder, {"main.py": main, "lib/model.py": MODEL, "lib/trainer.py": CUT, "other.py": "import torch\n"})
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that are really checked."""
    seen: list[str] = []
    real = batch.check_file

    def check_file(path: Path, *more: object) -> object:
        seen.append(str(path))
        return real(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(batch, "check_file", check_file)
    yield seen


def check(settings: Settings | None = None) -> Report:
    return check_paths(["."], settings, jobs=1, cached=True)


def index(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "cache").iterdir()
    return file


def test_what_has_not_changed_is_not_checked_again(checked: list[str]) -> None:
    first = check()
    assert sorted(checked) == ["lib/model.py", "lib/trainer.py", "main.py", "other.py"]
    checked.clear()
    assert check() == first
    assert checked == []


def test_findings_come_back_as_they_were(project: Path, checked: list[str]) -> None:
    write(
        project, {"lib/trainer.py": KEEPS, "odd.py": "import torch\ndef (", "mute.py": "# secondpass: ignore[SP101]\n"}
    )
    first = check()
    assert first.findings and first.errors
    checked.clear()
    assert check() == first
    assert checked == []
    assert unpacked(json.loads(json.dumps(packed(first)))) == first


def test_a_change_in_an_imported_file_is_seen(project: Path, checked: list[str]) -> None:
    assert not check().findings
    checked.clear()
    write(project, {"lib/trainer.py": KEEPS})
    assert [f.rule for f in check().findings] == ["SP101"]
    assert sorted(checked) == ["lib/trainer.py", "main.py"]


def test_a_file_that_comes_or_goes_where_an_import_looked_is_seen(project: Path, checked: list[str]) -> None:
    check()
    checked.clear()
    # beside main.py, a package comes before the namespace folder `lib` of that name
    write(project, {"lib/__init__.py": "", "lib/trainer/__init__.py": KEEPS})
    assert ["lib/trainer/__init__.py" in {step.span.path for step in f.witness} for f in check().findings][:1] == [True]
    assert "main.py" in checked and "other.py" not in checked
    (project / "lib/trainer/__init__.py").unlink()
    assert not check().findings


def test_the_same_size_and_time_do_not_hide_a_change(project: Path) -> None:
    check()
    trainer = project / "lib/trainer.py"
    state = trainer.stat()
    trainer.write_text(CUT.replace(".detach()", "[:, :]   "), encoding="utf-8")
    os.utime(trainer, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert trainer.stat().st_size == state.st_size
    assert [f.rule for f in check().findings] == ["SP101"]


def test_other_settings_have_an_index_of_their_own(project: Path) -> None:
    write(project, {"lib/trainer.py": KEEPS})
    assert check().findings
    assert not check(Settings(ignore=("SP101",))).findings
    assert check().findings


def test_another_version_throws_it_away(checked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    check()
    checked.clear()
    monkeypatch.setattr("secondpass.__version__", "0.0.9")
    check()
    assert len(checked) == 4


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[" * 100_000,
        lambda text: "null",
        lambda text: text.replace('"files"', '"fils"'),
        lambda text: text.replace('"main.py": [', '"main.py": [7, '),
        lambda text: text.replace("[[1, ", "[[999, ").replace(", [0, ", ", [999, ").replace(", [1, ", ", [999, "),
        lambda text: text.replace('"main.py": [', '"main.py": [[1, 2], [0], []], "x": ['),
        lambda text: text.replace('"error"', '"loud"'),
    ],
)
def test_a_broken_index_counts_as_none(project: Path, tmp_path: Path, spoil: object) -> None:
    write(project, {"lib/trainer.py": KEEPS})
    first = check()
    file = index(tmp_path)
    spoiled = spoil(file.read_text(encoding="utf-8"))  # type: ignore[operator]
    assert spoiled != file.read_text(encoding="utf-8")
    file.write_text(spoiled, encoding="utf-8")
    assert check() == first


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    assert check() == check_paths(["."], jobs=1)


def test_a_fault_of_ours_is_not_kept(checked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("secondpass.engine.check_source", fail)
        assert "internal fault" in check().errors[0].message
    assert not check().errors


def test_the_room_that_all_take_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    check()
    size = index(tmp_path).stat().st_size
    monkeypatch.setattr(cache, "BYTES", 3 * size)
    for iteration in range(6):
        old = sorted((tmp_path / "cache").iterdir())
        for file in old:
            os.utime(file, (1_000 + iteration, 1_000 + iteration))
        check(Settings(ignore=(f"SP20{iteration}",)))
    assert len(list((tmp_path / "cache").iterdir())) <= 3
    monkeypatch.setattr(cache, "ENTRIES", 5)
    for iteration in range(4):
        write(project, {f"new_{iteration}.py": "import torch\n"})
        check_paths([f"new_{iteration}.py", "other.py"], jobs=1, cached=True)
    kept = [json.loads(file.read_text(encoding="utf-8"))["entries"] for file in (tmp_path / "cache").iterdir()]
    assert max(map(len, kept)) <= 5


def test_two_processes_at_once(project: Path, tmp_path: Path) -> None:
    write(project, {f"part_{i}.py": f"import torch\nfrom lib.trainer import Trainer\nx = {i}\n" for i in range(30)})
    write(project, {"lib/trainer.py": KEEPS})
    program = (
        "import sys; from pathlib import Path\n"
        "from secondpass.project import cache; from secondpass import check_paths\n"
        "cache._folder = lambda: Path(sys.argv[1])\n"
        "for iteration in range(8):\n"
        "    Path(f'own_{sys.argv[2]}.py').write_text(f'import torch\\nx = {iteration}\\n')\n"
        "    found = check_paths(['.'], jobs=1, cached=True).findings\n"
        "    assert [f.rule for f in found] == ['SP101'], found\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "cache"), str(i)], stderr=subprocess.PIPE)
        for i in range(3)
    ]
    for run in runs:
        _, told = run.communicate(timeout=120)
        assert run.returncode == 0, told.decode()
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".json"]
    before = time.process_time()
    assert [f.rule for f in check().findings] == ["SP101"]
    assert time.process_time() - before < 5
