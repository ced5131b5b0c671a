"""SP205 retain-under-compile: `retain_graph=True` through a compiled region, which PyTorch refuses."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.places import text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "donated":
        return None
    return finding(
        story,
        "SP205",
        "retain-under-compile",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` retains a graph that goes through a compiled region: "
        "PyTorch refuses (donated buffers)",
        "walk once over the sum of the losses, or compute the forward again for the second walk",
    )


RULE = Rule(
    code="SP205",
    name="retain-under-compile",
    severity=Severity.ERROR,
    summary="`retain_graph=True` through a compiled region, which PyTorch refuses",
    why="""
        `torch.compile` builds the backward of a compiled region when it is first walked. Walked plainly, it plans to
        reuse the buffers of saved tensors ("donated buffers") as scratch space while it runs, and so it can run once
        per forward. A later walk through the same region with `retain_graph=True` (or `create_graph=True`) would find
        them overwritten, and PyTorch refuses before it starts.

        It depends on the order. If the very first walk through the region keeps the graph, its backward is compiled
        without donation, and later walks of either kind run. A warm-up step or an earlier phase of training that walks
        plainly is enough to turn the same code into an error.
    """,
    choosing="""
        Ask: are two walks over the compiled forward needed?

        - No: walk once over the sum of the losses. Same gradients, and the fast path of the compiler stays.
        - Yes: compute the forward again for the second walk, or take the part that is walked twice out of the compiled
          region.
        - `torch._functorch.config.donated_buffer = False`, set before compiling, allows both at the cost of memory in
          every step. It is a private switch.

        Everything else holds under `torch.compile` as without it, with one exception: a region made only of operations
        that save nothing may be walked twice when it runs eagerly, and raises "a second time" when it is compiled.
    """,
    limits="""
        Followed for `torch.compile` as a call or decorator in sight. A model compiled elsewhere, or by a framework's
        flag, is not known to be compiled. `backend="eager"` has no such restriction, and neither has a region that
        saves nothing but its inputs, such as a few pointwise operations; the analysis takes every other region to have
        donated buffers.
    """,
    fix_safety="""
        One walk over the sum leaves gradients as they are. A second forward costs time, and with dropout is a new
        sample.
    """,
    raises=(
        Example(
            note="a plain walk has compiled the backward before the walk that wants to keep the graph",
            code="""
                import torch
                from torch import nn

                body = torch.compile(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8)), backend="aot_eager")
                left, right = nn.Linear(8, 1), nn.Linear(8, 1)

                warm_up = body(torch.randn(16, 4)).pow(2).mean()
                warm_up.backward()

                code = body(torch.randn(16, 4))
                left(code).pow(2).mean().backward(retain_graph=True)  # raises  # want: SP205
                right(code).pow(2).mean().backward()
            """,
        ),
        Example(
            note="a compiled function, walked plainly once",
            code="""
                import torch

                weight = torch.randn(3, 3, requires_grad=True)


                @torch.compile(backend="aot_eager")
                def energy(x):
                    return (torch.tanh(x @ weight) @ weight).pow(2).sum()


                energy(torch.randn(5, 3)).backward()
                value = energy(torch.randn(5, 3))
                value.backward(retain_graph=True)  # raises  # want: SP205
                value.backward()
            """,
        ),
    ),
    runs=(
        Example(
            note="one walk over the sum",
            code="""
                import torch
                from torch import nn

                body = torch.compile(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8)), backend="aot_eager")
                left, right = nn.Linear(8, 1), nn.Linear(8, 1)

                warm_up = body(torch.randn(16, 4)).pow(2).mean()
                warm_up.backward()

                code = body(torch.randn(16, 4))
                (left(code).pow(2).mean() + right(code).pow(2).mean()).backward()
            """,
        ),
        Example(
            note="the same without `torch.compile`",
            code="""
                import torch
                from torch import nn

                body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8))
                left, right = nn.Linear(8, 1), nn.Linear(8, 1)

                warm_up = body(torch.randn(16, 4)).pow(2).mean()
                warm_up.backward()

                code = body(torch.randn(16, 4))
                left(code).pow(2).mean().backward(retain_graph=True)
                right(code).pow(2).mean().backward()
            """,
        ),
    ),
    failure=tell,
)
