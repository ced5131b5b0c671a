"""SP202 needless-retain: `retain_graph=True` where nothing walks that graph again."""

from __future__ import annotations

from secondpass.findings import Finding, Severity, Step
from secondpass.rules.history import History
from secondpass.rules.places import span_of, text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import common_loop, iteration_in


def tell(history: History) -> list[Finding]:
    found = []
    for walk in history.needless_retains():
        site = walk.retain_site
        assert site is not None
        iteration = iteration_in(walk.iterations, common_loop(walk.iterations, walk.iterations))
        step = Step("retained", span_of(walk.site), iteration, "this walk keeps the graph, and nothing needs it")
        found.append(
            Finding(
                rule="SP202",
                name="needless-retain",
                severity=Severity.INFORMATION,
                span=span_of(site),
                message=f"nothing walks this graph again after `{text_of(walk.site)}`: "
                "`retain_graph=True` only keeps its memory",
                help="remove `retain_graph=True`",
                witness=(step,),
            )
        )
    return found


RULE = Rule(
    code="SP202",
    name="needless-retain",
    severity=Severity.INFORMATION,
    summary="`retain_graph=True` where nothing walks that graph again",
    why="""
        `retain_graph=True` asks a walk to release nothing, for the sake of a later walk. If none comes, the saved
        tensors of the whole graph stay in memory as long as anything holds the loss or what it was made of, instead of
        being freed while the walk runs: the peak of a step is higher, and nothing is gained.

        The flag also hides mistakes. A second walk that ought to raise runs silently, and after an optimizer step it
        turns into the in-place error. In public training code, of 55 uses of the flag 13 were needed; 24 stood beside
        `create_graph=True`, which implies it.
    """,
    choosing="""
        Remove it. If you meant to walk again, the second walk is missing or goes through another graph: look at what it
        walks. Of several walks over one graph, each but the last needs the flag.
    """,
    limits="""
        Told only where the program was followed to its end in all the ways its undecided conditions are worth, and the
        flag is needed in none of them. A walk made elsewhere (a caller, a framework, a notebook cell) is not known,
        which is why this is information and not a warning.
    """,
    fix_safety="""
        Removing the flag changes no gradient: the analysis is run again without it and finds no walk that fails.
    """,
    raises=(
        Example(
            note="one walk, and the flag on it",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
                optimizer = torch.optim.Adam(model.parameters())

                for x in torch.randn(4, 32, 8):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward(retain_graph=True)  # want: SP202
                    optimizer.step()
            """,
        ),
        Example(
            note="of two walks only the first needs it",
            code="""
                import torch
                from torch import nn

                body, left, right = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
                optimizer = torch.optim.SGD([*body.parameters(), *left.parameters(), *right.parameters()], lr=0.1)

                for x in torch.randn(4, 16, 4):
                    code = torch.tanh(body(x))
                    optimizer.zero_grad()
                    left(code).pow(2).mean().backward(retain_graph=True)
                    right(code).pow(2).mean().backward(retain_graph=True)  # want: SP202
                    optimizer.step()
            """,
        ),
        Example(
            note="the fake is detached already, so nothing is shared",
            code="""
                import torch
                from torch import nn

                generator, discriminator = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
                g_optimizer = torch.optim.Adam(generator.parameters())
                d_optimizer = torch.optim.Adam(discriminator.parameters())

                for real in torch.randn(3, 16, 2):
                    fake = generator(torch.randn(16, 4))
                    d_loss = discriminator(fake.detach()).mean() - discriminator(real).mean()
                    d_optimizer.zero_grad()
                    d_loss.backward(retain_graph=True)  # want: SP202
                    d_optimizer.step()
                    g_loss = -discriminator(fake).mean()
                    g_optimizer.zero_grad()
                    g_loss.backward()
                    g_optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="the second walk goes through what the first has kept",
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
        Example(
            note="a Jacobian, row by row",
            code="""
                import torch
                from torch import nn

                decoder = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 5))
                z = torch.randn(2, requires_grad=True)
                y = decoder(z)
                rows = [torch.autograd.grad(y[i], z, retain_graph=True)[0] for i in range(5)]
                print(torch.stack(rows))
            """,
        ),
        Example(
            note="a gradient for the log, before the walk that trains",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

                for batch in torch.randn(3, 16, 5):
                    loss = model(batch).pow(2).mean()
                    slope = torch.autograd.grad(loss, model[0].weight, retain_graph=True)[0]
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    print(slope.norm().item())
            """,
        ),
    ),
    history=tell,
)
