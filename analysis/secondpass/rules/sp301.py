"""SP301 growing-history: an accumulator for reporting keeps every iteration's graph alive."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.growth import findings_for
from secondpass.rules.history import History
from secondpass.rules.rule import Example, Rule


def tell(history: History) -> list[Finding]:
    return findings_for(
        history.growing.sums(),
        "SP301",
        "growing-history",
        "keeps the graph of every iteration alive, though nothing walks it again: memory grows",
    )


RULE = Rule(
    code="SP301",
    name="growing-history",
    severity=Severity.WARNING,
    summary="an accumulator for reporting keeps every iteration's graph alive",
    why="""
        `running += loss` looks like adding a number. It adds a tensor, and the sum's node leads to that loss and to
        everything behind it. The walk has released the saved tensors, but the nodes themselves, and whatever was not
        walked or was made since, stay alive as long as the sum does. Each iteration adds one more graph, though nothing
        will ever walk them.

        Nothing raises. Memory creeps up: 8 kB a step for a network of three layers, measured on the CPU, and more where
        the loss holds parts that were never walked. And the day somebody walks the sum, or lets a loss read it, the
        program raises.

        A running mean inside a module (`self.mean = 0.9 * self.mean + 0.1 * x.mean(0)`) does the same over the whole
        training.
    """,
    choosing="""
        Keep what the report needs:

        - A number: `running += loss.item()`. On a graphics card `item()` waits for the step to finish.
        - A tensor, to wait only once at the end: `running += loss.detach()`.
        - A statistic: update it from `x.detach()`, or under `torch.no_grad()`.

        If the sum *is* to be walked, walk it once and start anew: then it is not growth, and nothing is told.
    """,
    limits="""
        Told for names, attributes, entries of dicts and lists, and memory written in place, if the value of each
        iteration is built on that of the one before, and no walk uses it: each iteration's own walk has used its part
        up, or the program was followed to its end and nothing walks it. A buffer that is made anew in an outer loop and
        written by index is not told: it is as large as it is. Without any walk in the program, only sums of what the
        same weights compute anew, and states that are dropped with their loop, are told. How fast memory grows depends
        on sizes, which the analysis does not know.
    """,
    fix_safety="""
        `.item()` and `.detach()` change no gradient, for nothing walks the sum. Text printed from it changes its form
        (`0.5` instead of `tensor(0.5, grad_fn=...)`).
    """,
    raises=(
        Example(
            note="a sum of losses for the report",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                running = 0.0

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    running += loss  # want: SP301
                print(f"mean loss {running / 5:.3f}")
            """,
        ),
        Example(
            note="a meter that sums tensors",
            code="""
                import torch
                from torch import nn


                class Meter:
                    def __init__(self):
                        self.sum, self.count = 0.0, 0

                    def update(self, value):
                        self.sum = self.sum + value  # want: SP301
                        self.count += 1


                model, meter = nn.Linear(6, 1), Meter()
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    meter.update(loss)
                print(float(meter.sum) / meter.count)
            """,
        ),
        Example(
            note="a smoothed loss",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                smooth = torch.zeros(())

                for step, x in enumerate(torch.randn(6, 16, 6)):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    smooth = 0.9 * smooth + 0.1 * loss  # want: SP301
                    print(step, round(float(smooth), 3))
            """,
        ),
        Example(
            note="a running mean inside a module, updated with its history",
            code="""
                import torch
                from torch import nn


                class Centre(nn.Module):
                    def __init__(self, width):
                        super().__init__()
                        self.register_buffer("mean", torch.zeros(width))

                    def forward(self, x):
                        batch_mean = x.mean(0)
                        self.mean = 0.9 * self.mean + 0.1 * batch_mean  # want: SP301
                        return x - batch_mean


                model = nn.Sequential(nn.Linear(6, 8), Centre(8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                for x in torch.randn(5, 16, 6):
                    optimizer.zero_grad()
                    model(x).pow(2).mean().backward()
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="`item()` keeps the number alone",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                running = 0.0

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    running += loss.item()
                print(f"mean loss {running / 5:.3f}")
            """,
        ),
        Example(
            note="`detach()` keeps the tensor on its device, without the graph",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                running = torch.zeros(())

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    running += loss.detach()
                print(running / 5)
            """,
        ),
        Example(
            note="a sum that is walked once is no report: it needs its graphs",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

                for epoch in range(3):
                    total = 0.0
                    for x in torch.randn(4, 16, 6):
                        total = total + model(x).pow(2).mean()
                    optimizer.zero_grad()
                    total.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a count of hits is made of comparisons, which carry no graph",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 3)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                hits = 0

                for x in torch.randn(5, 16, 6):
                    y = torch.randint(0, 3, (16,))
                    scores = model(x)
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(scores, y).backward()
                    optimizer.step()
                    hits += (scores.argmax(1) == y).sum()
                print(hits)
            """,
        ),
    ),
    history=tell,
)
