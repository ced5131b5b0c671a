"""The VS Code extension's manifest names the rules, the version and the dependencies as they are."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import version
from pathlib import Path

from secondpass.rules import RULES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "vscode-client"
MANIFEST = json.loads((CLIENT / "package.json").read_text("utf-8"))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]
HOW = "npm run bundle -- --write, in vscode-client/"


def test_settings_name_every_rule() -> None:
    told = {rule.code: f"{rule.name}: {rule.summary}" for rule in RULES.values()}
    for name in ("select", "ignore"):
        items = SETTINGS[f"secondpass.{name}"]["items"]
        named = dict(zip(items["enum"], items["enumDescriptions"], strict=True))
        assert {code: text for code, text in named.items() if code in told or len(code) > 3} == told, HOW
    levels = SETTINGS["secondpass.severity"]["properties"]
    assert {code: level["description"] for code, level in levels.items()} == told, HOW


def test_the_version_is_that_of_what_is_carried() -> None:
    assert MANIFEST["version"] == version("secondpass"), HOW


def test_every_dependency_is_carried() -> None:
    """libcst alone is compiled, and fetched when it is wanted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.split(r"[^\w-]", one)[0] for one in project["dependencies"]}
    carried = {
        line.split("==")[0] for line in (CLIENT / "scripts" / "requirements.txt").read_text("utf-8").splitlines()
    }
    assert needed - carried == {"libcst"}
