"""Notebooks: which cell cannot be run a second time by itself, and about which secondpass is silent; PyTorch judges.

Magics and shell lines stand among the code, as people write them; PyTorch is given the cells without those lines.
"""

from __future__ import annotations

import json
import re

import pytest
from secondpass import check_text

from tests.judge.forkserver import truth

HEAD = """import torch
from torch import nn
%matplotlib inline
net, cell = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), nn.GRUCell(3, 4)
x, h, losses = torch.randn(2, 3), torch.zeros(2, 4), []
"""
NOTEBOOKS = {
    "a magic before the walk": (["loss = net(x).mean()", "%time loss.backward()"], 2),
    "a cell magic, a shell line": (
        ["%%time\n!ls\nloss = net(x).mean()", "%%capture out\nloss.backward()"],
        2,
    ),
    "forward and walk in one cell": (["!pip install torch\nnet(x).mean().backward()", "net?\nprint(1)"], None),
    "a function called twice": (["def train():\n    net(x).mean().backward()", "train()", "train()"], None),
    "a state cut where it is read": (
        ["for _ in x:\n    h = cell(x, h.detach())\n    h.mean().backward()"],
        None,
    ),
    "a state cut where the cell ends": (["h = cell(x, h)\nh.mean().backward()\nh = h.detach()"], None),
    "a state that goes on": (["h = cell(x, h)\nh.mean().backward()"], 1),
    "a list that goes on": (["losses.append(net(x).mean())\nsum(losses).backward()"], 1),
    "a list emptied": (["losses.append(net(x).mean())\nsum(losses).backward()\nlosses.clear()"], None),
    "grad instead of backward": (
        ["y = net(x).sum()", "(g,) = torch.autograd.grad(y, list(net.parameters())[:1])", "print(g)"],
        2,
    ),
    "nothing was saved": (["w = torch.ones(3, requires_grad=True)\ntotal = w.sum()", "total.backward()"], None),
    "awaited at the top": (["async def train():\n    net(x).mean().backward()", "await train()"], None),
}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_cell_run_again(name: str) -> None:
    more, again = NOTEBOOKS[name]
    cells = [HEAD, *more]
    written = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": c} for c in cells
    ]
    text = json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    report = check_text(text, "study.ipynb")
    assert not report.errors
    assert [(f.rule, f.span.cell) for f in report.findings] == ([] if again is None else [("SP107", again)])

    plain = [re.sub(r"(?m)^(?:[%!].*|\w+\?)$", "", c.replace("%time ", "")) for c in cells]
    plain = [re.sub(r"(?m)^await (.*)$", r"import asyncio; asyncio.run(\1)", c) for c in plain]
    for index, one in enumerate(plain):
        end = truth("\n".join([*plain, one]))
        assert end.exception == ("second-time" if index == again else None), end
