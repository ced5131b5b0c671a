"""How a run reads in a terminal, and the command."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from secondpass.cli.main import main
from secondpass.trace import record
from secondpass.trace.record import Backward, Growth, Outcome, Place, Raised, Rank, Trace, Versions
from secondpass.trace.show import render

TEXT = """\
import torch
cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
for step in range(3):
    h = cell(torch.randn(2, 3), h)
    h.sum().backward()
"""


def shown(trace: Trace) -> str:
    stream = io.StringIO()
    render(trace, stream)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_table_and_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(TEXT)
    calls = tuple(Backward(n=n, call="backward", path="train.py", line=5, iteration=n, walked=9 * n) for n in (1, 2))
    raised = Raised(
        kind="second-time",
        path="train.py",
        line=5,
        iteration=2,
        built=(Place(path="train.py", line=4, iteration=1),),
        consumed=(Place(path="train.py", line=5, iteration=1),),
        carried=(record.Carrier(name="h", path="train.py", line=4),),
        loop=record.Loop(path="train.py", line=3),
    )
    trace = Trace(
        raised=raised,
        errors=(raised,),
        outcome=Outcome(reason="raised", note="RuntimeError: ...", exit_code=1, seconds=1.25),
        backwards=calls,
        backward_count=2,
        step_count=1,
        cwd=str(tmp_path),
        versions=Versions(python="3.11.7", torch="2.13.0"),
    )
    assert (
        shown(trace)
        == """\

 line         call         calls   iterations   nodes walked
 ───────────────────────────────────────────────────────────────────────────────────
 train.py:5   backward()       2            2        9 to 18   raised in iteration 2

2 backward calls, 1 optimizer step in 1.2 s; the program raised (its exit status: 1)
torch 2.13.0, Python 3.11.7

error[SP401]: in this run, `h` brought in a graph that line 5 had already consumed in iteration 1
 --> train.py:5:5
  |
3 | for step in range(3):
  | --------------------- from the second iteration of this loop on
4 |     h = cell(torch.randn(2, 3), h)
  |     ------------------------------ iteration 1 builds the graph here, and `h` keeps it
5 |     h.sum().backward()
  |     ^^^^^^^^^^^^^^^^^^ iteration 1 consumes that graph here; iteration 2 walks into it and raises
  |
  = note: a traced run confirmed this in iteration 2
  = secondpass explain SP401"""
    )


def test_ranks_growth_and_what_ended_it() -> None:
    ended = Outcome(reason="turns", note="stopped after 50 backward calls", seconds=2.0)
    growth = Growth(kind="held", name="total", path="gone.py", line=3, calls=(1, 2, 3), nodes=(5, 9, 13))
    ranks = (
        Rank(rank=0, outcome=ended, raised=False),
        Rank(rank=1, outcome=ended, raised=True, path="t.py", line=3, iteration=2),
    )
    text = shown(Trace(raised=None, outcome=ended, growth=(growth,), ranks=ranks, notes=("a note",), backward_count=50))
    assert "50 backward calls in 2.0 s; stopped after 50 backward calls" in text
    assert "rank 0: raised neither error\nrank 1: raised at t.py:3 in iteration 2" in text
    assert "note: a note" in text
    assert (
        "`total` kept more of earlier iterations with each backward call: 5 nodes at its call 1 and 13 at call 3"
        in text
    )


def test_the_record_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Traced, kept, and read again by the check."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    (tmp_path / "train.py").write_text("import sys\nprint('hello', sys.argv[1:])\n" + TEXT)
    assert main(["trace", "--turns", "9", "--output", "run.json", "train.py", "--lr", "0.1"]) == 1
    out, _ = capfd.readouterr()
    assert "hello ['--lr', '0.1']\n" in out
    assert "error[SP401]" in out
    data = json.loads((tmp_path / "run.json").read_text())
    raised = data["raised"]
    assert (raised["kind"], raised["path"], raised["line"], raised["turn"]) == ("second-time", "train.py", 7, 2)
    built, consumed = raised["built"][0], raised["consumed"][0]
    assert (built["path"], built["line"], built["turn"]) == ("train.py", 6, 1)
    assert built["text"] == "h = cell(torch.randn(2, 3), h)"
    assert (consumed["line"], consumed["turn"]) == (7, 1)
    assert raised["carried"] == [{"name": "h", "path": "train.py", "line": 6}]
    assert {"backwards", "turns", "growth", "versions"} <= set(data)
    assert main(["graph", "--trace", "run.json"]) == 0
    drawn = capfd.readouterr().out
    assert "h = cell(torch.randn(2, 3), h) · line 6" in drawn and "raised on line 7 in iteration 2" in drawn
    assert main(["check", "--trace", "run.json", "--output-format", "json", "train.py"]) == 1
    (found,) = json.loads(capfd.readouterr().out)["findings"]
    assert found["trace"] == {"verdict": "confirmed", "turn": 2, "note": ""}


def test_a_run_without_an_error_has_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record.save(Trace(raised=None, outcome=Outcome(reason="finished")), "run.json")
    assert main(["graph", "--trace", "run.json"]) == 2
    assert capsys.readouterr().err == "secondpass: the recorded run did not raise, there is no graph to draw\n"
    assert main(["graph"]) == 2
    assert "name a FILE[:LINE] to check, or a record with --trace FILE" in capsys.readouterr().err
