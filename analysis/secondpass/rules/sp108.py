"""SP108 stateful-module: a module keeps graph state on itself between calls, and its loop is elsewhere."""

from __future__ import annotations

from secondpass.findings import Finding, Severity, Step
from secondpass.rules.places import span_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story


def tell_stateful(story: Story, module: str) -> Finding | None:
    """The module was trained for a few iterations, and the second walk met the graph that the first call had left."""
    holder = story.holder
    if story.kind != "second-time" or story.fresh is None or holder is None or holder.kind == "name":
        return None
    kept = span_of(holder.site)
    return Finding(
        rule="SP108",
        name="stateful-module",
        severity=Severity.WARNING,
        span=kept,
        message=f"{story.named} keeps the graph of one call of `{module}` for the next: a loop that walks each call's "
        "loss raises in its second iteration",
        help=f"cut it where it is stored (`{story.subject} = {story.subject}.detach()` in the shape that it has), "
        "or reset it before each iteration",
        assumptions=story.assumptions,
        witness=(
            Step("built", span_of(story.stale.site), 1, f"one call builds {story.named} here"),
            Step("carried", kept, 1, f"{story.named} keeps it for the next call"),
            Step("entered", span_of(story.fresh.site), 2, "the next call builds on it here"),
        ),
        subject=story.subject,
    )


RULE = Rule(
    code="SP108",
    name="stateful-module",
    severity=Severity.WARNING,
    summary="a module keeps graph state on itself between calls with no reset in sight, and its loop is elsewhere",
    why="""
        What `forward` stores on `self` is still there at the next call, and its graph with it. A loop that calls the
        module, walks the loss and steps has consumed that graph by then: the second iteration builds on it, and its
        walk raises in code that never mentions the state.

        The module alone does not show that loop. So this is told where the state is stored, once, and as a warning:
        that the state outlives the iteration is certain, that somebody walks each iteration is what modules are for.
    """,
    choosing="""
        - The state's values should go on and the gradients need not: store it detached, `self.state = state.detach()`.
          Each call then trains on its own input alone.
        - Several calls belong together (a sequence of windows) and are walked together: leave the module as it is, and
          let the loop call a `reset()` or `detach()` of the module once an iteration. Where such a call is seen in the
          project, nothing is told.
        - Each call is a sequence of its own: start the state anew inside `forward`.
    """,
    limits="""
        The module is tried as it stands: with unknown data, default arguments, one walk a call. State that a caller
        starts anew, through a method or by assigning the attribute, is looked for in the files of the project that are
        near; a caller in another project is not seen. Modules that another class of the same file makes are left to
        that class.
    """,
    fix_safety="No fix is offered: whether the state is to be cut or started anew is decided where the loop is.",
    raises=(
        Example(
            note="a recurrent layer that goes on from its last call",
            code="""
                import torch
                from torch import nn


                class Encoder(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.rnn = nn.GRU(4, 8, batch_first=True)
                        self.state = None

                    def forward(self, x):
                        out, self.state = self.rnn(x, self.state)  # want: SP108
                        return out[:, -1]
            """,
        ),
        Example(
            note="a running average of features, made from attached features",
            code="""
                import torch
                from torch import nn


                class Encoder(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.layer = nn.Linear(4, 8)
                        self.register_buffer("average", torch.zeros(8))

                    def forward(self, x):
                        features = torch.tanh(self.layer(x))
                        self.average = 0.9 * self.average + 0.1 * features.mean((0, 1))  # want: SP108
                        return features - self.average
            """,
        ),
    ),
    runs=(
        Example(
            note="the state is stored without its history",
            code="""
                import torch
                from torch import nn


                class Encoder(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.rnn = nn.GRU(4, 8, batch_first=True)
                        self.state = None

                    def forward(self, x):
                        out, state = self.rnn(x, self.state)
                        self.state = state.detach()
                        return out[:, -1]
            """,
        ),
        Example(
            note="made to be unrolled within one forward, which starts the state",
            code="""
                import torch
                from torch import nn


                class Membrane(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.level = 0.0

                    def forward(self, x):
                        self.level = 0.9 * self.level + x
                        return torch.sigmoid(self.level)


                class Encoder(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.layer, self.membrane = nn.Linear(4, 8), Membrane()

                    def forward(self, x):
                        self.membrane.level = 0.0
                        return torch.stack([self.membrane(self.layer(step)) for step in x.unbind(1)]).mean(0)
            """,
        ),
        Example(
            note="what is stored is overwritten before it is read",
            code="""
                import torch
                from torch import nn


                class Encoder(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.layer = nn.Linear(4, 8)
                        self.last = None

                    def forward(self, x):
                        self.last = torch.tanh(self.layer(x))
                        return self.last.mean(1)
            """,
        ),
    ),
)
