"""Real programs, judged twice: by PyTorch, which runs them, and by secondpass, which reads them.

Each file of `programs/` says on its own lines what is expected, and nothing more may be found:

- `# raises` or `# raises: inplace`: here PyTorch's exception surfaces (innermost line of the program); without such a
  mark the program must run clean. A finding must say that it raises at that very line.
- `# want: SP101` (or `SP101, SP301`): here a finding of that code stands (where its range starts).
- a first comment `# judge: verdict only`: the codes are left open; a serious finding of the right family must stand
  where the program raises, and none where it runs.
- a first comment `# judge: growth`: the program runs, and some serious finding says what it costs.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.judge.compare import verdict
from tests.judge.forkserver import truth

PROGRAMS = sorted(Path(__file__).parent.glob("programs/**/*.py"))
RAISES = re.compile(r"#\s*raises(?P<inplace>: inplace)?\b")
WANT = re.compile(r"#\s*want:\s*(?P<codes>SP\d+(?:,\s*SP\d+)*)")
MODES = {"# judge: verdict only": "verdict", "# judge: growth": "growth"}


@dataclass(frozen=True)
class Expectation:
    """What a program's marks say."""

    exception: str | None
    line: int | None
    findings: Counter[tuple[int, str]]
    mode: str


@cache
def expectation(path: Path) -> Expectation:
    raised: list[tuple[int, str]] = []
    findings: Counter[tuple[int, str]] = Counter()
    mode = "all"
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        mode = MODES.get(token.string.strip(), mode)
        if mark := RAISES.search(token.string):
            raised.append((line, "inplace-version" if mark["inplace"] else "second-time"))
        if mark := WANT.search(token.string):
            findings.update((line, code.strip()) for code in mark["codes"].split(","))
    assert len(raised) <= 1, f"{path.name}: a program raises once, not on lines {[line for line, _ in raised]}"
    exception, at = (raised[0][1], raised[0][0]) if raised else (None, None)
    return Expectation(exception, at, findings, mode)


programs = pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])


@programs
def test_torch_ends_as_marked(path: Path) -> None:
    expected, found = expectation(path), truth(path.read_text(encoding="utf-8"))
    assert (found.exception, found.line) == (expected.exception, expected.line), found.message


@programs
def test_secondpass_finds_what_is_marked(path: Path) -> None:
    from secondpass import check_text

    text, expected = path.read_text(encoding="utf-8"), expectation(path)
    ours = verdict(text, path.name)
    assert not ours.crash, ours.crash
    assert ours.exception == expected.exception, ours
    if expected.line is not None:
        assert expected.line in ours.lines, ours
    if expected.mode == "growth":
        assert ours.rules, "no serious finding tells of the growth"
    if expected.mode == "all":
        found = Counter((finding.span.line, finding.rule) for finding in check_text(text, path.name).findings)
        assert found == expected.findings
