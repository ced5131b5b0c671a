"""What fixes do to gradients: a sum of losses gives those of two walks, a cut leaves the first step's alone."""

from __future__ import annotations

import re

import numpy as np
import pytest
from secondpass.fixes.apply import apply_fix
from secondpass.fixes.training import named

from tests.judge.forkserver import truth

from .helpers import fixed, offered, raises, ran, text
from .trained import trained

TWO = text("""
    import torch
    from torch import nn

    torch.manual_seed(3)
    trunk, a, b = nn.Linear(3, 5), nn.Linear(5, 1), nn.Linear(5, 2)
    features = trunk(torch.randn(7, 3)).tanh()
    first, second = a(features).pow(2).mean(), b(features).exp().sum()
    first.backward()
    second.backward()
""")

CARRIED = text("""
    import torch
    from torch import nn

    torch.manual_seed(3)
    cell, head = nn.GRUCell(2, 4), nn.Linear(4, 1)
    start = nn.Linear(1, 4)
    h = start(torch.ones(1, 1))
    for step, x in enumerate(torch.randn(3, 1, 2)):
        h = cell(x, h)
        head(h).sum().backward()
        if step == STEP:
            break
""")

GAN = text("""
    import torch
    from torch import nn

    torch.manual_seed(0)
    G, D = nn.Linear(2, 4), nn.Linear(4, 1)
    opt_g, opt_d = torch.optim.SGD(G.parameters(), 0.1), torch.optim.SGD(D.parameters(), 0.1)
    before = G.weight.detach().clone(), D.weight.detach().clone()
    for x in torch.randn(3, 5, 2):
        fake = G(x).tanh()
        opt_d.zero_grad()
        D(fake).mean().backward()
        opt_d.step()
        opt_g.zero_grad()
        (D(fake) - 1).pow(2).mean().backward()
        opt_g.step()
""")


def gradients(program: str, *parameters: str) -> list[np.ndarray | None]:
    """The gradients at the program's end; None for a parameter that got none."""
    shown = "; ".join(f"_seen.append(None if {p}.grad is None else {p}.grad.tolist())" for p in parameters)
    asked = f"{program}\n_seen = []\n{shown}\nimport json\nraise SystemError(json.dumps(_seen))\n"
    outcome = truth(asked)
    assert outcome.type == "SystemError", outcome
    import json

    return [None if value is None else np.array(value) for value in json.loads(outcome.message)]


def test_one_walk_over_the_sum_gives_the_gradients_of_two() -> None:
    names = ("trunk.weight", "trunk.bias", "a.weight", "b.weight")
    summed = gradients(fixed(TWO), *names)
    kept = gradients(TWO.replace("first.backward()", "first.backward(retain_graph=True)"), *names)
    for one, other in zip(summed, kept, strict=True):
        assert one is not None and other is not None
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)


def test_a_cut_of_carried_state_leaves_the_first_steps_gradients_alone() -> None:
    names = ("cell.weight_ih", "cell.weight_hh", "head.weight", "start.weight")
    raising = CARRIED.replace("STEP", "9")
    cut = fixed(raising).replace("== 9", "== 0")
    assert cut != raising.replace("== 9", "== 0"), "nothing was cut"
    for one, other in zip(gradients(cut, *names), gradients(CARRIED.replace("STEP", "0"), *names), strict=True):
        assert one is not None and other is not None
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_the_preferred_fix_starves_nobody() -> None:
    after = fixed(GAN)
    assert "D(fake.detach()).mean().backward()" in after
    generator, critic = gradients(after, "G.weight", "D.weight")
    assert generator is not None and np.abs(generator).sum() > 0
    assert critic is not None and np.abs(critic).sum() > 0


def test_a_fix_that_starves_a_parameter_says_so() -> None:
    program = text("""
        import torch
        from torch import nn

        cell, head = nn.GRUCell(2, 4), nn.Linear(4, 1)
        optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.1)
        h = torch.zeros(1, 4)
        for x in torch.randn(3, 1, 2):
            optimizer.zero_grad()
            h = cell(x, h)
            head(h).sum().backward()
            optimizer.step()
    """)
    _, fixes = offered(program)
    for fix in fixes:
        after = apply_fix(ran(program), program, fix)
        (grad,) = gradients(after, "cell.weight_hh")
        starves = grad is None
        assert starves == ("get no gradient" in fix.title), fix.title
        assert not (starves and fix.preferred)


@pytest.mark.parametrize("frozen", [True, False])
def test_what_an_optimizer_trains_is_computed_again_and_the_rest_is_cut(frozen: bool) -> None:
    program = text("""
        import torch
        from torch import nn

        torch.manual_seed(0)
        enc, head = nn.Linear(2, 4), nn.Linear(4, 1)
        opt = torch.optim.SGD([*head.parameters()TRAINED], 0.1)
        x = torch.randn(3, 2)
        z = enc(x).tanh()
        for _ in range(3):
            head.zero_grad()
            head(z).pow(2).sum().backward()
            opt.step()
    """).replace("TRAINED", "" if frozen else ", *enc.parameters()")
    _, fixes = offered(program)
    preferred = next(fix for fix in fixes if fix.preferred)
    assert preferred.id == ("detach-use" if frozen else "move-into-loop")
    (grad,) = gradients(apply_fix(ran(program), program, preferred), "enc.weight")
    assert (grad is None) == frozen


PINN = text("""
    import torch
    from torch import nn

    class Pinn(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
            self.nu = nn.Parameter(torch.tensor(0.5))
            self.viscosity = nn.functional.softplus(self.nu)

        def residual(self, x):
            u = self.net(x)
            (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
            return du - self.viscosity * u


    model = Pinn()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(4):
        optimizer.zero_grad()
        model.residual(torch.rand(16, 1, requires_grad=True)).pow(2).mean().backward()
        optimizer.step()
""")
CACHE = text("""
    import torch
    from torch import nn

    class Positions(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(4))
            self.known = {}

        def forward(self, size):
            if size not in self.known:
                steps = torch.arange(size).unsqueeze(1)
                self.known[size] = torch.sin(steps * self.scale)
            return self.known[size]


    positions, head = Positions(), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*positions.parameters(), *head.parameters()], 0.1)
    for size in (3, 5, 3, 5):
        optimizer.zero_grad()
        head(positions(size)).pow(2).mean().backward()
        optimizer.step()
""")
BY_HAND = text("""
    import torch

    w, scale = torch.randn(3, requires_grad=True), torch.ones((), requires_grad=True)
    factor = torch.exp(scale)
    for x in torch.randn(4, 3):
        loss = (w * x).sum().pow(2) * factor
        loss.backward()
        with torch.no_grad():
            for p in (w, scale):
                if p.grad is not None:
                    p -= 0.1 * p.grad
                    p.grad = None
""")
TWO_OWN_STEPS = text("""
    import torch
    from torch import nn

    painter, critic = nn.Linear(2, 4), nn.Linear(4, 1)
    of_painter = torch.optim.SGD(painter.parameters(), 0.1)
    of_critic = torch.optim.SGD(critic.parameters(), 0.1)
    for x in torch.randn(3, 5, 2):
        painted = painter(x).tanh()
        first = critic(painted).mean()
        second = -critic(painted).exp().mean()
        of_critic.zero_grad()
        first.backward()
        of_painter.zero_grad()
        second.backward()
        of_critic.step()
        of_painter.step()
""")


@pytest.mark.parametrize("program", [PINN, CACHE, TWO_OWN_STEPS, GAN], ids=["pinn", "cache", "two steps", "gan"])
def test_a_fix_that_takes_a_parameter_its_gradient_says_so_and_is_not_preferred(program: str) -> None:
    finding, fixes = offered(program)
    assert finding.raises_at and any(fix.preferred for fix in fixes)
    found = [(fix, trained(apply_fix(ran(program), program, fix))) for fix in fixes]
    known = set(trained(program)).union(*(steps for _, steps in found))
    for fix, steps in found:
        assert (known - set(steps) != set()) == ("no gradient" in fix.title), fix.title
        once = any(count == 1 for count in steps.values()) and max(steps.values()) > 1
        assert once == ("in the first step only" in fix.title), fix.title
        assert not (fix.preferred and "then get" in fix.title)


def test_parameters_that_the_program_steps_by_itself_count_too() -> None:
    cut = BY_HAND.replace("* factor\n", "* factor.detach()\n")
    assert cut != BY_HAND
    names = [{named(leaf) for leaf in ran(program).training().leaves.values()} for program in (BY_HAND, cut)]
    assert names == [{"w", "scale"}, {"w"}]
    assert ran(BY_HAND).training().steps


def test_a_walk_that_a_cut_leaves_without_a_graph_is_no_fix() -> None:
    program = text("""
        import torch

        net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Sigmoid())
        optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)
        out = net(torch.randn(2, 3))


        def closure():
            loss = out.pow(2).sum()
            loss.backward()
            return loss


        optimizer.step(closure)
    """)
    _, fixes = offered(program)
    assert fixes
    assert {raises(apply_fix(ran(program), program, fix)) for fix in fixes} == {None}


SPLIT = text("""
    import torch
    from torch import nn

    class Trainer:
        def __init__(self):
            self.G, self.D = nn.Linear(2, 4), nn.Linear(4, 1)
            self.opt_g, self.opt_d = (torch.optim.SGD(m.parameters(), 0.1) for m in (self.G, self.D))

        def train_d(self, real, fake):
            self.opt_d.zero_grad()
            self.D(real).mean().backward()
            loss = self.D(fake).pow(2).mean()
            loss.backward()
            self.opt_d.step()

        def train_g(self, fake):
            self.opt_g.zero_grad()
            (self.D(fake) - 1).pow(2).mean().backward()
            self.opt_g.step()


    trainer = Trainer()
    for real in torch.randn(3, 5, 4):
        fake = trainer.G(torch.randn(5, 2)).tanh()
        trainer.train_d(real, fake)
        trainer.train_g(fake)
""")
REAL = text("""
    import torch
    from torch import nn

    g, d = nn.Linear(2, 4), nn.Linear(4, 1)
    opt_g, opt_d = (torch.optim.SGD(m.parameters(), 0.1) for m in (g, d))
    for x in torch.randn(3, 5, 4):
        fake = g(torch.randn(5, 2))
        real = d(x)
        opt_d.zero_grad()
        (d(fake.detach()) - real).mean().backward()
        opt_d.step()
        opt_g.zero_grad()
        (real - d(fake)).pow(2).mean().backward()
        opt_g.step()
""")


def test_a_fake_batch_is_cut_at_the_discriminators_call_through_methods() -> None:
    finding, fixes = offered(SPLIT)
    assert finding.raises_at is not None and raises(SPLIT) == "second-time"
    assert fixes[0].preferred and not any(fix.id == "retain-graph" for fix in fixes[:2])
    after = apply_fix(ran(SPLIT), SPLIT, fixes[0])
    assert "loss = self.D(fake.detach()).pow(2).mean()" in after
    assert raises(after) is None


def test_a_cut_that_takes_a_contribution_away_says_so_and_comes_later() -> None:
    finding, fixes = offered(REAL)
    assert finding.raises_at is not None and raises(REAL) == "second-time"
    takes = [re.search(r"- real.detach|no_grad", apply_fix(ran(REAL), REAL, fix)) is not None for fix in fixes]
    assert any(takes) and takes == sorted(takes)
    for fix, less in zip(fixes, takes, strict=True):
        assert fix.title.endswith("; `d` then gets a part of the gradient only") == less, fix.title


def test_keeping_the_graph_comes_after_what_trains_the_same() -> None:
    _, fixes = offered(GAN)
    assert fixes[0].id == "detach-use"
    assert [fix.id for fix in fixes].count("retain-graph") == (fixes[-1].id == "retain-graph")
