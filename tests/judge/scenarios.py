"""What a program is about: supervised, recurrent, adversarial, with two heads, or one of `agents` and `derivatives`.

Each scenario fills the slots of an iteration so that `$loss` (or its own walks) stands; mechanisms then add to it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.judge.agents import policy_gradient, proximal, simulate
from tests.judge.derivatives import closure, meta, penalty, rows
from tests.judge.draft import Draft
from tests.judge.models import feedforward, loss_of, module, operation
from tests.judge.recurrent import recurrent
from tests.judge.walk import gather, optimizer


def supervised(d: Draft) -> None:
    feedforward(d)
    d.slots["loss"].append(f"$loss = {loss_of(d)}")


def stateful(d: Draft) -> None:
    recurrent(d)
    d.slots["loss"].append(f"$loss = {loss_of(d)}")


def _own_optimizer(d: Draft, role: str, params: str, *names: str) -> str:
    opt = d.role(role, "setup", *names)
    kind = d.pick("SGD", "Adam")
    d.setup.append(f"{opt} = torch.optim.{kind}({params}, lr=0.01)")
    return opt


def adversarial(d: Draft) -> None:
    """Generator and discriminator, the fake batch shared rightly or not."""
    H = d.hidden
    gen = module(d, "gen", d.inputs, H, "generator", "netG", "G")
    disc = module(d, "disc", H, 1, "discriminator", "netD", "D", "critic")
    d.modules.clear()
    opt_g = _own_optimizer(d, "opt_g", f"{gen}.parameters()", "opt_g", "optimizer_g", "optim_gen")
    opt_d = _own_optimizer(d, "opt_d", f"{disc}.parameters()", "opt_d", "optimizer_d", "optim_disc")
    d.setup.append(f"$real = torch.randn({d.batch}, {H})")
    d.role("real", "setup", "real", "samples", "real_batch")
    d.role("fake", "local", "fake", "generated", "fakes")
    share = d.weighted(
        {
            "detach": 2.5,
            "not": 2.0,
            "again": 2.0,
            "no_grad": 1.5,
            "score": 1.5,
            "retain": 1.2,
            "order": 1.5,
            "late": 0.8,
        }
    )
    d.feature("gan", share)
    body = d.slots["walk"]
    real_score = d.pick(
        f"F.softplus(-{disc}($real)).mean()", f"((({disc}($real)) - 1) ** 2).mean()", f"-{disc}($real).mean()"
    )
    fake_score = d.pick("F.softplus({0}).mean()", "({0} ** 2).mean()", "{0}.mean()")
    make = [f"$fake = {gen}($x)"] if share != "no_grad" else ["with torch.no_grad():", f"    $fake = {gen}($x)"]
    inner = {"detach": d.pick("$fake.detach()", "$fake.data", "$fake.clone().detach()"), "no_grad": "$fake"}.get(
        share, "$fake"
    )
    if share == "again":
        inner = f"{gen}($x).detach()" if d.chance(0.7) else f"{gen}($x)"
    keep = "retain_graph=True" if share == "retain" else ""
    disc_iteration = [
        f"$d_loss = {real_score} + {fake_score.format(f'{disc}({inner})')}",
        f"{opt_d}.zero_grad()",
        f"$d_loss.backward({keep})",
        f"{opt_d}.step()",
    ]
    target = f"{gen}($x)" if share == "no_grad" else "$fake"
    goal = d.pick("-{0}.mean()", "F.softplus(-{0}).mean()", "(({0} - 1) ** 2).mean()")
    gen_iteration = [
        f"$g_loss = {goal.format(f'{disc}({target})')}",
        f"{opt_g}.zero_grad()",
        "$g_loss.backward()",
        f"{opt_g}.step()",
    ]
    if share == "score":  # the discriminator's verdict on the fake is computed once and used by both losses
        d_keep = d.pick("", "", "retain_graph=True")
        disc_iteration = [
            f"$score = {disc}($fake)",
            f"$d_loss = {real_score} + {fake_score.format('$score')}",
            f"{opt_d}.zero_grad()",
            f"$d_loss.backward({d_keep})",
            *d.pick([f"{opt_d}.step()"], list[str]()),
        ]
        gen_iteration = [
            "$g_loss = -$score.mean()",
            f"{opt_g}.zero_grad()",
            "$g_loss.backward()",
            *([f"{opt_d}.step()"] if f"{opt_d}.step()" not in disc_iteration else []),
            f"{opt_g}.step()",
        ]
    if share == "late":  # both losses first, then the walks, the step between or not
        losses = [disc_iteration[0], gen_iteration[0]]
        if d.chance(0.5):
            losses.reverse()
        walks = [
            f"{opt_d}.zero_grad()",
            f"$d_loss.backward({d.pick('', 'retain_graph=True')})",
            *d.pick([f"{opt_d}.step()"], list[str]()),
            f"{opt_g}.zero_grad()",
            "$g_loss.backward()",
            f"{opt_g}.step()",
        ]
        body += [*make, *losses, *walks]
    elif share == "order":
        body += [*make, *gen_iteration, *([*make] if d.chance(0.3) else []), *disc_iteration]
    else:
        body += [*make, *disc_iteration, *gen_iteration]
    d.slots["end"].append(
        d.pick('print("d", $d_loss.item(), "g", $g_loss.item())', 'print(f"{$d_loss.item():.3f} {float($g_loss):.3f}")')
    )


def two_heads(d: Draft) -> None:
    """Two losses, with a shared trunk or not, walked one by one or together."""
    H = d.hidden
    trunk = d.weighted({"shared": 6.0, "detached": 1.5, "apart": 1.2, "free": 0.7, "frozen": 0.8, "twice": 1.0})
    d.feature("trunk", trunk)
    size = d.inputs if trunk in ("apart", "free") else H
    forward = d.slots["forward"]
    first, second = d.pick(
        ("actor", "critic"), ("head_a", "head_b"), ("policy", "value_net"), ("classifier", "regressor")
    )
    d.role("feat", "local", "feat", "features", "z")
    if trunk == "free":
        forward.append(f"$feat = {d.pick('$x + 1.0', '$x.flip(1)', '$x.view(-1, ' + str(d.inputs) + ')')}")
        if d.chance(0.5):
            b = d.role("b", "setup", "shift", "offset")
            d.setup.append(f"{b} = nn.Parameter(torch.zeros({d.inputs}))")
            d.tensors.append(b)
            forward.append(f"$feat = $feat + {b}")
    elif trunk == "apart":
        forward.append("$feat = $x")
    else:
        enc = module(d, "enc", d.inputs, H, "encoder", "trunk", "backbone", "shared")
        if trunk == "frozen":
            d.setup.append(f"{enc}.requires_grad_(False)")
            d.modules.remove(enc)
        forward.append(f"$feat = {enc}($x)")
        if d.chance(0.3):
            forward.append(f"$feat = {operation(d, '$feat')}")
    a = module(d, "head_a", size, d.outputs, first)
    b_ = module(d, "head_b", size, 1, second)
    feat_b = {"detached": "$feat.detach()", "twice": "$enc($x)"}.get(trunk, "$feat")
    form = d.pick("plain", "tuple", "dict", "list")
    if form == "plain":
        forward += [f"$out = {a}($feat)", f"$val = {b_}({feat_b})"]
    elif form == "tuple":
        forward += [f"$out, $val = {a}($feat), {b_}({feat_b})"]
    elif form == "dict":
        forward += [f'$outs = {{"a": {a}($feat), "b": {b_}({feat_b})}}', '$out = $outs["a"]', '$val = $outs["b"]']
    else:
        forward += [f"$outs = [head(f) for head, f in (({a}, $feat), ({b_}, {feat_b}))]", "$out, $val = $outs"]
    loss_b = d.pick(
        "$val.pow(2).mean()", "F.mse_loss($val, torch.zeros_like($val))", "$val.mean()", "(1.0 - $val).abs().sum()"
    )
    d.slots["loss"] += [f"$loss_a = {loss_of(d)}", f"$loss_b = {loss_b}"]
    if d.chance(0.15):
        d.slots["loss"].append(
            d.pick(
                "$loss_b = $loss_b + 0.1 * $loss_a",
                "$loss_b = $loss_b - $loss_a.detach()",
                "$loss_b = $loss_b + $loss_a.item()",
            )
        )
    together = d.weighted(
        {"sum": 1.6, "list": 1.0, "apart": 4.0, "retained": 1.6, "retained-second": 1.0, "loop": 1.0, "stepped": 3.0}
    )
    d.feature("walks", together)
    walk = d.slots["walk"]
    if together == "stepped":
        params_a = " + ".join(f"list({m}.parameters())" for m in d.modules if m != b_)
        opt_a = _own_optimizer(d, "opt_a", params_a, "opt_a", "actor_opt", "optimizer_a")
        opt_b = _own_optimizer(d, "opt_b", f"{b_}.parameters()", "opt_b", "critic_opt", "optimizer_b")
        kept = d.pick("", "retain_graph=True", "retain_graph=True")
        order = [("$loss_a", opt_a), ("$loss_b", opt_b)]
        if d.chance(0.5):
            order.reverse()
        walk += [
            f"{order[0][1]}.zero_grad()",
            f"{order[0][0]}.backward({kept})",
            f"{order[0][1]}.step()",
            f"{order[1][1]}.zero_grad()",
            f"{order[1][0]}.backward()",
            f"{order[1][1]}.step()",
        ]
        return
    optimizer(d)
    walk += {
        "sum": [
            d.pick(
                "($loss_a + $loss_b).backward()",
                "sum([$loss_a, $loss_b]).backward()",
                "torch.stack([$loss_a, $loss_b]).sum().backward()",
            )
        ],
        "list": [
            d.pick("torch.autograd.backward([$loss_a, $loss_b])", "torch.autograd.backward(($loss_a, 0.5 * $loss_b))")
        ],
        "apart": ["$loss_a.backward()", "$loss_b.backward()"],
        "retained": ["$loss_a.backward(retain_graph=True)", "$loss_b.backward()"],
        "retained-second": ["$loss_a.backward()", "$loss_b.backward(retain_graph=True)"],
        "loop": [
            d.pick("for $part in ($loss_a, $loss_b):", "for $part in [$loss_b, $loss_a]:"),
            d.pick(
                "    $part.backward()",
                "    $part.backward(retain_graph=True)",
                "    $part.backward(retain_graph=$part is $loss_a)",
            ),
        ],
    }[together]


SCENARIOS: dict[Callable[[Draft], None], float] = {
    supervised: 6.5,
    stateful: 9.0,
    adversarial: 1.8,
    two_heads: 1.8,
    policy_gradient: 1.2,
    penalty: 0.9,
    closure: 0.9,
    rows: 0.8,
    proximal: 0.8,
    meta: 0.6,
    simulate: 0.9,
}


OPEN = ("supervised", "stateful", "penalty", "meta", "simulate")
"""Scenarios whose one `$loss` mechanisms may add to, after it is made and before it is walked."""


def scenario(d: Draft) -> str:
    """Fill the draft with a scenario; those that end in one `$loss` also get their walk and step here."""
    chosen = d.weighted(SCENARIOS)
    d.feature(chosen.__name__)
    chosen(d)
    return chosen.__name__


def finish(d: Draft, name: str) -> None:
    """The walk and the step of scenarios that leave it to us; after the mechanisms had their word on `$loss`."""
    if name in ("supervised", "stateful"):
        optimizer(d)
        gather(d)
