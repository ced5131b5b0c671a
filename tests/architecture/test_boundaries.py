"""Which part may import what: the invariants of ARCHITECTURE.md, held for every module, lazily placed imports too."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"secondpass": ROOT / "analysis/secondpass", "secondpass_server": ROOT / "server/secondpass_server"}

# (modules that start so, names they never import, modules that are excepted)
RULES = [
    ("secondpass", ("pygls", "lsprotocol", "secondpass_server"), ("secondpass.cli.server",)),
    ("secondpass", ("torch",), ("secondpass.trace.recorder", "secondpass.pytorch.measure")),
    (
        "secondpass.machine",
        ("secondpass.rules", "secondpass.report", "secondpass.fixes", "secondpass.project", "secondpass.cli", "jedi"),
        (),
    ),
    ("secondpass.machine", ("secondpass.engine", "secondpass.trace", "libcst", "parso", "rich"), ()),
    ("secondpass.source", ("secondpass.machine", "secondpass.rules", "secondpass.report", "secondpass.fixes"), ()),
    ("secondpass.pytorch", ("secondpass.rules", "secondpass.report", "secondpass.fixes", "secondpass.project"), ()),
    ("secondpass.rules", ("libcst", "parso", "jedi", "secondpass.report", "secondpass.fixes"), ()),
    ("secondpass.report", ("ast", "libcst", "secondpass.machine", "secondpass.rules", "secondpass.engine"), ()),
    ("secondpass.report", ("secondpass.source", "secondpass.project", "secondpass.fixes", "secondpass.cli"), ()),
    ("secondpass.findings", ("secondpass.",), ()),
    ("secondpass", ("rich",), ("secondpass.report.", "secondpass.cli.", "secondpass.trace.")),
    ("secondpass", ("libcst",), ("secondpass.fixes",)),
    ("secondpass", ("jedi",), ("secondpass.project",)),
    ("secondpass", ("secondpass.moment.script",), ("secondpass.cli.run",)),
    ("secondpass", ("pytest", "_pytest", "IPython"), ("secondpass.moment.pytest_plugin",)),
    ("secondpass_server", ("ast", "libcst", "torch", "parso", "jedi"), ()),
]


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in PACKAGES.items():
        for file in sorted(folder.rglob("*.py")):
            parts = [package, *file.relative_to(folder).with_suffix("").parts]
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def imports(module: str, file: Path) -> set[str]:
    """Every name a module imports anywhere in its text, relative ones made absolute; `if TYPE_CHECKING` counts too."""
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            names |= {source, *(f"{source}.{alias.name}" for alias in node.names)}
    return names


def inside(name: str, part: str) -> bool:
    """Whether a module is a part or lies in it; a part written with a dot at its end means what lies in it alone."""
    return name.startswith(part) if part.endswith(".") else name == part or name.startswith(f"{part}.")


@pytest.mark.parametrize(("part", "never", "excepted"), RULES, ids=lambda value: str(value) if value else "-")
def test_never(part: str, never: tuple[str, ...], excepted: tuple[str, ...]) -> None:
    seen = False
    for module, file in modules():
        if inside(module, part):
            seen = True
            if not any(inside(module, other) for other in excepted):
                wrong = sorted(name for name in imports(module, file) for other in never if inside(name, other))
                assert not wrong, f"{module} imports {', '.join(wrong)}"
    assert seen, f"no module {part}: the rule holds nothing"


def test_the_walk_sees_relative_and_lazy_imports() -> None:
    found = imports("secondpass.cli.check", PACKAGES["secondpass"] / "cli/check.py")
    assert {"secondpass.engine", "secondpass.findings", "secondpass.report.sarif", "secondpass.cli.boundary"} <= found


def test_rules_walk_no_syntax() -> None:
    for module, file in modules():
        if inside(module, "secondpass.rules"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
                walking = ("walk", "parse", "iter_child_nodes", "NodeVisitor", "NodeTransformer", "iter_fields")
                on_ast = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "ast"
                assert not (on_ast and name in walking), f"{module}:{getattr(node, 'lineno', 0)} walks syntax"


def test_only_the_recorder_and_run_run_a_users_code() -> None:
    """The generator of the operation facts evaluates its own recipes, nothing else."""
    for module, file in modules():
        if module != "secondpass.pytorch.measure" and not inside(module, "secondpass.trace.recorder"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in ("exec", "eval"), f"{module}:{node.lineno} calls {node.func.id}"
            if module != "secondpass.moment.script":
                assert "runpy" not in imports(module, file), module


def test_a_check_loads_nothing_heavy() -> None:
    """At run time: what a plain check has imported when it is done, whatever the texts say."""
    program = """
import sys
from secondpass.cli.main import main
status = main(["check", "--output-format", "json", "examples/carried.py"])
heavy = sorted({"torch", "libcst", "rich", "pygls", "lsprotocol", "jedi", "numpy"} & set(sys.modules))
sys.exit(f"status {status}, loaded {heavy}" if heavy or status != 1 else 0)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
