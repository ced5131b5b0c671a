"""Put into the extension what it carries: secondpass, its pure-Python dependencies, the three stories, the licence.

Run by `npm run bundle`. It fails when something that secondpass imports is neither carried nor known to be left out.
The version and the rules' codes and words in package.json are checked against secondpass; `--write` brings them up to
date.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).parents[1]
ROOT = CLIENT.parent
LIBRARIES = CLIENT / "bundled" / "libs"
LEFT_OUT = {
    "libcst": "compiled; quick-fixes get it when they are first wanted",
    "torch": "the user's own, for traced runs and measurements",
    "numpy": "the user's own",
    "pytest": "it loads our plugin, not we it",
}
UNNEEDED = ("bin",)
STORIES = ("carried", "twice", "accumulated")


def install() -> None:
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    options = "--disable-pip-version-check --quiet --no-deps --no-compile".split()
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", LIBRARIES]
    any_python = "--only-binary=:all: --platform any --implementation py --abi none --python-version 3.10".split()
    requirements = CLIENT / "scripts" / "requirements.txt"
    subprocess.run([*pip, *any_python, "-r", requirements], check=True)
    subprocess.run([*pip, "--upgrade", ROOT], check=True)
    for name in UNNEEDED:
        shutil.rmtree(LIBRARIES / name, ignore_errors=True)
    for folder in LIBRARIES.rglob("__pycache__"):
        shutil.rmtree(folder)
    for record in LIBRARIES.glob("*.dist-info"):
        for name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json"):  # of this machine, and no longer true
            (record / name).unlink(missing_ok=True)
    if compiled := [str(file) for pattern in ("*.so", "*.pyd", "*.dylib") for file in LIBRARIES.rglob(pattern)]:
        sys.exit(f"compiled modules cannot be carried: {', '.join(compiled)}")


def check_imports() -> None:
    """What secondpass imports anywhere must be there."""
    wanted: dict[str, Path] = {}
    for package in ("secondpass", "secondpass_server"):
        for file in (LIBRARIES / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                wanted |= {name.partition(".")[0]: file for name in names}
    there = {path.stem for path in LIBRARIES.iterdir()} | set(sys.stdlib_module_names) | set(LEFT_OUT) | {"tomllib"}
    if missing := sorted(set(wanted) - there):
        told = ", ".join(f"{name} (imported by {wanted[name].relative_to(LIBRARIES)})" for name in missing)
        sys.exit(f"not carried: {told}; add it to scripts/requirements.txt, or to LEFT_OUT here with a reason")


def version() -> str:
    """The version of the secondpass that is carried; the extension has the same."""
    (record,) = LIBRARIES.glob("secondpass-*.dist-info")
    return record.name.removeprefix("secondpass-").removesuffix(".dist-info")


def rules() -> list[tuple[str, str]]:
    """Code and `name: summary` of each rule."""
    script = (
        "import json; from secondpass.rules import RULES;"
        "print(json.dumps([(rule.code, rule.name, rule.summary) for rule in RULES.values()]))"
    )
    environment = {"PYTHONPATH": str(LIBRARIES), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, "-c", script], env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [(code, f"{name}: {summary}") for code, name, summary in json.loads(run.stdout)]


def brought_up_to_date(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the version of what is carried, and the settings' enumerations as the rules are."""
    manifest["version"] = version()
    settings = manifest["contributes"]["configuration"]["properties"]
    told = rules()
    groups = [
        ("SP1", "graphs that are walked a second time: PyTorch raises"),
        ("SP2", "retained graphs and stale weights"),
        ("SP3", "history that grows or grows old"),
    ]
    for name in ("select", "ignore"):
        settings[f"secondpass.{name}"]["items"] |= {
            "enum": [code for code, _ in [*groups, *told]],
            "enumDescriptions": [text for _, text in [*groups, *told]],
        }
    levels = ["error", "warning", "information", "hint"]
    settings["secondpass.severity"]["properties"] = {
        code: {"type": "string", "enum": levels, "description": text} for code, text in told
    }
    return manifest


def main() -> None:
    install()
    check_imports()
    for story in STORIES:
        shutil.copy(ROOT / "examples" / f"{story}.py", CLIENT / "walkthrough")
    shutil.copy(ROOT / "LICENSE", CLIENT)
    file = CLIENT / "package.json"
    before = file.read_text("utf-8")
    after = json.dumps(brought_up_to_date(json.loads(before)), indent=2, ensure_ascii=False) + "\n"
    if "--write" in sys.argv[1:]:
        file.write_text(after, "utf-8")
    elif before != after:
        sys.exit("package.json does not name the version or the rules as they are: npm run bundle -- --write")


if __name__ == "__main__":
    main()
