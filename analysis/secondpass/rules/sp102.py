"""SP102 repeated-backward: the same loss is walked twice."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import twice_help
from secondpass.rules.places import text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or not story.same_root:
        return None
    walk, first = text_of(story.walked_site), text_of(story.first.site)
    help = twice_help(story)
    if story.reads:
        message = f"`{walk}` reads a saved tensor that `{first}` on {story.where(story.first.site)} has released"
        help = f"read it before `{first}`, or write `retain_graph=True` there (the graph then stays in memory)"
    elif story.loop is not None:
        message = f"`{walk}` walks the same graph in every iteration: iteration {story.first_iteration} has consumed it"
    elif story.calls is not None and story.first.site is story.second.site:
        message = (
            f"each call of `{story.calls.name}` walks the graph of {story.named}, which its first call has consumed"
        )
    else:
        message = f"`{walk}` walks the graph that `{first}` on {story.where(story.first.site)} has already consumed"
    return finding(story, "SP102", "repeated-backward", Severity.ERROR, message, help)


RULE = Rule(
    code="SP102",
    name="repeated-backward",
    severity=Severity.ERROR,
    summary="the same loss is walked twice",
    why="""
        A walk without `retain_graph=True` runs each node of the graph and releases what the node had saved. Walking the
        same loss again therefore fails at the first node that needs something saved, and nearly every useful graph has
        one: a product, a nonlinearity, a layer, a loss.

        The second walk is often not a second `backward()` in sight. `torch.autograd.grad` is a walk like any other and
        consumes the graph; so does a hook or logger that takes a gradient norm; a framework may call `backward()` on
        what `training_step` returns; a loop walks in each iteration what was computed before it; an optimizer such as
        LBFGS calls its closure several times in one step (four measured with `max_iter=4`).

        `retain_graph=True` says: keep what this walk would release. It must stand on the earlier walk. On the last one
        it helps nothing: by then the graph is already consumed.
    """,
    choosing="""
        Ask: was a second pass through the very same forward computation intended?

        - Yes, both walks want the gradient of this one forward (a gradient for the log and then the real walk, several
          vector products, a row-by-row Jacobian): write `retain_graph=True` on each walk but the last. That is right as
          long as no optimizer steps between them; after a step the saved weights are out of date and the walk raises
          the in-place error (SP203). It costs memory until the last walk. `create_graph=True` keeps the graph by
          itself.
        - Yes, but both losses can be walked together: `(a + b).backward()` gives the same gradients in one walk (3.1 ms
          against 5.1 for a small shared encoder).
        - No, each iteration, call or closure evaluation should see its own forward: compute the loss again there. This
          is the right one for training loops and closures, and costs one forward more.
        - No, one walk is a leftover (a manual `backward()` under a trainer that walks by itself, a notebook line run
          twice): delete it.
    """,
    limits="""
        A graph whose nodes save nothing (sums, views, casts) may be walked again and again; nothing is told of it.
        Which operations save is measured on PyTorch, not guessed; an operation not in the table is taken to save. Walks
        inside libraries are known for the frameworks that secondpass describes, not for others.
    """,
    fix_safety="""
        `retain_graph=True` on the first walk changes no gradient and costs memory. Computing the loss again gives the
        gradient of the current weights; with dropout or other randomness it is a new sample. One walk over a sum leaves
        the gradients as they are, up to rounding (1e-9 measured).
    """,
    raises=(
        Example(
            note="a gradient taken for the log, then the walk that trains",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
                optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


                def gradient_norm(loss):
                    gradients = torch.autograd.grad(loss, list(model.parameters()))
                    return torch.stack([g.norm() for g in gradients]).norm().item()


                for step in range(3):
                    x, y = torch.randn(16, 6), torch.randint(0, 3, (16,))
                    loss = nn.functional.cross_entropy(model(x), y)
                    print(step, gradient_norm(loss))
                    optimizer.zero_grad()
                    loss.backward()  # raises  # want: SP102
                    optimizer.step()
            """,
        ),
        Example(
            note="a loss computed before the loop, walked in each iteration",
            code="""
                import torch

                weights = torch.randn(4, requires_grad=True)
                data, target = torch.randn(20, 4), torch.randn(20)
                optimizer = torch.optim.SGD([weights], lr=0.01)

                prediction = data @ weights
                loss = (prediction - target).pow(2).mean()

                for epoch in range(100):
                    optimizer.zero_grad()
                    loss.backward()  # raises  # want: SP102
                    optimizer.step()
            """,
        ),
        Example(
            note="`retain_graph=True` stands on the second walk; the first has consumed the graph by then",
            code="""
                import torch
                from torch import nn

                net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 2))
                image = torch.rand(1, 1, 8, 8, requires_grad=True)

                score = net(image)[0, 1].exp()
                score.backward()
                saliency = image.grad.abs().max()
                score.backward(retain_graph=True)  # raises  # want: SP102
                print(saliency)
            """,
        ),
        Example(
            note="a training step that walks by itself, and a trainer that walks what it returns",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
                optimizer = torch.optim.Adam(model.parameters())


                def training_step(batch):
                    loss = model(batch).pow(2).mean()
                    loss.backward()
                    return loss


                for batch in torch.randn(3, 16, 5):
                    optimizer.zero_grad()
                    loss = training_step(batch)
                    loss.backward()  # raises  # want: SP102
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="the first walk keeps the graph, and no optimizer steps before the second",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
                optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


                def gradient_norm(loss):
                    gradients = torch.autograd.grad(loss, list(model.parameters()), retain_graph=True)
                    return torch.stack([g.norm() for g in gradients]).norm().item()


                for step in range(3):
                    x, y = torch.randn(16, 6), torch.randint(0, 3, (16,))
                    loss = nn.functional.cross_entropy(model(x), y)
                    print(step, gradient_norm(loss))
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="the forward is run again in each iteration",
            code="""
                import torch

                weights = torch.randn(4, requires_grad=True)
                data, target = torch.randn(20, 4), torch.randn(20)
                optimizer = torch.optim.SGD([weights], lr=0.01)

                for epoch in range(100):
                    prediction = data @ weights
                    loss = (prediction - target).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a Hessian-vector product: `create_graph=True` keeps the graph by itself",
            code="""
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
                parameters = list(model.parameters())
                vector = [torch.randn_like(p) for p in parameters]

                loss = model(torch.randn(10, 3)).pow(2).mean()
                gradients = torch.autograd.grad(loss, parameters, create_graph=True)
                dot = sum((g * v).sum() for g, v in zip(gradients, vector))
                product = torch.autograd.grad(dot, parameters)
                print([p.shape for p in product])
            """,
        ),
        Example(
            note="a graph of sums and views saves nothing, so it may be walked as often as one likes",
            code="""
                import torch

                offsets = torch.zeros(3, 4, requires_grad=True)
                total = (offsets.t().reshape(-1) + 1.0).sum()
                total.backward()
                total.backward()
                print(offsets.grad)
            """,
        ),
    ),
    failure=tell,
)
