"""SP106 stored-graph: tensors with history are kept in a buffer and walked again later."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import again_help
from secondpass.rules.carrier import WRITTEN_INTO
from secondpass.rules.places import text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None or story.loop is None or not story.built_inside():
        return None
    name, into, iteration = story.named, f"`{text_of(story.fresh.site)}`", story.when(story.stale.iterations)
    if story.stale.op in WRITTEN_INTO:
        message = f"{name} is written in place in every iteration and keeps the graphs of the iterations before"
        help = f"make a new tensor in each iteration, or assign the detached value: {name} is then no part of the graph"
    elif story.cached:
        message = f"{name} keeps the graph of iteration {iteration}, and {into} builds on it again"
        help = again_help(story, "iteration")
    elif story.holder is not None and story.holder.kind in ("append", "element") and not story.recurs:
        message = f"{name} keeps tensors with the graphs of earlier iterations, and {into} builds on them again"
        if story.adds_losses:
            help = f"clear {name} once its sum is walked"
        else:
            help = "store the detached value (what made it is then not trained), or clear the store once it is walked"
    else:
        return None
    return finding(story, "SP106", "stored-graph", Severity.ERROR, message, help)


RULE = Rule(
    code="SP106",
    name="stored-graph",
    severity=Severity.ERROR,
    summary="tensors with history are kept in a buffer and walked again later",
    why="""
        A list, a queue, a dictionary or a buffer that stores a tensor stores its graph with it. Storing is harmless.
        But once a walk has used that graph up, the stored tensor is a trap: the next loss that reads it, in whichever
        iteration, stands on a dead graph and raises.

        A buffer written by slices is the sly form: `bank[i:j] = code` makes the buffer itself part of the graph,
        through a node (`CopySlices`) that is always released. From then on everything that reads the buffer stands on
        all that was ever written into it, overwritten parts included: the walk goes wherever there is an edge, also
        where the gradient is zero. `bank.copy_(code)` and `bank += code` save nothing themselves, but keep the edge
        too.

        `register_buffer`, `state_dict(keep_vars=True)`, `clone()` and containers of any kind do not cut. Neither does
        `maxlen` in a queue: it drops tensors, and the ones that stay still hold their graphs.
    """,
    choosing="""
        Ask: is the stored tensor to be trained through when it is read?

        - No, it is a value to compare with (memory banks, prototypes, replayed features, targets): store
          `code.detach()`, or fill the store under `torch.no_grad()`. Gradients then reach the encoder through the
          present batch alone, which is what such methods intend.
        - Yes, within one episode or sequence (log-probabilities, rollouts, recurrent memories): keep the tensors until
          their one walk, then empty the store, `log_probs.clear()`. All lists that belong together must be emptied, or
          old entries meet new rewards.
        - Yes, again and again (replay through the network): store the *inputs*, and compute the forward anew when they
          are drawn. It costs a forward each time, and it is the only way to train on old data with present weights.
        - A buffer used as scratch space: make it new in each iteration instead of writing into the old one.
    """,
    limits="""
        What is stored under a key or index that the analysis cannot follow is taken to be read again wherever the
        container is read. Stores inside libraries and data loaders are known only as far as secondpass describes them.
    """,
    fix_safety="""
        Storing the detached value changes gradients: nothing flows through the store. Emptying it changes what later
        iterations see. Both need `--unsafe`.
    """,
    raises=(
        Example(
            note="log-probabilities of the last episode are still in the list",
            code="""
                import torch
                from torch import nn

                policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
                optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
                log_probs, rewards = [], []

                for episode in range(3):
                    for step in range(5):
                        choice = torch.distributions.Categorical(logits=policy(torch.randn(4)))
                        action = choice.sample()
                        log_probs.append(choice.log_prob(action))
                        rewards.append(float(action == 0))
                    returns = torch.tensor(rewards)
                    loss = -(torch.stack(log_probs) * returns).mean()  # want: SP106
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a memory bank filled by slice assignment",
            code="""
                import torch
                from torch import nn

                encoder = nn.Linear(10, 4)
                optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
                bank = torch.zeros(40, 4)

                for step in range(4):
                    code = nn.functional.normalize(encoder(torch.randn(8, 10)), dim=1)
                    bank[step * 8:step * 8 + 8] = code  # want: SP106
                    loss = (code @ bank.t()).logsumexp(1).mean()
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="old features, kept in a queue with their graphs",
            code="""
                from collections import deque

                import torch
                from torch import nn

                encoder = nn.Sequential(nn.Linear(10, 8), nn.ReLU())
                optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
                queue = deque(maxlen=3)

                for batch in torch.randn(5, 16, 10):
                    code = encoder(batch)
                    loss = code.pow(2).mean()
                    for old in queue:
                        loss = loss - 0.1 * (code * old).mean()  # want: SP106
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
                    queue.append(code)
            """,
        ),
        Example(
            note="a module that keeps the mean of every batch, and compares with all of them",
            code="""
                import torch
                from torch import nn


                class Anchored(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.layer = nn.Linear(6, 4)
                        self.seen = []

                    def forward(self, x):
                        code = torch.tanh(self.layer(x))
                        drift = sum((code.mean(0) - old).pow(2).sum() for old in self.seen)  # want: SP106
                        self.seen.append(code.mean(0))
                        return code, drift


                model = Anchored()
                optimizer = torch.optim.Adam(model.parameters())
                for x in torch.randn(4, 12, 6):
                    code, drift = model(x)
                    loss = code.pow(2).mean() + 0.1 * drift
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="both lists are emptied when their graphs are walked",
            code="""
                import torch
                from torch import nn

                policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
                optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
                log_probs, rewards = [], []

                for episode in range(3):
                    for step in range(5):
                        choice = torch.distributions.Categorical(logits=policy(torch.randn(4)))
                        action = choice.sample()
                        log_probs.append(choice.log_prob(action))
                        rewards.append(float(action == 0))
                    returns = torch.tensor(rewards)
                    loss = -(torch.stack(log_probs) * returns).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    log_probs.clear()
                    rewards.clear()
            """,
        ),
        Example(
            note="the bank keeps values",
            code="""
                import torch
                from torch import nn

                encoder = nn.Linear(10, 4)
                optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
                bank = torch.zeros(40, 4)

                for step in range(4):
                    code = nn.functional.normalize(encoder(torch.randn(8, 10)), dim=1)
                    loss = (code @ bank.t()).logsumexp(1).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    bank[step * 8:step * 8 + 8] = code.detach()
            """,
        ),
        Example(
            note="a queue of detached features",
            code="""
                from collections import deque

                import torch
                from torch import nn

                encoder = nn.Sequential(nn.Linear(10, 8), nn.ReLU())
                optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
                queue = deque(maxlen=3)

                for batch in torch.randn(5, 16, 10):
                    code = encoder(batch)
                    loss = code.pow(2).mean()
                    for old in queue:
                        loss = loss - 0.1 * (code * old).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    queue.append(code.detach())
            """,
        ),
        Example(
            note="what is replayed is the input: each forward is new",
            code="""
                from collections import deque

                import torch
                from torch import nn

                network = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
                optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
                memory = deque(maxlen=100)

                for step in range(6):
                    state = torch.randn(4)
                    with torch.no_grad():
                        action = network(state).argmax()
                    memory.append((state, action, float(action == 0)))
                    states = torch.stack([s for s, _, _ in memory])
                    actions = torch.stack([a for _, a, _ in memory])
                    rewards = torch.tensor([r for _, _, r in memory])
                    chosen = network(states).gather(1, actions.unsqueeze(1)).squeeze(1)
                    optimizer.zero_grad()
                    (chosen - rewards).pow(2).mean().backward()
                    optimizer.step()
            """,
        ),
    ),
    failure=tell,
)
