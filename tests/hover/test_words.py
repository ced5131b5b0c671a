"""What hovers say, in whole programs: `# NAME -> words` asks at the first NAME of its line for these words.

`# NAME -> nothing` asks for silence, and `# NAME -> first: words` for words on the first line, which stands alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from secondpass import Settings, check_text
from secondpass.hovers import Hovers, hovers, hovers_in, seen_in

CARRIED = """
import torch
from torch import nn

net = nn.RNN(3, 5)  # net -> first: `net`: a module, `RNN`, with 4 parameters
head = nn.Linear(5, 1)
for weight in head.parameters():
    weight.requires_grad_(False)
w = torch.ones(5, requires_grad=True)  # w -> a leaf that requires grad
h = torch.zeros(1, 1, 5)  # h -> no history: no walk goes back from here
total = 0.0
for step in range(3):  # step -> nothing
    x = torch.randn(7, 1, 3)
    out, h = net(x, h)  # h -> from iteration 2 on: built at line 14, but it reaches an earlier iteration's graph of line 14
    loss = (head(out) * w).sum()  # head -> with 2 parameters, 2 of them frozen
    loss = loss + 0  # loss -> from iteration 2 on: built at line 16, but it reaches an earlier iteration's graph of line 14
    total += loss.item()  # total -> a number, it holds no graph
    total += loss.item()  # item -> first: `loss.item()`: a Python number, without history
    loss.backward()  # backward -> first: loss.backward()`: raises in iteration 2, where it comes to what is freed already
    x = loss  # x -> its graph (built at line 16) was consumed at line 19: a walk that reaches it raises
print(h)  # h -> first: `h`: not reached: the program raises before, at line 19
print(h)  # print -> nothing
"""
CUT = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(2, 2)  # cell -> `model.cell.weight_ih`

    def forward(self, x, h):  # h -> no history
        h = self.cell(x, h)  # cell -> iterations 1, 2, 3 of the loop at line 24: live graph
        return h  # h -> iterations 1, 2 of the loop at line 18: no history: no walk goes back from here (under `no_grad`)

def evaluate(model):  # model -> a module, `Model`, with 4 parameters
    h = torch.zeros(1, 2)
    with torch.no_grad():  # no_grad -> what is computed inside has no history
        h = torch.zeros(1, 2)
        for _ in range(2):
            h = model(h, h)
    return h

model = Model()
h = torch.zeros(1, 2)
for step in range(3):
    h = model(torch.randn(1, 2), h)
    h.sum().backward()
    h = h.detach()  # detach -> first: `h.detach()`: the same values without history
    h = h  # h -> no history
    h.detach()  # detach -> first: `h.detach()`: its result is thrown away
    loose = h.detach()  # detach -> `h` has no history here, nothing is cut
    with torch.no_grad():  # no_grad -> Nothing inside was seen to require grad.
        y = h + 1
evaluate(model)
"""
NEEDED = """
import torch

w = torch.ones(3, requires_grad=True)
for step in range(2):
    y = w.exp()
    y.sum().backward(retain_graph=True)  # retain_graph -> at line 8 walks this graph again, so it must be kept
    y.mean().backward(retain_graph=True)  # backward -> nothing walks this graph again; keeping it only costs memory
    y = w.exp()
    y.mean().backward()  # backward -> first: walks 2 nodes and fills `.grad` of `w`; it frees what they saved
    state = w.exp()
    kept = state.detach()  # detach -> the same values without history
    (state * 2).sum().backward()
    cut = state.detach()  # detach -> `(state * 2).sum().backward()` at line 13 consumes the graph that is cut off here
"""
ENTRY = """
import torch
from torch import nn

class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def training_step(self, batch, index):  # batch -> first: not known: it comes from code that the analysis cannot see
        loss = self.layer(batch).sum()  # loss -> fills `.grad` of `self.layer.bias`, `self.layer.weight`
        loss.backward()  # backward -> walks
        return loss
"""
UNTIDY = """
import torch

w = torch.ones(3, requires_grad=True)
s = "😀é漢"; y = w.exp()  # y -> live graph, built at line 5
y.sum().backward()
def broken(:
"""


def asked(text: str) -> list[tuple[int, str, str]]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if mark := re.search(r"  # (\w+) -> (.*)", line):
            found.append((number, mark[1], mark[2]))
    return found


def at(table: Hovers, text: str, line: int, name: str) -> str:
    column = re.search(rf"\b{name}\b", text.split("\n")[line - 1])
    assert column is not None
    found = table.at(line, column.start() + 1)
    return found.markdown if found is not None else "nothing"


@pytest.mark.parametrize("text", [CARRIED, CUT, NEEDED, ENTRY, UNTIDY], ids=["carried", "cut", "needed", "entry", "un"])
def test_what_is_said(text: str) -> None:
    table = hovers(text, "train.py")
    questions = asked(text)
    assert questions
    for line, name, words in questions:
        told = at(table, text, line, name)
        told = told.split("\n\n`")[-1] if told.startswith("**SP") else told
        if words.startswith("first: "):
            told, words = told.splitlines()[0], words.removeprefix("first: ")
        assert words in told, f"line {line}, {name}: {told}"


def test_a_finding_comes_first_wherever_its_story_passes() -> None:
    table = hovers(CARRIED, "train.py")
    for line, name in ((14, "net"), (14, "x"), (19, "loss")):
        assert at(table, CARRIED, line, name).startswith("**SP101**: `h` carries the graph of the previous iteration")


def test_watching_changes_nothing_that_is_found() -> None:
    for text in (CARRIED, CUT, NEEDED, ENTRY):
        ran = seen_in(text, "train.py", Settings())
        assert ran is not None
        assert list(ran.findings) == check_text(text, "train.py").findings


def test_a_method_stands_for_its_call_and_an_attribute_for_its_end() -> None:
    table = hovers(CUT, "train.py")
    found = table.at(11, 22)  # the end of `cell` in `self.cell(x, h)`
    assert found is not None
    assert (found.span.column, found.span.end_column, found.pointed.column, found.pointed.end_column) == (
        13,
        28,
        18,
        22,
    )
    table.rest()
    assert table.at(11, 22) == found
    assert table.at(1, 1) is None
    assert table.at(900, 1) is None


def test_a_long_program_is_followed_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secondpass.machine.sighting.FOLLOWED", 50)
    told = at(hovers(CARRIED, "train.py"), CARRIED, 16, "loss")
    assert "from iteration 2 on: built at line 16" in told  # two looks at each place are left


def test_a_text_without_graphs_has_no_hovers() -> None:
    assert hovers("import flask\n", "web.py").at(1, 8) is None
    ran = seen_in("import torch\nx = 1\n", "x.py", Settings())
    assert ran is not None
    assert hovers_in(ran).at(2, 1) is None


PROGRAMS = sorted((Path(__file__).parents[1] / "programs").rglob("*.py"))


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_every_program_has_hovers_and_the_findings_of_its_check(file: Path) -> None:
    text = file.read_text("utf-8")
    ran = seen_in(text, str(file), Settings())
    assert ran is not None
    assert list(ran.findings) == check_text(text, str(file)).findings
    hovers_in(ran)
