"""SP103 stale-graph: a graph built once is walked by every turn's backward."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.loop is None or story.built_inside():
        return None
    return finding(
        story,
        "SP103",
        "stale-graph",
        Severity.ERROR,
        f"{story.named} was computed once, before the loop, and every turn's backward walks its graph",
        "compute it again in each turn (or detach it, if nothing behind it is to be trained)",
    )


RULE = Rule(
    code="SP103",
    name="stale-graph",
    severity=Severity.ERROR,
    summary="a graph built once is walked by every turn's backward",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
