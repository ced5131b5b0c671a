"""SP900 unused-suppression: a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Callable

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.source.suppress import Suppressions


def tell_unused(suppressions: Suppressions, selected: Callable[[str], bool]) -> list[Finding]:
    """The suppressions of a file that no finding has used."""
    found = []
    for unused in suppressions.unused():
        if unused.codes and not any(selected(c) for c in unused.codes):
            continue
        named = f" of {', '.join(unused.codes)}" if unused.codes else ""
        found.append(
            Finding(
                rule="SP900",
                name="unused-suppression",
                severity=Severity.INFORMATION,
                span=unused.suppression.span,
                message=f"this suppression{named} silences nothing",
                help="remove the comment",
            )
        )
    return found


RULE = Rule(
    code="SP900",
    name="unused-suppression",
    severity=Severity.INFORMATION,
    summary="a `# secondpass: ignore` comment that silences nothing",
    why="",
    choosing="",
    limits="",
    fix_safety="",
)
