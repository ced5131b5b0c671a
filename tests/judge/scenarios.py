"""What a program is about: supervised, recurrent, adversarial, actor and critic, policy gradient, penalties, closures.

Each scenario fills the slots of a turn so that `$loss` (or its own walks) stands; mechanisms then add to it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.judge.draft import Draft, at_turn, bound_in, indent
from tests.judge.models import feedforward, loss_of, module, operation
from tests.judge.recurrent import recurrent
from tests.judge.walk import gather, optimizer, walk_lines


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
            "detach": 4.0,
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
    disc_turn = [
        f"$d_loss = {real_score} + {fake_score.format(f'{disc}({inner})')}",
        f"{opt_d}.zero_grad()",
        f"$d_loss.backward({keep})",
        f"{opt_d}.step()",
    ]
    target = f"{gen}($x)" if share == "no_grad" else "$fake"
    gen_turn = [
        f"$g_loss = {d.pick(f'-{disc}({target}).mean()', f'F.softplus(-{disc}({target})).mean()', f'((({disc}({target})) - 1) ** 2).mean()')}",
        f"{opt_g}.zero_grad()",
        "$g_loss.backward()",
        f"{opt_g}.step()",
    ]
    if share == "score":  # the discriminator's verdict on the fake is computed once and used by both losses
        d_keep = d.pick("", "", "retain_graph=True")
        disc_turn = [
            f"$score = {disc}($fake)",
            f"$d_loss = {real_score} + {fake_score.format('$score')}",
            f"{opt_d}.zero_grad()",
            f"$d_loss.backward({d_keep})",
            *d.pick([f"{opt_d}.step()"], list[str]()),
        ]
        gen_turn = [
            "$g_loss = -$score.mean()",
            f"{opt_g}.zero_grad()",
            "$g_loss.backward()",
            *([f"{opt_d}.step()"] if f"{opt_d}.step()" not in disc_turn else []),
            f"{opt_g}.step()",
        ]
    if share == "late":  # both losses first, then the walks, the step between or not
        losses = [disc_turn[0], gen_turn[0]]
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
        body += [*make, *gen_turn, *([*make] if d.chance(0.3) else []), *disc_turn]
    else:
        body += [*make, *disc_turn, *gen_turn]
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
        {"sum": 2.5, "list": 1.0, "apart": 4.0, "retained": 2.5, "retained-second": 1.0, "loop": 1.0, "stepped": 2.0}
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


def policy_gradient(d: Draft) -> None:
    """Log-probabilities stored over an episode and walked at its end."""
    pol = module(d, "policy", d.inputs, d.outputs, "policy", "actor", "pi")
    store = d.role("saved", "setup", "saved_log_probs", "log_probs", "trajectory", "rollout")
    d.setup.append(f"{store} = []")
    d.need("from torch.distributions import Categorical")
    optimizer(d)
    form = d.pick("log_prob", "rsample", "value", "dist")
    d.feature("episode", form)
    if form == "log_prob":
        d.slots["forward"] += [
            f"$dist = Categorical(logits={pol}($x))",
            "$action = $dist.sample()",
            f"{store}.append($dist.log_prob($action))",
        ]
        item = "(lp * r).sum()"
    elif form == "value":
        d.slots["forward"] += [f"$value = {pol}($x)", f"{store}.append($value{d.pick('', '', '.detach()')})"]
        item = "(lp - r).pow(2).mean()"
    elif form == "rsample":
        d.imports.remove("from torch.distributions import Categorical")
        d.need("from torch.distributions import Normal")
        d.slots["forward"] += [
            f"$dist = Normal({pol}($x), 1.0)",
            f"$action = $dist.{d.pick('rsample', 'sample')}()",
            f"{store}.append($dist.log_prob($action))",
        ]
        item = "(lp * r).mean()"
    else:
        d.slots["forward"] += [f"$logp = F.log_softmax({pol}($x), dim=-1)", f"{store}.append($logp[:, 0])"]
        item = "(lp * r).mean()"
    end = d.weighted({"each": 3.0, "gap": 4.0, "after": 1.5})
    cleared = d.weighted({"clear": 3.0, "never": 3.5, "del": 1.0, "pop": 1.0})
    d.feature("store", end, cleared)
    clear = {
        "clear": [f"{store}.clear()"],
        "never": list[str](),
        "del": [f"del {store}[:]"],
        "pop": [f"{store}.pop(0)"],
    }[cleared]
    total = d.pick(
        f"$loss = sum(-{item} for lp, r in zip({store}, range(1, 9)))",
        f"$loss = torch.stack([-{item} for lp, r in zip({store}, [1.0] * 9)]).sum()",
    )
    body = [*d.slots["walk"], total, *walk_lines(d, "$loss", 0.5), *d.slots["step"], *clear]
    d.slots["walk"], d.slots["step"] = [], []
    if end == "each":
        d.slots["walk"] = body
    elif end == "gap":
        i, k = d.use_counter(), d.pick(2, 3)
        d.slots["walk"] = [
            d.pick(f"if ({i} + 1) % {k} == 0:", f"if len({store}) == {k}:", f"if {i} == {d.turns - 1}:"),
            *indent(body),
        ]
    else:
        body = at_turn(body, d.turns - 1)
        d.after += (
            [*body, d.pick("$loss.backward()", "print($loss.item())", "print($loss.item())")] if d.chance(0.3) else body
        )


def penalty(d: Draft) -> None:
    """Gradients of a score with respect to its input, inside the loss."""
    net = module(d, "model", d.inputs, 1, "critic", "model", "energy")
    optimizer(d)
    d.role("inp", "local", "interp", "inputs", "x_hat")
    create = d.weighted(
        {
            "create_graph=True": 4.0,
            "": 2.0,
            "retain_graph=True": 1.5,
            "create_graph=True, retain_graph=True": 1.0,
            "create_graph=True, retain_graph=False": 0.7,
        }
    )
    reuse = d.pick("score", "score", "fresh")
    d.feature("penalty", create.replace(" ", "") or "plain", reuse)
    body = [
        "$inp = $x.clone().requires_grad_(True)",
        f"$score = {net}($inp).{d.pick('sum', 'mean')}()",
        f"$g, = torch.autograd.grad($score, $inp{', ' + create if create else ''})",
    ]
    if d.chance(0.3):
        body[-1] = f"$g = torch.autograd.grad(outputs=$score, inputs=$inp{', ' + create if create else ''})[0]"
    body.append("$gp = (($g.norm(2, dim=1) - 1) ** 2).mean()")
    d.slots["forward"] += body
    main = "$score" if reuse == "score" else f"{net}($x).mean()"
    d.slots["loss"].append(d.pick(f"$loss = {main} + 10.0 * $gp", f"$loss = $gp + {main}"))
    d.slots["walk"] += d.pick(
        ["$loss.backward()"],
        ["$loss.backward()"],
        [f"{main}.backward()" if reuse == "score" else "$loss.backward()"],
        walk_lines(d, "$loss", 0.3),
    )


def closure(d: Draft) -> None:
    """An optimizer's closure that computes its forward itself, or finds it computed."""
    feedforward(d)
    kind = d.pick("SGD", "LBFGS", "LBFGS")
    opt = d.role("opt", "setup", "optimizer", "opt")
    options = ", max_iter=3" if kind == "LBFGS" else ""
    d.setup.append(f"{opt} = torch.optim.{kind}({d.parameters()}, lr=0.05{options})")
    where = d.weighted({"inside": 3.0, "outside": 2.0, "loss-outside": 2.0, "before": 1.5, "regulariser": 1.5})
    d.feature("closure", kind, where)
    loss = [f"$loss = {loss_of(d)}"]
    clear = d.pick([f"{opt}.zero_grad()"], [f"{opt}.zero_grad()"], list[str]())
    keep = d.pick("", "", "", "retain_graph=True")
    forward, d.slots["forward"] = d.slots["forward"], []
    tail = [*clear, f"$loss.backward({keep})", "return $loss"]
    if where == "inside":
        body, outside = [*forward, *loss, *tail], list[str]()
    elif where == "outside":
        body, outside = [*loss, *tail], forward
    elif where == "loss-outside":
        body, outside = tail, [*forward, *loss]
    elif where == "regulariser":
        outside = [f"$reg = sum({d.pick('p.pow(2).sum()', 'p.abs().sum()', 'p.sum()')} for p in {d.parameter_list()})"]
        body = [
            *forward,
            *loss,
            "$loss = $loss + 0.01 * $reg" if d.chance(0.7) else "$loss = $loss + $reg.detach()",
            *tail,
        ]
    else:
        d.before += [line.replace("$x", "$data[0][0]") for line in forward]
        for role in bound_in(forward):
            d.role(role, "carried")
        body, outside = [*loss, *tail], list[str]()
    d.slots["walk"] += [*outside, "def closure():", *indent(body), "", f"{opt}.step(closure)"]


def rows(d: Draft) -> None:
    """Row by row: a jacobian, per-sample gradients, per-task losses."""
    feedforward(d)
    optimizer(d)
    kind = d.pick("jacobian", "samples", "components", "tasks")
    keep = d.weighted({"": 3.0, "retain_graph=True": 3.0, "create_graph=True": 0.5})
    d.feature("rows", kind, keep or "plain")
    first = f"list({d.modules[0]}.parameters())" if d.modules else f"[{', '.join(d.tensors)}]"
    comma = ", " if keep else ""
    walk = d.slots["walk"]
    if kind == "jacobian":
        lines = [
            "$rows = []",
            f"for k in range({d.outputs}):",
            f"    $g = torch.autograd.grad($out[:, k].sum(), {first}{comma}{keep}, allow_unused=True)",
            "    $rows.append([q.sum().item() for q in $g if q is not None])",
        ]
    elif kind == "samples":
        lines = ["for $row in $out:", f"    $row.sum().backward({keep.replace('create_graph', 'retain_graph')})"]
    elif kind == "components":
        lines = [
            f"for k in range({d.outputs}):",
            "    $part = ($out[:, k] ** 2).mean()",
            f"    $part.backward(retain_graph=k < {d.outputs - d.pick(1, 1, 2)})",
        ]
    else:
        lines = [
            f"$parts = [{d.pick('($out[:, k] ** 2).mean()', '$out[:, k].sum()')} for k in range({d.outputs})]",
            "for $part in $parts:",
            f"    $part.backward({d.pick('retain_graph=True', '', 'retain_graph=$part is not $parts[-1]')})",
        ]
    walk += lines
    if d.chance(0.4):
        walk += [f"$loss = {loss_of(d)}", "$loss.backward()"]


def proximal(d: Draft) -> None:
    """Several update epochs over one rollout; old log-probabilities, values and advantages cut or not."""
    pol = module(d, "policy", d.inputs, d.outputs, "policy", "actor", "agent")
    val = module(d, "value", d.inputs, 1, "value_net", "critic", "baseline_net")
    optimizer(d)
    cut_p, cut_v = d.weighted({".detach()": 3.0, "": 1.3}), d.weighted({".detach()": 3.0, "": 1.3})
    d.feature("ppo", "cut" if cut_p else "graph", "cut" if cut_v else "graph")
    rollout = [
        f"$old = F.log_softmax({pol}($x), dim=-1)[:, 0]{cut_p}",
        f"$adv = ($y.float().sum() - {val}($x).squeeze(-1)){cut_v}",
    ]
    if d.chance(0.3):
        rollout = ["with torch.no_grad():", *indent(rollout)]
    epochs = d.pick(1, 2, 3)
    body = [
        f"$new = F.log_softmax({pol}($x), dim=-1)[:, 0]",
        "$ratio = ($new - $old).exp()",
        d.pick(
            "$loss = -($ratio * $adv).mean()", "$loss = -torch.min($ratio * $adv, $ratio.clamp(0.8, 1.2) * $adv).mean()"
        ),
        d.pick(
            f"$loss = $loss + 0.5 * {val}($x).pow(2).mean()",
            "$loss = $loss + 0.0",
            f"$loss = $loss + 0.5 * $adv.pow(2).mean()",
        ),
        *d.slots["walk"],
        *walk_lines(d, "$loss", 0.2),
        *d.slots["step"],
    ]
    d.slots["step"] = []
    d.slots["forward"] += rollout
    d.slots["walk"] = [f"for $k in range({epochs}):", *indent(body)]
    d.role("k", "local", "k", "inner_epoch", "opt_epoch")


def meta(d: Draft) -> None:
    """Fast weights adapted from slow ones by a differentiated step, fresh in each turn or carried."""
    w = d.role("w", "setup", "w", "theta", "meta_weight")
    d.setup.append(f"{w} = nn.Parameter(0.1 * torch.randn({d.inputs}, {d.outputs}))")
    d.tensors.append(w)
    optimizer(d)
    create = d.pick("create_graph=True", "create_graph=True", "", "retain_graph=True")
    carried = d.weighted({"fresh": 3.0, "carried": 2.0, "cut": 1.0})
    d.feature("meta", carried, create or "first-order")
    fast = d.role("fast", "local" if carried == "fresh" else "carried", "fast", "fast_w", "adapted")
    start = f"{fast} = {w}" if d.chance(0.6) else f"{fast} = {w}.clone()"
    inner = [
        f"$inner = {d.pick('($x @ ' + fast + ').pow(2).mean()', 'F.mse_loss($x @ ' + fast + ', torch.ones_like($x @ ' + fast + '))', 'torch.tanh($x @ ' + fast + ').sum()')}",
        f"($g,) = torch.autograd.grad($inner, ({fast},){', ' + create if create else ''})",
        f"{fast} = {fast} - 0.1 * $g",
    ]
    if d.chance(0.4):
        inner = ["for _ in range(2):", *indent(inner)]
    if carried == "fresh":
        inner = [start, *inner]
    else:
        d.before.append(start)
    d.slots["forward"] += [*inner, f"$out = $x @ {fast}"]
    d.slots["loss"].append(f"$loss = {loss_of(d, free=0.0)}")
    d.slots["walk"] += walk_lines(d, "$loss", 0.3)
    if carried == "cut":
        d.slots["end"].append(
            d.pick(f"{fast} = {fast}.detach().requires_grad_()", f"{fast} = {w}", f"{fast} = {w}.clone()")
        )


def simulate(d: Draft) -> None:
    """A differentiable environment whose state is driven by a policy's actions."""
    pol = module(d, "policy", d.inputs, d.inputs, "policy", "controller", "actor")
    optimizer(d)
    form = d.pick("names", "object", "reward")
    d.feature("simulate", form)
    cut = d.weighted({"none": 3.0, "right": 4.0, "half": 2.0, "reset": 1.0})
    d.feature("simulate-cut", cut)
    zero = f"torch.zeros({d.batch}, {d.inputs})"
    motion = d.pick("0.9 * {v} + {a}", "{v} + 0.1 * {a}", "torch.tanh({v} + {a})", "{v} - {a}")
    if form == "object":
        d.define(
            f"class World:\n    def __init__(self):\n        self.reset()\n\n    def reset(self):\n        self.pos = {zero}\n        self.vel = {zero}\n\n"
            f"    def step(self, action):\n        self.vel = {motion.format(v='self.vel', a='action')}\n        self.pos = self.pos + self.vel\n        return self.pos"
        )
        env = d.role("env", "setup", "env", "world", "sim")
        d.setup.append(f"{env} = World()")
        pos, vel = f"{env}.pos", f"{env}.vel"
        d.slots["forward"] += [
            f"$obs = {env}.step({pol}($x + {pos}{d.pick('', '.detach()')}))",
            "$loss = ($obs ** 2).mean()",
        ]
        reset = [f"{env}.reset()"]
    else:
        pos, vel = (
            d.role("pos", "carried", "pos", "position", "theta"),
            d.role("vel", "carried", "vel", "velocity", "omega"),
        )
        d.before.append(f"{pos}, {vel} = {zero}, {zero}")
        d.slots["forward"] += [
            f"$act = {pol}($x)",
            f"{vel} = {motion.format(v=vel, a='$act')}",
            f"{pos} = {pos} + {vel}",
        ]
        d.slots["loss"].append(
            d.pick(f"$loss = ({pos} ** 2).mean()", f"$loss = {pos}.mean()", f"$loss = ({pos} - 1.0).abs().sum()")
        )
        reset = [f"{pos}, {vel} = {zero}, {zero}"]
    lines = {
        "none": list[str](),
        "right": [f"{pos} = {pos}.detach()", f"{vel} = {vel}.detach()"],
        "half": [f"{pos} = {pos}.detach()"],
        "reset": reset,
    }[cut]
    d.slots["walk"] += walk_lines(d, "$loss", 0.3)
    d.slots[d.pick("end", "start")] += lines


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
