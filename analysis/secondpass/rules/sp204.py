"""SP204 silent-stale: a walk uses values that were changed behind autograd's back: no error, a wrong gradient."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.places import deed_of, text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "silent":
        return None
    writer = story.failure.storage.silent_writer if story.failure.storage is not None else None
    by = f"`{deed_of(writer)}` on {story.where(writer)} has changed" if writer is not None else "were changed"
    return finding(
        story,
        "SP204",
        "silent-stale",
        Severity.WARNING,
        f"`{text_of(story.walked_site)}` walks a retained graph whose weights {by} unseen by autograd: "
        "the gradient mixes old and new values",
        f"compute `{text_of(story.node.site)}` again after the change",
    )


RULE = Rule(
    code="SP204",
    name="silent-stale",
    severity=Severity.WARNING,
    summary="a walk uses values that were changed behind autograd's back: no error, a wrong gradient",
    why="""
        Autograd notices a changed weight by its version counter. Some writes do not move it: anything through `p.data`,
        `vector_to_parameters`, and the fused optimizers' step (`fused=True`, measured on the CPU build). A walk through
        a graph that had saved the weight then raises nothing. It multiplies the gradient of a forward with old weights
        by new ones: the result is the derivative of no function at all.

        The same program with a visible update raises the in-place error (SP203). Here the error is still there; only
        the message is missing.
    """,
    choosing="""
        Compute the forward again after the update; then old values play no part. If two walks over one forward are
        meant, make both before anything is updated.

        For updates by hand, write them under `torch.no_grad()` instead of through `.data`: the effect on the weights is
        the same, and a stale walk is then told by PyTorch itself.
    """,
    limits="""
        Whether a fused step moves the version may change between PyTorch's releases and devices; the table in use was
        measured with the version named in it. Writes through NumPy views or C++ extensions are not seen.
    """,
    fix_safety="""
        Computing the forward again changes the gradient: to the right one.
    """,
    raises=(
        Example(
            note="weights moved through `.data` between two walks",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                x, y = torch.randn(16, 4), torch.randn(16, 1)
                loss = nn.functional.mse_loss(model(x), y)

                for step in range(2):
                    model.zero_grad()
                    loss.backward(retain_graph=True)  # want: SP204
                    for p in model.parameters():
                        p.data -= 0.1 * p.grad
            """,
        ),
        Example(
            note="a fused optimizer's step goes unseen",
            code="""
                import torch
                from torch import nn

                generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
                g_optimizer = torch.optim.Adam(generator.parameters(), fused=True)
                d_optimizer = torch.optim.Adam(discriminator.parameters(), fused=True)

                for real in torch.randn(3, 16, 2):
                    judged = discriminator(generator(torch.randn(16, 4)))
                    d_loss = judged.mean() - discriminator(real).mean()
                    d_optimizer.zero_grad()
                    d_loss.backward(retain_graph=True)
                    d_optimizer.step()
                    g_optimizer.zero_grad()
                    (-judged.mean()).backward()  # want: SP204
                    g_optimizer.step()
            """,
        ),
        Example(
            note="weights rescaled through `.data` after the forward",
            code="""
                import torch
                from torch import nn

                inner, outer = nn.Linear(4, 8), nn.Linear(8, 1)
                score = outer(torch.tanh(inner(torch.randn(16, 4))))

                score.mean().backward(retain_graph=True)
                first = inner.weight.grad.clone()
                outer.weight.data.mul_(0.5)
                score.mean().backward()  # want: SP204
                print(first, inner.weight.grad - first)
            """,
        ),
    ),
    runs=(
        Example(
            note="the forward is run again after each update",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                x, y = torch.randn(16, 4), torch.randn(16, 1)

                for step in range(3):
                    loss = nn.functional.mse_loss(model(x), y)
                    model.zero_grad()
                    loss.backward()
                    for p in model.parameters():
                        p.data -= 0.1 * p.grad
            """,
        ),
        Example(
            note="a target network moved through `.data`: no walk goes through it",
            code="""
                import copy

                import torch
                from torch import nn

                online = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
                target = copy.deepcopy(online).requires_grad_(False)
                optimizer = torch.optim.Adam(online.parameters())

                for state in torch.randn(4, 16, 3):
                    goal = 0.9 * target(state).max(dim=1).values
                    loss = nn.functional.mse_loss(online(state).max(dim=1).values, goal)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    for kept, moved in zip(target.parameters(), online.parameters()):
                        kept.data.mul_(0.99).add_(moved.data, alpha=0.01)
            """,
        ),
        Example(
            note="biases are never saved, so moving them changes no gradient",
            code="""
                import torch
                from torch import nn

                inner, outer = nn.Linear(4, 8), nn.Linear(8, 1)
                score = outer(torch.tanh(inner(torch.randn(16, 4))))

                score.mean().backward(retain_graph=True)
                outer.bias.data.zero_()
                score.mean().backward()
            """,
        ),
    ),
    failure=tell,
)
