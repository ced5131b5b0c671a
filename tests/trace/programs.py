"""Programs whose story is known: marks at the line that builds, consumes and raises, and the names that carry."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """A text with marks in its comments; `second-time` unless it says otherwise."""

    name: str
    text: str
    iteration: int = 2
    kind: str = "second-time"
    carries: str = ""

    def lines(self, mark: str) -> set[int]:
        rows = enumerate(self.text.splitlines(), 1)
        return {number for number, row in rows if re.search(rf"#.*\b{mark}\b", row)}


HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
"""


def program(name: str, text: str, **more: object) -> Program:
    return Program(name, HEAD + textwrap.dedent(text).lstrip("\n"), **more)  # type: ignore[arg-type]


RAISING = [
    program(
        "state carried by a name",
        """
        cell = nn.GRUCell(3, 4)
        h = torch.zeros(2, 4)
        for step in range(3):
            h = cell(torch.randn(2, 3), h)  # built
            loss = h.pow(2).mean()
            loss.backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "state kept on an attribute, forward in a method",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = nn.LSTMCell(3, 4)
                self.state = None
            def forward(self, x):
                self.state = self.cell(x, self.state)  # built
                return self.state[0]
        def train(net, steps):
            for i in range(steps):
                net(torch.randn(2, 3)).sum().backward()  # consumed, raises
        train(Net(), 3)
        """,
        carries="self.state",
    ),
    program(
        "one loss walked twice",
        """
        x = torch.rand(3, requires_grad=True)
        loss = (x ** 2).sum()  # built
        loss.backward()  # consumed
        loss.backward()  # raises
        """,
        iteration=1,
        carries="loss",
    ),
    program(
        "a graph made before the loop",
        """
        table = nn.Parameter(torch.rand(4, 3))
        scaled = table * 0.5  # built
        for step in range(2):
            scaled[0].sum().backward()  # consumed, raises
        """,
        carries="scaled",
    ),
    program(
        "two losses on one trunk",
        """
        trunk, a, b = nn.Linear(3, 4), nn.Linear(4, 1), nn.Linear(4, 1)
        for step in range(2):
            shared = trunk(torch.randn(2, 3)).relu()  # built
            a(shared).sum().backward()  # consumed
            b(shared).sum().backward()  # raises
        """,
        iteration=1,
        carries="shared",
    ),
    program(
        "accumulated loss over nested loops",
        """
        net, total = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1)), 0.0
        for epoch in range(2):
            for batch in range(2):
                total = total + net(torch.randn(2, 3)).pow(2).mean()  # built
            total.backward()  # consumed, raises
        """,
        carries="total",
    ),
    program(
        "history in a list",
        """
        net, kept = nn.Linear(3, 3), []
        while len(kept) < 3:
            kept.append(net(torch.randn(2, 3)).tanh())  # built
            torch.stack(kept).sum().backward()  # consumed, raises
        """,
        carries="kept",
    ),
    program(
        "closure called by LBFGS",
        """
        w = nn.Parameter(torch.rand(3))
        optimizer = torch.optim.LBFGS([w], max_iter=3)
        residual = (w * 2 - 1).pow(2)  # built
        def closure():
            optimizer.zero_grad()
            loss = residual.sum()
            loss.backward()  # consumed, raises
            return loss
        optimizer.step(closure)
        """,
        carries="residual",
    ),
    program(
        "autograd.grad consumes too",
        """
        net = nn.Linear(3, 1)
        x = torch.randn(2, 3, requires_grad=True)
        out = net(x).pow(2).sum()  # built
        (slope,) = torch.autograd.grad(out, x)  # consumed
        out.backward()  # raises
        """,
        iteration=1,
        carries="out",
    ),
    program(
        "a step changes the weight that a retained graph saved",
        """
        net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        loss = net(torch.randn(2, 3)).mean()  # built
        for i in range(2):
            loss.backward(retain_graph=True)  # raises
            optimizer.step()  # consumed
        """,
        kind="inplace-version",
        carries="loss",
    ),
    program(
        "an activation written in place",
        """
        net = nn.Linear(3, 3)
        h = net(torch.randn(2, 3)).exp()  # built
        h.add_(1.0)  # consumed
        h.sum().backward()  # raises
        """,
        iteration=1,
        kind="inplace-version",
    ),
    program(
        "a custom function reads what was freed",
        """
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x
            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors  # raises
                return 2 * g * x
        x = torch.rand(3, requires_grad=True)
        y = Square.apply(x)  # built
        y.sum().backward()  # consumed
        y.sum().backward()
        """,
        iteration=1,
        carries="y",
    ),
    program(
        "the program catches the exception and goes on",
        """
        x = torch.rand(3, requires_grad=True)
        y = x.exp()  # built
        for i in range(3):
            try:
                y.sum().backward()  # consumed, raises
            except RuntimeError:
                print("caught")
        """,
        carries="y",
    ),
    program(
        "checkpointed block, without reentry",
        """
        from torch.utils.checkpoint import checkpoint
        net, h = nn.Linear(4, 4), torch.zeros(2, 4)
        for i in range(2):
            h = checkpoint(lambda v: net(v).tanh(), h + torch.randn(2, 4), use_reentrant=False)  # built
            h.sum().backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "checkpointed block, with reentry",
        """
        from torch.utils.checkpoint import checkpoint
        net, h = nn.Linear(4, 4), torch.zeros(2, 4, requires_grad=True)
        for i in range(2):
            h = checkpoint(lambda v: net(v).tanh(), h + torch.randn(2, 4), use_reentrant=True)  # built
            h.sum().backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "graph built by a worker thread",
        """
        import threading
        net, box = nn.Linear(3, 3), {}
        def work(x):
            for i in range(3):
                box["y"] = net(x).tanh()  # built
        for step in range(2):
            extra = [torch.zeros(1) for i in range(7)]
            if step == 0:
                worker = threading.Thread(target=work, args=(torch.randn(2, 3),))
                worker.start()
                worker.join()
            box["y"].sum().backward()  # consumed, raises
        """,
    ),
    program(
        "a loop that runs in a worker thread",
        """
        import threading
        def train():
            cell, h = nn.GRUCell(3, 4), torch.zeros(2, 4)
            for step in range(3):
                h = cell(torch.randn(2, 3), h)  # built
                try:
                    h.pow(2).sum().backward()  # consumed, raises
                except RuntimeError as error:
                    print("worker", type(error).__name__)
                    return
        worker = threading.Thread(target=train)
        worker.start()
        for i in range(20):
            torch.rand(2, requires_grad=True).exp().sum().backward()
        worker.join()
        """,
        carries="h",
    ),
    program(
        "a generator yields attached state",
        """
        cell = nn.GRUCell(3, 4)
        def unroll(n):
            h = torch.zeros(2, 4)
            for t in range(n):
                h = cell(torch.randn(2, 3), h)  # built
                yield h
        for out in unroll(3):
            out.sum().backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "an async worker",
        """
        import asyncio
        cell = nn.GRUCell(3, 4)
        async def fetch():
            await asyncio.sleep(0)
            return torch.randn(2, 3)
        async def main():
            h = torch.zeros(2, 4)
            for t in range(3):
                x = await fetch()
                h = cell(x, h)  # built
                h.sum().backward()  # consumed, raises
        asyncio.run(main())
        """,
        carries="h",
    ),
    program(
        "a tensor hook stores attached gradients",
        """
        w = nn.Parameter(torch.rand(3))
        seen = []
        for i in range(2):
            h = w.exp()
            h.register_hook(seen.append)
            (g,) = torch.autograd.grad(h.pow(2).sum(), w, create_graph=True)  # built
            penalty = sum(s.pow(2).sum() for s in seen)
            penalty.backward()  # consumed, raises
        """,
    ),
    program(
        "torch.compile, eager backend",
        """
        cell = nn.GRUCell(3, 4)
        def step(x, h):
            for _ in range(1):
                h = cell(x, h)
            return h
        fast = torch.compile(step, backend="eager", fullgraph=True)
        h = torch.zeros(2, 4)
        for i in range(3):
            h = fast(torch.ones(2, 3), h)  # built
            h.pow(2).sum().backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "torch.compile, differentiated ahead of time",
        """
        @torch.compile(backend="aot_eager")
        def step(w, h):
            return (h * w).tanh()
        w = nn.Parameter(torch.rand(4))
        h = torch.zeros(4)
        for i in range(3):
            h = step(w, h + 1)  # built
            h.pow(2).sum().backward()  # consumed, raises
        """,
        carries="h",
    ),
    program(
        "more calls between than are held",
        """
        x = torch.rand(3, requires_grad=True)
        old = x.exp()  # built
        old.sum().backward()  # consumed
        for i in range(20):
            (x * i).sum().backward()
        old.sum().backward()  # raises
        """,
        iteration=1,
        carries="old",
    ),
    program(
        "a freed tensor is read without a walk",
        """
        x = torch.rand(3, requires_grad=True)
        y = x.exp()  # built
        y.sum().backward()  # consumed
        node = y.grad_fn
        print(node._saved_result)  # raises
        """,
        iteration=1,
    ),
]

CLEAN = [
    program(
        "truncated backpropagation",
        """
        cell, h = nn.GRUCell(3, 4), torch.zeros(2, 4)
        optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
        for step in range(12):
            h = cell(torch.randn(2, 3), h.detach())
            optimizer.zero_grad()
            h.pow(2).mean().backward()
            optimizer.step()
            print(step, h.shape)
        """,
    ),
    program(
        "double backward, hooks, retained walks",
        """
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        net[0].register_full_backward_hook(lambda m, i, o: print("hook", len(i)))
        for step in range(4):
            x = torch.randn(2, 3, requires_grad=True)
            y = net(x).sum()
            (g,) = torch.autograd.grad(y, x, create_graph=True)
            g.pow(2).sum().backward(retain_graph=True)
            y.backward()
        """,
    ),
    program(
        "loss summed as a number",
        """
        net, total = nn.Linear(3, 1), 0.0
        for step in range(9):
            loss = net(torch.randn(2, 3)).pow(2).mean()
            loss.backward()
            total += loss.item()
        print(round(total, 3))
        """,
    ),
]

GROWING = [
    program(
        "loss summed as a tensor",
        """
        net, total = nn.Linear(3, 1), 0.0
        for step in range(9):
            loss = net(torch.randn(2, 3)).pow(2).mean()
            loss.backward()
            total += loss  # built
        """,
        carries="total",
    ),
    program(
        "outputs kept on an object",
        """
        class Meter:
            def __init__(self):
                self.seen = []
        net, meter = nn.Linear(3, 1), Meter()
        def step():
            out = net(torch.randn(2, 3)).tanh()  # built
            meter.seen.append(out)
            out.sum().backward()
        for i in range(9):
            step()
        """,
        carries="meter.seen",
    ),
    program(
        "retain_graph hides a carry",
        """
        cell, h = nn.GRUCell(3, 4), torch.zeros(2, 4)
        for step in range(8):
            h = cell(torch.randn(2, 3), h)  # built
            h.sum().backward(retain_graph=True)
        """,
        carries="h",
    ),
]
