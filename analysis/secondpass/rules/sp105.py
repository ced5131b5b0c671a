"""SP105 shared-subgraph: two losses share a part of the graph, and the first walk consumes it."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import shared_help
from secondpass.rules.places import text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None or story.loop is not None:
        return None
    return finding(
        story,
        "SP105",
        "shared-subgraph",
        Severity.ERROR,
        f"`{text_of(story.walked_site)}` needs the graph behind {story.named}, "
        f"which `{text_of(story.first.site)}` has consumed",
        shared_help(story),
    )


RULE = Rule(
    code="SP105",
    name="shared-subgraph",
    severity=Severity.ERROR,
    summary="two losses share a part of the graph, and the first walk consumes it",
    why="""
        Two losses that come from one forward share its nodes. The first `backward()` walks down to the parameters and
        releases what it passes. The second comes down its own branch, reaches the shared part and raises at the first
        node there that had saved something.

        Sharing is seldom visible in the two lines that walk. A generator's output is judged twice; an advantage is
        computed from a critic whose own loss is walked first; a gradient penalty made with `create_graph=True` leads
        back into the score it came from; two heads read one encoder. Shared *parameters* are harmless: two separate
        forwards through one network have two graphs.

        It is the first walk that decides. Written on the second, `retain_graph=True` changes nothing.
    """,
    choosing="""
        Ask: is the first loss meant to train what both share?

        - Yes, and so is the second, with the same step: walk once, `(a + b).backward()` or `torch.autograd.backward([a,
          b])`. Same gradients, one walk instead of two: 3.1 ms a step against 5.1 with a kept graph and 6.2 with a
          second forward.
        - No (a discriminator's loss must not train the generator, an actor's must not train the critic): detach the
          shared tensor where that loss reads it, `discriminator(fake.detach())`, `advantage.detach()`. Then nothing is
          shared, and the walk is shorter as well (0.81 ms a step against 0.95 in a small GAN).
        - Yes, but two walks are wanted (their gradients are compared, or clipped apart): `retain_graph=True` on the
          first, and no step before the second. In a GAN it also leaves the first loss's gradient in the generator,
          which the next `zero_grad()` must remove before the step.
        - An optimizer steps between the two: keeping the graph then raises the in-place error (SP203). Detach, or
          compute the forward again after the step, which gives the gradient of the new weights.
    """,
    limits="""
        Whether two losses collide depends on which operands require grad: heads on a frozen encoder share nothing and
        are not told. The analysis believes `requires_grad_(False)` where it sees it, and knows nothing of flags set
        elsewhere (a checkpoint, another file that is not at hand).
    """,
    fix_safety="""
        One walk over the sum leaves gradients as they are, up to rounding (1e-9 measured), and saves memory. Detaching
        changes gradients: the first loss no longer reaches what lies behind. Keeping the graph changes no gradient and
        costs memory.
    """,
    raises=(
        Example(
            note="two heads on one encoder, each loss walked by itself",
            code="""
                import torch
                from torch import nn

                encoder, kind, size = nn.Linear(8, 16), nn.Linear(16, 3), nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*encoder.parameters(), *kind.parameters(), *size.parameters()])

                for step in range(3):
                    x, labels, sizes = torch.randn(32, 8), torch.randint(0, 3, (32,)), torch.randn(32, 1)
                    features = torch.relu(encoder(x))
                    kind_loss = nn.functional.cross_entropy(kind(features), labels)
                    size_loss = nn.functional.mse_loss(size(features), sizes)  # want: SP105
                    optimizer.zero_grad()
                    kind_loss.backward()
                    size_loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="the discriminator's loss walks through the generator",
            code="""
                import torch
                from torch import nn

                generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
                generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-4)
                discriminator_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-4)

                for real in torch.randn(3, 64, 2):
                    fake = generator(torch.randn(64, 4))
                    judged = discriminator(real).mean() - discriminator(fake).mean()
                    discriminator_optimizer.zero_grad()
                    judged.backward()
                    discriminator_optimizer.step()

                    fooled = discriminator(fake).mean()  # want: SP105
                    generator_optimizer.zero_grad()
                    fooled.backward()  # raises
                    generator_optimizer.step()
            """,
        ),
        Example(
            note="the actor's advantage leads back into the critic's graph",
            code="""
                import torch
                from torch import nn

                actor, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
                actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
                critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)

                for step in range(3):
                    state, following, reward = torch.randn(4), torch.randn(4), torch.rand(1)
                    policy = torch.distributions.Categorical(logits=actor(state))
                    action = policy.sample()
                    advantage = reward + 0.99 * critic(following).detach() - critic(state)
                    critic_optimizer.zero_grad()
                    advantage.pow(2).mean().backward()
                    critic_optimizer.step()
                    actor_loss = (-policy.log_prob(action) * advantage).mean()  # want: SP105
                    actor_optimizer.zero_grad()
                    actor_loss.backward()  # raises
                    actor_optimizer.step()
            """,
        ),
        Example(
            note="a gradient penalty, walked apart from the loss it came from",
            code="""
                import torch
                from torch import nn

                critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
                optimizer = torch.optim.Adam(critic.parameters(), lr=1e-4)

                for points in torch.randn(3, 32, 2):
                    points.requires_grad_(True)
                    score = critic(points).sum()
                    slope = torch.autograd.grad(score, points, create_graph=True)[0]  # want: SP105
                    penalty = (slope.norm(dim=1) - 1).pow(2).mean()
                    optimizer.zero_grad()
                    score.backward()
                    penalty.backward()  # raises
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="one walk over the sum",
            code="""
                import torch
                from torch import nn

                encoder, kind, size = nn.Linear(8, 16), nn.Linear(16, 3), nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*encoder.parameters(), *kind.parameters(), *size.parameters()])

                for step in range(3):
                    x, labels, sizes = torch.randn(32, 8), torch.randint(0, 3, (32,)), torch.randn(32, 1)
                    features = torch.relu(encoder(x))
                    kind_loss = nn.functional.cross_entropy(kind(features), labels)
                    size_loss = nn.functional.mse_loss(size(features), sizes)
                    optimizer.zero_grad()
                    (kind_loss + size_loss).backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="the discriminator sees the fake without its history",
            code="""
                import torch
                from torch import nn

                generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
                generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-4)
                discriminator_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-4)

                for real in torch.randn(3, 64, 2):
                    fake = generator(torch.randn(64, 4))
                    judged = discriminator(real).mean() - discriminator(fake.detach()).mean()
                    discriminator_optimizer.zero_grad()
                    judged.backward()
                    discriminator_optimizer.step()

                    fooled = discriminator(fake).mean()
                    generator_optimizer.zero_grad()
                    fooled.backward()
                    generator_optimizer.step()
            """,
        ),
        Example(
            note="two walks are meant: the first keeps the graph, and the step comes behind both",
            code="""
                import torch
                from torch import nn

                encoder, kind, size = nn.Linear(8, 16), nn.Linear(16, 3), nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*encoder.parameters(), *kind.parameters(), *size.parameters()])

                for step in range(3):
                    x, labels, sizes = torch.randn(32, 8), torch.randint(0, 3, (32,)), torch.randn(32, 1)
                    features = torch.relu(encoder(x))
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(kind(features), labels).backward(retain_graph=True)
                    share = encoder.weight.grad.norm().item()
                    nn.functional.mse_loss(size(features), sizes).backward()
                    print(share, encoder.weight.grad.norm().item())
                    optimizer.step()
            """,
        ),
        Example(
            note="the encoder is frozen: the two losses share no graph",
            code="""
                import torch
                from torch import nn

                encoder, kind, size = nn.Linear(8, 16).requires_grad_(False), nn.Linear(16, 3), nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*kind.parameters(), *size.parameters()])

                for step in range(3):
                    x, labels, sizes = torch.randn(32, 8), torch.randint(0, 3, (32,)), torch.randn(32, 1)
                    features = torch.relu(encoder(x))
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(kind(features), labels).backward()
                    nn.functional.mse_loss(size(features), sizes).backward()
                    optimizer.step()
            """,
        ),
    ),
    failure=tell,
)
