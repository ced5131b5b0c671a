"""What a rule is: a value with its words, its examples, and how it is told from what the machine recorded.

Documentation, `secondpass explain` and the tests come out of these values. A rule reads a `Story` (rules/story.py); it
never walks syntax and never runs anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING

from secondpass.findings import Finding, Severity

if TYPE_CHECKING:
    from secondpass.rules.history import History
    from secondpass.rules.story import Story


@dataclass(frozen=True, slots=True)
class Example:
    """A whole program. Its lines carry marks: `# raises` where PyTorch raises, `# want: SP101` where a finding stands.

    No mark means: runs to its end, and nothing is told.
    """

    code: str
    note: str = ""
    """What the program shows: a few words, no full stop."""

    @property
    def program(self) -> str:
        """The code as it stands in a file: not indented, with one line end behind it."""
        return dedent(self.code).strip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding."""

    code: str
    name: str
    severity: Severity
    summary: str
    """One sentence, lower case, no full stop: what is the case."""
    # These four are prose: paragraphs and lists (`- item`) with an empty line between them, `code` in backticks.
    why: str
    """What happens inside autograd."""
    choosing: str
    """How to tell which fix is right, and what each costs."""
    limits: str
    """What this rule does not see, and when it may be wrong."""
    fix_safety: str
    """What the fixes change: gradients, memory, nothing."""
    raises: tuple[Example, ...] = ()
    """Programs in which the rule is told (and PyTorch raises, where the rule is about an exception)."""
    runs: tuple[Example, ...] = ()
    """Programs that look alike and are right."""
    failure: Callable[[Story], Finding | None] | None = None
    """Tells a walk that raises; the first rule that answers owns the event."""
    history: Callable[[History], list[Finding]] | None = None
    """Tells what a whole run shows: growth, needless flags."""
