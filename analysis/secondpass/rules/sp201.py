"""SP201 retained-carry: `retain_graph=True` hides a carry; each iteration walks all earlier iterations."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import cut_help
from secondpass.rules.history import History
from secondpass.rules.places import span_of
from secondpass.rules.rule import Example, Rule


def tell(history: History) -> list[Finding]:
    found = []
    for story in history.carried_by_retain():
        if history.stacked(story):
            continue
        keeps = story.second.retain_site or story.first.retain_site or story.second.site
        found.append(
            Finding(
                rule="SP201",
                name="retained-carry",
                severity=Severity.WARNING,
                span=span_of(keeps),
                message=f"{story.named} {story.verb('carries', 'carry')} every earlier iteration's graph, which "
                "`retain_graph=True` keeps: iteration n walks n iterations, memory and time grow",
                help=f"{cut_help(story)}; `retain_graph=True` is then not needed",
                witness=story.steps(),
                loop=story.loop_span,
                subject=story.subject,
            )
        )
    return found


RULE = Rule(
    code="SP201",
    name="retained-carry",
    severity=Severity.WARNING,
    summary="`retain_graph=True` hides a carry: each iteration walks all earlier iterations, memory and time grow",
    why="""
        With `retain_graph=True` a walk releases nothing. A state that is carried across iterations then never raises:
        iteration 2 walks iteration 2 and iteration 1, iteration 3 walks all three, iteration n walks n iterations.
        Every iteration is slower than the one before, and no memory is given back.

        Measured for a GRU over 20 steps, without optimizer steps in the loop: 2,299 nodes behind the loss in iteration
        8, 9,163 in iteration 32; 9 ms an iteration, then 38; with a cut, 297 nodes and 2.3 ms in every iteration. On a
        graphics card the run ends out of memory, often many minutes in.

        The gradients differ as well: they hold the derivative through all earlier iterations (9 and 12 % away from the
        cut ones in iterations 2 and 3, measured), so each loss of the past is trained on again.
    """,
    choosing="""
        Ask: why is the flag there? Most often it was put there because the error message proposes it.

        - To silence "backward through the graph a second time": cut the carry (`h = h.detach()` at the iteration's end,
          or a reset of the state) and remove the flag. Time and memory per iteration become constant.
        - To train through all iterations: add the losses up and walk once behind the loop, or every k iterations with a
          cut there. One walk passes each node once.
        - For a second walk within the same iteration: then the flag is right, and this finding is about the state
          beside it: cut the state, keep the flag.
    """,
    limits="""
        Told where the number of nodes walked at one place rises from iteration to iteration. A retained graph that
        stays the same size (several walks over one forward) is not told, and neither is a loop that is followed for one
        iteration only. Layers that are put on top of each other to look at their gradients, with nothing that trains,
        are not told.
    """,
    fix_safety="""
        Cutting changes gradients, from the derivative through all iterations to that of the present one. Removing the
        flag alone would bring the error back, so it is removed only together with the cut.
    """,
    raises=(
        Example(
            note="the flag silences the error, and each iteration walks all iterations before it",
            code="""
                import torch
                from torch import nn

                cell, head = nn.GRUCell(5, 12), nn.Linear(12, 1)
                optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()])
                hidden = torch.zeros(4, 12)

                optimizer.zero_grad()
                for x in torch.randn(6, 4, 5):
                    hidden = cell(x, hidden)
                    loss = head(hidden).pow(2).mean()
                    loss.backward(retain_graph=True)  # want: SP201
                optimizer.step()
            """,
        ),
        Example(
            note="a spiking membrane that is never reset",
            code="""
                import torch
                from torch import nn


                class Leaky(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.mem = 0.0

                    def forward(self, current):
                        self.mem = 0.9 * self.mem + current
                        return torch.sigmoid(5 * (self.mem - 1))


                neuron = Leaky()
                layer = nn.Linear(10, 3)
                optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
                for image in torch.rand(6, 8, 10):
                    loss = neuron(layer(image)).mean()
                    optimizer.zero_grad()
                    loss.backward(retain_graph=True)  # want: SP201
                    optimizer.step()
            """,
        ),
        Example(
            note="a running loss, walked again and again",
            code="""
                import torch

                x = torch.tensor([1.0, 2.0], requires_grad=True)
                total = torch.zeros(())
                for step in range(5):
                    total = total + (x * step).exp().sum()
                    total.backward(retain_graph=True)  # want: SP201
                print(x.grad)
            """,
        ),
    ),
    runs=(
        Example(
            note="cut in each iteration, without the flag",
            code="""
                import torch
                from torch import nn

                cell, head = nn.GRUCell(5, 12), nn.Linear(12, 1)
                optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()])
                hidden = torch.zeros(4, 12)

                optimizer.zero_grad()
                for x in torch.randn(6, 4, 5):
                    hidden = cell(x, hidden)
                    loss = head(hidden).pow(2).mean()
                    loss.backward()
                    hidden = hidden.detach()
                optimizer.step()
            """,
        ),
        Example(
            note="one walk behind the loop reaches all iterations, each once",
            code="""
                import torch
                from torch import nn

                cell, head = nn.GRUCell(5, 12), nn.Linear(12, 1)
                optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()])

                for sequence in torch.randn(3, 6, 4, 5):
                    hidden, total = torch.zeros(4, 12), 0.0
                    for x in sequence:
                        hidden = cell(x, hidden)
                        total = total + head(hidden).pow(2).mean()
                    optimizer.zero_grad()
                    total.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="the flag serves a second walk of the same iteration",
            code="""
                import torch
                from torch import nn

                body, left, right = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
                optimizer = torch.optim.SGD([*body.parameters(), *left.parameters(), *right.parameters()], lr=0.1)

                for x in torch.randn(4, 16, 4):
                    code = torch.tanh(body(x))
                    optimizer.zero_grad()
                    left(code).pow(2).mean().backward(retain_graph=True)
                    right(code).pow(2).mean().backward()
                    optimizer.step()
            """,
        ),
    ),
    history=tell,
)
