"""SP302 kept-history: a list or dict keeps a tensor with history of every iteration."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.growth import findings_for
from secondpass.rules.history import History
from secondpass.rules.rule import Example, Rule


def tell(history: History) -> list[Finding]:
    return findings_for(
        history.growing.containers(),
        "SP302",
        "kept-history",
        "keeps a tensor with its whole graph from every iteration: memory grows",
    )


RULE = Rule(
    code="SP302",
    name="kept-history",
    severity=Severity.WARNING,
    summary="a list or dict keeps a tensor with history of every iteration",
    why="""
        `curve.append(loss)` keeps the loss, and with it the graph it came from: every node, the tensors the walk did
        not release, and each intermediate result that something else still names. After a thousand steps the list holds
        a thousand graphs, of which only the numbers will be looked at.

        What stays is small at first (8 kB a step for the loss of a network of three layers, 11 kB for its scores,
        measured on the CPU) and larger with hooks, penalties and parts that were never walked. The run ends out of
        memory hours in, at a line that has nothing to do with it.
    """,
    choosing="""
        Keep what will be looked at:

        - Numbers for a plot or log: `curve.append(loss.item())`.
        - Tensors for a metric at the end of the epoch: `outputs.append(scores.detach())`, and `.cpu()` if there are
          many.
        - Predictions only: run that part under `torch.no_grad()`.
        - Tensors that will be walked: then they are needed. Empty the list after its walk; nothing is told of such a
          list.
    """,
    limits="""
        Told where a container holds one more in each iteration, and what it holds is of no more use: its iteration's
        own walk has used that graph up (or one that it was computed from), or the program was followed to its end and
        nothing walks it. A container that is emptied, replaced or bounded is not told. What a callback or logger stores
        inside its library is known only for the libraries that secondpass describes.
    """,
    fix_safety="""
        `.item()` and `.detach()` change no gradient, for nothing walks what is kept. `item()` gives a Python number, so
        code that calls tensor methods on the entries later needs `.detach()` instead.
    """,
    raises=(
        Example(
            note="losses collected for a plot",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                curve = []

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    curve.append(loss)  # want: SP302
                print([float(loss) for loss in curve])
            """,
        ),
        Example(
            note="the outputs of every batch, for a metric at the end",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 3)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                outputs = []

                for x in torch.randn(5, 16, 6):
                    scores = model(x).softmax(dim=1)
                    loss = -scores[:, 0].log().mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    outputs.append({"scores": scores, "loss": loss.item()})  # want: SP302
                print(len(outputs), torch.cat([o["scores"] for o in outputs]).mean())
            """,
        ),
        Example(
            note="a history in a dictionary, one entry a step",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                history = {}

                for step, x in enumerate(torch.randn(5, 16, 6)):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    history[step] = loss  # want: SP302
                print(min(float(loss) for loss in history.values()))
            """,
        ),
    ),
    runs=(
        Example(
            note="numbers for the plot",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                curve = []

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    curve.append(loss.item())
                print(curve)
            """,
        ),
        Example(
            note="a list that is walked needs its graphs, and is made anew in each epoch",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

                for epoch in range(3):
                    losses = []
                    for x in torch.randn(4, 16, 6):
                        losses.append(model(x).pow(2).mean())
                    optimizer.zero_grad()
                    torch.stack(losses).sum().backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="collected without a graph in the first place",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 3)
                outputs = []
                model.eval()
                with torch.no_grad():
                    for x in torch.randn(5, 16, 6):
                        outputs.append(model(x).softmax(dim=1))
                print(torch.cat(outputs).mean())
            """,
        ),
        Example(
            note="a bounded queue keeps a bounded number of detached values",
            code="""
                from collections import deque

                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                latest = deque(maxlen=3)

                for x in torch.randn(6, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    latest.append(loss.detach())
                print(sum(latest) / len(latest))
            """,
        ),
    ),
    history=tell,
)
