"""SP104 accumulated-loss: a running loss still holds the graphs of earlier iterations and is walked again."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if (
        story.kind != "second-time"
        or story.fresh is None
        or story.loop is None
        or not story.adds_losses
        or not story.built_inside()
        or story.weighs_stored
    ):
        return None
    if story.holder is not None and story.holder.kind == "append":
        help = f"clear {story.named} once its sum is walked"
    else:
        help = "walk each iteration's own loss, or add the losses up and walk the sum once after the loop"
    if story.cached:
        message = (
            f"{story.named} {story.verb('is', 'are')} not computed again in iteration "
            f"{story.when(story.fresh.iterations)}: iteration {story.first_iteration}'s walk has consumed "
            f"{story.verb('its', 'their')} graph"
        )
        return finding(
            story, "SP104", "accumulated-loss", Severity.ERROR, message, "compute it in every iteration that walks it"
        )
    return finding(
        story,
        "SP104",
        "accumulated-loss",
        Severity.ERROR,
        f"{story.named} still {story.verb('holds', 'hold')} the losses of earlier iterations, "
        "whose graphs are already consumed",
        help,
    )


RULE = Rule(
    code="SP104",
    name="accumulated-loss",
    severity=Severity.ERROR,
    summary="a running loss still holds the graphs of earlier iterations and is walked again",
    why="""
        `total = total + loss` builds a node: the new total leads to this iteration's loss and to the old total, and
        through it to the losses of all iterations before. Walking the total in iteration 2 walks iteration 1's graph
        again, which iteration 1's walk has used up. The same holds for `sum(losses)` or `torch.stack(losses)` over a
        list that is never emptied, and for a smoothed loss (`0.9 * smooth + 0.1 * loss`).

        The sum itself saves nothing and could be walked for ever. It is the losses behind it that cannot.

        Even where the numbers would come out, they would hardly be meant: with the total walked in each iteration,
        iteration 1's loss counts in every later step.
    """,
    choosing="""
        Ask: what is each walk to train on?

        - This iteration's loss alone: walk `loss`, and keep the running total as a number, `total += loss.item()`.
        - Several iterations together (gradient accumulation, a sequence): either walk each iteration's loss by itself
          and step every k iterations, since gradients add up in `.grad` anyway and memory then holds one iteration; or
          add the losses up, walk once, and start the sum anew, where memory holds k iterations' graphs. The gradients
          are the same.
        - The whole loop: walk once, behind it.

        After a cut of a carried state the sum must start anew as well: a detached `h` does not help if the old total is
        walked again.
    """,
    limits="""
        A total that only grows and is never walked raises nothing and is told as SP301. `max(total, loss)` depends on
        the numbers, and is told with its assumption if at all.
    """,
    fix_safety="""
        Walking `loss` instead of `total` gives the gradients of one iteration; walking once behind the loop gives those
        of all iterations, and one step instead of many. Both change what a step trains on, so neither is applied
        without `--unsafe`. `.item()` in a total that is only printed is safe.
    """,
    raises=(
        Example(
            note="a running loss, walked in every step",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                total_loss = 0.0

                for step in range(5):
                    inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
                    total_loss = total_loss + nn.functional.mse_loss(model(inputs), targets)  # want: SP104
                    optimizer.zero_grad()
                    total_loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a list of losses that is summed up but never emptied",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(10, 2)
                optimizer = torch.optim.Adam(model.parameters())
                losses = []

                for step in range(1, 9):
                    x, y = torch.randn(4, 10), torch.randint(0, 2, (4,))
                    losses.append(nn.functional.cross_entropy(model(x), y))
                    if step % 4 == 0:
                        optimizer.zero_grad()
                        torch.stack(losses).mean().backward()  # raises  # want: SP104
                        optimizer.step()
            """,
        ),
        Example(
            note="a smoothed loss, walked instead of the loss itself",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
                optimizer = torch.optim.RMSprop(model.parameters())
                smoothed = None

                for x in torch.randn(5, 8, 3):
                    loss = model(x).pow(2).mean()
                    smoothed = loss if smoothed is None else 0.9 * smoothed + 0.1 * loss  # want: SP104
                    optimizer.zero_grad()
                    smoothed.backward()  # raises
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="each iteration walks its own loss; the running one is a number",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                total_loss = 0.0

                for step in range(5):
                    inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
                    loss = nn.functional.mse_loss(model(inputs), targets)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    total_loss += loss.item()
                print(total_loss / 5)
            """,
        ),
        Example(
            note="gathered over four iterations, walked once, and started anew",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(10, 2)
                optimizer = torch.optim.Adam(model.parameters())
                losses = []

                for step in range(1, 9):
                    x, y = torch.randn(4, 10), torch.randint(0, 2, (4,))
                    losses.append(nn.functional.cross_entropy(model(x), y))
                    if step % 4 == 0:
                        optimizer.zero_grad()
                        torch.stack(losses).mean().backward()
                        optimizer.step()
                        losses = []
            """,
        ),
        Example(
            note="added up in the loop, walked once behind it",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

                for epoch in range(3):
                    total_loss = 0.0
                    for inputs in torch.randn(4, 16, 4):
                        total_loss = total_loss + model(inputs).pow(2).mean()
                    optimizer.zero_grad()
                    total_loss.backward()
                    optimizer.step()
            """,
        ),
    ),
    failure=tell,
)
