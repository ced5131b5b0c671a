"""A program that is written in another way has the same findings, on the statements that came of the same.

The programs are the project's own, and the examples of its rules. See changes.py for the ways.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from secondpass import check_text
from secondpass.rules import RULES

from tests.metamorphic.changes import CHANGES, Change

TESTS = Path(__file__).parents[1]
PROGRAMS = {path.stem: path for path in sorted((TESTS / "programs").glob("**/*.py"))}


def texts() -> dict[str, str]:
    found = {name: path.read_text(encoding="utf-8") for name, path in PROGRAMS.items()}
    for code, rule in RULES.items():
        for side, examples in (("raises", rule.raises), ("runs", rule.runs)):
            for number, example in enumerate(examples):
                if "# %%" not in example.program and "secondpass:" not in example.program:
                    found[f"{code}-{side}-{number}"] = example.program
    return found


def statements(tree: ast.Module) -> dict[int, ast.stmt]:
    """The innermost statement that stands on each line."""
    found: dict[int, ast.stmt] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[line] = node
    return found


def told(text: str, origins: dict[int, int]) -> Counter[tuple[str, int]]:
    """The findings, by code and the line that their statement had at first."""
    return Counter((f.rule, origins.get(f.span.line, 0)) for f in check_text(text, "program.py").findings)


@cache
def at_first(text: str) -> Counter[tuple[str, int]]:
    return told(text, {line: node.lineno for line, node in statements(ast.parse(text)).items()})


def written_again(text: str, change: Change) -> tuple[str, dict[int, int]] | None:
    """The changed program, and the line of which each of its lines came."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        node.origin = getattr(node, "lineno", 0)  # type: ignore[attr-defined]
    if not change(tree):
        return None
    made = ast.unparse(ast.fix_missing_locations(tree))
    origins: dict[int, int] = {}
    for new, old in zip(ast.walk(ast.parse(made)), ast.walk(tree), strict=True):
        if isinstance(new, ast.stmt):
            for line in range(new.lineno, (new.end_lineno or new.lineno) + 1):
                origins[line] = getattr(old, "origin", 0)
    return made, origins


TEXTS = texts()


@pytest.mark.parametrize("name", CHANGES)
def test_findings_stay_where_they_are(name: str) -> None:
    changed, others = 0, {}
    for program, text in TEXTS.items():
        again = written_again(text, CHANGES[name])
        if again is None or (program, name) in KNOWN:
            continue
        changed += 1
        expected, found = at_first(text), told(*again)
        if expected != found:
            others[program] = (expected - found, found - expected)
    assert changed > 3
    assert not others, "\n".join(f"{p}: lost {dict(a)}, new {dict(b)}" for p, (a, b) in others.items())


KNOWN = {
    ("SP301-raises-2", "spoken_names"): "a sum that is not written as one is not told as growing",
    # Needless flags are told only if every way through a program was run, and idle branches make more ways.
    ("adjoint_autograd_function", "idle_choices"): "SP202 is lost",
    ("maddpg_shared_policy_actions_right", "idle_choices"): "SP202 is lost",
    ("policy_loss_after_critic_step_right", "idle_choices"): "SP202 is lost",
    # A loop of a few iterations is known for one by its range only: a false SP301.
    ("canvas_of_three_steps", "counted_by_while"): "SP301 is new",
    # What is told of growth hangs on the names of what holds it, also where nothing should be told.
    ("concatenated_outputs", "spoken_names"): "SP301 is new",
    ("gradients_chained", "spoken_names"): "SP301 is new",
    ("list_rebuilt_with_one_more", "spoken_names"): "SP302 is new",
    ("moving_average_of_weights", "spoken_names"): "SP301 is new",
    ("smoothed_first_value", "spoken_names"): "SP301 is new",
    ("stacked_layers", "spoken_names"): "SP301 is new",
    # Growth that nothing walks is looked for over the whole program, and not inside a loop around it.
    ("buffer_kept_for_all_epochs", "one_round_around"): "SP301 is lost",
    ("evaluation_with_history", "one_round_around"): "SP302 is lost",
    ("moving_average_of_weights", "one_round_around"): "SP301 is lost",
    ("penalty_collected_not_walked", "one_round_around"): "SP301 is lost",
    ("replay_of_dataclasses", "one_round_around"): "SP302 is lost",
}
"""What is not yet so."""

EVERY = {
    "carried": (
        "for step in range({n}):\n    h = cell(torch.randn(2, 3), h)  # told: SP101\n"
        "    if (step + 1) % {k} == 0:\n        h.sum().backward()\n"
    ),
    "carried, the first step apart": (
        "for step in range({n}):\n    h = cell(torch.randn(2, 3), h)  # told: SP101\n"
        "    if step > 0 and step % {k} == 0:\n        h.sum().backward()\n"
    ),
    "counted by hand": (
        "step = 0\nwhile step < {n}:\n    h = cell(torch.randn(2, 3), h)  # told: SP101\n    step += 1\n"
        "    if not step % {k}:\n        h.sum().backward()\n"
    ),
    "cut as often": (
        "for step in range({n}):\n    h = cell(torch.randn(2, 3), h)\n"
        "    if (step + 1) % {k} == 0:\n        h.sum().backward()\n        h = h.detach()\n"
    ),
    "from some step on": (
        "kept = None\nfor step in range({n}):\n    loss = cell(torch.randn(2, 3), h).sum()\n    if step == {k}:\n"
        "        kept = cell(torch.randn(2, 3), h).sum()\n"
        "    if step >= {k}:\n        loss = loss + kept  # told: SP104\n"
        "    loss.backward()\n"
    ),
    "a list of so many": (
        "kept = []\nfor step in range({n}):\n    kept.append(cell(torch.randn(2, 3), h).sum())\n"
        "    if len(kept) == {k}:\n        torch.stack(kept).sum().backward()\n        kept.clear()\n"
    ),
    "in chosen steps": (
        "for step in range({n}):\n    h = cell(torch.randn(2, 3), h)  # told: SP101\n"
        "    if step in ({k}, 2 * {k}):\n        h.sum().backward()\n"
    ),
    "in the last step": (
        "first = cell(torch.randn(2, 3), h).sum()\nfirst.backward()\nfor step in range({k}):\n"
        "    loss = cell(torch.randn(2, 3), h).sum()\n    if step == {k} - 1:\n"
        "        loss = loss + first  # told: any\n    loss.backward()\n"
    ),
}


@pytest.mark.parametrize("period", [3, 4, 7, 12, 13, 25, 50, 128, 300])
@pytest.mark.parametrize("name", EVERY)
def test_how_often_does_not_matter(name: str, period: int) -> None:
    text = "import torch\n\ncell = torch.nn.GRUCell(3, 4)\nh = torch.zeros(2, 4)\n"
    text += EVERY[name].format(k=period, n=4 * period + 1)
    wanted = [n for n, line in enumerate(text.splitlines(), 1) if "# told:" in line]
    found = check_text(text, "program.py").findings
    assert [f.span.line for f in found] == wanted, found
    if "any" not in text and wanted:
        assert found[0].rule in text
