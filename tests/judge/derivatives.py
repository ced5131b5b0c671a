"""Scenarios with more than one derivative: penalties, closures, jacobians row by row, adapted weights."""

from __future__ import annotations

from tests.judge.draft import Draft, bound_in, indent
from tests.judge.models import feedforward, loss_of, module
from tests.judge.walk import optimizer, walk_lines


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


def meta(d: Draft) -> None:
    """Fast weights adapted from slow ones by a differentiated step, fresh in each iteration or carried."""
    w = d.role("w", "setup", "w", "theta", "meta_weight")
    d.setup.append(f"{w} = nn.Parameter(0.1 * torch.randn({d.inputs}, {d.outputs}))")
    d.tensors.append(w)
    optimizer(d)
    create = d.pick("create_graph=True", "create_graph=True", "", "retain_graph=True")
    carried = d.weighted({"fresh": 3.0, "carried": 2.0, "cut": 1.0})
    d.feature("meta", carried, create or "first-order")
    fast = d.role("fast", "local" if carried == "fresh" else "carried", "fast", "fast_w", "adapted")
    start = f"{fast} = {w}" if d.chance(0.6) else f"{fast} = {w}.clone()"
    fit = d.pick("({0}).pow(2).mean()", "F.mse_loss({0}, torch.ones_like({0}))", "torch.tanh({0}).sum()")
    inner = [
        f"$inner = {fit.format(f'$x @ {fast}')}",
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
