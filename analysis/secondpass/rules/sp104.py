"""SP104 accumulated-loss: a running loss still holds the graphs of earlier turns and is walked again."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if (
        story.kind != "second-time"
        or story.fresh is None
        or story.loop is None
        or not story.adds_losses
        or not story.built_inside()
    ):
        return None
    return finding(
        story,
        "SP104",
        "accumulated-loss",
        Severity.ERROR,
        f"{story.named} still holds the losses of earlier turns, whose graphs are already consumed",
        "walk each turn's own loss, or add the losses up and walk the sum once after the loop",
    )


RULE = Rule(
    code="SP104",
    name="accumulated-loss",
    severity=Severity.ERROR,
    summary="a running loss still holds the graphs of earlier turns and is walked again",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
