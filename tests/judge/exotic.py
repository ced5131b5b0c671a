"""Mechanisms built on PyTorch's less common tools: hooks, checkpoints, custom Functions, parametrizations, contexts."""

from __future__ import annotations

from collections.abc import Callable

from tests.judge.draft import Draft


def _linear(d: Draft, role: str, *names: str) -> str:
    layer = d.role(role, "setup", *names)
    d.setup.append(f"{layer} = nn.Linear({d.inputs}, {d.hidden})")
    d.modules.append(layer)
    return layer


def hook(d: Draft) -> None:
    """A forward hook that stores an activation; the loss reads this iteration's, the last iteration's or none."""
    layer = _linear(d, "hooked", "layer", "block", "tap")
    seen = d.role("seen", "setup", "activations", "captured", "features_seen")
    kept = d.pick("out", "out", "out.detach()")
    reads = d.weighted({"now": 2.0, "before": 2.0, "never": 1.0})
    d.feature("hook", reads, "cut" if "detach" in kept else "graph")
    d.setup.append(f"{seen} = {{}}")
    if d.chance(0.5):
        d.setup.append(f'{layer}.register_forward_hook(lambda module, args, out: {seen}.__setitem__("act", {kept}))')
    else:
        d.setup += [
            "def $keep(module, args, out):",
            f'    {seen}["act"] = {kept}',
            "",
            f"{layer}.register_forward_hook($keep)",
        ]
        d.role("keep", "local", "keep_activation", "save_output")
    use = f'$loss = $loss + 0.1 * {seen}["act"].pow(2).mean()'
    call = f"$tapped = torch.tanh({layer}($x))"
    d.slots["extra"] += {
        "now": [call, use, "$loss = $loss + 0.1 * $tapped.mean()"],
        "before": [f'if "act" in {seen}:', f"    {use}", call, "$loss = $loss + 0.1 * $tapped.mean()"],
        "never": [call, "$loss = $loss + 0.1 * $tapped.mean()"],
    }[reads]
    if d.chance(0.3):
        d.slots["end"].append(f"{seen}.clear()")


def checkpointed(d: Draft) -> None:
    """A block recomputed in the backward, in a loss that may be walked again."""
    d.need("from torch.utils.checkpoint import checkpoint")
    layer = _linear(d, "ckpt", "block", "stage", "middle")
    d.feature("checkpoint")
    d.slots["extra"] += [
        f"$ck = checkpoint({layer}, $x, use_reentrant=False)",
        f"$loss = $loss + 0.1 * $ck.{d.pick('mean', 'sum')}()",
    ]
    if d.chance(0.3):
        d.slots["end"] += [
            d.pick("$ck.sum().backward()", "$ck.pow(2).mean().backward()", "print($ck.detach().mean().item())")
        ]


def custom_function(d: Draft) -> None:
    """An autograd.Function that saves through ctx, keeps an attribute, or saves nothing; used once or twice."""
    kind = d.pick("saved", "attribute", "nothing")
    twice = d.chance(0.5)
    d.feature("function", kind, "twice" if twice else "once")
    keep = {"saved": "ctx.save_for_backward(v)", "attribute": "ctx.v = v", "nothing": "ctx.factor = 2.0"}[kind]
    back = {
        "saved": "(v,) = ctx.saved_tensors\n        return grad * v",
        "attribute": "return grad * ctx.v",
        "nothing": "return grad * ctx.factor",
    }[kind]
    name = d.pick("Gate", "Scale", "StraightThrough")
    d.define(
        f"class {name}(torch.autograd.Function):",
        "    @staticmethod",
        "    def forward(ctx, v):",
        f"        {keep}",
        "        return v * 2.0",
        "",
        "    @staticmethod",
        "    def backward(ctx, grad):",
        f"        {back}",
    )
    p = d.role("gate_w", "setup", "gate_w", "logits_w")
    d.setup.append(f"{p} = nn.Parameter(torch.randn({d.hidden}))")
    d.tensors.append(p)
    if twice:  # applied to a parameter itself, before the loop, so that only this Function stands on the way
        d.role("gated", "carried", "gated", "scaled")
        d.before.append(f"$gated = {name}.apply({p})")
    else:
        d.slots["extra"].append(f"$gated = {name}.apply({p})")
    d.slots["extra"].append("$loss = $loss + 0.1 * $gated.sum()")


def weight_normed(d: Draft) -> None:
    """A layer whose weight is computed anew in each call."""
    layer = d.role("wn", "setup", "normed_layer", "wn_linear", "sn_linear")
    form = d.pick("weight_norm", "spectral_norm", "orthogonal")
    d.feature("parametrized", form)
    d.setup.append(f"{layer} = nn.utils.parametrizations.{form}(nn.Linear({d.inputs}, {d.hidden}))")
    d.modules.append(layer)
    if d.chance(0.3):
        d.role("wnw", "carried", "w_eff", "eff_weight")
        d.before.append(f"$wnw = {layer}.weight")
        d.slots["extra"].append("$loss = $loss + 0.1 * ($x @ $wnw.t()).mean()")
    else:
        d.slots["extra"].append(f"$loss = $loss + 0.1 * {layer}($x).mean()")


def context(d: Draft) -> None:
    """A target computed under some context that does, or does not, switch recording off."""
    layer = _linear(d, "ctx_net", "reference", "critic_net", "goal_net")
    how = d.pick("no_grad", "set_false", "set_true", "enable", "decorator", "inference-free", "null", "own")
    d.feature("context", how)
    head = {
        "no_grad": "with torch.no_grad():",
        "set_false": "with torch.set_grad_enabled(False):",
        "set_true": f"with torch.set_grad_enabled({layer}.training):",
        "enable": "with torch.enable_grad():",
        "null": "with contextlib.nullcontext():",
        "own": "with section():",
    }
    if how == "null":
        d.need("import contextlib")
    if how == "own":
        d.need("import contextlib")
        d.define('@contextlib.contextmanager\ndef section():\n    print("enter")\n    yield\n    print("leave")')
    d.role("seed_goal", "carried", "goal0", "anchor_out", "reference_out")
    before = d.chance(0.4)
    source = "$data[0][0]" if before else "$x"
    if how in ("decorator", "inference-free"):
        name = d.pick("target_of", "embed_reference")
        d.define(
            "@torch.no_grad()" if how == "decorator" else "@torch.enable_grad()",
            f"def {name}(net, v):",
            "    return torch.tanh(net(v))",
        )
        lines = [f"$seed_goal = {name}({layer}, {source})"]
    else:
        lines = [head[how], f"    $seed_goal = torch.tanh({layer}({source}))"]
    if before:
        d.before += lines
    else:
        d.kinds["seed_goal"] = "local"
        d.slots["extra"] += lines
    d.slots["extra"].append(
        d.pick("$loss = $loss + 0.1 * $seed_goal.mean()", f"$loss = $loss + F.mse_loss({layer}($x), $seed_goal)")
    )


def unrolled(d: Draft) -> None:
    """An inner loop over time within the iteration, its state fresh or carried."""
    cell = d.role("time_cell", "setup", "inner_cell", "unroll", "time_cell")
    d.setup.append(f"{cell} = nn.GRUCell({d.inputs}, {d.hidden})")
    d.modules.append(cell)
    start = d.weighted({"fresh": 2.0, "carried": 1.5, "cut": 1.5})
    d.feature("unrolled", start)
    h = d.role("inner_h", "local" if start == "fresh" else "carried", "hid", "hh", "z_t")
    zero = f"torch.zeros({d.batch}, {d.hidden})"
    steps = d.pick(2, 3)
    form = d.pick(
        [f"for _ in range({steps}):", f"    {h} = {cell}($x, {h})"],
        [f"for frame in torch.stack([$x] * {steps}):", f"    {h} = {cell}(frame, {h})"],
    )
    body = [*([f"{h} = {zero}"] if start == "fresh" else []), *form]
    if d.chance(0.3):
        body = [*body[:-2], "$trace = []", body[-2], body[-1], f"    $trace.append({h}.mean())"]
        use = "$loss = $loss + 0.1 * torch.stack($trace).sum()"
    else:
        use = f"$loss = $loss + 0.1 * {h}.mean()"
    if start != "fresh":
        d.before.append(f"{h} = {zero}")
    d.slots["extra"] += [*body, use]
    if start == "cut":
        d.slots[d.pick("end", "extra", "start")].append(f"{h} = {h}.detach()")


EXOTIC: dict[Callable[[Draft], None], float] = {
    hook: 0.7,
    checkpointed: 0.3,
    custom_function: 0.5,
    weight_normed: 0.4,
    context: 0.8,
    unrolled: 0.9,
}
