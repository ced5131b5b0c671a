"""Code whose loop, model or optimizer is elsewhere: the checker reads it alone, PyTorch runs it with its driver.

Each file of `elsewhere/` is the code as a project has it, then a line `# --- driver`, then what runs it. Its marks are
those of `judge/marks.py`; what is marked must be told of the upper part by itself, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from secondpass import check_text

from tests.judge.forkserver import truth
from tests.judge.marks import marks

PROGRAMS = sorted((Path(__file__).parent / "elsewhere").glob("*.py"))
DRIVER = "\n# --- driver\n"
programs = pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])


@programs
def test_torch_ends_as_marked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected, found = marks(text), truth(text)
    assert (found.exception, found.line) == (expected.exception, expected.line), found.message


@programs
def test_secondpass_tells_what_is_marked(path: Path) -> None:
    text, driver, _ = path.read_text(encoding="utf-8").partition(DRIVER)
    assert driver, "a program needs its driver"
    told = [f for f in check_text(text, path.name).findings if f.severity.value != "information"]
    found = Counter((finding.span.line, finding.rule) for finding in told)
    assert found == marks(text).findings
    assert all(finding.severity.value == "warning" for finding in told), "what is believed is no error"
