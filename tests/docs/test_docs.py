"""The written pages: their links lead somewhere, and what they say of keys, defaults and comments is so."""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from secondpass import check_text
from secondpass.project.config import KEYS, from_mapping
from secondpass.rules import RULES
from secondpass.settings import Budget, Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).parents[2] / "docs"
CONFIGURATION = (DOCS / "configuration.md").read_text("utf-8")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"```.*?```", re.DOTALL)


@pytest.mark.parametrize("file", sorted(DOCS.rglob("*.md")), ids=lambda file: str(file.relative_to(DOCS)))
def test_links_lead_somewhere(file: Path) -> None:
    for target, _ in LINK.findall(CODE.sub("", file.read_text("utf-8"))):
        assert (file.parent / target).exists(), target


def test_every_page_is_reached_from_the_index() -> None:
    seen, todo = set(), [DOCS / "README.md"]
    while todo:
        file = todo.pop().resolve()
        if file not in seen and file.suffix == ".md" and DOCS in file.parents:
            seen.add(file)
            todo += [file.parent / target for target, _ in LINK.findall(CODE.sub("", file.read_text("utf-8")))]
    assert seen == {file.resolve() for file in DOCS.rglob("*.md")}


def test_every_key_and_default_is_told() -> None:
    rows = {row[0]: row[1] for row in re.findall(r"^\| `([\w.-]+)` \| (.+?) \| .+ \|$", CONFIGURATION, re.MULTILINE)}
    budget = {f"budget.{field.name}": str(getattr(Budget(), field.name)) for field in fields(Budget)}
    assert {key: rows.pop(key) for key in budget} == budget
    assert set(rows) == set(KEYS)


def test_the_example_is_understood() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)
    settings, problems = from_mapping(tomllib.loads(example)["tool"]["secondpass"], RULES)
    assert problems == [] and settings.budget.turns == 48 and settings.ignore == ("SP202",)


PROGRAM = """\
import torch

cell, state = torch.nn.GRUCell(3, 5), torch.zeros(2, 5)
for x in torch.randn(4, 2, 3):
    state = cell(x, state)  # secondpass: ignore[SP101] the caller cuts it every 20 steps
    state.sum().backward()
"""


def test_the_comment_silences() -> None:
    (comment,) = re.findall(r"```python\n(.*?)```", CONFIGURATION, re.DOTALL)
    assert comment.strip() in PROGRAM
    assert check_text(PROGRAM).findings == []
    assert [one.rule for one in check_text(re.sub(r"  # secondpass.*", "", PROGRAM)).findings] == ["SP101"]


def test_a_level_of_ones_own_holds() -> None:
    settings, _ = from_mapping({"severity": {"SP101": "hint"}}, RULES)
    assert settings != Settings()
    report = check_text(re.sub(r"  # secondpass.*", "", PROGRAM), "train.py", settings)
    assert [one.severity.value for one in report.findings] == ["hint"]
