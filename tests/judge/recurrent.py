"""Forward computations that carry state from iteration to iteration: cells, sequences, own recurrences, modules with
memory."""

from __future__ import annotations

from tests.judge.cut import cut
from tests.judge.draft import SKIP, Draft, indent
from tests.judge.models import operation
from tests.judge.place import Place, place


def recurrent(d: Draft) -> None:
    """`$out` from `$x` and a carried state."""
    kind = d.weighted(
        {
            "cell": 3.0,
            "lstmcell": 2.0,
            "rnn": 1.5,
            "lstm": 2.0,
            "manual": 2.5,
            "inside": 3.0,
            "stack": 1.2,
            "wrapped": 2.5,
        }
    )
    d.feature("recurrent", kind)
    B, D, H = d.batch, d.inputs, d.hidden
    if kind in ("inside", "stack", "wrapped"):
        {"inside": _inside, "stack": _stack, "wrapped": _wrapped}[kind](d)
        return
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
    B, D, H = d.batch, d.inputs, d.hidden
    name = d.pick("StatefulNet", "Recurrent", "MemoryModel", "Agent", "LeakyLayer")
    attr = d.pick("hidden", "state", "h", "mem", "memory")
    cell = d.pick("gru", "lstm", "leaky", "free", "buffer", "dict")
    d.feature("inside", cell)
    init = ["super().__init__()", f"self.inp = nn.Linear(size, {H})", f"self.head = nn.Linear({H}, {d.outputs})"]
    zero = f"torch.zeros({B}, {H})"
    reset = [
        f"self.{attr} = None"
        if d.chance(0.4) and cell in ("gru", "lstm", "leaky", "free")
        else f"self.{attr} = {f'({zero}, {zero})' if cell == 'lstm' else zero}"
    ]
    lazy = reset[0].endswith("None")
    body: list[str] = ["z = self.inp(x)"]
    if lazy:
        first = d.pick(zero, "torch.zeros_like(z)", f"x.new_zeros({B}, {H})")
        body += [f"if self.{attr} is None:", f"    self.{attr} = {f'({zero}, {zero})' if cell == 'lstm' else first}"]
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
            [f"h = torch.tanh(z + {old})", f"self.{attr} = h{d.pick('', '.detach()')}"],
            [f"h = z + {old}", f"self.{attr}.copy_(h.detach())"],
            [f"h = z + {old}.clone()", f"self.{attr}[:] = h"],
            [f"h = z * {old}.clone()", "with torch.no_grad():", f"    self.{attr}.copy_(h)"],
            [f"h = z * {old}", f"self.{attr}.copy_(h.detach())"],
            [f"h = torch.tanh(z + {old})", f"self.{attr}.mul_(0.9).add_(h{d.pick('', '.detach()')})"],
        )
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
    call = d.weighted({"none": 4.0, "detach": 3.0, "reset": 1.0 if reset else 0.0, "gap": 1.5, "epoch": 0.7})
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
    B, D, H = d.batch, d.inputs, d.hidden
    cells, states = d.role("cells", "setup", "cells", "layers"), d.role("states", "carried", "states", "hidden", "hs")
    head = d.role("head", "setup", "head", "readout")
    lstm = d.chance(0.5)
    d.feature("stack", "lstm" if lstm else "gru")
    kind = "LSTMCell" if lstm else "GRUCell"
    d.setup += [
        f"{cells} = nn.ModuleList([nn.{kind}({D}, {H}), nn.{kind}({H}, {H})])",
        f"{head} = nn.Linear({H}, {d.outputs})",
    ]
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


def _wrapped(d: Draft) -> None:
    """A module that is given its state and gives it back, as one tensor or a tuple, `None` at first."""
    B, D, H = d.batch, d.inputs, d.hidden
    name = d.pick("CharModel", "SequenceModel", "Core", "RecurrentNet")
    kind = d.pick("lstm", "lstm", "gru", "lstmcell", "dict", "leaky")
    inside = d.weighted({"none": 5.0, "detach": 1.5, "half": 1.0, "clone": 0.5})
    d.feature("wrapped", kind, inside)
    init = ["super().__init__()", f"self.inp = nn.Linear(size, {H})", f"self.head = nn.Linear({H}, {d.outputs})"]
    flat, deep = f"torch.zeros({B}, {H})", f"torch.zeros(1, {B}, {H})"
    if kind in ("lstm", "lstmcell"):
        zero = deep if kind == "lstm" else flat
        first = d.pick(f"state = ({zero}, {zero})", f"state = tuple({zero} for _ in range(2))")
        cuts = {
            "detach": "state = tuple(s.detach() for s in state)",
            "half": "state = (state[0].detach(), state[1])",
            "clone": "state = tuple(s.clone() for s in state)",
        }
        init.append(f"self.rnn = nn.{'LSTM' if kind == 'lstm' else 'LSTMCell'}({H}, {H})")
        body = (
            ["out, state = self.rnn(z.unsqueeze(0), state)", "out = out.squeeze(0)"]
            if kind == "lstm"
            else ["state = self.rnn(z, state)", "out = state[0]"]
        )
        parts, shape = ["$state[0]", "$state[1]"], "({})"
    elif kind == "dict":
        first = f'state = {{"h": {flat}, "n": 0}}'
        cuts = {
            "detach": 'state = {"h": state["h"].detach(), "n": state["n"]}',
            "half": 'state["h"].detach()',
            "clone": 'state = {"h": state["h"].clone(), "n": 1}',
        }
        body = [
            f"out = {operation(d, '(z + state[' + chr(34) + 'h' + chr(34) + '])')}",
            d.pick('state = {"h": out, "n": state["n"] + 1}', 'state = {**state, "h": out}', 'state["h"] = out'),
        ]
        parts, shape = ['$state["h"]'], '{{"h": {}, "n": 0}}'
    else:
        first = f"state = {deep if kind == 'gru' else flat}"
        cuts = {"detach": "state = state.detach()", "half": "state.detach()", "clone": "state = state.clone()"}
        init.append(f"self.rnn = nn.GRU({H}, {H})" if kind == "gru" else f"self.decay = nn.Parameter(torch.ones({H}))")
        body = (
            ["out, state = self.rnn(z.unsqueeze(0), state)", "out = out.squeeze(0)"]
            if kind == "gru"
            else ["state = torch.sigmoid(self.decay) * state + z", "out = state"]
        )
        parts, shape = ["$state"], "{}"
    cut_inside = [
        "if state is None:",
        f"    {first}",
        *(
            ["else:", f"    {cuts[inside]}"]
            if inside != "none" and d.chance(0.5)
            else [cuts[inside]]
            if inside != "none"
            else []
        ),
    ]
    returned = d.pick(
        "return self.head(out), state", "return self.head(out), state", "logits = self.head(out)\nreturn logits, state"
    )
    lines = [
        f"class {name}(nn.Module):",
        "    def __init__(self, size):",
        *indent(init, 2),
        "",
        "    def forward(self, x, state=None):",
        *indent(["z = self.inp(x)", *cut_inside, *body, *returned.split("\n")], 2),
    ]
    d.define("\n".join(lines))
    model = d.role("model", "setup", "model", "net", "lm", "agent")
    state = d.role("state", "carried", "state", "hidden", "memory")
    d.setup.append(f"{model} = {name}({D})")
    d.modules.append(model)
    d.before.append(f"{state} = None")
    d.slots["forward"].append(
        d.pick(
            f"$out, {state} = {model}($x, {state})",
            f"$out, {state} = {model}($x, state={state})",
            f"$out, $new_state = {model}($x, {state})\n{state} = $new_state",
        )
    )
    d.slots["forward"] = [line for text in d.slots["forward"] for line in text.split("\n")]
    outside = d.weighted(
        {"none": 2.5, "right": 4.0, "half": 1.0, "dropped": 0.7, "gap": 1.0, "reset": 1.0, "type": 0.8}
    )
    every = f"{state} = " + shape.format(", ".join(f"{part}.detach()" for part in parts))
    if kind in ("lstm", "lstmcell"):
        every = d.pick(
            every, f"{state} = tuple(s.detach() for s in {state})", f"{state} = tuple(s.data for s in {state})"
        )
    slot = d.pick("end", "end", "start")
    guard = slot == "start"
    lines = {
        "none": list[str](),
        "right": [every],
        "dropped": [f"{part}.detach()" for part in parts],
        "reset": [f"{state} = None"],
        "half": [f"{state} = ({state}[0].detach(), {state}[1])"] if len(parts) > 1 else [every],
        "gap": [f"if {d.use_counter()} % {d.pick(2, 3)} == 0:", f"    {every}"] if outside == "gap" else [],
        "type": [
            d.pick(
                f"if isinstance({state}, tuple):",
                f"if isinstance({state}, torch.Tensor):",
                f"if isinstance({state}, dict):",
                f"if {state} is not None:",
            ),
            f"    {every}",
        ],
    }[outside]
    if guard and lines:
        lines = [f"if {state} is not None:", *indent(lines)]
    d.feature("cut", "wrapped", outside, slot)
    d.slots[slot] += lines
