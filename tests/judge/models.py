"""Forward computations: from `$x` to `$out`, as modules, sequences, functions or bare parameters.

Operations are drawn from two lists, those that save tensors for their backward and those that save nothing, because
that difference alone decides whether a second walk raises.
"""

from __future__ import annotations

from tests.judge.draft import Draft, indent

SAVING = (
    "torch.tanh({h})",
    "F.relu({h})",
    "torch.sigmoid({h})",
    "{h} * 0.5",
    "F.gelu({h})",
    "F.softmax({h}, dim=-1)",
    "F.leaky_relu({h}, 0.2)",
    "{h} / ({h}.norm() + 1e-6)",
    "F.normalize({h}, dim=-1)",
    "{h}.tanh()",
    "{h}.clamp(min=-1.0)",
    "{h} ** 2",
    "torch.exp(-{h})",
    "{h}.abs()",
    "F.softplus({h})",
    "F.layer_norm({h}, ({H},))",
    "{h} * torch.sigmoid({h})",
    "{h} / 2",
    "torch.where({h} > 0, {h}, 0.1 * {h})",
    "{h} - {h}.max(dim=1, keepdim=True).values",
    "{h}.masked_fill({h} > 3.0, 0.0)",
    "torch.sqrt({h} ** 2 + 1e-6)",
    "F.silu({h})",
    "F.elu({h})",
    "F.dropout({h}, 0.1)",
    "torch.mul({h}, 0.9)",
    "{h}.pow(2)",
    "{h}.sin()",
    "F.hardtanh({h})",
    "{h}[:, torch.arange({H})]",
    "torch.matmul({h}, torch.eye({H}))",
    "F.log_softmax({h}, dim=1)",
)
FREE = (
    "{h} + 1.0",
    "-{h}",
    "{h}.view(-1, {H})",
    "{h}.reshape({h}.size(0), -1)",
    "{h}.flatten(1)",
    "{h}.clone()",
    "{h}.contiguous()",
    "{h} - {h}.mean(dim=1, keepdim=True)",
    "torch.cat([{h}[:, 1:], {h}[:, :1]], dim=1)",
    "{h} + {h}",
    "{h}.flip(1)",
    "{h}.t().t()",
    "torch.stack([{h}, {h}]).sum(0)",
    "{h}.cumsum(dim=1)",
    "{h}.unsqueeze(1).squeeze(1)",
    "{h}.roll(1, 1)",
    "1.0 - {h}",
    "{h}.float()",
    "{h} - 0.5",
    "F.dropout({h}, 0.1, training=False)",
    "{h}.tril()",
    "F.pad({h}, (0, 0))",
    "{h}.round()",
    "torch.cat({h}.chunk(2, dim=1), dim=1)",
    "{h}[:, :]",
    "{h}.permute(1, 0).transpose(0, 1)",
    "{h}.detach() + {h}",
    "nn.Identity()({h})",
    "torch.zeros_like({h}) + {h}",
    "{h}.expand(-1, {H})",
    "sum([{h}, {h}])",
    "torch.add({h}, {h}, alpha=0.5)",
)
ACTIVATIONS = (
    "nn.ReLU()",
    "nn.Tanh()",
    "nn.Sigmoid()",
    "nn.GELU()",
    "nn.LeakyReLU(0.2)",
    "nn.SiLU()",
    "nn.ELU()",
    "nn.Identity()",
)


def operation(d: Draft, h: str, free: float = 0.3) -> str:
    """One operation on a (batch, hidden) tensor that keeps its shape."""
    return d.pick(*(FREE if d.chance(free) else SAVING)).format(h=h, H=d.hidden)


def chain(d: Draft, name: str, count: int, free: float = 0.3) -> list[str]:
    return [f"{name} = {operation(d, name, free)}" for _ in range(count)]


def sequential(d: Draft, size_in: int, size_out: int, hidden: int) -> str:
    """The text of an nn.Sequential with one hidden layer, and sometimes a norm or dropout."""
    layers = [f"nn.Linear({size_in}, {hidden})"]
    if d.chance(0.3):
        layers.append(d.pick(f"nn.LayerNorm({hidden})", f"nn.BatchNorm1d({hidden})", "nn.Dropout(0.1)"))
    layers += [d.pick(*ACTIVATIONS), f"nn.Linear({hidden}, {size_out})"]
    return f"nn.Sequential({', '.join(layers)})"


_BLOCKS = ("op", "op", "op", "norm", "drop", "scale", "bias", "branch", "residual", "buffer", "list", "choice")


def own_module(d: Draft, size_in: int, size_out: int, name: str) -> str:
    """A class of the program's own; returns the text that makes an instance."""
    hidden = d.hidden
    init = [f"self.inp = nn.Linear(size, {hidden})", f"self.out = nn.Linear({hidden}, {size_out})"]
    body = ["h = self.inp(x)"]
    for _ in range(d.pick(1, 1, 2, 3)):
        kind = d.pick(*_BLOCKS)
        if kind == "op":
            body.append(f"h = {operation(d, 'h')}")
        elif kind == "norm":
            init.append(f"self.norm = nn.LayerNorm({hidden})")
            body.append("h = self.norm(h)")
        elif kind == "drop":
            init.append("self.drop = nn.Dropout(0.1)")
            body.append("h = self.drop(h)")
        elif kind == "scale":
            init.append(f"self.scale = nn.Parameter(torch.ones({hidden}))")
            body.append("h = h * self.scale")
        elif kind == "bias":
            init.append(f"self.bias = nn.Parameter(torch.zeros({hidden}))")
            body.append("h = h + self.bias")
        elif kind == "branch":
            body += ["if self.training:", "    h = " + operation(d, "h"), "else:", "    h = " + operation(d, "h")]
        elif kind == "list":
            init.append(f"self.layers = nn.ModuleList([nn.Linear({hidden}, {hidden}) for _ in range(2)])")
            body += ["for layer in self.layers:", f"    h = {operation(d, 'layer(h)')}"]
        elif kind == "choice":
            init.append(f'self.acts = nn.ModuleDict({{"a": nn.Tanh(), "b": nn.Linear({hidden}, {hidden})}})')
            body.append(f'h = self.acts["{d.pick("a", "b")}"](h)')
        elif kind == "residual":
            body.append(f"h = h + {operation(d, 'h')}")
        else:
            init.append(f'self.register_buffer("mask", torch.ones({hidden}))')
            body.append("h = h * self.mask")
    last = "return self.out(h)"
    if d.chance(0.2):
        body += ["if x.dim() == 1:", "    return self.out(h.view(1, -1))"]
    call = d.pick("super().__init__()", f"super({name}, self).__init__()")
    lines = [f"class {name}(nn.Module):", "    def __init__(self, size):", *indent([call, *dict.fromkeys(init)], 2)]
    if d.chance(0.3):
        lines += [
            "",
            "    def encode(self, x):",
            *indent([*body, "return h"], 2),
            "",
            "    def forward(self, x):",
            "        return self.out(self.encode(x))",
        ]
        lines = [line for line in lines if "self.out(h.view(1" not in line and "if x.dim() == 1" not in line]
    elif d.chance(0.2):  # the body is inherited, the subclass adds the output
        d.feature("inherits")
        base = f"{name}Base"
        lines = [
            line.replace(f"class {name}(", f"class {base}(").replace(f"super({name}", f"super({base}") for line in lines
        ]
        lines += ["", "    def forward(self, x):", *indent([*body, "return h"], 2)]
        d.define(*[line for line in lines if "self.out" not in line and "if x.dim() == 1" not in line])
        head = d.pick(
            f"self.out = nn.Linear({hidden}, {size_out})",
            f"self.out = nn.Sequential(nn.Tanh(), nn.Linear({hidden}, {size_out}))",
        )
        call = d.pick("super().__init__(size)", f"super({name}, self).__init__(size)", f"{base}.__init__(self, size)")
        lines = [
            f"class {name}({base}):",
            "    def __init__(self, size):",
            *indent([call, head], 2),
            "",
            "    def forward(self, x):",
            "        return self.out(super().forward(x))",
        ]
    else:
        lines += ["", "    def forward(self, x):", *indent([*body, last], 2)]
    d.define(*lines)
    return f"{name}({d.pick(str(size_in), f'size={size_in}')})"


def module(d: Draft, role: str, size_in: int, size_out: int, *names: str) -> str:
    """Make a trained module from (batch, size_in) to (batch, size_out); returns its placeholder."""
    kind = d.weighted({"linear": 2.0, "sequential": 3.0, "own": 3.0})
    d.feature("model", kind)
    placeholder = d.role(role, "setup", *names)
    if kind == "linear":
        text = f"nn.Linear({size_in}, {size_out}{d.pick('', '', ', bias=False')})"
    elif kind == "sequential":
        text = sequential(d, size_in, size_out, d.hidden)
    else:
        name = "".join(part.title() for part in d.names[role].split("_"))
        name += "Net" if name == d.names[role] else d.pick("", "Net", "Model", "Block")
        text = own_module(d, size_in, size_out, name)
    d.setup.append(f"{placeholder} = {text}")
    d.modules.append(placeholder)
    return placeholder


def feedforward(d: Draft) -> None:
    """`$out` from `$x` without state; where the model is split, `$feat` is its (batch, hidden) middle."""
    kind = d.weighted(
        {"module": 4.0, "split": 3.0, "bare": 2.0, "conv": 1.0, "tokens": 1.0, "attention": 1.0, "free": 1.0}
    )
    d.feature("forward", kind)
    forward = d.slots["forward"]
    if kind == "module":
        model = module(d, "model", d.inputs, d.outputs, "model", "net", "policy", "predictor")
        forward.append(f"$out = {model}($x)")
    elif kind == "split":
        encoder = module(d, "enc", d.inputs, d.hidden, "encoder", "backbone", "trunk", "body")
        head = module(d, "head", d.hidden, d.outputs, "head", "decoder", "classifier", "readout")
        forward.append(f"$feat = {encoder}($x)")
        forward += chain(d, "$feat", d.pick(0, 0, 1, 2))
        if d.chance(0.15):
            d.modules.remove(encoder)
            d.setup += d.pick(
                [f"for $p in {encoder}.parameters():", "    $p.requires_grad_(False)"],
                [f"{encoder}.requires_grad_(False)"],
                [f"{encoder}.eval()"],
            )
            d.feature("frozen")
        forward.append(f"$out = {head}($feat)")
    elif kind == "bare":
        w = d.role("w", "setup", "w", "weight", "w1", "theta")
        b = d.role("b", "setup", "b", "bias", "b1")
        v = d.role("v", "setup", "v", "w2", "proj")
        make = d.pick("nn.Parameter(0.1 * torch.randn({}))", "torch.randn({}, requires_grad=True)")
        d.setup += [
            f"{w} = {make.format(f'{d.inputs}, {d.hidden}')}",
            f"{b} = torch.zeros({d.hidden}, requires_grad=True)",
            f"{v} = {make.format(f'{d.hidden}, {d.outputs}')}",
        ]
        d.tensors += [w, b, v]
        forward.append(
            d.pick(
                f"$feat = $x @ {w} + {b}", f"$feat = F.linear($x, {w}.t(), {b})", f"$feat = torch.addmm({b}, $x, {w})"
            )
        )
        forward += chain(d, "$feat", d.pick(0, 1, 2))
        forward.append(d.pick(f"$out = $feat @ {v}", f"$out = torch.matmul($feat, {v})"))
    elif kind == "conv":
        conv = d.role("conv", "setup", "conv", "features")
        head = d.role("head", "setup", "fc", "head")
        d.setup += [f"{conv} = nn.Conv1d(1, {d.hidden}, 3, padding=1)", f"{head} = nn.Linear({d.hidden}, {d.outputs})"]
        d.modules += [conv, head]
        forward += [f"$feat = F.relu({conv}($x.unsqueeze(1))).mean(dim=-1)", f"$out = {head}($feat)"]
    elif kind == "tokens":
        embed = d.role("embed", "setup", "embedding", "embed", "emb")
        head = d.role("head", "setup", "fc", "head", "decoder")
        d.setup += [f"{embed} = nn.Embedding(7, {d.hidden})", f"{head} = nn.Linear({d.hidden}, {d.outputs})"]
        d.modules += [embed, head]
        forward += [
            f"$feat = {embed}(($x > 0).long()).{d.pick('mean(1)', 'sum(dim=1)', 'max(dim=1).values')}",
            f"$out = {head}($feat)",
        ]
    elif kind == "attention":
        names = [
            d.role(role, "setup", *options)
            for role, options in (("q", ("to_q", "query")), ("kk", ("to_k", "key")), ("vv", ("to_v", "value")))
        ]
        head = d.role("head", "setup", "out_proj", "head")
        d.setup += [f"{name} = nn.Linear({d.inputs}, {d.hidden})" for name in names]
        d.setup.append(f"{head} = nn.Linear({d.hidden}, {d.outputs})")
        d.modules += [*names, head]
        forward += [
            f"$att = torch.softmax({names[0]}($x) @ {names[1]}($x).t() / {d.hidden} ** 0.5, dim=-1)",
            f"$feat = $att @ {names[2]}($x)",
            f"$out = {head}($feat)",
        ]
    else:  # a model of operations that save nothing
        b = d.role("b", "setup", "offset", "shift", "bias")
        d.setup.append(f"{b} = nn.Parameter(torch.zeros({d.inputs}))")
        d.tensors.append(b)
        forward.append(f"$feat = $x + {b}")
        if d.chance(0.5):
            forward.append(
                f"$feat = {d.pick('$feat.flip(1)', '-$feat', '$feat.cumsum(1)', '$feat.clone()', '$feat * 1.0')}"
            )
        forward.append(f"$out = $feat[:, :{d.outputs}]")


def loss_of(d: Draft, out: str = "$out", target: str = "$y", free: float = 0.12) -> str:
    """The text of a scalar loss between two (batch, outputs) tensors, or logits and classes."""
    if d.chance(free):
        return d.pick(f"{out}.sum()", f"{out}.mean()", f"({out} - 1.0).mean()")
    if target == "$y" and d.chance(0.25):
        return f"{_criterion(d)}({out}, {target})"
    if d.classes:
        return d.pick(
            f"F.cross_entropy({out}, {target})",
            f"F.nll_loss(F.log_softmax({out}, dim=-1), {target})",
            f"F.cross_entropy({out}, {target}, label_smoothing=0.1)",
        )
    return d.pick(
        f"F.mse_loss({out}, {target})",
        f"(({out} - {target}) ** 2).mean()",
        f"({out} - {target}).pow(2).sum()",
        f"F.smooth_l1_loss({out}, {target})",
        f"({out} - {target}).abs().mean()",
        f"torch.norm({out} - {target})",
        f"({out} * {target}).sum()",
        f"F.mse_loss({out}, {target}, reduction='none').mean()",
    )


def _criterion(d: Draft) -> str:
    """A loss kept under a name: a module, a lambda, a function of the program, a partial."""
    known = "criterion" in d.names
    name = d.role("criterion", "setup", "criterion", "loss_fn", "objective_fn")
    if known:
        return name
    kind = d.pick("module", "module", "lambda", "function", "partial")
    d.feature("criterion", kind)
    call = "F.cross_entropy" if d.classes else "F.mse_loss"
    if kind == "module":
        text = "nn.CrossEntropyLoss()" if d.classes else d.pick("nn.MSELoss()", "nn.L1Loss()", "nn.SmoothL1Loss()")
    elif kind == "lambda":
        text = f"lambda a, b: {call}(a, b)" if d.chance(0.6) else f"lambda *args: 0.5 * {call}(*args)"
    elif kind == "partial":
        d.need("import functools")
        text = f"functools.partial({call}, reduction='{d.pick('mean', 'sum')}')"
    else:
        d.define(
            "def scaled_loss(prediction, target, scale=0.5, **options):",
            f"    return scale * {call}(prediction, target, **options)",
        )
        text = "scaled_loss"
    d.setup.append(f"{name} = {text}")
    return name
