"""Which files are checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from secondpass.project.files import find
from secondpass.settings import Settings


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "b.py", "a.py", "n.ipynb", "w.pyw", "stub.pyi", "notes.txt", "pkg/z.py", "pkg/sub/y.py", "pkg/gen_pb2.py",
        ".hidden/h.py", ".venv/v.py", "venv/v.py", "env2/lib/e.py", "node_modules/m.py", "pkg/__pycache__/c.py",
        "lib/site-packages/s.py", ".dot.py", "pkg/.ipynb_checkpoints/n.ipynb", "docs/readme.md",
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "env2" / "pyvenv.cfg").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*paths: str, **settings: object) -> list[str]:
    found = find(paths, Settings(**settings) if settings else None)  # type: ignore[arg-type]
    assert found.problems == []
    return [str(path) for path in found.files]


EVERYTHING = [".dot.py", "a.py", "b.py", "n.ipynb", "w.pyw", "pkg/gen_pb2.py", "pkg/z.py", "pkg/sub/y.py"]


@pytest.mark.usefixtures("tree")
def test_a_folder_in_a_fixed_order_without_what_is_not_the_projects() -> None:
    assert names(".") == EVERYTHING


def test_paths_keep_the_form_they_were_given_in(tree: Path) -> None:
    assert names("pkg") == ["pkg/gen_pb2.py", "pkg/z.py", "pkg/sub/y.py"]
    assert names(str(tree / "pkg" / "sub")) == [str(tree / "pkg" / "sub" / "y.py")]
    assert names("pkg/../a.py") == ["pkg/../a.py"]


@pytest.mark.usefixtures("tree")
def test_each_file_once_in_the_order_given() -> None:
    assert names("pkg/z.py", "pkg", "./pkg/z.py", "a.py") == ["pkg/z.py", "pkg/gen_pb2.py", "pkg/sub/y.py", "a.py"]
    assert names("pkg", "pkg/sub") == names("pkg")


@pytest.mark.usefixtures("tree")
def test_named_files_and_folders_are_always_checked() -> None:
    assert names(".hidden/h.py", "notes.txt", "venv") == [".hidden/h.py", "notes.txt", "venv/v.py"]
    assert names("pkg/z.py", exclude=("*.py",)) == ["pkg/z.py"]


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("pattern", "gone"),
    [
        ("*_pb2.py", {"pkg/gen_pb2.py"}),
        ("pkg/", {"pkg/gen_pb2.py", "pkg/z.py", "pkg/sub/y.py"}),
        ("/sub", set()),
        ("sub", {"pkg/sub/y.py"}),
        ("pkg/*.py", {"pkg/gen_pb2.py", "pkg/z.py"}),
        ("**/y.py", {"pkg/sub/y.py"}),
        ("/*.ipynb", {"n.ipynb"}),
    ],
)
def test_exclude(pattern: str, gone: set[str]) -> None:
    assert set(EVERYTHING) - set(names(".", exclude=(pattern,))) == gone


def test_exclude_is_read_from_the_folder_of_the_configuration(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "pkg")
    assert names(".", exclude=("/pkg/sub",), root=tree) == ["gen_pb2.py", "z.py"]
    assert names("..", exclude=("/a.py", "!/a.py", "b.py"), root=tree) == [
        f"../{name}" for name in EVERYTHING if name != "b.py"
    ]
    rest = [str(tree / name) for name in EVERYTHING if name != "pkg/sub/y.py"]
    assert names(str(tree), exclude=("*.py",), root=tree / "pkg" / "sub") == rest


def test_links(tree: Path) -> None:
    (tree / "pkg" / "up").symlink_to(tree)
    (tree / "pkg" / "self").symlink_to("self")
    (tree / "pkg" / "link.py").symlink_to(tree / "a.py")
    (tree / "pkg" / "broken.py").symlink_to("nowhere.py")
    assert names("pkg") == ["pkg/gen_pb2.py", "pkg/link.py", "pkg/z.py", "pkg/sub/y.py"]
    assert names("pkg/up/b.py") == ["pkg/up/b.py"]


@pytest.mark.usefixtures("tree")
def test_problems() -> None:
    found = find(["missing.py", "docs", "a.py"])
    assert [(problem.path, problem.message) for problem in found.problems] == [
        ("missing.py", "no such file or folder"),
        ("docs", "no Python files or notebooks to check in this folder"),
    ]
    assert found.files == [Path("a.py")]


def test_a_folder_that_cannot_be_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = find(["pkg"])
    assert [str(path) for path in found.files] == ["pkg/gen_pb2.py", "pkg/z.py"]
    assert [(problem.path, problem.message) for problem in found.problems] == [
        ("pkg/sub", "cannot be read: permission denied")
    ]
