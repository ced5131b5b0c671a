"""How a rule makes a finding of a story: the one place that fills in what all findings share."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.places import span_of
from secondpass.rules.story import Story


def finding(story: Story, code: str, name: str, severity: Severity, message: str, help: str = "") -> Finding:
    """A finding for this story; one step less severe when it rests on assumptions."""
    loud = severity.lowered() if story.assumptions else severity
    return Finding(
        rule=code,
        name=name,
        severity=loud,
        span=span_of(story.primary),
        message=message,
        help=help,
        assumptions=story.assumptions,
        raises_at=story.raises_at,
        witness=story.steps(),
        loop=story.loop_span,
        subject=story.subject,
    )
