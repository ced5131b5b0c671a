"""The terminal form: the layout is exact, to the character."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from secondpass.findings import Finding, Report, Severity, Span, Step
from secondpass.report.cells import Laid, cells
from secondpass.report.console import coloured, show
from secondpass.report.lines import lines_of
from secondpass.report.text import plain, render, render_finding

from . import samples

Snapshot = Callable[[str, str], None]
LINES = lines_of(samples.TEXTS)


@pytest.mark.parametrize("width", [None, 120, 80, 60])
def test_report(width: int | None, snapshot: Snapshot) -> None:
    snapshot(f"text-{width or 'piped'}.txt", plain(render(samples.REPORT, LINES, width=width, verbose=True)))


def test_nothing_found() -> None:
    assert plain(render(Report(files=2), LINES)) == "2 files checked, nothing found\n"


@pytest.mark.parametrize("width", [80, 120])
def test_only_source_lines_and_their_marks_are_wider_than_the_terminal(width: int) -> None:
    report = Report(1, [samples.CARRIED_STATE, samples.IN_NOTEBOOK, samples.VANISHED])
    for line in plain(render(report, LINES, width=width)).splitlines():
        underline = set(line.partition("|")[2]) <= set("-^ |")
        assert cells(line) <= width or underline, line


def drawn(text: str, *marks: tuple[Span, str], primary: Span) -> str:
    witness = tuple(Step("built", span, 1, label) for span, label in marks)
    finding = Finding("SP101", "x", Severity.ERROR, primary, "m", witness=witness)
    out = plain(render_finding(finding, lines_of({"train.py": text}))).splitlines()
    return "\n".join(out[3:-2])


def test_three_labels_on_one_line_hang_right_to_left() -> None:
    first, second, third = (samples.span(1, column, column + 1) for column in (1, 5, 9))
    assert drawn("a = b + c", (first, "A"), (second, "B"), (third, "C"), primary=third) == (
        "1 | a = b + c\n"  #
        "  | -   -   ^ C\n"
        "  | |   |\n"
        "  | |   B\n"
        "  | A"
    )


def test_a_mark_inside_another_stays_visible() -> None:
    outer, inner = samples.span(1, 1, 7), samples.span(1, 3, 4)
    assert drawn("f(h, x", (outer, "call"), (inner, "state"), primary=outer) == (
        "1 | f(h, x\n"  #
        "  | ^^-^^^ call\n"
        "  |   |\n"
        "  |   state"
    )


def test_wide_characters_and_tabs_are_counted_in_cells() -> None:
    where = samples.span(1, 7, 8)
    assert drawn("\t漢字 = x", (where, "here"), primary=where) == "1 |     漢字 = x\n  |            ^ here"


def test_a_span_over_lines_is_a_brace() -> None:
    where = samples.span(1, 1, 2, end_line=3)
    assert drawn("f(\n  x,\n)\n", (where, "all"), primary=where) == (
        "1 | / f(\n"  #
        "2 | |   x,\n"
        "3 | | )\n"
        "  | |_^ all"
    )


def test_a_brace_that_opens_in_a_line_and_skips_its_middle() -> None:
    where = samples.span(1, 5, 2, end_line=8)
    text = "a = f(\n" + "  x,\n" * 6 + ")\n"
    assert drawn(text, (where, "all"), primary=where) == (
        "1 |   a = f(\n"  #
        "  |  _____^\n"
        "...|\n"
        "8 | | )\n"
        "  | |_^ all"
    )


def test_control_characters_cannot_steer_the_terminal() -> None:
    assert Laid("a\x1b[2Jb\x9b\u202e").text == "a␛[2Jb��"
    hostile = replace(samples.CARRIED_STATE, message="a\x1b[2Jb", span=samples.span(1, 1, 2))
    assert "\x1b" not in plain(render_finding(hostile, LINES))


def test_colour_follows_the_environment() -> None:
    terminal, pipe = io.StringIO(), io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    assert coloured(terminal, {}) and not coloured(pipe, {})
    assert not coloured(terminal, {"NO_COLOR": "1"}) and not coloured(terminal, {"TERM": "dumb"})
    assert coloured(pipe, {"FORCE_COLOR": "1"}) and not coloured(pipe, {"FORCE_COLOR": "1", "NO_COLOR": "1"})


def test_colour_changes_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = io.StringIO()
    lines = render(samples.REPORT, LINES, width=80)
    show(lines, out)
    assert "\x1b[1;31merror[SP101]\x1b[0m" in out.getvalue()
    assert re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()) == plain(lines)
