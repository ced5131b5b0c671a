"""What becomes of an error that a handler passes on: it surfaces, as itself or as another."""

from __future__ import annotations

import pytest
from secondpass import check_text

PROGRAM = """
import sys
import torch

cell = torch.nn.GRUCell(3, 4)


class Stopped(Exception):
    pass


def train():
    state = torch.zeros(2, 4)
    for step in range(3):
        state = cell(torch.randn(2, 3), state)
        try:
            state.mean().backward()
        except RuntimeError as error:
            {handler}


train()
"""


@pytest.mark.parametrize(
    ("handler", "rules"),
    [
        ('raise Stopped(f"in step {step}") from error', ["SP101"]),
        ("raise Stopped", ["SP101"]),
        ('sys.exit("failed")', ["SP101"]),
        ('print("second time" in str(error))', []),
        ("return", []),
        ("break", []),
    ],
)
def test_an_error_is_past_only_where_its_handler_ends(handler: str, rules: list[str]) -> None:
    found = check_text(PROGRAM.format(handler=handler), "program.py").findings
    assert [finding.rule for finding in found] == rules


@pytest.mark.parametrize("taken", [True, False])
def test_an_error_made_of_another_is_past_where_it_is_taken(taken: bool) -> None:
    text = PROGRAM.format(handler="raise Stopped from error").replace(
        "\ntrain()\n", f"\ntry:\n    train()\nexcept {'Stopped' if taken else 'KeyError'}:\n    pass\n"
    )
    assert [finding.rule for finding in check_text(text, "program.py").findings] == ([] if taken else ["SP101"])
