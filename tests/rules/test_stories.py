"""What a finding says, word for word: message, subject, place, help, and every step of its witness."""

# ruff: noqa: E501 (sentences are not broken)

from __future__ import annotations

from dataclasses import dataclass

import pytest
from secondpass import check_text

from tests.judge.forkserver import truth


@dataclass(frozen=True)
class Told:
    """A program and its one finding. A step is its role, line, iteration and text."""

    name: str
    program: str
    rule: str
    line: int
    raises: tuple[int, int] | None
    subject: str
    message: str
    help: str
    steps: tuple[tuple[str, int, int, str], ...]


STORIES = (
    Told(
        name="a pair of states",
        program="""\
import torch
cell = torch.nn.LSTMCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
h, c = torch.zeros(2, 4), torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h, c = cell(x, (h, c))
    loss = h.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        rule="SP101",
        line=6,
        raises=(9, 2),
        subject="h",
        message="`h` and `c` carry the graph of the previous iteration into `cell(x, (h, c))`",
        help="cut the history once the iteration is done (gradients then stop at the iteration's start)",
        steps=(
            ("built", 6, 1, "iteration 1 builds `h` and `c` here"),
            ("carried", 6, 1, "`h` carries iteration 1's graph into iteration 2"),
            ("carried", 6, 1, "`c` carries iteration 1's graph into iteration 2"),
            ("consumed", 9, 1, "iteration 1 consumes that graph here"),
            ("entered", 6, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 9, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="only one of the pair is cut",
        program="""\
import torch
cell = torch.nn.LSTMCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
h, c = torch.zeros(2, 4), torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h, c = cell(x, (h, c))
    loss = h.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    h = h.detach()
""",
        rule="SP101",
        line=6,
        raises=(9, 2),
        subject="c",
        message="`c` carries the graph of the previous iteration into `cell(x, (h, c))`",
        help="cut `c` as well: `h` is cut on line 11, `c` is not",
        steps=(
            ("built", 6, 1, "iteration 1 builds `c` here"),
            ("carried", 6, 1, "`c` carries iteration 1's graph into iteration 2"),
            ("consumed", 9, 1, "iteration 1 consumes that graph here"),
            ("entered", 6, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 9, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a cut whose result is dropped",
        program="""\
import torch
cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h = cell(x, h)
    h.pow(2).sum().backward()
    h.detach()
""",
        rule="SP101",
        line=5,
        raises=(6, 2),
        subject="h",
        message="`h` carries the graph of the previous iteration into `cell(x, h)`",
        help="keep the result: `h.detach()` on line 7 is dropped, and `detach` changes nothing in place",
        steps=(
            ("built", 5, 1, "iteration 1 builds `h` here"),
            ("carried", 5, 1, "`h` carries iteration 1's graph into iteration 2"),
            ("consumed", 6, 1, "iteration 1 consumes that graph here"),
            ("entered", 5, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 6, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a cut that rebinds the loop variable",
        program="""\
import torch
cell = torch.nn.GRUCell(3, 4)
memory = {"a": torch.zeros(2, 4), "b": torch.zeros(2, 4)}
for step in range(3):
    loss = 0.0
    for name in ("a", "b"):
        memory[name] = cell(torch.randn(2, 3), memory[name])
        loss = loss + memory[name].pow(2).sum()
    loss.backward()
    for state in memory.values():
        state = state.detach()
""",
        rule="SP101",
        line=7,
        raises=(9, 2),
        subject="memory[name]",
        message="`memory[name]` carries the graph of the previous iteration into `cell(torch.randn(2, 3), memory[name])`",
        help="store the cut tensor: `state.detach()` on line 11 only rebinds `state`, and `memory[name]` keeps the old one",
        steps=(
            ("built", 7, 1, "iteration 1 builds `memory[name]` here"),
            ("carried", 7, 1, "`memory[name]` carries iteration 1's graph into iteration 2"),
            ("consumed", 9, 1, "iteration 1 consumes that graph here"),
            ("entered", 7, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 9, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a module that keeps its state, and a method that resets it",
        program="""\
import torch
from torch import nn


class Leaky(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.mem = torch.zeros(4)

    def reset(self):
        self.mem = torch.zeros(4)

    def forward(self, x):
        self.mem = 0.9 * self.mem + torch.tanh(self.linear(x))
        return self.mem


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in batches:
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(Leaky(), torch.randn(4, 3))
""",
        rule="SP101",
        line=15,
        raises=(24, 2),
        subject="self.mem",
        message="`self.mem` carries the graph of the previous iteration into `0.9 * self.mem`",
        help="cut the history once the iteration is done (gradients then stop at the iteration's start), or call `reset()`, which rebinds `self.mem`, at the start of the iteration",
        steps=(
            ("built", 15, 1, "iteration 1 builds `self.mem` here"),
            ("built", 22, 1, "iterations 1 and 2 come through here"),
            ("carried", 15, 1, "`self.mem` carries iteration 1's graph into iteration 2"),
            ("consumed", 24, 1, "iteration 1 consumes that graph here"),
            ("entered", 15, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 24, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="two walks of one loss, far apart",
        program="""\
import torch


def gradient_norm(loss, parameters):
    return sum(g.norm() for g in torch.autograd.grad(loss, parameters))


model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
loss = model(torch.randn(5, 3)).pow(2).mean()
print(gradient_norm(loss, list(model.parameters())))
loss.backward()
""",
        rule="SP102",
        line=11,
        raises=(11, 1),
        subject="loss",
        message="`loss.backward()` walks the graph that `torch.autograd.grad(loss, parameters)` on line 5 has already consumed",
        help="write `retain_graph=True` on the first walk, `torch.autograd.grad(loss, parameters)` (no step lies between), or compute the loss again",
        steps=(
            ("built", 9, 1, "`loss` is built here"),
            ("consumed", 5, 1, "the first walk consumes that graph here"),
            ("consumed", 10, 1, "the first walk comes from here"),
            ("walked-again", 11, 1, "the second walk needs it and raises"),
        ),
    ),
    Told(
        name="retain_graph on the wrong walk",
        program="""\
import torch
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())
features = model(torch.randn(5, 3))
one, two = features.pow(2).mean(), features.exp().mean()
one.backward()
two.backward(retain_graph=True)
""",
        rule="SP105",
        line=4,
        raises=(6, 1),
        subject="features",
        message="`two.backward(retain_graph=True)` needs the graph behind `features`, which `one.backward()` has consumed",
        help="move `retain_graph=True` to the first walk, `one.backward()` on line 5: on the second it comes too late",
        steps=(
            ("built", 3, 1, "`features` is built here"),
            ("consumed", 5, 1, "the first walk consumes that graph here"),
            ("entered", 4, 1, "this builds on the same graph"),
            ("walked-again", 6, 1, "the second walk needs it and raises"),
        ),
    ),
    Told(
        name="a generator that its critic's loss walks",
        program="""\
import torch
from torch import nn

maker, judge = nn.Sequential(nn.Linear(2, 4), nn.Tanh()), nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
maker_step = torch.optim.SGD(maker.parameters(), lr=0.1)
judge_step = torch.optim.SGD(judge.parameters(), lr=0.1)
for _ in range(3):
    fake = maker(torch.randn(5, 2))
    judge_loss = judge(fake).mean() - judge(torch.randn(5, 4)).mean()
    judge_step.zero_grad()
    judge_loss.backward()
    judge_step.step()
    maker_loss = -judge(fake).mean()
    maker_step.zero_grad()
    maker_loss.backward()
    maker_step.step()
""",
        rule="SP105",
        line=13,
        raises=(15, 1),
        subject="fake",
        message="`maker_loss.backward()` needs the graph behind `fake`, which `judge_loss.backward()` has consumed",
        help="detach `fake` where the first loss reads it (`judge(fake.detach())`): that loss is not to train what built it",
        steps=(
            ("built", 8, 1, "`fake` is built here"),
            ("consumed", 11, 1, "the first walk consumes that graph here"),
            ("entered", 13, 1, "this builds on the same graph"),
            ("walked-again", 15, 1, "the second walk needs it and raises"),
        ),
    ),
    Told(
        name="computed outside a closure",
        program="""\
import torch
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
optimizer = torch.optim.LBFGS(model.parameters())
x = torch.randn(5, 3)
smooth = model(x).pow(2).mean()


def closure():
    optimizer.zero_grad()
    loss = model(x).exp().mean() + smooth
    loss.backward()
    return loss


optimizer.step(closure)
""",
        rule="SP103",
        line=10,
        raises=(11, 1),
        subject="smooth",
        message="`smooth` is computed once, outside `closure`, and `optimizer.step(closure)` calls `closure` several times",
        help="compute it again in each call of `closure` (or detach it, if nothing behind it is to be trained)",
        steps=(
            ("built", 5, 1, "`smooth` is computed here, once, outside `closure`"),
            ("consumed", 11, 1, "the first call of `closure` consumes that graph here"),
            ("consumed", 15, 1, "both walks come from here"),
            ("entered", 10, 1, "each call of `closure` builds on it here"),
            ("walked-again", 11, 1, "the second walks into it and raises"),
        ),
    ),
    Told(
        name="data that was made with weights nobody trains",
        program="""\
import torch
teacher = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())
student = torch.nn.Linear(3, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(8, 3)
wanted = teacher(x)
for epoch in range(3):
    loss = (student(x) - wanted).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        rule="SP103",
        line=8,
        raises=(10, 2),
        subject="wanted",
        message="`wanted` was computed once, before the loop, and every iteration's backward walks its graph",
        help="detach it (no step trains what is behind it), or compute it under `torch.no_grad()`",
        steps=(
            ("built", 6, 1, "`wanted` is computed here, once, before the loop"),
            ("consumed", 10, 1, "iteration 1 consumes that graph here"),
            ("entered", 8, 2, "iteration 2 builds on that graph again here"),
            ("walked-again", 10, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="losses walked one by one",
        program="""\
import torch
trunk, heads = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh()), [torch.nn.Linear(4, 1) for _ in range(2)]
shared = trunk(torch.randn(5, 3))
losses = [head(shared).pow(2).mean() for head in heads]
for loss in losses:
    loss.backward()
""",
        rule="SP103",
        line=4,
        raises=(6, 2),
        subject="shared",
        message="the losses in `losses` share the graph behind `shared`, which the first walk consumes",
        help="walk once over their sum, `sum(losses).backward()`",
        steps=(
            ("built", 3, 1, "`shared` is computed here, once, before the loop"),
            ("consumed", 6, 1, "iteration 1 consumes that graph here"),
            ("entered", 4, 1, "this builds on the same graph"),
            ("walked-again", 6, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a buffer written in place",
        program="""\
import torch
from torch import nn


class Bank(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(3, 4)
        self.register_buffer("slots", torch.zeros(2, 4))

    def forward(self, x, i):
        self.slots[i] = torch.tanh(self.encode(x))
        return self.slots.pow(2).mean()


bank = Bank()
optimizer = torch.optim.SGD(bank.parameters(), lr=0.1)
for i in range(2):
    loss = bank(torch.randn(3), i)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        rule="SP106",
        line=12,
        raises=(21, 2),
        subject="self.slots",
        message="`self.slots` is written in place in every iteration and keeps the graphs of the iterations before",
        help="make a new tensor in each iteration, or assign the detached value: `self.slots` is then no part of the graph",
        steps=(
            ("built", 12, 1, "iteration 1 builds `self.slots` here"),
            ("built", 19, 1, "iterations 1 and 2 come through here"),
            ("consumed", 21, 1, "iteration 1 consumes that graph here"),
            ("entered", 12, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 21, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a step between the walks",
        program="""\
import torch
from torch import nn

actor, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
critic_step = torch.optim.SGD(critic.parameters(), lr=0.1)
x = torch.randn(5, 3)
value = critic(actor(x))
critic_loss = value.pow(2).mean()
critic_loss.backward(retain_graph=True)
critic_step.step()
actor_loss = -value.mean()
actor_loss.backward()
""",
        rule="SP203",
        line=11,
        raises=(12, 1),
        subject="value",
        message="`actor_loss.backward()` needs values that `critic_step.step()` has changed in place since `critic(actor(x))` saved them",
        help="compute `critic(actor(x))` again after `critic_step.step()`, or move `critic_step.step()` behind `actor_loss.backward()` (it then also steps with that walk's gradients); `retain_graph=True` on line 9 keeps the graph, not the old values",
        steps=(
            ("built", 7, 1, "`value` is built here"),
            ("retained", 9, 1, "the first walk keeps that graph here"),
            ("stepped", 10, 1, "`critic_step.step()` changes weights that this graph saved"),
            ("entered", 11, 1, "this builds on the same graph"),
            ("walked-again", 12, 1, "the second walk needs the old values and raises"),
        ),
    ),
    Told(
        name="one function called twice",
        program="""\
import torch


class Tracker:
    def __init__(self):
        self.cell = torch.nn.GRUCell(3, 4)
        self.h = torch.zeros(1, 4)

    def update(self, x):
        self.h = self.cell(x, self.h)
        loss = self.h.pow(2).mean()
        loss.backward()
        return loss.item()


tracker = Tracker()
tracker.update(torch.randn(1, 3))
tracker.update(torch.randn(1, 3))
""",
        rule="SP101",
        line=10,
        raises=(12, 1),
        subject="self.h",
        message="`self.h` carries the graph of the previous call of `update` into `self.cell(x, self.h)`",
        help="cut the history once the call is done (gradients then stop at the call's start)",
        steps=(
            ("built", 10, 1, "the first call of `update` builds `self.h` here"),
            ("carried", 10, 1, "`self.h` carries that call's graph into the next"),
            ("consumed", 12, 1, "the first call of `update` consumes that graph here"),
            ("consumed", 17, 1, "the first walk comes from here"),
            ("entered", 10, 1, "the second call builds on the first one's graph here"),
            ("walked-again", 12, 1, "the second walks into it and raises"),
            ("walked-again", 18, 1, "the walk that raises comes from here"),
        ),
    ),
    Told(
        name="retain_graph that hides a carry",
        program="""\
import torch
cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
total = 0.0
for x in torch.randn(4, 2, 3):
    h = cell(x, h)
    loss = h.pow(2).mean()
    loss.backward(retain_graph=True)
""",
        rule="SP201",
        line=8,
        raises=None,
        subject="h",
        message="`h` carries every earlier iteration's graph, which `retain_graph=True` keeps: iteration n walks n iterations, memory and time grow",
        help="cut the history once the iteration is done (gradients then stop at the iteration's start); `retain_graph=True` is then not needed",
        steps=(
            ("built", 6, 1, "iteration 1 builds `h` here"),
            ("carried", 6, 1, "`h` carries iteration 1's graph into iteration 2"),
            ("retained", 8, 1, "iteration 1 walks and keeps that graph here"),
            ("entered", 6, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 8, 2, "iteration 2's walk goes through both iterations"),
        ),
    ),
    Told(
        name="a report that keeps its losses",
        program="""\
import torch
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for x in torch.randn(4, 2, 3):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss
print(total / 4)
""",
        rule="SP301",
        line=10,
        raises=None,
        subject="total",
        message="`total` keeps the graph of every iteration alive, though nothing walks it again: memory grows",
        help="keep the number (`loss.item()`) or the detached tensor (`.detach()`)",
        steps=(
            ("built", 6, 1, "iteration 1's `loss` and its whole graph are still held"),
            ("consumed", 8, 1, "each iteration's walk has used its graph up here"),
            ("carried", 10, 2, "`total` holds on to it"),
        ),
    ),
    Told(
        name="a state that is zeroed with its history",
        program="""\
import torch
cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h = cell(x, h)
    loss = h.pow(2).mean()
    loss.backward()
    h.zero_()
""",
        rule="SP101",
        line=5,
        raises=(7, 2),
        subject="h",
        message="`h` carries the graph of the previous iteration into `cell(x, h)`",
        help="cut the history (`h = h.detach()`) or make a new tensor: `h.zero_()` on line 8 keeps it",
        steps=(
            ("built", 5, 1, "iteration 1 builds part of the graph behind `h` here"),
            ("built", 8, 1, "iteration 1 builds `h` here"),
            ("carried", 5, 1, "`h` carries iteration 1's graph into iteration 2"),
            ("consumed", 7, 1, "iteration 1 consumes that graph here"),
            ("entered", 5, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 7, 2, "iteration 2 walks into it and raises"),
        ),
    ),
    Told(
        name="a cut that runs more rarely than the walk",
        program="""\
import torch
cell = torch.nn.GRUCell(3, 4)
h = torch.zeros(2, 4)
for step, x in enumerate(torch.randn(8, 2, 3)):
    h = cell(x, h)
    if step % 2 == 1:
        loss = h.pow(2).mean()
        loss.backward()
    if step % 4 == 3:
        h = h.detach()
""",
        rule="SP101",
        line=5,
        raises=(8, 4),
        subject="h",
        message="`h` carries the graph that iteration 2's backward consumed into `cell(x, h)`",
        help="cut in every iteration that walks: `h = h.detach()` on line 10 does not run between iteration 2 and iteration 3",
        steps=(
            ("built", 5, 2, "iteration 2 builds `h` here"),
            ("carried", 5, 2, "`h` carries iteration 2's graph into iteration 3"),
            ("consumed", 8, 2, "iteration 2 consumes that graph here"),
            ("entered", 5, 3, "iteration 3 builds on iteration 2's graph here"),
            ("walked-again", 8, 4, "iteration 4 walks into it and raises"),
        ),
    ),
    Told(
        name="a cache that is filled once",
        program="""\
import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.cache = None

    def forward(self, x):
        if self.cache is None:
            self.cache = torch.sin(self.scale * torch.arange(4.0))
        return x * self.cache


table = Table()
optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
for x in torch.randn(3, 4):
    loss = table(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        rule="SP106",
        line=14,
        raises=(22, 2),
        subject="self.cache",
        message="`self.cache` keeps the graph of iteration 1, and `x * self.cache` builds on it again",
        help="compute it again in each iteration (or detach it, if nothing behind it is to be trained)",
        steps=(
            ("built", 13, 1, "iteration 1 builds `self.cache` here"),
            ("built", 20, 1, "iterations 1 and 2 come through here"),
            ("carried", 13, 1, "`self.cache` carries iteration 1's graph into iteration 2"),
            ("consumed", 22, 1, "iteration 1 consumes that graph here"),
            ("entered", 14, 2, "iteration 2 builds on iteration 1's graph here"),
            ("walked-again", 22, 2, "iteration 2 walks into it and raises"),
        ),
    ),
)


@pytest.mark.parametrize("told", STORIES, ids=lambda told: told.name)
def test_the_story_word_for_word(told: Told) -> None:
    (finding,) = check_text(told.program, "program.py").findings
    assert (finding.rule, finding.span.line, finding.subject) == (told.rule, told.line, told.subject)
    assert finding.message == told.message
    assert finding.help == told.help
    assert finding.assumptions == ()
    at = finding.raises_at
    assert (None if at is None else (at.line, at.iteration)) == told.raises
    assert tuple((s.role, s.span.line, s.iteration, s.text) for s in finding.witness) == told.steps


@pytest.mark.parametrize("told", STORIES, ids=lambda told: told.name)
def test_pytorch_raises_where_told(told: Told) -> None:
    end = truth(told.program)
    assert end.line == (told.raises[0] if told.raises else None)
