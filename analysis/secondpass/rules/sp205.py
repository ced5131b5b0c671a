"""SP205 retain-under-compile: `retain_graph=True` through a compiled region, which PyTorch refuses."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "donated":
        return None
    return finding(
        story,
        "SP205",
        "retain-under-compile",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` retains a graph that goes through a compiled region: PyTorch refuses (donated buffers)",
        "walk once over the sum of the losses, or compute the forward again for the second walk",
    )


RULE = Rule(
    code="SP205",
    name="retain-under-compile",
    severity=Severity.ERROR,
    summary="`retain_graph=True` through a compiled region, which PyTorch refuses",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
