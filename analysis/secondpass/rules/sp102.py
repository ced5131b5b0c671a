"""SP102 repeated-backward: the same loss is walked twice."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or not story.same_root:
        return None
    again = "each turn" if story.loop is not None else "again"
    return finding(
        story,
        "SP102",
        "repeated-backward",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` walks {again} a graph that the first walk has consumed",
        "compute the loss again before the second walk, or walk once over the sum of what is needed",
    )


RULE = Rule(
    code="SP102",
    name="repeated-backward",
    severity=Severity.ERROR,
    summary="the same loss is walked twice",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
