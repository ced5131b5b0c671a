"""What is added to an iteration: things precomputed, stored, logged, averaged, changed in place; and plain noise.

Each mechanism reads only `$x`, `$y`, `$i` and `$loss` (or what it makes itself), so any number may meet in a program.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.judge.draft import Draft
from tests.judge.exotic import EXOTIC
from tests.judge.reuse import REUSE


def _weight(d: Draft) -> str:
    """Some trained matrix, or one made for the purpose."""
    p = d.role("extra", "setup", "scale_table", "proto", "codebook", "anchor")
    line = f"{p} = nn.Parameter(torch.randn({d.batch}, {d.hidden}))"
    if line not in d.setup:
        d.setup.append(line)
        d.tensors.append(p)
    return p


def precomputed(d: Draft) -> None:
    """A value made from parameters before the loop and used in every iteration's loss."""
    p = _weight(d)
    name = d.role("fixed", "carried", "reg", "prior", "table", "normed", "mask_w")
    free = (
        "{p} + 1.0",
        "{p}.t()",
        "{p}.sum()",
        "{p}.clone()",
        "{p}.view(-1)",
        "{p}.detach()",
        "{p}.expand(2, -1, -1)",
        "{p}.mean(0)",
        "torch.cat([{p}, {p}])",
        "{p}[0]",
        "{p}.cumsum(0)",
        "-{p}",
    )
    saving = (
        "{p} * 2.0",
        "torch.softmax({p}, dim=-1)",
        "F.normalize({p}, dim=-1)",
        "{p}.norm()",
        "{p} ** 2",
        "{p} / 3",
        "{p}.exp()",
        "{p}[torch.tensor([0, 1])]",
        "{p}.abs().sum()",
        "torch.matmul({p}, {p}.t())",
        "{p}.tanh()",
    )
    kind = d.pick("free", "saving", "saving", "detached")
    expression = d.pick(*(free if kind == "free" else saving)).format(p=p)
    d.feature("precomputed", kind)
    if kind == "detached":
        expression = d.pick(f"({expression}).detach()", f"({expression}).data")
        if d.chance(0.4):
            d.before += ["with torch.no_grad():", f"    {name} = {d.pick(*saving).format(p=p)}"]
            d.slots["extra"].append(f"$loss = $loss + 0.1 * {name}.sum()")
            return
    slot = d.weighted({"before": 4.0, "start": 1.0})
    (d.before if slot == "before" else d.slots["start"]).append(f"{name} = {expression}")
    if slot == "start":
        d.kinds["fixed"] = "local"
    d.slots["extra"].append(
        d.pick(
            f"$loss = $loss + 0.1 * {name}.sum()",
            f"$loss = $loss + {name}.sum()",
            f"$loss = $loss + 0.1 * {name}.mean() ** 2",
        )
    )


def cached(d: Draft) -> None:
    """A value made when first asked for, kept on an object or in a dict."""
    p = _weight(d)
    form = d.pick("dict", "property", "lru", "none")
    what = d.pick(
        "torch.tanh({0})",
        "{0} + 1.0",
        "F.normalize({0}, dim=-1)",
        "{0}.clone()",
        "torch.tanh({0}).detach()",
        "{0} * 0.5",
        "{0}.t()",
        "{0}.exp().sum()",
    )
    d.feature("cached", form)
    if form == "dict":
        c = d.role("cache", "setup", "cache", "lookup")
        d.setup.append(f"{c} = {{}}")
        d.slots["extra"] += [
            f'if "w" not in {c}:',
            f'    {c}["w"] = {what.format(p)}',
            f'$loss = $loss + 0.1 * {c}["w"].sum()',
        ]
        if d.chance(0.3):
            d.slots["end"].append(d.pick(f"{c}.clear()", f'{c}.pop("w", None)', f'del {c}["w"]'))
    elif form == "none":
        c = d.role("cache", "carried", "cached", "table")
        d.before.append(f"{c} = None")
        d.slots["extra"] += [f"if {c} is None:", f"    {c} = {what.format(p)}", f"$loss = $loss + 0.1 * {c}.sum()"]
        if d.chance(0.3):
            d.slots["end"].append(f"{c} = None")
    else:
        d.need("from functools import cached_property" if form == "property" else "from functools import lru_cache")
        decorator = (
            d.pick("@cached_property", "@cached_property", "@property")
            if form == "property"
            else "@lru_cache(maxsize=None)"
        )
        if form == "property" and decorator == "@property":
            d.imports.remove("from functools import cached_property")
        call = "" if form == "property" else "()"
        d.define(
            "class Table(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            f"        self.weight = nn.Parameter(torch.randn(2, {d.hidden}))",
            "",
            f"    {decorator}",
            "    def value(self):",
            f"        return {what.format('self.weight')}",
        )
        t = d.role("table_mod", "setup", "table", "lookup", "embedder")
        d.setup.append(f"{t} = Table()")
        d.modules.append(t)
        d.slots["extra"].append(f"$loss = $loss + 0.1 * {t}.value{call}.sum()")


def logging(d: Draft) -> None:
    """A running figure or list for the report, with or without the graph; read again by the loss or not."""
    form = d.pick("sum", "list", "meter", "best", "dict", "mean")
    held = d.pick("$loss.item()", "$loss", "$loss.detach()", "float($loss)", "$loss.item()")
    d.feature("log", form, "graph" if held == "$loss" else "cut")
    if form == "sum":
        s = d.role("epoch_loss", "carried", "epoch_loss", "running_loss", "logged")
        d.before.append(f"{s} = 0.0")
        d.slots["end"].append(d.pick(f"{s} += {held}", f"{s} = {s} + {held}"))
        d.after.append(d.pick(f'print("mean loss", {s} / {d.iterations})', f'print(f"{{float({s}):.4f}}")'))
    elif form in ("list", "mean"):
        s = d.role("history", "setup", "history", "train_losses", "curve")
        d.setup.append(f"{s} = []")
        d.slots["end"].append(f"{s}.append({held})")
        if form == "mean":
            d.after.append(f"print(sum(float(v) for v in {s}) / max(len({s}), 1))")
    elif form == "dict":
        s = d.role("stats", "setup", "stats", "metrics")
        d.need("from collections import defaultdict")
        d.setup.append(f"{s} = defaultdict(list)")
        d.slots["end"].append(f'{s}["loss"].append({held})')
    elif form == "meter":
        d.define(
            "class Meter:",
            "    def __init__(self):",
            "        self.sum, self.count = 0.0, 0",
            "",
            "    def update(self, value):",
            "        self.sum += value",
            "        self.count += 1",
            "",
            "    @property",
            "    def avg(self):",
            "        return self.sum / max(self.count, 1)",
        )
        s = d.role("meter", "setup", "meter", "loss_meter")
        d.setup.append(f"{s} = Meter()")
        d.slots["end"] += [f"{s}.update({held})", *d.pick([f'print(f"{{float({s}.avg):.3f}}")'], list[str]())]
    else:
        s = d.role("last_loss", "carried", "last_loss", "previous")
        d.before.append(f"{s} = None")
        use = d.weighted({"print": 1.5, "loss": 1.0})
        d.feature("log-read", use)
        if use == "print":
            d.slots["extra"] += [f"if {s} is not None:", f'    print("change", float({s}) - $loss.item())']
        else:
            d.slots["extra"] += [f"if {s} is not None:", f"    $loss = $loss + 0.1 * ($loss - {s}) ** 2"]
        d.slots["end"].append(f"{s} = {held}")


def bank(d: Draft) -> None:
    """Features kept from earlier iterations and compared with."""
    fc = d.role("proj", "setup", "projector", "proj", "embedder")
    d.setup.append(f"{fc} = nn.Linear({d.inputs}, {d.hidden})")
    d.modules.append(fc)
    b = d.role("bank", "setup", "bank", "queue", "replay", "feature_bank")
    form = d.pick("list", "deque", "dict", "tensor")
    kept = d.weighted(
        {
            "$emb": 2.0,
            "$emb.detach()": 3.0,
            "$emb.data": 0.5,
            "$emb.clone()": 0.7,
            "$emb.mean(0)": 0.6,
            "$emb.detach().cpu()": 0.5,
        }
    )
    d.feature("bank", form, "cut" if "det" in kept or "data" in kept else "graph")
    d.role("emb", "local", "emb", "feat_k", "embedding")
    d.slots["extra"].append(f"$emb = {fc}($x)")
    reads = d.weighted({"yes": 3.0, "no": 1.0})
    use: list[str]
    if form == "tensor":
        d.setup.append(f"{b} = torch.zeros({d.iterations * 4}, {d.hidden})")
        use = [f"$loss = $loss + 0.1 * ($emb @ {b}{d.pick('', '.t()') and ''}.t()).mean()"] if reads == "yes" else []
        i = d.use_counter()
        write = d.weighted(
            {
                "{b}[{i}] = $emb{c}.mean(0)": 3.0,
                "{b}[{i}].copy_($emb{c}[0])": 1.0,
                "{b}.data[{i}] = $emb{c}[0]": 1.0,
                "NO": 1.5,
            }
        )
        cut = ".detach()" if "det" in kept else ""
        lines = (
            [write.format(b=b, i=i, c=cut)]
            if write != "NO"
            else ["with torch.no_grad():", f"    {b}[{i}] = $emb.mean(0)"]
        )
        d.slots["extra"] += use if d.chance(0.6) else []
        if d.chance(0.6):
            d.slots["end"] += lines
        else:
            d.slots["extra"] += lines
        return
    if form == "list":
        d.setup.append(f"{b} = []")
        use = [f"for old in {b}{d.pick('', '[-2:]')}:", "    $loss = $loss + 0.1 * (($emb - old) ** 2).mean()"]
        store = f"{b}.append({kept})"
    elif form == "deque":
        d.need("from collections import deque")
        d.setup.append(f"{b} = deque(maxlen={d.pick(1, 2, 4)})")
        use = [f"if {b}:", f"    $loss = $loss + 0.1 * torch.stack([e.mean() for e in {b}]).{d.pick('sum', 'mean')}()"]
        store = f"{b}.append({kept})"
    else:
        d.setup.append(f"{b} = {{}}")
        i, k = d.use_counter(), d.pick(1, 2)
        use = [f"if {i} % {k} in {b}:", f"    $loss = $loss + ($emb - {b}[{i} % {k}]).pow(2).mean()"]
        store = f"{b}[{i} % {k}] = {kept}"
    if reads == "yes":
        d.slots["extra"] += use
    d.slots[d.pick("extra", "end")].append(store)


def teacher(d: Draft) -> None:
    """A second network that follows the first."""
    student = d.role("student", "setup", "student", "online", "q_net")
    follower = d.role("teacher", "setup", "teacher", "target", "target_net", "ema_model")
    d.need("import copy")
    d.setup += [f"{student} = nn.Linear({d.inputs}, {d.hidden})", f"{follower} = copy.deepcopy({student})"]
    d.modules.append(student)
    guard = d.weighted({"no_grad": 3.0, "none": 2.0, "detach": 2.0, "frozen": 1.0})
    d.feature("teacher", guard)
    if guard == "frozen":
        d.setup.append(f"{follower}.requires_grad_(False)")
    if guard == "no_grad":
        d.slots["extra"] += ["with torch.no_grad():", f"    $goal = {follower}($x)"]
    else:
        d.slots["extra"].append(f"$goal = {follower}($x){'.detach()' if guard == 'detach' else ''}")
    d.slots["extra"].append(f"$loss = $loss + F.mse_loss({student}($x), $goal)")
    form = d.pick("no_grad", "data", "average", "state", "reassign")
    pair = f"for a, b in zip({follower}.parameters(), {student}.parameters()):"
    d.slots[d.pick("end", "end", "extra")] += {
        "no_grad": ["with torch.no_grad():", f"    {pair}", "        a.mul_(0.9).add_(b, alpha=0.1)"],
        "data": [pair, "    a.data.mul_(0.9).add_(b.data, alpha=0.1)"],
        "average": [pair, "    a.data = 0.9 * a.data + 0.1 * b.data"],
        "state": [f"{follower}.load_state_dict({student}.state_dict())"],
        "reassign": ["with torch.no_grad():", f"    {pair}", "        a.copy_(0.9 * a + 0.1 * b)"],
    }[form]


def average(d: Draft) -> None:
    """A moving average of something with history, in a name or a buffer, inside the loss or not."""
    a = d.role("avg", "carried", "center", "moving", "baseline", "ema")
    form = d.pick("name", "name", "buffer", "half")
    d.feature("average", form)
    d.before.append(f"{a} = {d.pick('torch.zeros(())', 'torch.tensor(0.0)')}")
    cut = d.weighted({"": 3.0, ".detach()": 2.5, ".item()": 0.7})
    if form == "name":
        update = [f"{a} = 0.9 * {a}{d.pick('', '', '.detach()')} + 0.1 * $loss{cut}"]
    elif form == "half":
        update = [f"{a} = {a}{d.pick('', '.detach()')} + $loss{cut}"]
    else:
        update = d.pick(
            [f"{a}.mul_(0.9).add_(0.1 * $loss{cut})"],
            ["with torch.no_grad():", f"    {a}.mul_(0.9).add_(0.1 * $loss)"],
            [f"{a}.copy_($loss{cut or '.detach()'})".replace(".item()", ".detach()")],
        )
    used = d.weighted({"yes": 3.0, "advantage": 2.0, "no": 1.0})
    use = {"yes": [f"$loss = $loss + 0.1 * {a}"], "advantage": [f"$loss = ($loss - {a}) ** 2"], "no": list[str]()}[used]
    d.feature("average", "used" if use else "logged")
    if d.chance(0.5):
        d.slots["extra"] += [*update, *use]
    else:
        d.slots["extra"] += use
        d.slots["end"] += update


def inplace(d: Draft) -> None:
    """An activation or a buffer changed in place, where its value was saved or not."""
    lin = d.role("side", "setup", "side", "aux_net", "adapter")
    d.setup.append(f"{lin} = nn.Linear({d.inputs}, {d.hidden})")
    d.modules.append(lin)
    d.role("act", "local", "act", "z", "hid")
    first = d.pick(
        "torch.exp({0})",
        "torch.sigmoid({0})",
        "torch.tanh({0})",
        "F.relu({0})",
        "{0} + 1.0",
        "{0} * 2.0",
        "F.softplus({0})",
        "{0}.clone()",
        "F.silu({0})",
        "torch.sqrt({0} ** 2 + 1.0)",
        "F.softmax({0}, dim=1)",
        "-{0}",
        "F.gelu({0})",
        "{0}.sin()",
    )
    change = d.pick(
        "$act.add_(1.0)",
        "$act.mul_(0.5)",
        "$act += 0.1",
        "$act *= 0.9",
        "$act.relu_()",
        "$act[:, 0] = 0.0",
        "$act.zero_()",
        "F.relu_($act)",
        "$act = $act + 1.0",
        "$act = $act * 2.0",
        "$act.data.mul_(0.5)",
        "$act.clamp_(max=5.0)",
        "$act[0] += 1.0",
        "$act = $act.clone()\n$act.add_(1.0)",
    )
    d.feature("inplace", change.split("(")[0].replace(" ", "").replace("$", "").split("\n")[0])
    head = [f"$act = {first.format(f'{lin}($x)')}"]
    mid = d.pick(
        list[str](),
        ["$sq = $act * $act"],
        ["$sq = $act + 2.0"],
        ["$sq = ($act ** 2).mean()"],
        ["$sq = torch.tanh($act)"],
    )
    end = [
        f"$loss = $loss + 0.1 * $act.{d.pick('sum', 'mean')}()",
        *(["$loss = $loss + 0.1 * $sq.sum()"] if mid else []),
    ]
    if d.chance(0.3) and mid:
        end.reverse()
        body = (
            [*head, *mid, end[0], *change.split("\n"), *end[1:]]
            if d.chance(0.5)
            else [*head, *mid, *end, *change.split("\n")]
        )
    else:
        body = [*head, *mid, *change.split("\n"), *end]
    d.slots["extra"] += body


def consumed_again(d: Draft) -> None:
    """Something of this iteration's graph used for another walk after the first."""
    form = d.weighted({"metric": 1.5, "again": 2.0, "detached": 1.5, "log-grad": 1.5})
    d.feature("after-walk", form)
    fc = d.role("probe", "setup", "probe", "aux_head", "monitor")
    d.setup.append(f"{fc} = nn.Linear({d.inputs}, 1)")
    d.modules.append(fc)
    d.slots["extra"] += [f"$rep = {fc}($x)", "$loss = $loss + $rep.mean()"]
    if form == "metric":
        d.slots["end"] += [f"$check = ($rep{d.pick('', '.detach()')} ** 2).sum()", 'print("metric", float($check))']
    elif form == "again":
        d.slots["end"] += (
            [d.pick("$rep.sum().backward()", "$rep.pow(2).sum().backward()", f"$aux = {fc}($x).sum()\n$aux.backward()")]
            if False
            else d.pick(
                ["$rep.sum().backward()"],
                ["$rep.pow(2).sum().backward()"],
                [f"$aux = {fc}($x).sum()", "$aux.backward()"],
            )
        )
    elif form == "detached":
        d.slots["end"] += [f"$aux = ({fc}.weight * $rep.detach().mean()).sum()", "$aux.backward()"]
    else:
        d.slots["end"] += [
            f"$gs = torch.autograd.grad({d.pick('$rep.sum()', f'{fc}($x).sum()')}, {fc}.weight)",
            'print("probe", $gs[0].norm().item())',
        ]


NOISE = (
    'print("loss", $loss.item())',
    'print(f"loss {$loss.item():.4f}")',
    "assert torch.isfinite($x).all()",
    "$n = $x.size(0)",
    "$scale = 1.0 / $x.shape[0]",
    'msg = "iteration done"',
    "if $loss.dim() > 0:\n    $loss = $loss.mean()",
    "assert $loss.dim() == 0",
    "with torch.no_grad():\n    $probe_value = $loss * 2.0",
    "$note = str($x.dtype)",
    "$lr = 0.1 if $x.dim() == 2 else 0.2",
    "$loss = $loss * 1.0",
    "$loss = $loss + 0.0",
    "unused = [s for s in (1, 2, 3) if s > 1]",
    "$loss.register_hook(lambda grad: None)",
    "$peek = $loss.detach().clone()",
    "if False:\n    $loss.backward()",
    'if $x is None:\n    raise ValueError("no input")',
    "$loss.retain_grad()",
    '$meta = {"loss": $loss.item()}',
)


def noise(d: Draft) -> None:
    """Statements that change nothing of the matter."""
    line = d.pick(*NOISE)
    d.feature("noise")
    d.slots["extra"] += line.split("\n")


MECHANISMS: dict[Callable[[Draft], None], float] = {
    precomputed: 1.3,
    cached: 1.0,
    logging: 2.0,
    bank: 1.4,
    teacher: 0.7,
    average: 1.2,
    inplace: 1.8,
    consumed_again: 1.0,
    noise: 2.5,
    **EXOTIC,
    **REUSE,
}


def add(d: Draft) -> None:
    """Add one mechanism that is not there yet (noise may come again)."""
    chosen = d.weighted(MECHANISMS)
    if chosen is not noise and chosen.__name__ in d.features:
        return
    d.feature(chosen.__name__)
    chosen(d)
