"""SP101 carried-state: a tensor carried into the next turn still holds the graph of the turn before."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None or story.loop is None or not story.built_inside():
        return None
    into = text_of(story.fresh.site)
    return finding(
        story,
        "SP101",
        "carried-state",
        Severity.ERROR,
        f"{story.named} carries the graph of the previous turn into `{into}`",
        "cut the history once the turn is done (gradients then stop at the turn's start)",
    )


RULE = Rule(
    code="SP101",
    name="carried-state",
    severity=Severity.ERROR,
    summary="a tensor carried into the next turn still holds the graph of the turn before",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
