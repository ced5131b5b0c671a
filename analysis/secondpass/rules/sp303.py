"""SP303 stale-value: a value computed once, before the loop, from weights that the loop's steps change."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import between
from secondpass.rules.history import History
from secondpass.rules.places import span_of, text_of
from secondpass.rules.rule import Example, Rule


def tell(history: History) -> list[Finding]:
    found = []
    for story in history.passed_over():
        step = between(story).step
        by = f"`{text_of(step)}`" if step is not None and ".step(" in text_of(step) else "the first step"
        found.append(
            Finding(
                rule="SP303",
                name="stale-value",
                severity=Severity.INFORMATION,
                span=span_of(story.stale.site),
                message=f"{story.named} {story.verb('is', 'are')} computed once, before the loop: "
                f"nothing raises, but after {by} every iteration goes on with the old value",
                help="compute it again in each iteration, or detach it if it is meant to stay as it is",
                witness=story.steps(),
                loop=story.loop_span,
                subject=story.subject,
            )
        )
    return found


RULE = Rule(
    code="SP303",
    name="stale-value",
    severity=Severity.INFORMATION,
    summary="a value computed once from weights that the loop's steps change",
    why="""
        Not every operation saves tensors. A sum, a difference, a concatenation or a `clone()` leaves nothing behind
        that a walk could release, so a graph of such operations alone can be walked in every iteration: nothing raises.

        But the value was computed once. After the first `optimizer.step()` the weights are others, and every iteration
        goes on with what they were before the loop; the gradients that arrive are those of the old value.
    """,
    choosing="""
        - Compute it in each iteration, where it follows the weights. The operations are cheap: they save nothing.
        - Detach it, or compute it under `torch.no_grad()`, if it is meant to stay as it was (an anchor, a copy of the
          first weights).
    """,
    limits="""
        Told only where every operation behind the value saves nothing: otherwise the second walk raises, and SP103
        tells it. A view of a weight (`weight.t()`) shares its memory and follows it; it is not told. Whether the old
        value is wanted, the analysis cannot know.
    """,
    fix_safety="""
        No fix is offered: which of the two is meant decides about the gradients.
    """,
    raises=(
        Example(
            note="two weights added up before the loop",
            code="""
                import torch
                from torch import nn

                base, shift = nn.Parameter(torch.randn(4)), nn.Parameter(torch.zeros(4))
                optimizer = torch.optim.SGD([base, shift], lr=0.1)
                weight = base + shift  # want: SP303

                for x in torch.randn(5, 16, 4):
                    loss = (x * weight).sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="all weights put together before the loop",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(3, 2)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                flat = torch.cat([p.flatten() for p in model.parameters()])  # want: SP303

                for x in torch.randn(5, 16, 3):
                    loss = model(x).pow(2).mean() + 0.01 * flat.sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="computed in each iteration",
            code="""
                import torch
                from torch import nn

                base, shift = nn.Parameter(torch.randn(4)), nn.Parameter(torch.zeros(4))
                optimizer = torch.optim.SGD([base, shift], lr=0.1)

                for x in torch.randn(5, 16, 4):
                    loss = (x * (base + shift)).sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a view follows the weight",
            code="""
                import torch
                from torch import nn

                weight = nn.Parameter(torch.randn(4, 2))
                optimizer = torch.optim.SGD([weight], lr=0.1)
                turned = weight.t()

                for x in torch.randn(5, 2):
                    loss = (x[:, None] * turned.detach()).sum() + turned.sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="an anchor that is meant to stay",
            code="""
                import torch
                from torch import nn

                weight = nn.Parameter(torch.randn(4))
                optimizer = torch.optim.SGD([weight], lr=0.1)
                anchor = weight.detach().clone()

                for x in torch.randn(5, 16, 4):
                    loss = (x * weight).pow(2).mean() + (weight - anchor).pow(2).sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
    ),
    history=tell,
)
