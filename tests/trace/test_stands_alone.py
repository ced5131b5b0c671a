"""The recorder is two things beside each other, recorder.py and recording/, and needs nothing else of the house."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.trace.warm import RECORDER

FILES = [RECORDER, *sorted((RECORDER.parent / "recording").glob("*.py"))]


def test_standard_library_only_and_torch_reached_through_the_program() -> None:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in names:
                if name != "secondpass.trace.recording":  # for the type checker
                    assert name.partition(".")[0] in sys.stdlib_module_names, f"{file.name} imports {name}"


def test_python_3_9_can_read_it() -> None:
    """No newer syntax, no newer types at run time: every file has the future import, and no call is 3.10's."""
    for file in FILES:
        tree = ast.parse(file.read_text(), feature_version=(3, 9))
        if file.name != "__init__.py":
            assert "from __future__ import annotations" in file.read_text(), file.name
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Match), file.name
            if isinstance(node, ast.Call):
                assert all(word.arg not in ("strict", "slots", "kw_only") for word in node.keywords), file.name


def test_a_copy_runs_by_path(tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    shutil.copy(RECORDER, place)
    shutil.copytree(RECORDER.parent / "recording", place / "recording", ignore=shutil.ignore_patterns("__pycache__"))
    text = "import sys\nprint(sorted(m for m in sys.modules if 'secondpass.' in m), sys.argv, __file__, sys.path[0])\n"
    (tmp_path / "program.py").write_text(text)
    command = [sys.executable, str(place / "recorder.py"), "--out", "out.json", "program.py", "--out", "mine"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == f"[] ['program.py', '--out', 'mine'] program.py {tmp_path}\n"
    assert json.loads((tmp_path / "out.json").read_text())["outcome"]["exit_code"] == 0
