"""State carried from turn to turn: what computes it, where it is kept, and where (and whether) it is cut.

A `Place` knows how one or two state tensors are initialised, read, written and rewritten (the cut) where they are
kept: in names, a tuple, a list, a dict, a deque, an object, a buffer, a function's default argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.judge.draft import SKIP, Draft, indent
from tests.judge.models import operation


@dataclass
class Place:
    """Where `count` state tensors live between turns."""

    kind: str
    before: list[str]
    read: list[str]
    write: Callable[[list[str]], list[str]]
    """Lines that store new values (expressions, in order)."""
    cut_all: Callable[[str], list[str]]
    """Lines that pass every part through a template such as `{}.detach()`."""
    cut_one: Callable[[int, str], list[str]]
    new: list[str]
    """Names for freshly computed parts; the very names of the state where it is kept in names."""


def place(d: Draft, zeros: str, count: int, kind: str | None = None) -> Place:
    """Draw a place; `zeros` is the text of an initial part."""
    options = {"names": 4.0, "tuple": 1.5 if count > 1 else 0.3, "list": 1.2, "dict": 1.2, "deque": 0.8, "namedtuple": 0.8, "dataclass": 0.8,
               "namespace": 0.6, "history": 0.6, "default": 0.4 if count == 1 else 0.0, "object": 0.8}  # fmt: skip
    kind = kind or d.weighted(options)
    d.feature("place", kind)
    fields = ["h", "c"][:count]
    if kind == "names":
        roles = [
            d.role("h", "carried", "h", "hidden", "state", "hx", "mem"),
            d.role("c", "carried", "c", "cell_state", "cx", "ctx"),
        ][:count]
        chained = " = ".join(roles) + f" = {zeros}" if count > 1 and d.chance(0.2) else ""
        before = [chained] if chained else [f"{', '.join(roles)} = {', '.join([zeros] * count)}"]
        return Place(
            kind, before, roles, lambda values: [] if values == roles else [f"{', '.join(roles)} = {', '.join(values)}"],
            lambda f: [f"{', '.join(roles)} = {', '.join(f.format(r) for r in roles)}"], lambda i, f: [f"{roles[i]} = {f.format(roles[i])}"], roles,
        )  # fmt: skip
    new = ["$h_new", "$c_new"][:count]
    for role, name in (("h_new", "new_h"), ("c_new", "new_c")):
        d.role(role, "local", name, "next_" + name[-1])
    if kind == "tuple":
        s = d.role("state", "carried", "state", "hidden", "carry")
        trailing = "," if count == 1 else ""

        def pack(values: list[str]) -> str:
            return f"({', '.join(values)}{trailing})"

        every = d.pick("tuple({f} for p in {s})", "tuple([{f} for p in {s}])", "({each})")
        return Place(
            kind, [f"{s} = {pack([zeros] * count)}"], [f"{s}[{i}]" for i in range(count)], lambda values: [f"{s} = {pack(values)}"],
            lambda f: [f"{s} = " + every.format(f=f.format("p"), s=s, each=", ".join(f.format(f"{s}[{i}]") for i in range(count)) + trailing)],
            lambda i, f: [f"{s} = " + pack([f.format(f"{s}[{j}]") if j == i else f"{s}[{j}]" for j in range(count)])], new,
        )  # fmt: skip
    if kind == "namedtuple":
        d.need("from collections import namedtuple")
        d.define(f'Memory = namedtuple("Memory", {fields!r})'.replace("'", '"'))
        s = d.role("state", "carried", "state", "memory", "carry")
        return Place(
            kind, [f"{s} = Memory({', '.join([zeros] * count)})"], [f"{s}.{f}" for f in fields], lambda values: [f"{s} = Memory({', '.join(values)})"],
            lambda f: [f"{s} = " + d.pick(f"Memory(*[{f.format('p')} for p in {s}])", "Memory(" + ", ".join(f.format(f"{s}.{x}") for x in fields) + ")")],
            lambda i, f: [f"{s} = {s}._replace({fields[i]}={f.format(f'{s}.{fields[i]}')})"], new,
        )  # fmt: skip
    if kind == "default":
        name = d.pick("remember", "memory_cell", "keep")
        d.define(
            f"def {name}(value=None, box=[]):\n    if value is not None:\n        box[:] = [value]\n    return box[0]"
        )
        return Place(
            kind, [f"{name}({zeros})"], [f"{name}()"], lambda values: [f"{name}({values[0]})"],
            lambda f: [f"{name}({f.format(f'{name}()')})"], lambda i, f: [f"{name}({f.format(f'{name}()')})"], new,
        )  # fmt: skip
    s = d.role("store", "setup", "memory", "store", "cache", "states", "buffers")
    if kind == "deque":
        d.need("from collections import deque")
        parts = [f"{s}[-1][{i}]" for i in range(count)] if count > 1 else [f"{s}[-1]"]

        def item(values: list[str]) -> str:
            return f"({', '.join(values)})" if count > 1 else values[0]

        return Place(
            kind, [f"{s} = deque([{item([zeros] * count)}], maxlen={d.pick(1, 2, 3)})"], parts, lambda values: [f"{s}.append({item(values)})"],
            lambda f: [f"{s}[-1] = {item([f.format(p) for p in parts])}"],
            lambda i, f: [f"{s}[-1] = {item([f.format(p) if j == i else p for j, p in enumerate(parts)])}"], new,
        )  # fmt: skip
    if kind == "history":
        parts = [f"{s}[-1][{i}]" for i in range(count)] if count > 1 else [f"{s}[-1]"]

        def entry(values: list[str]) -> str:
            return f"({', '.join(values)})" if count > 1 else values[0]

        return Place(
            kind, [f"{s} = [{entry([zeros] * count)}]"], parts, lambda values: [f"{s}.append({entry(values)})"],
            lambda f: [f"{s}[-1] = {entry([f.format(p) for p in parts])}"],
            lambda i, f: [f"{s}[-1] = {entry([f.format(p) if j == i else p for j, p in enumerate(parts)])}"], new,
        )  # fmt: skip
    if kind in ("list", "dict"):
        keys = [str(i) for i in range(count)] if kind == "list" else [f'"{f}"' for f in fields]
        parts = [f"{s}[{key}]" for key in keys]
        start = (
            f"[{', '.join([zeros] * count)}]"
            if kind == "list"
            else "{" + ", ".join(f"{key}: {zeros}" for key in keys) + "}"
        )
        at_once = d.chance(0.4)

        def write(values: list[str]) -> list[str]:
            if at_once and kind == "dict":
                return [f"{s}.update({', '.join(f'{f}={v}' for f, v in zip(fields, values, strict=True))})"]
            if at_once:
                return [f"{s}[:] = [{', '.join(values)}]"]
            return [f"{part} = {value}" for part, value in zip(parts, values, strict=True)]

        def every_part(f: str) -> list[str]:
            if kind == "list":
                loop = d.pick(f"for k in range(len({s})):", f"for k, _ in enumerate({s}):")
                return d.pick(
                    [loop, f"    {s}[k] = {f.format(f'{s}[k]')}"], [f"{s}[:] = [{f.format('p')} for p in {s}]"]
                )
            return d.pick(
                [f"for key in {s}:", f"    {s}[key] = {f.format(f'{s}[key]')}"],
                [f"for key, value in {s}.items():", f"    {s}[key] = {f.format('value')}"],
            )

        return Place(
            kind, [f"{s} = {start}"], parts, write, every_part, lambda i, f: [f"{parts[i]} = {f.format(parts[i])}"], new
        )
    # an object with attributes
    if kind == "namespace":
        d.need("from types import SimpleNamespace")
        make = f"SimpleNamespace({', '.join(f'{f}={zeros}' for f in fields)})"
    elif kind == "dataclass":
        d.need("from dataclasses import dataclass")
        d.define("@dataclass\nclass Carry:\n" + "\n".join(f"    {f}: torch.Tensor" for f in fields))
        make = f"Carry({', '.join([zeros] * count)})"
    else:
        cut = "\n\n    def cut(self):\n" + "\n".join(f"        self.{f} = self.{f}.detach()" for f in fields)
        d.define(
            f"class Carry:\n    def __init__(self, {', '.join(fields)}):\n"
            + "\n".join(f"        self.{f} = {f}" for f in fields)
            + cut
        )
        make = f"Carry({', '.join([zeros] * count)})"
    parts = [f"{s}.{f}" for f in fields]

    def cut_object(f: str) -> list[str]:
        if kind == "object" and f == "{0}.detach()" and d.chance(0.7):
            return [f"{s}.cut()"]
        return [f"{part} = {f.format(part)}" for part in parts]

    return Place(
        kind, [f"{s} = {make}"], parts, lambda values: [f"{part} = {value}" for part, value in zip(parts, values, strict=True)],
        cut_object, lambda i, f: [f"{parts[i]} = {f.format(parts[i])}"], new,
    )  # fmt: skip


CUTS = ("{0}.detach()", "{0}.detach()", "{0}.detach()", "{0}.detach().clone()", "{0}.data", "{0}.clone().detach()", "torch.zeros_like({0})", "{0}.data.clone()",
        "{0}.detach().requires_grad_()", "torch.tensor({0}.tolist())", "{0}.new_tensor({0}.tolist())")  # fmt: skip
NOT_CUTS = (
    "{0}.clone()",
    "{0}.contiguous()",
    "{0} * 1.0",
    "{0}.float()",
    "{0}.cpu()",
    "{0} * 0.0",
    "torch.as_tensor({0})",
    "{0} + 0.0",
    "{0}.view_as({0})",
)


def cut(d: Draft, at: Place) -> None:
    """Put a cut, a half cut or something that only looks like one at the start, middle or end of the turn."""
    kind = d.weighted({"none": 3.0, "right": 6.5, "half": 2.0, "dropped": 1.0, "not": 1.5, "loop": 1.0, "no_grad": 1.0, "gap": 2.0,
                       "helper": 1.6, "wrong-type": 0.6, "flag": 1.0, "inplace": 0.4, "first": 0.6})  # fmt: skip
    slot = d.pick("start", "mid", "end", "end")
    count = len(at.read)
    template = d.pick(*CUTS)

    whole = at.cut_all
    lines: list[str]
    if kind == "none":
        lines = []
    elif kind == "right":
        lines = whole(template)
    elif kind == "half":
        lines = at.cut_one(d.rng.randrange(count), "{}.detach()")
        kind = "half" if count > 1 else "right"
    elif kind == "dropped":
        lines = [f"{part}.detach()" for part in at.read]
    elif kind == "not":
        lines = whole(d.pick(*NOT_CUTS))
    elif kind == "loop":
        lines = d.pick(
            [f"for part in ({', '.join(at.read)},):", "    part = part.detach()"],
            [f"for part in [{', '.join(at.read)}]:", f"    part.{d.pick('detach_', 'detach_', 'detach')}()"],
        )
        slot = "end"
    elif kind == "no_grad":
        inner = whole(d.pick("{}.clone()", "{} * 1.0", "{} + 0.0", "{}", "{}.float()"))
        lines = ["with torch.no_grad():", *indent(inner)]
    elif kind == "gap":
        i, k = d.use_counter(), d.pick(2, 2, 3)
        lines = [
            d.pick(f"if {i} % {k} == 0:", f"if ({i} + 1) % {k} == 0:", f"if {i} % {k} == {k - 1}:"),
            *indent(whole(template)),
        ]
    elif kind == "helper":
        lines = _helper(d, at)
    elif kind == "wrong-type":
        test = d.pick(
            "isinstance({}, list)",
            "isinstance({}, tuple)",
            "isinstance({}, torch.Tensor)",
            "{} is None",
            "{} is not None",
            "torch.is_tensor({})",
        )
        lines = [f"if {test.format(at.read[0])}:", *indent(whole(template))]
    elif kind == "flag":
        flag = d.role("flag", "setup", "detach_state", "truncate", "reset")
        d.setup.append(f"{flag} = {d.pick('True', 'True', 'False')}")
        lines = [f"if {flag}:", *indent(whole(template))]
    elif kind == "first":
        i = d.use_counter()
        lines = [
            d.pick(f"if {i} == 0:", f"if {i} > 0:", f"if not {i}:", f"if {i} >= 1:", f"if {i} == 1:"),
            *indent(whole(template)),
        ]
    else:
        lines = [f"{part}.detach_()" for part in at.read]
        slot = "end"
    d.feature("cut", kind, slot)
    target = d.slots[slot]
    target[:] = [*lines, *target] if slot == "start" else [*target, *lines]


def _helper(d: Draft, at: Place) -> list[str]:
    """A function that cuts whatever it is given, rightly or not, applied to the state."""
    name = d.pick("repackage", "detach_state", "truncate", "cut_history")
    style = d.pick("recursive", "recursive", "plain", "forgets", "half", "returns-none")
    d.feature("helper", style)
    if style == "recursive":
        d.define(
            f"def {name}(s):\n    if isinstance(s, torch.Tensor):\n        return s.detach()\n    return {d.pick('tuple', 'type(s)')}({name}(p) for p in s)"
        )
    elif style == "plain":
        d.define(f"def {name}(s):\n    return s.detach() if torch.is_tensor(s) else tuple(p.detach() for p in s)")
    elif style == "forgets":
        d.define(f"def {name}(s):\n    if isinstance(s, list):\n        return [p.detach() for p in s]\n    return s")
    elif style == "half":
        d.define(
            f"def {name}(s):\n    if torch.is_tensor(s):\n        return s.detach()\n    return s[0].detach(), *s[1:]"
        )
    else:
        d.define(
            f"def {name}(s):\n    parts = [s] if torch.is_tensor(s) else s\n    for p in parts:\n        p = p.detach()\n    return s"
        )
    if len(at.read) == 1 or d.chance(0.3):
        return at.cut_all(f"{name}({{}})")
    fresh = ["$cut0", "$cut1"]
    return [f"{', '.join(fresh)} = {name}(({', '.join(at.read)}))", *at.write(fresh)]


def recurrent(d: Draft) -> None:
    """`$out` from `$x` and a carried state."""
    kind = d.weighted(
        {"cell": 3.0, "lstmcell": 2.0, "rnn": 1.5, "lstm": 2.0, "manual": 2.5, "inside": 3.0, "stack": 1.2}
    )
    d.feature("recurrent", kind)
    B, D, H = d.batch, d.inputs, d.hidden
    if kind == "inside":
        return _inside(d)
    if kind == "stack":
        return _stack(d)
    flat = f"torch.zeros({B}, {H})"
    count = 2 if kind in ("lstmcell", "lstm") else 1
    zeros = f"torch.zeros(1, {B}, {H})" if kind in ("rnn", "lstm") else flat
    if count == 1 and d.chance(0.12):
        h0 = d.role("h0", "setup", "h0", "initial")
        wide = zeros.replace(f"{B}, {H}", f"1, {H}") if kind != "rnn" else f"torch.zeros(1, 1, {H})"
        d.setup.append(f"{h0} = nn.Parameter({wide})")
        d.tensors.append(h0)
        shape = f"1, {B}, {H}" if kind == "rnn" else f"{B}, {H}"
        zeros = d.pick(f"{h0}.expand({shape})", f"torch.tanh({h0}).expand({shape})", f"({h0} + torch.zeros({shape}))")
        d.feature("learned-start")
    at = place(d, zeros, count)
    d.before += at.before
    old, new, forward = at.read, at.new, d.slots["forward"]
    core = d.role("core", "setup", "cell", "rnn", "lstm" if count > 1 else "gru", "core")
    top = new[0]
    if kind == "cell":
        d.setup.append(f"{core} = nn.{d.pick('GRUCell', 'RNNCell')}({D}, {H})")
        d.modules.append(core)
        forward.append(f"{new[0]} = {core}($x, {old[0]})")
    elif kind == "lstmcell":
        d.setup.append(f"{core} = nn.LSTMCell({D}, {H})")
        d.modules.append(core)
        forward.append(f"{', '.join(new)} = {core}($x, ({', '.join(old)}))")
    elif kind in ("rnn", "lstm"):
        layers = d.pick("", ", batch_first=True")
        d.setup.append(f"{core} = nn.{d.pick('RNN', 'GRU') if kind == 'rnn' else 'LSTM'}({D}, {H}{layers})")
        d.modules.append(core)
        axis = 1 if layers else 0
        states = (new[0], old[0]) if kind == "rnn" else (f"({', '.join(new)})", f"({', '.join(old)})")
        forward.append(f"$seq, {states[0]} = {core}($x.unsqueeze({axis}), {states[1]})")
        top = d.pick(
            f"$seq.squeeze({axis})", f"{new[0]}[-1]", f"{new[0]}.squeeze(0)", "$seq[:, -1]" if axis else "$seq[-1]"
        )
    else:
        inp = d.role("inp", "setup", "inp", "fc_in", "embed", "proj")
        d.setup.append(f"{inp} = nn.Linear({D}, {H})")
        d.modules.append(inp)
        style = d.pick("tanh", "leaky", "free", "gate", "memory", "op", "spike", "param")
        d.feature("manual", style)
        if style == "tanh":
            d.setup.append(f"{core} = nn.Linear({H}, {H})")
            d.modules.append(core)
            forward.append(f"{new[0]} = torch.tanh({inp}($x) + {core}({old[0]}))")
        elif style == "param":
            d.setup.append(f"{core} = nn.Parameter(0.1 * torch.randn({H}, {H}))")
            d.tensors.append(core)
            forward.append(f"{new[0]} = F.relu({inp}($x) + {old[0]} @ {core})")
        elif style == "leaky":
            forward.append(f"{new[0]} = {d.pick('0.9', '0.5')} * {old[0]} + {inp}($x)")
        elif style == "free":
            forward.append(
                d.pick(
                    f"{new[0]} = {old[0]} + {inp}($x)",
                    f"{new[0]} = {inp}($x) - {old[0]}",
                    f"{new[0]} = torch.roll({old[0]}, 1, 0) + {inp}($x)",
                )
            )
        elif style == "gate":
            d.setup.append(f"{core} = nn.Linear({D + H}, {H})")
            d.modules.append(core)
            forward += [
                f"$gate = torch.sigmoid({core}(torch.cat([$x, {old[0]}], dim=1)))",
                f"{new[0]} = $gate * {old[0]} + (1 - $gate) * {inp}($x)",
            ]
        elif style == "memory":
            forward.append(f"{new[0]} = torch.softmax({old[0]} @ {old[0]}.t(), dim=-1) @ {old[0]} + {inp}($x)")
        elif style == "spike":
            forward += [
                f"{new[0]} = 0.8 * {old[0]} + {inp}($x)",
                f"$spk = torch.sigmoid(5.0 * ({new[0]} - 1.0))",
                f"{new[0]} = {new[0]} - $spk{d.pick('', '.detach()')}",
            ]
            top = "$spk"
        else:
            forward.append(f"{new[0]} = {operation(d, f'({inp}($x) + {old[0]})', 0.5)}")
    head = d.role("head", "setup", "head", "readout", "decoder")
    d.setup.append(f"{head} = nn.Linear({H}, {d.outputs})")
    d.modules.append(head)
    if at.kind != "names" and d.chance(0.3):
        forward += [*at.write(new), f"$out = {head}({top})"]
    else:
        forward += [f"$out = {head}({top})", *at.write(new)]
    if d.chance(0.1):
        i = d.use_counter()
        d.slots["start"] += [
            d.pick(f"if {i} == 2:", f"if {i} % 2 == 0:", f"if {i} > 1:"),
            *indent(whole_reset(at, zeros if "$" not in zeros else f"torch.zeros({B}, {H})", kind, d)),
        ]
    if d.chance(0.06):
        i = d.use_counter()
        d.slots["mid"] += [f"if {i} == 0:", f"    {SKIP}"]
        d.feature("skip")
    cut(d, at)


def whole_reset(at: Place, zeros: str, kind: str, d: Draft) -> list[str]:
    d.feature("reset")
    return at.write([zeros if kind != "rnn" else f"torch.zeros(1, {d.batch}, {d.hidden})"] * len(at.read))


def _inside(d: Draft) -> None:
    """A module that keeps its state on itself."""
    B, D, H, O = d.batch, d.inputs, d.hidden, d.outputs
    name = d.pick("StatefulNet", "Recurrent", "MemoryModel", "Agent", "LeakyLayer")
    attr = d.pick("hidden", "state", "h", "mem", "memory")
    cell = d.pick("gru", "lstm", "leaky", "free", "buffer", "dict")
    d.feature("inside", cell)
    init = ["super().__init__()", f"self.inp = nn.Linear(size, {H})", f"self.head = nn.Linear({H}, {O})"]
    zero = f"torch.zeros({B}, {H})"
    reset = [
        f"self.{attr} = None"
        if d.chance(0.4) and cell in ("gru", "lstm", "leaky", "free")
        else f"self.{attr} = {f'({zero}, {zero})' if cell == 'lstm' else zero}"
    ]
    lazy = reset[0].endswith("None")
    body: list[str] = ["z = self.inp(x)"]
    if lazy:
        body += [
            f"if self.{attr} is None:",
            f"    self.{attr} = {f'({zero}, {zero})' if cell == 'lstm' else d.pick(zero, 'torch.zeros_like(z)', f'x.new_zeros({B}, {H})')}",
        ]
    old = f"self.{attr}"
    detach = f"self.{attr} = self.{attr}.detach()"
    if cell == "lstm":
        init.append(f"self.cell = nn.LSTMCell({H}, {H})")
        detach = d.pick(
            f"self.{attr} = tuple(s.detach() for s in self.{attr})",
            f"self.{attr} = (self.{attr}[0].detach(), self.{attr}[1])",
            f"h, c = self.{attr}\n        self.{attr} = h.detach(), c.detach()",
        )
        update = [
            f"h, c = self.cell(z, {old})",
            f"self.{attr} = {d.pick('(h, c)', '(h, c)', '(h.detach(), c.detach())', '(h, c.detach())')}",
        ]
        top = "h"
    elif cell == "gru":
        init.append(f"self.cell = nn.GRUCell({H}, {H})")
        update = d.pick(
            [f"self.{attr} = self.cell(z, {old})"],
            [f"h = self.cell(z, {old})", f"self.{attr} = h{d.pick('', '.detach()', '.clone()')}"],
            [f"self.{attr} = self.cell(z, {old}.detach())"],
        )
        top = f"self.{attr}"
    elif cell == "leaky":
        update = d.pick(
            [f"self.{attr} = 0.9 * {old} + z"],
            [f"self.{attr} = torch.tanh({old} + z)"],
            [f"self.{attr} = 0.9 * {old}.detach() + z"],
            [f"self.{attr} = F.relu({operation(d, old)} + z)"],
        )
        top = f"self.{attr}"
    elif cell == "free":
        update = [f"self.{attr} = {old} + z"]
        top = f"self.{attr}"
    elif cell == "dict":
        reset = [f'self.{attr} = {{"h": {zero}}}']
        old = f'self.{attr}["h"]'
        update = [f"{old} = {operation(d, old)} + z"]
        detach = f"{old} = {old}.detach()"
        top = old
    else:
        reset = []
        init.append(f'self.register_buffer("{attr}", {zero})')
        update = d.pick(
            [f"h = torch.tanh(z + {old})", f"self.{attr} = h{d.pick('', '.detach()')}"], [f"h = z + {old}", f"self.{attr}.copy_(h.detach())"],
            [f"h = z + {old}.clone()", f"self.{attr}[:] = h"], [f"h = z * {old}.clone()", "with torch.no_grad():", f"    self.{attr}.copy_(h)"], [f"h = z * {old}", f"self.{attr}.copy_(h.detach())"],
            [f"h = torch.tanh(z + {old})", f"self.{attr}.mul_(0.9).add_(h{d.pick('', '.detach()')})"],
        )  # fmt: skip
        top = "h"
    body += update
    body.append(f"return self.head({top})")
    lines = [
        f"class {name}(nn.Module):",
        "    def __init__(self, size):",
        *indent([*init, *(["self.reset()"] if reset else [])], 2),
    ]
    if reset:
        lines += ["", "    def reset(self):", *indent(reset, 2)]
    method = d.pick("detach_state", "truncate", "detach_hidden")
    lines += [
        "",
        f"    def {method}(self):",
        *indent(
            detach.split("\n        ")
            if not lazy
            else [f"if self.{attr} is not None:", *indent(detach.split(chr(10) + "        "))],
            2,
        ),
    ]
    lines += ["", "    def forward(self, x):", *indent(body, 2)]
    d.define("\n".join(lines))
    model = d.role("model", "setup", "model", "net", "policy", "agent")
    d.setup.append(f"{model} = {name}({D})")
    d.modules.append(model)
    d.slots["forward"].append(f"$out = {model}($x)")
    call = d.weighted({"none": 3.0, "detach": 3.0, "reset": 2.0 if reset else 0.0, "gap": 1.5, "epoch": 0.5})
    d.feature("call", call)
    if call in ("detach", "reset"):
        d.slots[d.pick("start", "end")].append(f"{model}.{method if call == 'detach' else 'reset'}()")
    elif call == "gap":
        i, k = d.use_counter(), d.pick(2, 3)
        d.slots["start"] += [f"if {i} % {k} == 0:", f"    {model}.{d.pick(method, 'reset') if reset else method}()"]
    elif call == "epoch":
        d.before.append(f"{model}.{method}()")


def _stack(d: Draft) -> None:
    """Several cells whose states are a list."""
    B, D, H, O = d.batch, d.inputs, d.hidden, d.outputs
    cells, states = d.role("cells", "setup", "cells", "layers"), d.role("states", "carried", "states", "hidden", "hs")
    head = d.role("head", "setup", "head", "readout")
    lstm = d.chance(0.5)
    d.feature("stack", "lstm" if lstm else "gru")
    kind = "LSTMCell" if lstm else "GRUCell"
    d.setup += [f"{cells} = nn.ModuleList([nn.{kind}({D}, {H}), nn.{kind}({H}, {H})])", f"{head} = nn.Linear({H}, {O})"]
    d.modules += [cells, head]
    zero = f"torch.zeros({B}, {H})"
    d.before.append(f"{states} = [{f'({zero}, {zero})' if lstm else zero} for _ in {cells}]")
    d.slots["forward"] += ["$z = $x", f"for $j, $cell in enumerate({cells}):"]
    style = d.pick("index", "append")
    if style == "index":
        d.slots["forward"] += [
            f"    {states}[$j] = $cell($z, {states}[$j])",
            f"    $z = {states}[$j]{'[0]' if lstm else ''}",
        ]
    else:
        d.slots["forward"].insert(0, "$fresh = []")
        d.slots["forward"] += [
            f"    $z = $cell($z, {states}[$j])",
            "    $fresh.append($z)",
            *(["    $z = $z[0]"] if lstm else []),
        ]
        d.slots["forward"].append(f"{states} = $fresh")
    d.slots["forward"].append(f"$out = {head}($z)")
    whole = [f"{states} = [{'tuple(p.detach() for p in s)' if lstm else 's.detach()'} for s in {states}]"]
    half = [f"{states} = [{'(s[0].detach(), s[1])' if lstm else 's'} for s in {states}]"]
    one = [f"{states}[0] = {f'tuple(p.detach() for p in {states}[0])' if lstm else f'{states}[0].detach()'}"]
    dead = [f"for s in {states}:", "    " + ("s = tuple(p.detach() for p in s)" if lstm else "s = s.detach()")]
    fresh = [f"{states} = [{f'({zero}, {zero})' if lstm else zero} for _ in range(2)]"]
    which = d.weighted({"whole": 4.0, "half": 1.0, "one": 1.0, "dead": 1.0, "fresh": 1.5, "none": 2.0})
    d.feature("cut", "stack", which)
    lines = {"whole": whole, "half": half, "one": one, "dead": dead, "fresh": fresh, "none": list[str]()}[which]
    slot = d.pick("start", "end", "mid")
    d.slots[slot][:] = [*lines, *d.slots[slot]] if slot == "start" else [*d.slots[slot], *lines]
