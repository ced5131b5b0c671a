"""Source lines from texts, files and notebooks, and the preview of fixes."""

from __future__ import annotations

from pathlib import Path

from secondpass.report.lines import lines_of
from secondpass.report.preview import changes

from . import samples


def test_lines_of_files(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes("# coding: latin-1\r\nä\x0cb\r\nc".encode("latin-1"))
    lines = lines_of()
    assert [lines(str(file), number, None) for number in range(5)] == [None, "# coding: latin-1", "ä\x0cb", "c", None]
    assert lines(str(tmp_path / "missing.py"), 1, None) is None


def test_lines_of_cells() -> None:
    lines = lines_of(samples.TEXTS)
    assert lines("study.ipynb", 2, 1) == "loss = x.mean()"
    assert lines("study.ipynb", 1, 2) == "loss.backward()"
    assert lines("study.ipynb", 1, 9) is None


def test_a_fix_is_shown_as_the_lines_it_changes() -> None:
    runs = changes(samples.ONE_WALK, lines_of(samples.TEXTS))
    assert [[(change.number, change.sign, change.text) for change in run] for run in runs] == [
        [(8, "-", "    loss = out.sum()"), (8, "+", "    loss = loss + out.sum()")],
        [(10, "-", "    loss.backward()"), (10, "+", "    pass")],
    ]


def test_an_insertion_at_the_end_of_the_file() -> None:
    (run,) = changes(samples.DETACH, lines_of(samples.TEXTS))
    assert [(change.number, change.sign, change.text) for change in run] == [(11, "+", "    h = h.detach()")]
