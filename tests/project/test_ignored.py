"""What git ignores is not checked, by the same files as git."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from secondpass.project.files import find

TREE = {
    ".gitignore": "build/\n*.gen.py\n/only_here.py\n!kept.gen.py\nout/*\n!out/kept/\n# a comment\n\\#odd.py\n",
    "a.py": "", "x.gen.py": "", "kept.gen.py": "", "only_here.py": "", "#odd.py": "",
    "build/b.py": "", "pkg/build/c.py": "", "pkg/only_here.py": "", "pkg/a.py": "",
    "pkg/.gitignore": "*.py\n!a.py\n!inner/\n!inner/*.py\ndata\n",
    "pkg/b.py": "", "pkg/inner/d.py": "", "pkg/inner/.gitignore": "e.py\n", "pkg/inner/e.py": "", "pkg/data/f.py": "",
    "out/g.py": "", "out/kept/h.py": "", "listed.py": "",
}  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {**TREE, ".git/info/exclude": "listed.py\n"}.items():
        path = tmp_path / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path / "repo"


def names(*paths: str) -> list[str]:
    found = find(paths)
    assert found.problems == []
    return sorted(str(path) for path in found.files)


@pytest.mark.usefixtures("tree")
def test_nested_files_negations_and_the_repositorys_own_list() -> None:
    assert names(".") == ["a.py", "kept.gen.py", "out/kept/h.py", "pkg/a.py", "pkg/inner/d.py"]


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_git_says_the_same(tree: Path) -> None:
    shutil.rmtree(tree / ".git")
    subprocess.run(["git", "init", "-q"], check=True)
    (tree / ".git/info/exclude").write_text("listed.py\n")
    asked = ["git", "ls-files", "--others", "--exclude-standard", "*.py"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert names(".") == sorted(told.splitlines())


def test_a_folder_below_hears_what_stands_above_it(tree: Path) -> None:
    assert names("pkg") == ["pkg/a.py", "pkg/inner/d.py"]
    assert names(str(tree / "pkg" / "inner")) == [str(tree / "pkg" / "inner" / "d.py")]


@pytest.mark.usefixtures("tree")
def test_what_a_person_names_is_checked() -> None:
    assert names("build", "x.gen.py") == ["build/b.py", "x.gen.py"]


def test_without_a_repository_the_files_in_the_folder_count(tree: Path) -> None:
    shutil.rmtree(tree / ".git")
    assert names(".") == ["a.py", "kept.gen.py", "listed.py", "out/kept/h.py", "pkg/a.py", "pkg/inner/d.py"]
    (tree.parent / ".gitignore").write_text("*.py\n")
    assert "a.py" in names("."), "what lies around no repository speaks of other things"


def test_lines_that_are_no_patterns_do_no_harm(tree: Path) -> None:
    (tree / ".gitignore").write_bytes(b"!\n/\n\xff\xfe\n[\nbuild/\n")
    assert "build/b.py" not in names(".") and "x.gen.py" in names(".")
