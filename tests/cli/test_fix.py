"""`secondpass fix` around a given outcome: what is printed, and with which exit status."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from secondpass.findings import Edit, FileError, Finding, Fix, Severity, Span

from .conftest import Run

SPAN = Span("train.py", 2, 1, 2, 2)
SAFE = Fix("sum", "Walk once over the sum of losses", "safe", True, (Edit(SPAN, ""),))
CUT = Fix("cut", "Detach `h` (gradients stop at the step's start)", "changes-gradients", True, (Edit(SPAN, ""),))
OPEN = Fix("open", "Move the forward into the loop", "safe", False, (Edit(SPAN, ""),))


def finding(*fixes: Fix) -> Finding:
    return Finding("SP101", "carried-state", Severity.ERROR, SPAN, "m", fixes=fixes)


def test_what_was_fixed_and_what_is_left(outcome: SimpleNamespace, run: Callable[..., Run]) -> None:
    outcome.fixed = [SimpleNamespace(path="train.py", before="a\n", after="b\n", applied=[(finding(SAFE), SAFE)])]
    outcome.left = [finding(CUT), finding(OPEN), finding()]
    ended = run("fix", "train.py", "--rule", "SP101")
    assert ended.out == (
        "fixed train.py:2:1 SP101: Walk once over the sum of losses\n"
        "left train.py:2:1 SP101: Detach `h` (gradients stop at the step's start): --unsafe applies it\n"
        "left train.py:2:1 SP101: its fixes need your choice: Move the forward into the loop\n"
        "left train.py:2:1 SP101: no fix could be proved\n"
    )
    assert ended.status == 1
    assert outcome.asked == (["train.py"], {"rules": ("SP101",), "unsafe": False, "write": True, "choose": None})


def test_nothing_left(outcome: SimpleNamespace, run: Callable[..., Run]) -> None:
    assert run("fix", "train.py", "--unsafe").status == 0
    assert outcome.asked[1]["unsafe"] is True


def test_nothing_read(outcome: SimpleNamespace, run: Callable[..., Run]) -> None:
    outcome.files, outcome.errors = 0, [FileError("gone.py", 1, "no such file or folder")]
    ended = run("fix", "gone.py")
    assert (ended.status, ended.err) == (2, "secondpass: gone.py:1: no such file or folder\n")


def test_a_difference_is_a_patch(outcome: SimpleNamespace, run: Callable[..., Run]) -> None:
    outcome.fixed = [SimpleNamespace(path="train.py", before="a\nb", after="a\nc\n", applied=[])]
    outcome.left = [finding()]
    ended = run("fix", "train.py", "--diff")
    assert ended.out == ("--- a/train.py\n+++ b/train.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n")
    assert ended.err == "left train.py:2:1 SP101: no fix could be proved\n"
    assert outcome.asked[1]["write"] is False
