"""SP204 silent-stale: a walk uses values that were changed behind autograd's back: no error, a wrong gradient."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "silent":
        return None
    return finding(
        story,
        "SP204",
        "silent-stale",
        Severity.WARNING,
        f"`{text_of(story.walked_site)}` walks a retained graph whose weights changed unseen: the gradient mixes old and new values",
        "compute the forward again after the change",
    )


RULE = Rule(
    code="SP204",
    name="silent-stale",
    severity=Severity.WARNING,
    summary="a walk uses values that were changed behind autograd's back: no error, a wrong gradient",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
