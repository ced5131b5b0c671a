"""SP203 stale-weights: a walk needs values that were changed in place since the graph saved them."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "inplace-version":
        return None
    writer = story.failure.storage.writer if story.failure.storage is not None else None
    by = f"`{text_of(writer)}` has changed in place" if writer is not None else "were changed in place"
    return finding(
        story,
        "SP203",
        "stale-weights",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` needs values that {by} since `{text_of(story.node.site)}` saved them",
        "compute the forward again after the change, or step after the last walk",
    )


RULE = Rule(
    code="SP203",
    name="stale-weights",
    severity=Severity.ERROR,
    summary="a walk needs values that were changed in place since the graph saved them",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
