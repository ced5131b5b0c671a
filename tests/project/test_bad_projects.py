"""Projects that are broken or odd: a right answer, or one clear line, and never the end of the check."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from secondpass import check_paths
from secondpass.findings import Report

from .test_modules import MAIN, MODEL, TRAINER, told, write

GOOD = {"model.py": MODEL, "trainer.py": TRAINER.format(cut=""), "main.py": MAIN.format(package="", every=1)}
FOUND = [("SP101", "model.py", 12)]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, GOOD)
    monkeypatch.chdir(tmp_path)


def serious(report: Report) -> list[tuple[str, str, int]]:
    return [(f.rule, f.span.path, f.span.line) for f in report.findings if f.severity.serious]


def errors(report: Report) -> list[tuple[str, str]]:
    return [(error.path, error.message) for error in report.errors]


def test_imports_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, {"model.py": "from trainer import Trainer\n" + MODEL, "a.py": "import torch\nimport b\nb.f()\n"})
    write(tmp_path, {"b.py": "import torch\nimport c\nfrom a import *\ndef f(): return c.g()\n"})
    write(tmp_path, {"c.py": "import torch\nfrom b import f\ndef g():\n    torch.ones(1).backward()\n    return f()\n"})
    assert told(check_paths(["."])) == [("SP101", "model.py", 13)]


def test_a_module_that_is_missing_or_broken_costs_what_it_would_bring(tmp_path: Path) -> None:
    broken = "import torch\nimport nowhere\nfrom .far.away import x\nfrom torn import y\nfrom torn.inner import z\n"
    write(tmp_path, {"main.py": broken + GOOD["main.py"], "torn.py": "import torch\ndef f(:\n    ]]\n"})
    report = check_paths(["."])
    assert serious(report) == FOUND
    assert {path for path, _ in errors(report)} == {"torn.py"}


@pytest.mark.parametrize("name", ["random", "types", "logging", "torch", "numpy"])
def test_a_file_named_like_a_module_of_others(tmp_path: Path, name: str) -> None:
    # Python would take the file for the module, and such a program ends before its first line: it is believed to run.
    write(tmp_path, {f"{name}.py": "import torch\n", "main.py": f"import {name}\n" + GOOD["main.py"]})
    assert told(check_paths(["."])) == FOUND


def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "self.py").symlink_to("self.py")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "up").symlink_to(tmp_path / "a")
    write(tmp_path, {"main.py": "from again.again.model import Net\nimport self\nimport a.up.up\n" + GOOD["main.py"]})
    assert told(check_paths(["."])) == FOUND


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"import torch\n\xff\xfe\xfa", "is not UTF-8 text (byte 0xff); save it as UTF-8, or name its encoding"),
        (b"import torch\nx = '\0'\n", "is a binary file (it contains a NUL byte)"),
        ("import torch\n".encode("utf-16"), "is UTF-16 text, which Python does not read; save it as UTF-8"),
        (b"# coding: klingon\nimport torch\n", "unknown encoding: klingon"),
        (b"import torch\n" + b"#" * 10_000_001, "file of 10 MB looks generated (limit 10 MB); not checked"),
        (b"import torch\nx = " + b"(" * 5_000 + b")" * 5_000, ""),
    ],
)
def test_a_file_that_cannot_be_taken_for_text(tmp_path: Path, data: bytes, line: str) -> None:
    (tmp_path / "odd.py").write_bytes(data)
    write(tmp_path, {"main.py": "from odd import x\n" + GOOD["main.py"]})
    report = check_paths(["."])
    assert serious(report) == FOUND
    assert [path for path, _ in errors(report)] == ["odd.py"]
    assert line in report.errors[0].message


def test_files_of_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_bytes(b"# -*- coding: latin-1 -*-\n# \xe9\xe8\n" + MODEL.encode())
    (tmp_path / "trainer.py").write_bytes(b"\xef\xbb\xbf" + GOOD["trainer.py"].replace("\n", "\r\n").encode())
    assert told(check_paths(["."])) == [("SP101", "model.py", 14)]


def test_what_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "secret.py":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    write(tmp_path, {"secret.py": "import torch\n", "main.py": "from secret import x\n" + GOOD["main.py"]})
    report = check_paths(["."])
    assert serious(report) == FOUND
    assert errors(report) == [("secret.py", "cannot be read: permission denied")]


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    write(tmp_path, {"main.py": "import pipe\nimport folder\n" + GOOD["main.py"]})
    assert told(check_paths(["."])) == FOUND


def test_a_very_deep_tree_of_imports(tmp_path: Path) -> None:
    write(tmp_path, {f"m{i}.py": f"import torch\nfrom m{i + 1} import *\n" for i in range(200)})
    write(tmp_path, {"m200.py": "x = 1\n", "main.py": "from m0 import x\n" + GOOD["main.py"]})
    assert told(check_paths(["."])) == FOUND


def test_ten_thousand_files(tmp_path: Path) -> None:
    for i in range(100):
        folder = tmp_path / f"part{i}"
        folder.mkdir()
        for j in range(100):
            (folder / f"f{j}.py").write_text(f"x = {j}\n")
    start = time.process_time()
    report = check_paths(["."], jobs=1)
    assert serious(report) == FOUND
    assert report.files == 10_003
    assert time.process_time() - start < 20
