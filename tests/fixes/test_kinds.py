"""Each kind of fix on a program of its own: the lines it writes, and that PyTorch then runs the program."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from secondpass.fixes.apply import apply_fix

from .helpers import added, fixed, offered, raises, ran, text

HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
"""


@dataclass(frozen=True)
class Kind:
    name: str
    program: str
    fix: str
    lines: tuple[str, ...]
    preferred: bool = True
    safety: str = "changes-gradients"


KINDS = [
    Kind(
        "a pair of states",
        """
            rnn, head = nn.LSTM(2, 4), nn.Linear(4, 1)
            state = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
            for x in torch.randn(3, 5, 1, 2):
                out, state = rnn(x, state)
                head(out).sum().backward()
        """,
        "detach-at-end",
        ("    state = tuple(s.detach() for s in state)",),
    ),
    Kind(
        "two named states",
        """
            rnn, head = nn.LSTMCell(2, 4), nn.Linear(4, 1)
            h, c = torch.zeros(3, 4), torch.zeros(3, 4)
            for x in torch.randn(4, 3, 2):
                h, c = rnn(x, (h, c))
                head(h).sum().backward()
        """,
        "detach-at-end",
        ("    h, c = h.detach(), c.detach()",),
    ),
    Kind(
        "layers of pairs",
        """
            cells = nn.ModuleList([nn.LSTMCell(2, 2), nn.LSTMCell(2, 2)])
            states = [(torch.zeros(3, 2), torch.zeros(3, 2)) for _ in cells]
            for x in torch.randn(4, 3, 2):
                new = []
                for cell, state in zip(cells, states):
                    state = cell(x, state)
                    x = state[0]
                    new.append(state)
                states = new
                x.sum().backward()
        """,
        "detach-at-end",
        ("    states = [tuple(s.detach() for s in layer) for layer in states]",),
    ),
    Kind(
        "a dict of states",
        """
            cell = nn.GRUCell(2, 4)
            memory = {"fast": torch.zeros(3, 4), "slow": torch.zeros(3, 4)}
            for x in torch.randn(4, 3, 2):
                memory = {k: cell(x, v) for k, v in memory.items()}
                sum(v.sum() for v in memory.values()).backward()
        """,
        "detach-at-end",
        ("    memory = {k: v.detach() for k, v in memory.items()}",),
    ),
    Kind(
        "an attribute of the model",
        """
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.cell = nn.GRUCell(2, 4)
                    self.h = torch.zeros(3, 4)

                def forward(self, x):
                    self.h = self.cell(x, self.h)
                    return self.h


            net = Net()
            for x in torch.randn(4, 3, 2):
                net(x).sum().backward()
        """,
        "detach-at-end",
        ("    net.h = net.h.detach()",),
    ),
    Kind(
        "a field of a dataclass",
        """
            from dataclasses import dataclass


            @dataclass
            class State:
                h: torch.Tensor
                step: int = 0


            cell = nn.GRUCell(2, 4)
            state = State(torch.zeros(3, 4))
            for x in torch.randn(4, 3, 2):
                state.h = cell(x, state.h)
                state.step += 1
                state.h.sum().backward()
        """,
        "detach-at-end",
        ("    state.h = state.h.detach()",),
    ),
    Kind(
        "a state that is None at first",
        """
            cell = nn.GRUCell(2, 4)
            h = None
            for x in torch.randn(4, 3, 2):
                h = cell(x, h)
                h.sum().backward()
        """,
        "detach-at-start",
        ("    h = h.detach() if h is not None else None",),
        preferred=False,
    ),
    Kind(
        "a walk every second iteration",
        """
            cell = nn.GRUCell(2, 4)
            h, loss = torch.zeros(3, 4), 0
            for i in range(6):
                h = cell(torch.randn(3, 2), h)
                loss = loss + h.sum()
                if i % 2:
                    loss.backward()
                    loss = 0
        """,
        "detach-at-end",
        ("        h = h.detach()",),
    ),
    Kind(
        "an iteration that ends early",
        """
            cell = nn.GRUCell(2, 4)
            h = torch.zeros(3, 4)
            for i, x in enumerate(torch.randn(4, 3, 2)):
                h = cell(x, h)
                h.sum().backward()
                if i % 2:
                    continue
                print(i)
        """,
        "detach-at-start",
        ("    h = h.detach()",),
    ),
    Kind(
        "a dict whose values are detached to nowhere",
        """
            cell = nn.GRUCell(2, 4)
            memory = {0: torch.zeros(3, 4)}
            for x in torch.randn(4, 3, 2):
                memory[0] = cell(x, memory[0])
                memory[0].sum().backward()
                for key, value in memory.items():
                    value = value.detach()
        """,
        "keep-detached",
        ("        memory[key] = value.detach()",),
    ),
    Kind(
        "a detach whose result is dropped",
        """
            cell = nn.GRUCell(2, 4)
            h = torch.zeros(3, 4)
            for x in torch.randn(4, 3, 2):
                h = cell(x, h)
                h.sum().backward()
                h.detach()
        """,
        "keep-detached",
        ("    h = h.detach()",),
    ),
    Kind(
        "a helper that forgets one state",
        """
            def repackage(h, c):
                return h.detach(), c


            rnn = nn.LSTMCell(2, 4)
            h, c = torch.zeros(3, 4), torch.zeros(3, 4)
            for x in torch.randn(4, 3, 2):
                h, c = rnn(x, (h, c))
                h.sum().backward()
                h, c = repackage(h, c)
        """,
        "detach-too",
        ("    return h.detach(), c.detach()",),
    ),
    Kind(
        "two losses on one trunk",
        """
            trunk, a, b = nn.Linear(2, 4), nn.Linear(4, 1), nn.Linear(4, 1)
            z = trunk(torch.randn(3, 2)).tanh()
            one, two = a(z).sum(), b(z).sum()
            one.backward()
            two.backward()
        """,
        "sum-losses",
        ("(one + two).backward()",),
        safety="safe",
    ),
    Kind(
        "a list of losses",
        """
            trunk = nn.Linear(2, 4)
            opt = torch.optim.SGD(trunk.parameters(), 0.1)
            z = trunk(torch.randn(3, 2)).tanh()
            losses = [z.sum(), (z * z).sum()]
            for loss in losses:
                opt.zero_grad()
                loss.backward()
                opt.step()
        """,
        "sum-losses",
        (
            "opt.zero_grad()",
            "sum(losses).backward()",
            "opt.step()",
        ),
        safety="safe",
    ),
    Kind(
        "the fake batch in the discriminator",
        """
            G, D = nn.Linear(2, 4), nn.Linear(4, 1)
            opt_g = torch.optim.Adam(G.parameters())
            opt_d = torch.optim.Adam(D.parameters())
            for x in torch.randn(4, 3, 2):
                fake = G(x).tanh()
                opt_d.zero_grad()
                D(fake).mean().backward()
                opt_d.step()
                opt_g.zero_grad()
                (-D(fake).mean()).backward()
                opt_g.step()
        """,
        "detach-use",
        ("    D(fake.detach()).mean().backward()",),
    ),
    Kind(
        "features once before the loop",
        """
            enc, head = nn.Linear(2, 4), nn.Linear(4, 1)
            opt = torch.optim.SGD([*enc.parameters(), *head.parameters()], 0.1)
            x = torch.randn(3, 2)
            z = enc(x).tanh()
            for _ in range(3):
                opt.zero_grad()
                head(z).sum().backward()
                opt.step()
        """,
        "move-into-loop",
        ("    z = enc(x).tanh()",),
    ),
    Kind(
        "a target that nothing trains",
        """
            enc, head = nn.Linear(2, 4), nn.Linear(2, 4)
            opt = torch.optim.SGD(head.parameters(), 0.1)
            x = torch.randn(3, 2)
            target = enc(x).tanh()
            for _ in range(3):
                opt.zero_grad()
                (head(x) - target).pow(2).sum().backward()
                opt.step()
        """,
        "detach-use",
        ("    (head(x) - target.detach()).pow(2).sum().backward()",),
    ),
    Kind(
        "a closure",
        """
            w = torch.ones(3, requires_grad=True)
            opt = torch.optim.LBFGS([w], max_iter=3)
            penalty = (w * w).sum()


            def closure():
                opt.zero_grad()
                loss = (w - 2).pow(2).sum() + penalty
                loss.backward()
                return loss


            opt.step(closure)
        """,
        "recompute-in-function",
        ("    penalty = (w * w).sum()",),
    ),
    Kind(
        "a loss walked after a step",
        """
            a, b = nn.Linear(2, 4), nn.Linear(4, 1)
            opt = torch.optim.SGD(b.parameters(), 0.1)
            x = torch.randn(3, 2)
            score = b(a(x).tanh()).sum()
            opt.zero_grad()
            score.backward(retain_graph=True)
            opt.step()
            (-score).backward()
        """,
        "recompute",
        (
            "score.backward()",
            "score = b(a(x).tanh()).sum()",
        ),
    ),
    Kind(
        "a gradient asked for before the walk",
        """
            model = nn.Linear(2, 1)
            loss = model(torch.randn(3, 2)).pow(2).sum()
            norms = [g.norm() for g in torch.autograd.grad(loss, list(model.parameters()))]
            loss.backward()
        """,
        "retain-graph",
        ("norms = [g.norm() for g in torch.autograd.grad(loss, list(model.parameters()), retain_graph=True)]",),
        safety="costs-memory",
    ),
    Kind(
        "log-probabilities that pile up",
        """
            pi = nn.Linear(2, 2)
            saved = []
            for x in torch.randn(4, 3, 2):
                dist = torch.distributions.Categorical(logits=pi(x))
                saved.append(dist.log_prob(dist.sample()).sum())
                torch.stack(saved).sum().backward()
        """,
        "clear-store",
        ("    saved.clear()",),
    ),
    Kind(
        "a bank of features",
        """
            enc = nn.Linear(2, 4)
            bank = torch.zeros(4, 4)
            for i, x in enumerate(torch.randn(4, 3, 2)):
                z = enc(x).tanh()
                (z @ bank.clone().t()).sum().backward()
                bank[i] = z.mean(0)
        """,
        "detach-at-store",
        ("    bank[i] = z.mean(0).detach()",),
    ),
    Kind(
        "a running loss",
        """
            model = nn.Linear(2, 1)
            total = 0
            for x in torch.randn(4, 3, 2):
                loss = model(x).pow(2).sum()
                loss.backward()
                total += loss
        """,
        "item",
        ("    total += loss.item()",),
        safety="safe",
    ),
    Kind(
        "outputs that are kept",
        """
            model = nn.Linear(2, 1)
            outs = []
            for x in torch.randn(4, 3, 2):
                out = model(x).exp()
                out.sum().backward()
                outs.append(out)
            print(torch.cat(outs).mean())
        """,
        "detach-value",
        ("    outs.append(out.detach())",),
        safety="safe",
    ),
    Kind(
        "a loss that is added up and walked in every iteration",
        """
            model = nn.Linear(2, 1)
            total = 0
            for x in torch.randn(4, 3, 2):
                total = total + model(x).pow(2).sum()
                total.backward()
        """,
        "walk-after-loop",
        ("total.backward()",),
        preferred=False,
    ),
    Kind(
        "states that a closure keeps from call to call",
        """
            def make():
                net = nn.Linear(2, 2)
                speed, place = torch.zeros(3, 2), torch.zeros(3, 2)

                def iteration(x):
                    nonlocal speed, place
                    speed = 0.9 * speed + net(x)
                    place = place + speed
                    place.pow(2).sum().backward()

                return iteration


            iteration = make()
            for x in torch.randn(4, 3, 2):
                iteration(x)
        """,
        "detach-at-end",
        ("        speed, place = speed.detach(), place.detach()",),
    ),
    Kind(
        "a state whose model is not in sight",
        """
            def train(model, loader, optimizer, hidden):
                for x, y in loader:
                    out, hidden = model(x, hidden)
                    loss = nn.functional.mse_loss(out, y)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                return hidden
        """,
        "detach-at-end",
        ("        hidden = tuple(s.detach() for s in hidden) if isinstance(hidden, tuple) else hidden.detach()",),
    ),
    Kind(
        "an actor and a critic on one trunk",
        """
            enc, actor, critic = nn.Linear(3, 4), nn.Linear(4, 2), nn.Linear(4, 1)
            actor_opt = torch.optim.Adam([*enc.parameters(), *actor.parameters()])
            critic_opt = torch.optim.Adam(critic.parameters())
            for x in torch.randn(3, 5, 3):
                state = enc(x).tanh()
                value = critic(state.detach())
                advantage = 1.0 - value
                score = torch.log_softmax(actor(state), -1)[:, :1]
                actor_opt.zero_grad()
                (-score * advantage).mean().backward()
                actor_opt.step()
                critic_opt.zero_grad()
                advantage.pow(2).mean().backward()
                critic_opt.step()
        """,
        "detach-use",
        ("    (-score * advantage.detach()).mean().backward()",),
    ),
    Kind(
        "a needless flag",
        """
            model = nn.Linear(2, 1)
            model(torch.randn(3, 2)).pow(2).sum().backward(retain_graph=True)
        """,
        "remove-retain",
        ("model(torch.randn(3, 2)).pow(2).sum().backward()",),
        safety="safe",
    ),
    Kind(
        "a change in place of what was saved",
        """
            model = nn.Linear(2, 1)
            y = model(torch.randn(3, 2)).exp()
            y += 1
            y.sum().backward()
        """,
        "out-of-place",
        ("y = y + 1",),
        safety="safe",
    ),
    Kind(
        "a value that the constructor computed of a parameter",
        """
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.scale = nn.Parameter(torch.ones(4))
                    # once, as it is always the same
                    table = torch.sin(torch.arange(12.0).view(3, 4) * self.scale)
                    self.register_buffer("table", table)

                def forward(self, x):
                    return x + self.table


            net = Net()
            opt = torch.optim.SGD(net.parameters(), 0.1)
            for x in torch.randn(4, 3, 4):
                opt.zero_grad()
                net(x).pow(2).sum().backward()
                opt.step()
        """,
        "recompute-in-function",
        ("        return x + table",),
    ),
    Kind(
        "a table by size that is kept",
        """
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.scale, self.known = nn.Parameter(torch.ones(4)), {}

                def forward(self, size):
                    if size not in self.known:
                        steps = torch.arange(size).unsqueeze(1)
                        self.known[size] = torch.sin(steps * self.scale)
                    return self.known[size]


            net = Net()
            opt = torch.optim.SGD(net.parameters(), 0.1)
            for size in (3, 5, 3):
                opt.zero_grad()
                net(size).sum().backward()
                opt.step()
        """,
        "recompute-cached",
        (
            "        steps = torch.arange(size).unsqueeze(1)",
            "        return torch.sin(steps * self.scale)",
        ),
    ),
    Kind(
        "a property that is computed once",
        """
            from functools import cached_property


            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.logits = nn.Parameter(torch.randn(4, 4))

                @cached_property
                def weights(self):
                    return self.logits.softmax(-1)

                def forward(self, x):
                    return x @ self.weights


            net = Net()
            opt = torch.optim.SGD(net.parameters(), 0.1)
            for x in torch.randn(4, 3, 4):
                opt.zero_grad()
                net(x).pow(2).sum().backward()
                opt.step()
        """,
        "recompute-cached",
        ("    @property",),
    ),
    Kind(
        "a second loss that is walked on one branch only",
        """
            trunk, a, b = nn.Linear(2, 4), nn.Linear(4, 1), nn.Linear(4, 1)
            for i, x in enumerate(torch.randn(4, 3, 2)):
                z = trunk(x).tanh()
                loss = a(z).sum()
                loss.backward()
                if i % 2:
                    extra = b(z).sum()
                    extra.backward()
        """,
        "sum-losses",
        (
            "    total_loss = loss",
            "        total_loss = total_loss + extra",
            "    total_loss.backward()",
        ),
        safety="safe",
    ),
    Kind(
        "what PPO takes for given",
        """
            policy, critic = nn.Linear(3, 2), nn.Linear(3, 1)
            opt = torch.optim.Adam([*policy.parameters(), *critic.parameters()])
            states, returns = torch.randn(8, 3), torch.randn(8, 1)
            # under the old policy
            dist = torch.distributions.Categorical(logits=policy(states))
            actions = dist.sample()
            old_log_probs = dist.log_prob(actions)
            advantages = returns - critic(states)
            for epoch in range(3):
                dist = torch.distributions.Categorical(logits=policy(states))
                ratio = (dist.log_prob(actions) - old_log_probs).exp()
                loss = (critic(states) - returns).pow(2).mean() - (ratio * advantages).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
        """,
        "no-grad",
        (
            "with torch.no_grad():",
            "    actions = dist.sample()",
            "    old_log_probs = dist.log_prob(actions)",
            "    advantages = returns - critic(states)",
            "    dist = torch.distributions.Categorical(logits=policy(states))",
        ),
    ),
    Kind(
        "a gradient penalty whose gradient has no graph",
        """
            D = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
            for real in torch.randn(3, 4, 2):
                real.requires_grad_(True)
                score = D(real)
                (grad,) = torch.autograd.grad(score.sum(), real)
                penalty = (grad.norm(2, dim=1) - 1).pow(2).mean()
                (10 * penalty - score.mean()).backward()
        """,
        "create-graph",
        ("    (grad,) = torch.autograd.grad(score.sum(), real, create_graph=True)",),
        safety="costs-memory",
    ),
    Kind(
        "a helper whose type check misses tuples",
        """
            def repackage(h):
                if isinstance(h, torch.Tensor):
                    return h.detach()
                return h


            rnn = nn.LSTM(2, 4)
            hidden = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
            for x in torch.randn(4, 3, 1, 2):
                out, hidden = rnn(x, hidden)
                out.sum().backward()
                hidden = repackage(hidden)
        """,
        "detach-too",
        ("    return tuple(repackage(v) for v in h)",),
    ),
    Kind(
        "chunks whose losses and state go on",
        """
            rnn = nn.LSTM(2, 4)
            h, c = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
            losses = []
            for t in range(12):
                out, (h, c) = rnn(torch.randn(1, 1, 2), (h, c))
                losses.append(out.pow(2).mean())
                if (t + 1) % 4 == 0:
                    torch.stack(losses).mean().backward()
        """,
        "truncate",
        ("        losses = []", "        h, c = h.detach(), c.detach()"),
    ),
    Kind(
        "a slice that is written once and called twice",
        """
            trunk, a, b = nn.Linear(2, 4), nn.Linear(4, 1), nn.Linear(4, 1)
            opt_a = torch.optim.SGD([*trunk.parameters(), *a.parameters()], 0.1)
            opt_b = torch.optim.SGD([*trunk.parameters(), *b.parameters()], 0.1)
            for x in torch.randn(4, 3, 2):
                z = trunk(x).tanh()
                scaled = z / z.norm(
                    dim=1, keepdim=True
                )  # unit length
                one = a(scaled).sum()
                opt_a.zero_grad()
                one.backward()
                opt_a.step()
                two = b(scaled).exp().sum()
                opt_b.zero_grad()
                two.backward()
                opt_b.step()
        """,
        "extract-function",
        (
            "",
            "",
            "def compute_scaled(x):",
            "    return scaled",
            "",
            "",
            "    scaled = compute_scaled(x)",
            "    scaled = compute_scaled(x)",
        ),
        preferred=False,
    ),
    Kind(
        "layers in a loop before the loop",
        """
            layers, head = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)]), nn.Linear(3, 1)
            opt = torch.optim.SGD([*layers.parameters(), *head.parameters()], 0.1)
            x = torch.randn(5, 3)
            z, kept = x, []
            for layer in layers:
                # one after the other
                z = layer(z).tanh()
                kept.append(z)
            for step in range(3):
                opt.zero_grad()
                (head(z).pow(2).mean() + kept[0].mean()).backward()
                opt.step()
        """,
        "move-into-loop",
        (
            "    z, kept = x, []",
            "    for layer in layers:",
            "        # one after the other",
            "        z = layer(z).tanh()",
            "        kept.append(z)",
        ),
    ),
    Kind(
        "an unused suppression",
        """
            model = nn.Linear(2, 1)
            model(torch.randn(3, 2)).sum().backward()  # secondpass: ignore[SP101]
        """,
        "remove-suppression",
        ("model(torch.randn(3, 2)).sum().backward()",),
        safety="safe",
    ),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_kind(kind: Kind) -> None:
    program = text(HEAD) + text(kind.program)
    _, fixes = offered(program)
    fix = next((one for one in fixes if one.id == kind.fix), None)
    assert fix is not None, f"offered were {[(one.id, one.title) for one in fixes]}"
    after = apply_fix(ran(program), program, fix)
    assert added(program, after) == list(kind.lines)
    assert (fix.preferred, fix.safety) == (kind.preferred, kind.safety)
    assert raises(after) is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_at_most_one_is_preferred_and_every_title_is_a_sentence(kind: Kind) -> None:
    _, fixes = offered(text(HEAD) + text(kind.program))
    assert sum(fix.preferred for fix in fixes) <= 1
    for fix in fixes:
        assert fix.title[0].isupper() and not fix.title.endswith(".")
        assert "\n" not in fix.title


def test_what_a_loop_before_the_walk_fills_is_not_left_out_of_a_slice() -> None:
    program = text(HEAD) + text("""
        layers, head = nn.ModuleList([nn.GRUCell(2, 4), nn.GRUCell(4, 4)]), nn.Linear(4, 2)
        opt = torch.optim.SGD([*layers.parameters(), *head.parameters()], 0.1)
        states = [torch.zeros(2, 4) for _ in layers]
        for x in torch.randn(3, 2, 2):
            z = x
            for j, cell in enumerate(layers):
                states[j] = cell(z, states[j])
                z = states[j]
            out = head(z)
            states = [s.detach() for s in states]
            one, two = out.mean(), (out ** 2).mean()
            one.backward()
            two.backward()
            opt.step()
    """)
    _, fixes = offered(program)
    assert fixes and {raises(apply_fix(ran(program), program, fix)) for fix in fixes} == {None}


def test_no_element_of_a_tuple_is_bound_anew() -> None:
    program = text(HEAD) + text("""
        rnn = nn.LSTM(2, 4)
        state = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
        for x in torch.randn(3, 5, 1, 2):
            out, state = rnn(x, state)
            out.sum().backward()
            state[0].detach()
            state[1].detach()
    """)
    _, fixes = offered(program)
    assert fixes and {raises(apply_fix(ran(program), program, fix)) for fix in fixes} == {None}


def test_a_slice_that_goes_on_from_itself_is_not_computed_twice() -> None:
    program = text(HEAD) + text("""
        a, b = nn.Linear(3, 3), nn.Linear(3, 1)
        opt = torch.optim.SGD([*a.parameters(), *b.parameters()], 0.1)
        x = torch.randn(5, 3)
        x = a(x).tanh()
        for step in range(3):
            opt.zero_grad()
            b(x).sum().backward()
            opt.step()
    """)
    _, fixes = offered(program)
    for fix in fixes:
        assert added(program, apply_fix(ran(program), program, fix)) != ["    x = a(x).tanh()"]


def test_a_second_fault_that_is_told_already_stands_in_no_fixs_way() -> None:
    program = text(HEAD) + "\n".join(
        text(f"""

        def train_{name}():
            cell, h = nn.GRUCell(2, 4), torch.zeros(1, 4)
            for x in torch.randn(3, 1, 2):
                h = cell(x, h)
                h.sum().backward()

        """)
        for name in ("a", "b")
    )
    program += "\ntrain_a()\ntrain_b()\n"
    assert len(ran(program).findings) == 2
    assert raises(fixed(program)) is None
