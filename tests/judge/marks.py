"""What a program says on its own lines about its end, and nothing more may be found.

- `# raises` or `# raises: inplace`: here PyTorch's exception surfaces (innermost line of the program); without such a
  mark the program must run clean.
- `# want: SP101` (or `SP101, SP301`): here a finding of that code stands (where its range starts).
- a comment `# judge: verdict only`: the codes are left open; a serious finding of the right family must stand where
  the program raises, and none where it runs.
- a comment `# judge: growth`: the program runs, and some serious finding says what it costs.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from dataclasses import dataclass
from typing import Literal

Mode = Literal["all", "verdict", "growth"]
RAISES = re.compile(r"#\s*raises(?P<inplace>: inplace)?\b")
WANT = re.compile(r"#\s*want:\s*(?P<codes>SP\d+(?:,\s*SP\d+)*)")
MODES: dict[str, Mode] = {"# judge: verdict only": "verdict", "# judge: growth": "growth"}


@dataclass(frozen=True)
class Marks:
    """The word and the line of the exception, and how often each (line, code) is to be found."""

    exception: str | None
    line: int | None
    findings: Counter[tuple[int, str]]
    mode: Mode


def marks(text: str) -> Marks:
    """Read the marks of a program; ValueError if it is said to raise on several lines."""
    raised: list[tuple[int, str]] = []
    findings: Counter[tuple[int, str]] = Counter()
    mode: Mode = "all"
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        mode = MODES.get(token.string.strip(), mode)
        if mark := RAISES.search(token.string):
            raised.append((line, "inplace-version" if mark["inplace"] else "second-time"))
        if mark := WANT.search(token.string):
            findings.update((line, code.strip()) for code in mark["codes"].split(","))
    if len(raised) > 1:
        raise ValueError(f"a program raises once, not on lines {[line for line, _ in raised]}")
    exception, at = (raised[0][1], raised[0][0]) if raised else (None, None)
    return Marks(exception, at, findings, mode)
