"""What fixes do to gradients: a sum of losses gives those of two walks, a cut leaves the first step's alone."""

from __future__ import annotations

import numpy as np
import pytest
from secondpass.fixes.apply import apply_fix

from tests.judge.forkserver import truth

from .helpers import fixed, fixed_by, offered, ran, text

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
    kept = gradients(fixed_by(TWO, "retain-graph"), *names)
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
