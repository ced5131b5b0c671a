"""Code nobody calls in sight, and frameworks that own the loop: what is told of it, and about what it is silent.

The frameworks' facts were measured in their own packages; here the machine's model of them is held.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from secondpass import check_paths, check_text

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"

EPOCH = """
def train_epoch(model, loader, optimizer, hidden{more}):
    for x, y in loader:
        out, hidden = model(x, hidden)
        loss = F.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {cut}
    return hidden
"""
LIGHTNING = """
import lightning as L


class Tracker(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.state = torch.zeros(2, 4)

    def training_step(self, batch, batch_idx):
        self.state = self.cell(batch, self.state)
        return self.state.mean()
{after}
"""
IGNITE = """
from ignite.engine import Engine, Events

cell, optimizer = nn.GRUCell(3, 4), None


def update(engine, batch):
    engine.state.hidden = cell(batch, engine.state.hidden)
    loss = engine.state.hidden.mean()
    loss.backward()


trainer = Engine(update)


@trainer.on(Events.{event})
def handler(engine):
    engine.state.hidden = {value}


trainer.run([torch.randn(2, 3) for _ in range(4)], max_epochs=2)
"""
SNN = """
import snntorch as snn
from snntorch import utils

net = nn.Sequential(nn.Linear(4, 8), snn.Leaky(beta=0.9, init_hidden=True, output=True))
for x in [torch.rand(2, 4) for _ in range(4)]:
    {reset}
    spikes = torch.stack([net(x)[0] for _ in range(3)])
    spikes.mean().backward()
"""
JELLY = """
from spikingjelly.activation_based import functional, layer, neuron

body = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode())
head = nn.Sequential(layer.Linear(8, 2), neuron.LIFNode())
for x in [torch.rand(2, 4) for _ in range(4)]:
    head(body(x)).mean().backward()
    {reset}
"""


def serious(text: str) -> list[str]:
    report = check_text(HEAD + text, "program.py")
    assert not report.errors
    return [f.rule for f in report.findings if f.severity.serious]


@pytest.mark.parametrize(
    ("more", "cut", "rules"),
    [
        ("", "pass", ["SP101"]),
        ("", "hidden = hidden.detach()", []),
        ("", "hidden = tuple(h.detach() for h in hidden)", []),
        (", repackage", "hidden = repackage(hidden)", []),
        (", every", "if every: hidden = hidden.detach()", ["SP101"]),
    ],
)
def test_a_state_that_goes_through_an_unseen_model_and_comes_back(more: str, cut: str, rules: list[str]) -> None:
    assert serious(EPOCH.format(more=more, cut=cut)) == rules


def test_what_is_believed_is_said_and_is_no_error() -> None:
    (finding,) = check_text(HEAD + EPOCH.format(more="", cut="pass"), "program.py").findings
    assert finding.severity.value == "warning"
    assert "`model` has parameters that train and does not cut what it is given" in finding.assumptions


@pytest.mark.parametrize("name", ["teacher", "target_net", "vgg", "transform", "env"])
def test_what_is_not_called_a_model_that_trains_is_not_believed_to_be_one(name: str) -> None:
    assert serious(EPOCH.format(more="", cut="pass").replace("model", name)) == []


@pytest.mark.parametrize(
    ("after", "rules"),
    [
        ("", ["SP101"]),
        ("\n    def on_train_batch_end(self, *args):\n        self.state = self.state.detach()\n", []),
        ("\n    def on_train_epoch_end(self):\n        self.state = self.state.detach()\n", ["SP101"]),
    ],
)
def test_lightning_walks_what_training_step_returns(after: str, rules: list[str]) -> None:
    assert serious(LIGHTNING.format(after=after)) == rules


@pytest.mark.parametrize(
    ("event", "value", "rules"),
    [
        ("EPOCH_STARTED", "torch.zeros(2, 4)", ["SP101"]),
        ("ITERATION_STARTED", "torch.zeros(2, 4)", []),
        ("ITERATION_COMPLETED(every=2)", "engine.state.hidden.detach()", ["SP101"]),
    ],
)
def test_ignite_keeps_its_state_between_batches(event: str, value: str, rules: list[str]) -> None:
    start = "trainer = Engine(update)\n"
    text = IGNITE.format(event=event, value=value).replace(start, start + "trainer.state.hidden = torch.zeros(2, 4)\n")
    assert serious(text) == rules


@pytest.mark.parametrize(("reset", "rules"), [("pass", ["SP101"]), ("utils.reset(net)", [])])
def test_snntorch_neurons_keep_their_membrane(reset: str, rules: list[str]) -> None:
    assert serious(SNN.format(reset=reset)) == rules


@pytest.mark.parametrize(
    ("reset", "rules"),
    [
        ("pass", ["SP101"]),
        ("functional.reset_net(body)", ["SP101"]),
        ("functional.reset_net(body); functional.reset_net(head)", []),
        ("functional.detach_net(nn.ModuleList([body, head]))", []),
    ],
)
def test_spikingjelly_resets_the_sub_tree_it_is_given(reset: str, rules: list[str]) -> None:
    assert serious(JELLY.format(reset=reset)) == rules


HELPER = "def optimise(loss, optimizer):\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n"
UPDATE = """import torch
import torch.nn.functional as F
{imported}


def update(nets, optimizers, batch):
    z = nets["encoder"](batch.obs)
    {call}(F.mse_loss(nets["critic"](z), batch.target), optimizers["critic"])
    {call}(-nets["critic"](nets["actor"]({z})).mean(), optimizers["actor"])
"""


WRAPPED = HELPER.replace("(loss, optimizer):", "(\n    loss,\n    optimizer,\n):")


@pytest.mark.parametrize("helper", [HELPER, WRAPPED], ids=["on one line", "wrapped"])
@pytest.mark.parametrize(("z", "rules"), [("z", ["SP103"]), ("z.detach()", [])])
@pytest.mark.parametrize(
    ("imported", "call"),
    [("from utils.optim import optimise", "optimise"), ("from utils import optim", "optim.optimise")],
)
def test_a_function_nobody_calls_walks_through_another_file(
    tmp_path: Path, imported: str, call: str, z: str, rules: list[str], helper: str
) -> None:
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils" / "optim.py").write_text(helper)
    (tmp_path / "update.py").write_text(UPDATE.format(imported=imported, call=call, z=z))
    found = check_paths([tmp_path / "update.py"]).findings
    assert [(f.rule, f.severity.value) for f in found] == [(rule, "warning") for rule in rules]


TRAINER = """import torch

net = torch.nn.Linear(3, 3)
h = torch.zeros(2, 3)
for x in torch.randn(4, 2, 3):
    h = torch.tanh(net(x) + h)
    h.sum().backward()
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import trainer",
        "import trainer  # mine",
        "import os; import trainer",
        "import os, trainer as t  # noqa",
        "from trainer import net  # mine",
        "from trainer import (\n    h,  # the last\n    net,\n)",
        "from os import path; from trainer import net",
    ],
)
def test_a_file_that_only_imports_a_walk_is_run(tmp_path: Path, imports: str) -> None:
    (tmp_path / "trainer.py").write_text(TRAINER)
    used = "print(net)\n" if "net" in imports else "print(t.net)\n" if " as t" in imports else "print(trainer.net)\n"
    (tmp_path / "main.py").write_text(f"import torch\n{imports}\n{used}print(torch.__version__)\n")
    assert [f.rule for f in check_paths([tmp_path / "main.py"]).findings] == ["SP101"]


PREPARED = """import lightning as L
import torch
from torch import nn


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net, self.h = nn.Linear(3, 3), torch.zeros(2, 3)

    def {name}(self):
        self.automatic_optimization = False

    def training_step(self, batch, batch_idx):
        self.h = torch.tanh(self.net(batch) + self.h)
        return self.h.sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)
"""


@pytest.mark.parametrize("name", ["prepare", "initialize"])
def test_what_one_framework_calls_first_another_does_not(name: str) -> None:
    assert serious(PREPARED.format(name=name)) == ["SP101"]


APEX = """
import torch
from torch import nn
from apex import amp

cell = nn.GRUCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
cell, optimizer = amp.initialize(cell, optimizer, opt_level="O1")
h = torch.zeros(2, 4)
for x in torch.randn(3, 2, 3):
    h = cell(x, h)
    with amp.scale_loss(h.sum(), optimizer) as scaled:
        scaled.backward()
    optimizer.step()
    {cut}
"""


def test_a_loss_that_apex_scales_is_a_product_of_the_loss() -> None:
    (finding,) = check_text(APEX.format(cut="pass"), "train.py").findings
    assert (finding.rule, finding.span.line, finding.raises_at and finding.raises_at.line) == ("SP101", 11, 13)
    assert check_text(APEX.format(cut="h = h.detach()"), "train.py").findings == []
