"""A rule's page in the terminal."""

from __future__ import annotations

from secondpass.findings import Severity
from secondpass.report.page import render
from secondpass.report.text import plain
from secondpass.rules.rule import Example, Rule

RULE = Rule(
    code="SP101",
    name="carried-state",
    severity=Severity.ERROR,
    summary="a tensor carried into the next iteration still holds the graph of the iteration before",
    why="Backward frees what the nodes saved.\n\nThe second walk finds it gone.",
    choosing="Was a second pass intended?",
    limits="",
    fix_safety="Cutting history changes gradients.",
    raises=(
        Example("for x in batches:\n    h = cell(x, h)  # want: SP101\n    h.sum().backward()  # raises\n", "a state"),
    ),
    runs=(Example("h = cell(x, h.detach())\n"),),
)


def test_page() -> None:
    assert plain(render(RULE, 60)) == (
        "SP101 carried-state  (error)\n"
        "a tensor carried into the next iteration still holds the\n"
        "graph of the iteration before\n"
        "\n"
        "What happens\n"
        "Backward frees what the nodes saved.\n"
        "\n"
        "The second walk finds it gone.\n"
        "\n"
        "Raises: a state\n"
        "\n"
        "    for x in batches:\n"
        "        h = cell(x, h)  # SP101\n"
        "        h.sum().backward()  # raises\n"
        "\n"
        "Runs\n"
        "\n"
        "    h = cell(x, h.detach())\n"
        "\n"
        "Which fix is right\n"
        "Was a second pass intended?\n"
        "\n"
        "What a fix changes\n"
        "Cutting history changes gradients.\n"
    )
