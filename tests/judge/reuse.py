"""Mechanisms that use again what an earlier iteration, or the time before the loop, has made."""

from __future__ import annotations

from collections.abc import Callable

from tests.judge.draft import Draft, indent


def _layer(d: Draft, role: str, *names: str) -> str:
    layer = d.role(role, "setup", *names)
    d.setup.append(f"{layer} = nn.Linear({d.inputs}, {d.hidden})")
    d.modules.append(layer)
    return layer


def consistency(d: Draft) -> None:
    """This iteration's output is compared with the one of the iteration before."""
    layer = _layer(d, "view", "viewer", "projector_b", "tracker")
    prev = d.role("prev", "carried", "prev", "last_out", "previous_out")
    now = d.role("now", "local", "now", "current", "this_out")
    kept = d.weighted({now: 2.0, f"{now}.detach()": 2.0, f"{now}.clone()": 0.5, f"{now}.mean(0)": 0.6, f"[{now}]": 0.5})
    wrapped = kept.startswith("[")
    start = d.pick("None", "None", f"torch.zeros({d.batch}, {d.hidden})")
    d.feature("consistency", "cut" if "detach" in kept else "graph", "none" if start == "None" else "zeros")
    d.before.append(f"{prev} = {start if start == 'None' or not wrapped else f'[{start}]'}")
    value = f"{prev}[0]" if wrapped else prev
    other = d.pick(value, value, f"{value}.detach()", f"torch.tanh({value})")
    use = f"$loss = $loss + 0.1 * ({now} - {other}).pow(2).mean()"
    guarded = [f"if {prev} is not None:", f"    {use}"] if start == "None" else [use]
    made = f"{now} = {d.pick(f'{layer}($x)', f'torch.tanh({layer}($x))')}"
    d.slots["extra"] += [made, *guarded]
    d.slots[d.pick("extra", "end")].append(f"{prev} = {kept}")


def dataset(d: Draft) -> None:
    """Every item of the data is embedded before the loop: one by one, or all at once and then taken apart."""
    layer = _layer(d, "embed_all", "text_encoder", "item_encoder", "featurizer")
    items = d.role("items", "carried", "embedded", "items", "encoded")
    guard = d.weighted({"grad": 3.0, "no_grad": 1.0, "detach": 1.0})
    form = d.pick("list", "list", "stack", "chunk", "dict", "unbind")
    d.feature("dataset", form, guard)
    n = d.iterations
    cut = ".detach()" if guard == "detach" else ""
    lines = {
        "list": [f"{items} = [{layer}(a){cut} for a, b in $data]"],
        "dict": [f"{items} = {{n: {layer}(a){cut} for n, (a, b) in enumerate($data)}}"],
        "stack": [f"{items} = {layer}(torch.stack([a for a, b in $data])){cut}"],
        "chunk": [f"{items} = {layer}(torch.cat([a for a, b in $data])).chunk({n})"],
        "unbind": [f"{items} = list({layer}(torch.stack([a for a, b in $data])){cut}.unbind(0))"],
    }[form]
    d.before += ["with torch.no_grad():", *indent(lines)] if guard == "no_grad" else lines
    i = d.use_counter()
    d.slots["extra"].append(f"$loss = $loss + 0.1 * {items}[{i} % {n}].{d.pick('mean()', 'pow(2).sum()', 'sum()')}")


def alias(d: Draft) -> None:
    """Two names of one thing, of which only one is cut, or values that change places from iteration to iteration."""
    layer = _layer(d, "mover", "mover", "shift_net", "drive")
    a, b = d.role("first", "carried", "cur", "front", "slow"), d.role("second", "carried", "old", "back", "quick")
    zero = f"torch.zeros({d.batch}, {d.hidden})"
    form = d.pick("swap", "shift", "both", "tuple")
    cut = d.pick("none", "right", "one", "other", "right")
    d.feature("alias", form, cut)
    d.before.append(f"{a}, {b} = {zero}, {zero}")
    change = {
        "swap": [f"{a}, {b} = {b} + {layer}($x), {a}"],
        "shift": [f"{b}, {a} = {a}, torch.tanh({layer}($x) + {a})"],
        "both": [f"{a} = {b} = 0.5 * {a} + {layer}($x)"],
        "tuple": [f"$pair = ({a} + {layer}($x), {a})", f"{a}, {b} = $pair"],
    }[form]
    use = f"$loss = $loss + 0.1 * ({d.pick(a, f'{a} * {b}', f'({a} - {b})')}).mean()"
    lines = {
        "none": list[str](),
        "right": [f"{a}, {b} = {a}.detach(), {b}.detach()"],
        "one": [f"{a} = {a}.detach()"],
        "other": [f"{b} = {b}.detach()"],
    }[cut]
    d.slots["extra"] += [*change, use]
    d.slots[d.pick("end", "end", "start")] += lines


REUSE: dict[Callable[[Draft], None], float] = {consistency: 1.0, dataset: 0.8, alias: 0.7}
