"""SP105 shared-subgraph: two losses share a part of the graph, and the first walk consumes it."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None or story.loop is not None:
        return None
    return finding(
        story,
        "SP105",
        "shared-subgraph",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` needs the graph behind {story.named}, which `{text_of(story.first.site)}` has consumed",
        "walk once over the sum of both losses, or detach what the first loss is not to train",
    )


RULE = Rule(
    code="SP105",
    name="shared-subgraph",
    severity=Severity.ERROR,
    summary="two losses share a part of the graph, and the first walk consumes it",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
