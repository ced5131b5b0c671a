"""SP108: who in the project ends what a module keeps, and so what is told of the module's own file."""

from __future__ import annotations

from pathlib import Path

import pytest
from secondpass import check_paths, check_text

MODULE = """import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 8, batch_first=True)
        self.state = None

    def reset_state(self):
        self.state = None

    def forward(self, x):
        if self.state is None or self.state.size(1) != x.size(0):
            self.state = x.new_zeros(1, x.size(0), 8)
        out, self.state = self.rnn(x, self.state)
        return out[:, -1]
"""
LOOP = """def fit(model, data, loss_fn):
    for windows, label in data:
        {outer}
        for x in windows:
            {inner}
            loss_fn(model(x), label).backward()
"""


@pytest.mark.parametrize(
    ("outer", "inner", "told"),
    [
        ("pass", "pass", True),
        ("model.reset_state()", "pass", True),
        ("pass", "model.reset_state()", False),
        ("pass", "model.state = None", False),
        ("model.state = None", "pass", True),
    ],
)
def test_a_reset_counts_where_the_walk_is(tmp_path: Path, outer: str, inner: str, told: bool) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "layers").mkdir()
    module = tmp_path / "layers" / "encoder.py"
    module.write_text(MODULE)
    (tmp_path / "fit.py").write_text(LOOP.format(outer=outer, inner=inner))
    found = check_paths([module]).findings
    assert [(f.rule, f.span.line, f.severity.value) for f in found] == [("SP108", 17, "warning")] * told


@pytest.mark.parametrize(
    "more",
    [
        "\n\nencoder = Encoder()\n",
        "\n\nclass Two(Encoder):\n    pass\n",
        "\n\ndef fit(model: Encoder, x):\n    model.reset_state()\n    model(x).sum().backward()\n",
    ],
)
def test_a_module_that_its_own_file_makes_is_left_to_it(more: str) -> None:
    assert [f.rule for f in check_text(MODULE, "encoder.py").findings] == ["SP108"]
    assert check_text(MODULE + more, "encoder.py").findings == []


def test_what_is_said_of_a_module_or_done_with_another_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    said = '"""Use as: model = Encoder(4)"""\n# Encoder() is made elsewhere\n\n'
    meter = "\n\nclass Meter:\n    def reset_meter(self):\n        self.count = 0\n"
    module = tmp_path / "encoder.py"
    module.write_text(said + MODULE + meter)
    (tmp_path / "fit.py").write_text(LOOP.format(outer="pass", inner="meter.reset_meter(); meter.count = 3"))
    assert [f.rule for f in check_paths([module]).findings] == ["SP108"]


@pytest.mark.parametrize(("cut", "rules"), [("h = h.detach()", []), ("pass", ["SP101"])])
def test_deepspeed_walks_through_its_engine(cut: str, rules: list[str]) -> None:
    text = f"""import deepspeed
import torch
from torch import nn

cell = nn.GRUCell(3, 4)
engine, optimizer, _, _ = deepspeed.initialize(model=cell, optimizer=torch.optim.SGD(cell.parameters(), lr=0.1))
h = torch.zeros(2, 4)
for x in torch.randn(4, 2, 3):
    h = engine(x, h)
    engine.backward(h.mean())
    engine.step()
    {cut}
"""
    assert [f.rule for f in check_text(text, "train.py").findings] == rules


UNROLLED = """
import torch
from torch import nn


class Momentum(nn.Module):
    def __init__(self, rate=0.1, momentum=0.9):
        super().__init__()
        self.rate, self.momentum = nn.Parameter(torch.tensor(rate)), nn.Parameter(torch.tensor(momentum))

    def forward(self, x, y, energy, steps: int = 5):
        velocity = torch.zeros_like(y)
        for _ in range(steps):
            value = energy(x, y)
            grad = torch.autograd.grad(value, y, create_graph=True, retain_graph=True)[0]
            velocity = torch.sigmoid(self.momentum) * velocity - self.rate * grad
            y = y + velocity
        return y


class Settle(nn.Module):
    def __init__(self):
        super().__init__()
        self.potential, self.optimizer = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)), Momentum()

    def energy(self, x, y):
        return self.potential(x + y).pow(2).sum()

    def forward(self, x):
        with torch.enable_grad():
            return self.optimizer(x, torch.zeros(3, 4, requires_grad=True).float(), self.energy, steps=5)
"""


def test_an_optimization_inside_a_forward_keeps_its_steps_on_purpose() -> None:
    assert [f.rule for f in check_text(UNROLLED, "settle.py").findings if f.severity.serious] == []
