"""Every example of every rule: PyTorch ends as its marks say, and the check tells what they say and nothing more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from secondpass import check_text
from secondpass.findings import Finding, Report
from secondpass.rules import RULES
from secondpass.rules.rule import Example

from tests.judge.forkserver import truth
from tests.judge.marks import marks
from tests.rules.cells import cells, notebook, starts
from tests.rules.growth import Nodes, measure

FLAG = re.compile(r",? ?retain_graph=True")


def examples(*codes: str, kind: str = "") -> list[object]:
    """The examples of these rules (or of all), as test parameters."""
    found: list[object] = []
    for code, rule in RULES.items():
        for side, programs in (("raises", rule.raises), ("runs", rule.runs)):
            if (not codes or code in codes) and kind in ("", side):
                found += [pytest.param(code, one, id=f"{code}-{side}-{n}") for n, one in enumerate(programs)]
    return found


EVERY = pytest.mark.parametrize(("code", "example"), examples())


@EVERY
def test_pytorch_ends_as_marked(code: str, example: Example) -> None:
    wanted, end = marks(example.program), truth(example.program)
    if code == "SP205" and wanted.exception:  # an error of its own, which the marks have no word for
        assert end.line == wanted.line and "donated buffers" in end.message, end
    else:
        assert (end.exception, end.line) == (wanted.exception, wanted.line), end


@EVERY
def test_told_as_marked_and_no_more(code: str, example: Example) -> None:
    wanted, report = marks(example.program), checked(example)
    assert report.errors == []
    assert Counter((line_of(one, example), one.rule) for one in report.findings) == wanted.findings
    for finding in report.findings:
        assert finding.severity is RULES[finding.rule].severity and finding.assumptions == ()
        if wanted.line is not None:
            assert finding.raises_at is not None and finding.raises_at.line == wanted.line


def checked(example: Example) -> Report:
    if starts(example.program):
        return check_text(notebook(example.program), "example.ipynb")
    return check_text(example.program, "example.py")


def line_of(finding: Finding, example: Example) -> int:
    """The line of the example on which a finding stands."""
    return finding.span.line + (0 if finding.span.cell is None else starts(example.program)[finding.span.cell])


@pytest.mark.parametrize("code", RULES)
def test_a_rule_shows_both_sides(code: str) -> None:
    rule = RULES[code]
    if code in ("SP401", "SP402"):  # told by a recorded run alone; tests/trace holds them
        return
    assert rule.raises and rule.runs
    for example in rule.raises:
        assert {told for _, told in marks(example.program).findings} == {code}
    for example in rule.runs:
        assert not marks(example.program).findings
    programs = [example.program for example in (*rule.raises, *rule.runs)]
    assert len(set(programs)) == len(programs)
    assert all(example.note and not example.note.endswith(".") for example in (*rule.raises, *rule.runs))


@pytest.mark.parametrize(("code", "example"), examples("SP107"))
def test_a_cell_run_again_ends_as_told(code: str, example: Example) -> None:
    """After a run from top to bottom each cell is run once more: it raises where it is told, and only there."""
    for text in cells(example.program):
        end = truth(f"{example.program}\n{text}")
        assert end.exception == ("second-time" if "want:" in text else None), end


LOOP = """
encoder = Encoder()
for windows in torch.randn(3, 2, 5, 4):
    encoder(windows).sum().backward()
"""


@pytest.mark.parametrize(("code", "example"), examples("SP108"))
def test_a_loop_elsewhere_raises_where_it_is_told(code: str, example: Example) -> None:
    end = truth(example.program + LOOP)
    assert end.exception == ("second-time" if "want:" in example.program else None), end


WALKED: Callable[[Nodes], bool] = lambda nodes: nodes.walked_grow  # noqa: E731
HELD: Callable[[Nodes], bool] = lambda nodes: nodes.held_grow  # noqa: E731
GROWING = {"SP201": WALKED, "SP301": HELD, "SP302": HELD}


@pytest.mark.parametrize(("code", "example"), examples(*GROWING, kind="raises"))
def test_what_is_said_to_grow_grows(code: str, example: Example) -> None:
    assert any(GROWING[code](nodes) for nodes in measure(example.program))


@pytest.mark.parametrize(("code", "example"), examples(*GROWING, kind="runs"))
def test_what_is_said_not_to_grow_does_not(code: str, example: Example) -> None:
    assert not any(GROWING[code](nodes) for nodes in measure(example.program))


@pytest.mark.parametrize(("code", "example"), examples("SP202", kind="raises"))
def test_a_needless_flag_is_not_needed(code: str, example: Example) -> None:
    lines = example.program.split("\n")
    for line, _ in marks(example.program).findings:
        lines[line - 1] = FLAG.sub("", lines[line - 1])
    without = "\n".join(lines)
    assert without != example.program
    assert truth(without).exception is None


@pytest.mark.parametrize(("code", "example"), examples("SP202", kind="runs"))
def test_a_flag_that_is_not_told_is_needed(code: str, example: Example) -> None:
    assert truth(FLAG.sub("", example.program)).exception == "second-time"


SEEN = {
    "p.data -= 0.1 * p.grad": "torch.no_grad()(p.sub_)(0.1 * p.grad)",
    "outer.weight.data.mul_(0.5)": "torch.no_grad()(outer.weight.mul_)(0.5)",
}


@pytest.mark.parametrize(("code", "example"), examples("SP204", kind="raises"))
def test_a_silent_change_raises_once_it_is_visible(code: str, example: Example) -> None:
    """The same change by a way that moves the version: PyTorch then refuses the walk that the finding names."""
    program = example.program.replace(", fused=True", "")
    for unseen, seen in SEEN.items():
        program = program.replace(unseen, seen)
    assert program != example.program
    (finding,) = check_text(example.program, "example.py").findings
    assert finding.raises_at is not None
    end = truth(program)
    assert (end.exception, end.line) == ("inplace-version", finding.raises_at.line), end


@pytest.mark.parametrize(("code", "example"), examples("SP303", kind="raises"))
def test_a_stale_value_is_stale(code: str, example: Example) -> None:
    """At the program's end the value differs from what the same expression gives then."""
    ((line, _),) = marks(example.program).findings
    name, _, value = example.program.split("\n")[line - 1].partition("#")[0].partition(" = ")
    assert truth(f"{example.program}assert not torch.equal({name}, {value})\n").exception is None
    assert truth(f"{example.program}assert torch.equal({name}, {value})\n").type == "AssertionError"
