"""SP203 stale-weights: a walk needs values that were changed in place since the graph saved them."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import stale_help
from secondpass.rules.places import deed_of, text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "inplace-version":
        return None
    writer = story.failure.storage.writer if story.failure.storage is not None else None
    by = f"`{deed_of(writer)}` has changed in place" if writer is not None else "were changed in place"
    return finding(
        story,
        "SP203",
        "stale-weights",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` needs values that {by} since `{text_of(story.node.site)}` saved them",
        stale_help(story),
    )


RULE = Rule(
    code="SP203",
    name="stale-weights",
    severity=Severity.ERROR,
    summary="a walk needs values that were changed in place since the graph saved them",
    why="""
        A node saves the tensors its derivative needs: a product its factors, a linear layer its input and, where the
        input needs a gradient, its weight. Each saved tensor is noted with its version, a counter that every in-place
        change moves on. `optimizer.step()` changes the weights in place. A walk that then meets a saved weight at a
        newer version would give the derivative at a point where the forward never was, so PyTorch refuses: "one of the
        variables needed for gradient computation has been modified by an inplace operation".

        No `retain_graph` is needed for this. It is enough that a loss was formed *before* another optimizer stepped and
        is walked *after* it: an actor's loss through a critic that has just been trained. With the flag it is the usual
        sequel of the first error: of 82 programs that raised "a second time", 46 raised this one once the flag was put
        on every walk.

        Which layers complain follows from what is saved. The first linear layer on plain data does not save its weight,
        nor does an embedding, and biases are never saved; convolutions, normalisations, `nn.LSTM` and every deeper
        layer are. So a one-layer toy runs where the real network raises.
    """,
    choosing="""
        Ask: which weights is the second walk meant to differentiate?

        - The new ones: compute that forward again after the step, `g_loss = -discriminator(fake).mean()`. This is how
          GANs and actor-critics are written; it costs one forward.
        - The old ones: make all walks first, and step behind them.
        - None (the stepped network should only pass on values here): detach its output, or run it under
          `torch.no_grad()`.
        - For an activation changed in place (`x *= mask`, `relu_` on something that was saved): use the form that makes
          a new tensor, `x = x * mask`.

        `retain_graph=True` does not help: it keeps the graph, and what the graph has saved is the weights themselves,
        not copies of them.
    """,
    limits="""
        Seen for the optimizers of `torch.optim`, updates under `no_grad`, `load_state_dict`, and in-place operations on
        tensors. A change the version does not show is told as SP204. Which operand is saved is measured per operation
        for the usual cases; unusual dtypes or devices may save otherwise.
    """,
    fix_safety="""
        Computing the forward again gives the gradient of the stepped weights and costs a forward. Moving the step
        behind the walks changes the order of training. Both change gradients.
    """,
    raises=(
        Example(
            note="the discriminator has stepped since it judged this fake",
            code="""
                import torch
                from torch import nn

                generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
                g_optimizer = torch.optim.Adam(generator.parameters())
                d_optimizer = torch.optim.Adam(discriminator.parameters())

                for real in torch.randn(3, 16, 2):
                    judged = discriminator(generator(torch.randn(16, 4)))
                    d_loss = judged.mean() - discriminator(real).mean()
                    g_loss = -judged.mean()  # want: SP203
                    d_optimizer.zero_grad()
                    d_loss.backward(retain_graph=True)
                    d_optimizer.step()
                    g_optimizer.zero_grad()
                    g_loss.backward()  # raises: inplace
                    g_optimizer.step()
            """,
        ),
        Example(
            note="no flag is needed: the actor's loss was formed before the critic stepped",
            code="""
                import torch
                from torch import nn

                actor = nn.Linear(3, 1)
                critic = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
                actor_optimizer = torch.optim.Adam(actor.parameters())
                critic_optimizer = torch.optim.Adam(critic.parameters())

                for state in torch.randn(3, 32, 3):
                    value = critic(torch.cat([state, torch.tanh(actor(state))], dim=1))
                    actor_loss = -value.mean()
                    played = critic(torch.cat([state, torch.rand(32, 1)], dim=1))
                    critic_loss = (played - torch.rand(32, 1)).pow(2).mean()
                    critic_optimizer.zero_grad()
                    critic_loss.backward()
                    critic_optimizer.step()
                    actor_optimizer.zero_grad()
                    actor_loss.backward()  # raises: inplace  # want: SP203
                    actor_optimizer.step()
            """,
        ),
        Example(
            note="a carried state kept alive by the flag, in a loop that steps",
            code="""
                import torch
                from torch import nn

                lstm, head = nn.LSTM(5, 8, batch_first=True), nn.Linear(8, 1)
                optimizer = torch.optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
                state = (torch.zeros(1, 2, 8), torch.zeros(1, 2, 8))

                for x in torch.randn(4, 2, 6, 5):
                    output, state = lstm(x, state)  # want: SP203
                    loss = head(output).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward(retain_graph=True)  # raises: inplace
                    optimizer.step()
            """,
        ),
        Example(
            note="an activation changed in place after the graph saved it",
            code="""
                import torch
                from torch import nn

                layer, out = nn.Linear(6, 6), nn.Linear(6, 1)
                gate = torch.sigmoid(layer(torch.randn(8, 6)))
                mixed = out(gate * gate)
                gate.mul_(0.5)
                mixed.mean().backward()  # raises: inplace  # want: SP203
            """,
        ),
    ),
    runs=(
        Example(
            note="the fake is judged again after the step",
            code="""
                import torch
                from torch import nn

                generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
                g_optimizer = torch.optim.Adam(generator.parameters())
                d_optimizer = torch.optim.Adam(discriminator.parameters())

                for real in torch.randn(3, 16, 2):
                    fake = generator(torch.randn(16, 4))
                    d_loss = discriminator(fake.detach()).mean() - discriminator(real).mean()
                    d_optimizer.zero_grad()
                    d_loss.backward()
                    d_optimizer.step()
                    g_loss = -discriminator(fake).mean()
                    g_optimizer.zero_grad()
                    g_loss.backward()
                    g_optimizer.step()
            """,
        ),
        Example(
            note="both walks first, both steps behind them",
            code="""
                import torch
                from torch import nn

                actor = nn.Linear(3, 1)
                critic = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
                actor_optimizer = torch.optim.Adam(actor.parameters())
                critic_optimizer = torch.optim.Adam(critic.parameters())

                for state in torch.randn(3, 32, 3):
                    actor_optimizer.zero_grad()
                    value = critic(torch.cat([state, torch.tanh(actor(state))], dim=1))
                    (-value.mean()).backward()
                    critic_optimizer.zero_grad()
                    played = critic(torch.cat([state, torch.rand(32, 1)], dim=1))
                    (played - torch.rand(32, 1)).pow(2).mean().backward()
                    actor_optimizer.step()
                    critic_optimizer.step()
            """,
        ),
        Example(
            note="a first layer fed by data does not save its weight: this second walk is sound",
            code="""
                import torch
                from torch import nn

                layer = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
                score = layer(torch.randn(16, 6))
                score.mean().backward(retain_graph=True)
                optimizer.step()
                optimizer.zero_grad()
                score.sum().backward()
            """,
        ),
    ),
    failure=tell,
)
