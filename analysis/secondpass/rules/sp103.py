"""SP103 stale-graph: a graph built once is walked by every iteration's backward."""

from __future__ import annotations

import ast

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import again_help, element_help
from secondpass.rules.places import ENTRIES, base_name, text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None:
        return None
    if story.loop is None:
        return _tell_calls(story)
    if story.built_inside():
        return None
    roots = [*story.first.roots, *story.second.roots]
    if not any(story.built_inside(root) for root in roots):
        listed = isinstance(story.loop, ast.For) and base_name(text_of(story.loop.iter))
        losses = f"the losses in `{listed}`" if listed else "the losses"
        several = f"`sum({listed}).backward()`" if listed else "walk once over their sum"
        return finding(
            story,
            "SP103",
            "stale-graph",
            Severity.ERROR,
            f"{losses} share the graph behind {story.named}, which the first walk consumes",
            f"walk once over their sum, {several}" if listed else several,
        )
    verb = story.verb("was", "were")
    return finding(
        story,
        "SP103",
        "stale-graph",
        Severity.ERROR,
        f"{story.named} {verb} computed once, before the loop, and every iteration's backward walks "
        f"{story.verb('its', 'their')} graph",
        element_help(story) or again_help(story, "iteration"),
    )


def _tell_calls(story: Story) -> Finding | None:
    """A graph built outside a function that is called several times, as `optimizer.step` calls its closure."""
    calls = story.calls
    if calls is None or story.built_in_call() or story.first.site is not story.second.site:
        return None
    if calls.first.site is calls.second.site and not isinstance(calls.first.site, ENTRIES):
        several = f"`{text_of(calls.first.site)}` calls `{calls.name}` several times"
    else:
        several = f"each call of `{calls.name}` walks {story.verb('its', 'their')} graph"
    return finding(
        story,
        "SP103",
        "stale-graph",
        Severity.ERROR,
        f"{story.named} {story.verb('is', 'are')} computed once, outside `{calls.name}`, and {several}",
        again_help(story, f"call of `{calls.name}`"),
    )


RULE = Rule(
    code="SP103",
    name="stale-graph",
    severity=Severity.ERROR,
    summary="a graph built once is walked by every iteration's backward",
    why="""
        What is computed once, before the loop, has one graph. Each iteration's loss is built on it, so each iteration's
        `backward()` goes through this iteration's own nodes and then into the old ones. The first iteration's walk
        releases what those had saved; the second iteration's walk raises there.

        Only nodes can be used up. Parameters are leaves, and every iteration may end in them: a loop that runs the
        whole forward from the parameters up is sound. The trouble starts with something *derived* from a parameter and
        kept: features of an encoder, `softmax(w)`, `w * mask`, `w / 3`, `w.norm()`, a penalty built in `__init__`, a
        position table with a learned scale, a cached attention bias. What is derived without saving anything (`w.t()`,
        `w + 1`, `expand`, a cast) can be walked each iteration and does not raise.

        The model need not be trained for this to happen. `eval()` switches dropout and batch norm, not autograd; a
        "frozen" encoder whose parameters still require grad builds graphs as before.
    """,
    choosing="""
        Ask: should the parameters behind this value be trained by this loop?

        - Yes: compute it in each iteration. This is the only fix that trains them; it costs the forward that was saved.
          With `retain_graph=True` instead, later iterations would use the value of the old weights: measured on a small
          example, the loss in iteration 4 was 0.20 with the kept value and 0.12 computed anew, and as soon as a saved
          weight is stepped the walk raises (SP203).
        - No: make it without a graph, under `torch.no_grad()`, or cut it once, `features = features.detach()`. The loop
          then runs at full speed. `requires_grad_(False)` on the encoder, before the value is made, does the same;
          afterwards it is too late, for the graph exists.
        - Inside a closure or function that is called several times: compute it there.
        - For a cache keyed by size or index: keep what does not depend on parameters (positions, masks) and compute the
          rest in each call.
    """,
    limits="""
        A dataset or cache that makes its values on another path than the analysis follows (worker processes, files) is
        not seen. Where nothing raises because nothing is saved, later iterations still use a value of old weights; that
        is told as SP303.
    """,
    fix_safety="""
        Moving the computation into the loop changes what is trained: gradients now reach the parameters in every
        iteration, and each iteration sees their present values. Detaching changes gradients too: nothing behind the
        value is trained. Neither is applied without `--unsafe`.
    """,
    raises=(
        Example(
            note="features computed before the loop",
            code="""
                import torch
                from torch import nn

                encoder, classifier = nn.Linear(20, 8), nn.Linear(8, 3)
                optimizer = torch.optim.Adam([*encoder.parameters(), *classifier.parameters()], lr=1e-2)
                x, y = torch.randn(60, 20), torch.randint(0, 3, (60,))
                features = torch.relu(encoder(x))

                for epoch in range(5):
                    optimizer.zero_grad()
                    loss = nn.functional.cross_entropy(classifier(features), y)  # want: SP103
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a penalty built once, in `__init__`",
            code="""
                import torch
                from torch import nn


                class Ridge(nn.Module):
                    def __init__(self, width, strength=0.1):
                        super().__init__()
                        self.linear = nn.Linear(width, 1)
                        self.penalty = strength * self.linear.weight.pow(2).sum()

                    def loss(self, x, y):
                        return (self.linear(x).squeeze(1) - y).pow(2).mean() + self.penalty  # want: SP103


                model = Ridge(5)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
                for step in range(4):
                    loss = model.loss(torch.randn(16, 5), torch.randn(16))
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a learned scale, multiplied into a table once",
            code="""
                import torch
                from torch import nn

                scale = nn.Parameter(torch.ones(1))
                positions = torch.arange(10.0).unsqueeze(1).expand(10, 16)
                table = torch.sin(positions * scale)
                layer = nn.Linear(16, 1)
                optimizer = torch.optim.Adam([scale, *layer.parameters()], lr=1e-3)

                for tokens in torch.randn(4, 10, 16):
                    loss = layer(tokens + table).pow(2).mean()  # want: SP103
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a part of the loss outside the closure that LBFGS calls several times",
            code="""
                import torch
                from torch import nn

                field = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
                optimizer = torch.optim.LBFGS(field.parameters(), max_iter=5)
                inner, border = torch.rand(32, 1), torch.tensor([[0.0], [1.0]])
                border_loss = field(border).pow(2).mean()


                def closure():
                    optimizer.zero_grad()
                    loss = (field(inner) - torch.sin(3 * inner)).pow(2).mean() + border_loss  # want: SP103
                    loss.backward()  # raises
                    return loss


                optimizer.step(closure)
            """,
        ),
    ),
    runs=(
        Example(
            note="computed again in each iteration",
            code="""
                import torch
                from torch import nn

                encoder, classifier = nn.Linear(20, 8), nn.Linear(8, 3)
                optimizer = torch.optim.Adam([*encoder.parameters(), *classifier.parameters()], lr=1e-2)
                x, y = torch.randn(60, 20), torch.randint(0, 3, (60,))

                for epoch in range(5):
                    optimizer.zero_grad()
                    features = torch.relu(encoder(x))
                    loss = nn.functional.cross_entropy(classifier(features), y)
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="the encoder is not to be trained: its features are made without a graph",
            code="""
                import torch
                from torch import nn

                encoder, classifier = nn.Linear(20, 8), nn.Linear(8, 3)
                optimizer = torch.optim.Adam(classifier.parameters(), lr=1e-2)
                x, y = torch.randn(60, 20), torch.randint(0, 3, (60,))
                with torch.no_grad():
                    features = torch.relu(encoder(x))

                for epoch in range(5):
                    optimizer.zero_grad()
                    loss = nn.functional.cross_entropy(classifier(features), y)
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a learned first state, expanded once: `expand` saves nothing, so every iteration may walk it",
            code="""
                import torch
                from torch import nn

                first = nn.Parameter(torch.zeros(1, 12))
                cell = nn.GRUCell(5, 12)
                optimizer = torch.optim.Adam([first, *cell.parameters()], lr=1e-3)
                start = first.expand(8, -1)

                for x in torch.randn(4, 8, 5):
                    loss = cell(x, start).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
            """,
        ),
    ),
    failure=tell,
)
