"""Real programs, judged twice: by PyTorch, which runs them, and by secondpass, which reads them.

Each file of `programs/` says on its own lines what is expected, and nothing more may be found: see `judge/marks.py`.
Those of `programs/reports/` were re-created from public reports and forum threads, each beside its right twin.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.judge.compare import verdict
from tests.judge.forkserver import truth
from tests.judge.marks import marks

PROGRAMS = sorted(Path(__file__).parent.glob("programs/**/*.py"))
programs = pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])


@programs
def test_torch_ends_as_marked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected, found = marks(text), truth(text)
    assert (found.exception, found.line) == (expected.exception, expected.line), found.message


@programs
def test_secondpass_finds_what_is_marked(path: Path) -> None:
    from secondpass import check_text

    text = path.read_text(encoding="utf-8")
    expected, ours = marks(text), verdict(text, path.name)
    assert not ours.crash, ours.crash
    assert ours.exception == expected.exception, ours
    if expected.line is not None:
        assert expected.line in ours.lines, ours
    if expected.mode == "growth":
        assert ours.rules, "no serious finding tells of the growth"
    if expected.mode == "all":
        found = Counter((finding.span.line, finding.rule) for finding in check_text(text, path.name).findings)
        assert found == expected.findings
