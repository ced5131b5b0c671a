"""From `$loss` to the step: how losses are gathered over iterations, which walks they get, how parameters are
updated."""

from __future__ import annotations

from tests.judge.draft import Draft, at_iteration, bound_in, indent


def optimizer(d: Draft) -> None:
    """Make the step of the iteration: an optimizer, an update by hand, or none; and when gradients are cleared."""
    kind = d.weighted({"SGD": 3.0, "Adam": 3.0, "AdamW": 0.7, "RMSprop": 0.5, "manual": 1.2, "data": 0.8, "none": 1.2})
    d.feature("step", kind)
    params = d.parameters()
    clip = d.chance(0.15)
    if kind in ("manual", "data", "none"):
        every = d.role("params", "setup", "params", "weights")
        d.setup.append(f"{every} = {d.parameter_list()}")
        body = {
            "manual": [
                "with torch.no_grad():",
                f"    for $p in {every}:",
                "        if $p.grad is not None:",
                d.pick(
                    "            $p -= 0.01 * $p.grad",
                    "            $p.sub_(0.01 * $p.grad)",
                    "            $p.add_($p.grad, alpha=-0.01)",
                ),
                d.pick("            $p.grad = None", "            $p.grad.zero_()"),
            ],
            "data": [
                f"for $p in {every}:",
                "    if $p.grad is not None:",
                d.pick(
                    "        $p.data -= 0.01 * $p.grad",
                    "        $p.data.add_($p.grad, alpha=-0.01)",
                    "        $p.data = $p.data - 0.01 * $p.grad",
                ),
                "        $p.grad = None",
            ],
            "none": [],
        }[kind]
        d.slots["step"] += body
        return
    opt = d.role("opt", "setup", "optimizer", "opt", "optim")
    extra = d.pick("", ", momentum=0.9") if kind == "SGD" else ""
    d.setup.append(f"{opt} = torch.optim.{kind}({params}, lr=0.01{extra})")
    zero = d.weighted({"start": 3.0, "walk": 3.0, "end": 2.0, "never": 0.5})
    clear = d.pick(f"{opt}.zero_grad()", f"{opt}.zero_grad()", f"{opt}.zero_grad(set_to_none=False)")
    if zero == "start":
        d.slots["start"].insert(0, clear)
    elif zero == "walk":
        d.slots["walk"].insert(0, clear)
    if clip:
        d.slots["step"].append(f"nn.utils.clip_grad_norm_({d.parameter_list()}, 1.0)")
    d.slots["step"].append(f"{opt}.step()")
    if zero == "end":
        d.slots["step"].append(clear)
    if d.chance(0.1):
        sched = d.role("sched", "setup", "scheduler", "sched")
        d.setup.append(f"{sched} = torch.optim.lr_scheduler.StepLR({opt}, step_size=2)")
        d.slots["step"].append(f"{sched}.step()")


def walk_lines(d: Draft, root: str, risky: float = 1.0) -> list[str]:
    """Walk the graph of `root`, once or oftener, in one of the ways people write it."""
    kind = d.weighted(
        {
            "plain": 11.0,
            "function": 1.0,
            "list": 0.7,
            "gradient": 0.5,
            "retain": 2.2,
            "last-kept": 1.0 * risky,
            "twice": 0.9 * risky,
            "retain-first": 1.0,
            "retain-last": 0.8 * risky,
            "grad-log": 1.0 * risky,
            "grad-retain-log": 0.8,
            "grad-create": 0.6,
            "scaled": 0.8,
            "inputs": 0.5,
            "grad-assign": 0.7,
            "gradscaler": 0.3,
        }
    )
    d.feature("walk", kind)
    first = f"{d.modules[0]}.parameters()" if d.modules else ", ".join(d.tensors)
    some = d.pick(f"list({first})", f"[*{first}]") if d.modules else f"[{first}]"
    if kind == "plain":
        return [f"{root}.backward()"]
    if kind == "function":
        return [d.pick(f"torch.autograd.backward({root})", f"torch.autograd.backward(tensors=[{root}])")]
    if kind == "list":
        d.role("aux", "local", "aux", "reg_loss")
        return [
            f"$aux = 0.01 * {root} ** 2",
            d.pick(
                f"torch.autograd.backward([{root}, $aux])",
                f"({root} + $aux).backward()",
                f"sum([{root}, $aux]).backward()",
            ),
        ]
    if kind == "gradient":
        return [d.pick(f"{root}.backward(torch.ones_like({root}))", f"{root}.backward(gradient=torch.tensor(1.0))")]
    if kind == "retain":
        return [f"{root}.backward(retain_graph=True)"]
    if kind == "last-kept":
        i = d.use_counter()
        return [
            d.pick(
                f"{root}.backward(retain_graph={i} < {d.iterations - 1})",
                f"{root}.backward(retain_graph=({i} == 0))",
                f"{root}.backward(retain_graph={i} > 0)",
            )
        ]
    if kind == "twice":
        return [
            f"{root}.backward()",
            d.pick(f"{root}.backward()", f"({root} * 2.0).backward()", f"({root} + 1.0).backward()"),
        ]
    if kind == "retain-first":
        return [f"{root}.backward(retain_graph=True)", d.pick(f"{root}.backward()", f"(0.1 * {root}).backward()")]
    if kind == "retain-last":
        return [f"{root}.backward()", f"{root}.backward(retain_graph=True)"]
    if kind == "grad-log":
        return [f"$grads = torch.autograd.grad({root}, {some}, allow_unused=True)", f"{root}.backward()"]
    if kind == "grad-retain-log":
        return [
            f"$grads = torch.autograd.grad({root}, {some}, retain_graph=True, allow_unused=True)",
            "$norm = sum(g.norm() for g in $grads if g is not None)",
            'print("grad norm", float($norm))',
            f"{root}.backward()",
        ]
    if kind == "grad-create":
        return [
            f"$grads = torch.autograd.grad({root}, {some}, create_graph=True, allow_unused=True)",
            "$penalty = sum(g.pow(2).sum() for g in $grads if g is not None)",
            f"({root} + 0.1 * $penalty).backward()",
        ]
    if kind == "scaled":
        return [
            d.pick(f"({root} / {d.pick(2, 4)}).backward()", f"(0.5 * {root}).backward()", f"{root}.mean().backward()")
        ]
    if kind == "inputs":
        return [f"{root}.backward(inputs={some})"]
    if kind == "gradscaler":
        scaler = d.role("scaler", "setup", "scaler")
        d.setup.append(f'{scaler} = torch.amp.GradScaler("cpu", enabled={d.pick(True, False)})')
        return [f"{scaler}.scale({root}).backward()"]
    every = d.role("targets", "setup", "trainable", "theta_list")
    d.setup.append(f"{every} = {d.parameter_list()}")
    return [
        f"$grads = torch.autograd.grad({root}, {every}, allow_unused=True)",
        f"for $p, $g in zip({every}, $grads):",
        "    $p.grad = $g",
    ]


def gather(d: Draft) -> None:
    """Decide on which root the iteration walks, and put the walk and the step under it."""
    kind = d.weighted(
        {
            "single": 10.0,
            "gap": 2.5,
            "list": 1.6,
            "running": 0.9,
            "ema": 0.9,
            "after": 0.8,
            "skip": 0.6,
            "delayed": 0.9,
            "stepped": 1.0,
        }
    )
    d.feature("gather", kind)
    walk, step = d.slots["walk"], d.slots["step"]
    if kind == "single":
        walk += walk_lines(d, "$loss")
        return
    if kind == "skip":  # walked in every second iteration only
        i = d.use_counter()
        body = [*walk, *walk_lines(d, "$loss"), *step]
        walk[:] = [d.pick(f"if {i} % 2 == 1:", f"if {i} % 2 == 0:", f"if {i} > 0:"), *indent(body)]
        step.clear()
        return
    if kind in ("delayed", "stepped"):
        {"delayed": _delayed, "stepped": _stepped}[kind](d)
        return
    if kind == "list":
        total = d.role("total", "setup", "losses", "loss_list", "pending")
    else:
        total = d.role("total", "carried", "total", "running", "loss_sum", "total_loss")
    if kind in ("gap", "running", "ema", "after"):
        d.before.append(f"{total} = {d.pick('0', '0.0', 'torch.zeros(())', 'torch.tensor(0.0)')}")
    k = d.pick(2, 2, 3)
    if kind == "gap":
        add = d.pick(f"{total} = {total} + $loss", f"{total} += $loss", f"{total} = $loss + {total}")
        i = d.use_counter()
        reset = d.weighted(
            {
                f"{total} = 0": 4.0,
                f"{total} = 0.0": 3.0,
                "": 1.6,
                f"{total} = {total}.detach()": 1.0,
                f"{total} = torch.zeros(())": 1.0,
                f"{total} = {total} * 0": 0.4,
            }
        )
        body = [
            *walk,
            *walk_lines(d, d.pick(total, total, f"({total} / {k})"), 0.5),
            *step,
            *([reset] if reset else []),
        ]
        d.feature("reset" if reset else "no-reset")
        walk[:] = [
            add,
            d.pick(f"if ({i} + 1) % {k} == 0:", f"if {i} % {k} == {k - 1}:", f"if {i} % {k} == 0:"),
            *indent(body),
        ]
        step.clear()
    elif kind == "list":
        d.setup.append(f"{total} = []")
        i = d.use_counter()
        root = d.pick(
            f"sum({total})",
            f"torch.stack({total}).sum()",
            f"torch.stack({total}).mean()",
            f"{total}[-1]",
            f"sum(l for l in {total})",
        )
        body = [*walk, f"$objective = {root}", *walk_lines(d, "$objective", 0.5), *step]
        cleared = d.weighted({f"{total}.clear()": 2.5, f"del {total}[:]": 1.0, "": 2.0, f"{total}.pop()": 0.4})
        body += [cleared] if cleared else []
        d.feature("list-reset" if cleared else "list-kept")
        walk[:] = [
            f"{total}.append($loss)",
            d.pick(f"if ({i} + 1) % {k} == 0:", f"if len({total}) == {k}:", f"if len({total}) >= {k}:"),
            *indent(body),
        ]
        step.clear()
    elif kind == "running":
        walk.append(d.pick(f"{total} = {total} + $loss", f"{total} += $loss"))
        walk += walk_lines(d, total, 0.3)
        if d.chance(0.5):
            d.slots["end"].append(
                d.pick(
                    f"{total} = {total}.detach()", f"{total} = 0.0", f"{total} = {total}.item()", f"{total}.detach()"
                )
            )
    elif kind == "ema":
        held = d.pick("$loss", "$loss", "$loss.item()", "$loss.detach()")
        walk.append(f"{total} = 0.9 * {total} + 0.1 * {held}")
        root = d.pick(
            "$loss",
            "$loss",
            total if held == "$loss" else "$loss",
            f"($loss - {total}.detach())" if held == "$loss" else "$loss",
            f"($loss + 0.1 * {total})",
        )
        walk += walk_lines(d, root, 0.3)
        if d.chance(0.4) and held == "$loss":
            d.slots["end"].append(f"{total} = {total}.detach()")
    else:
        add = d.pick(f"{total} = {total} + $loss", f"{total} += $loss")
        last = [*walk, *walk_lines(d, total, 0.6), *step]
        d.after += at_iteration(last, d.iterations - 1)
        walk[:] = [add]
        step.clear()


def _delayed(d: Draft) -> None:
    """The loss of the iteration before is walked, with a step in between or not."""
    walk, step = d.slots["walk"], d.slots["step"]
    held = d.role("pending", "carried", "pending", "delayed_loss", "prev_loss")
    d.before.append(f"{held} = None")
    root = d.pick(held, held, f"({held} + $loss)")
    body = [f"if {held} is not None:", *indent([*walk, *walk_lines(d, root, 0.5), *step])]
    walk[:] = [*body, f"{held} = $loss"] if d.chance(0.7) else [f"{held} = $loss", *body]
    step.clear()


def _stepped(d: Draft) -> None:
    """A second loss of the same model is walked after the step: made before or after it, of the same output or anew."""
    walk, step = d.slots["walk"], d.slots["step"]
    again = [
        line.replace("$out", "$out_b").replace("$loss", "$loss_b") for line in (*d.slots["forward"], *d.slots["loss"])
    ]
    carries = any(d.kinds.get(role) == "carried" for role in bound_in(again))
    fresh = not carries and d.chance(0.7)
    d.feature("second-loss", "fresh" if fresh else "shared")
    first = again if fresh else ["$loss_b = ($out ** 2).mean()"]
    keep = "" if fresh else d.pick("", "retain_graph=True", "retain_graph=True")
    middle = [*walk, f"$loss.backward({keep})", *step]
    second = [*walk_lines(d, "$loss_b", 0.2), *step]
    walk[:] = d.pick([*first, *middle, *second], [*first, *middle, *second], [*middle, *first, *second])
    step.clear()
