"""Spiking neurons of snnTorch and SpikingJelly: modules that keep their membrane on themselves between calls.

Measured on snnTorch 1.0.0 and SpikingJelly 2.0.0: a neuron with hidden state carries its graph from call to call until
something resets or detaches it. `snntorch.utils.reset(net)` looks at the direct children of `net` only, and then resets
every living neuron of each class it found there; `spikingjelly...functional.reset_net(net)` resets the whole sub-tree
of its argument and nothing else.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Builtin, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch import backward
from secondpass.pytorch.modules import CLASSES as LAYERS
from secondpass.pytorch.modules import Module, children, modules
from secondpass.pytorch.operands import OPAQUE, argument, as_tensor, operands_in, parameter, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine
    from secondpass.pytorch.functions import Run

STATES: dict[str, tuple[str, ...]] = {
    "Leaky": ("mem",),
    "RLeaky": ("spk", "mem"),
    "Lapicque": ("mem",),
    "Synaptic": ("syn", "mem"),
    "RSynaptic": ("spk", "syn", "mem"),
    "Alpha": ("syn_exc", "syn_inh", "mem"),
    "SLSTM": ("syn", "mem"),
    "SConv2dLSTM": ("syn", "mem"),
}
"""The states of snnTorch's neurons, in the order in which a call takes and returns them."""
JELLY = (
    "LIFNode IFNode ParametricLIFNode QIFNode EIFNode IzhikevichNode LIAFNode KLIFNode PSN MaskedPSN "
    "GatedLIFNode CLIFNode"
).split()


class SnnNeuron(Module):
    """A neuron of snnTorch: hidden state on itself (`init_hidden=True`) or handed in and out."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.states = STATES[kind]
        self.name = f"snntorch.{kind}"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["@hidden"] = kwargs.get("init_hidden") is True
        obj.attrs["@output"] = kwargs.get("output") is True
        for name in ("beta", "threshold", "alpha"):
            if kwargs.get(f"learn_{name}") is True:
                obj.attrs[name] = parameter(m)
        if self.kind in ("SLSTM", "SConv2dLSTM", "RLeaky", "RSynaptic"):
            obj.attrs["@recurrent"] = parameter(m)
        self.start(obj)
        m.lasting()
        m.state.setdefault("snntorch", []).append(obj)

    def start(self, obj: Obj) -> None:
        for name in self.states:
            obj.attrs[name] = Tensor()

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        given = operands_in(args[:1])
        if obj.attrs["@hidden"]:
            states = [as_tensor(obj.attrs.get(n)) or Tensor() for n in self.states]
        else:
            states = operands_in([*args[1:], *kwargs.values()])
        own = [t for t in obj.attrs.values() if type(t) is Tensor and t.parameter]
        after = [perform(m, self.kind, [*given, *states, *own], site, OPAQUE) for _ in self.states]
        spike = perform(m, "spike", [after[-1]], site, OPAQUE)
        for name, t in zip(self.states, after, strict=True):
            # The module keeps what it returns, whoever hands it in the next time.
            m.setattr(obj, name, t, site)
        if obj.attrs["@hidden"] and not obj.attrs["@output"]:
            return spike
        return Seq("tuple", [spike, *after])

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name.startswith(("init_", "reset_mem")):
            self.start(obj)
            zeros = [Tensor() for _ in self.states]
            return zeros[0] if len(zeros) == 1 else Seq("tuple", list(zeros))
        return super().method(m, obj, name, args, kwargs, site)


def _all_of(m: Machine, native: Native) -> None:
    for obj in m.state.get("snntorch", []):
        if obj.cls.native_base() is native:
            native.start(obj)


def _every(neuron: Native, m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`Leaky.detach_hidden()`: every living neuron of the class."""
    _all_of(m, neuron)
    return None


def snn_reset(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`snntorch.utils.reset(net)`."""
    if args and type(args[0]) is Obj:
        for _, child in children(args[0]):
            native = child.cls.native_base()
            if isinstance(native, SnnNeuron):
                _all_of(m, native)
    return None


def snn_loss(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`snntorch.functional.mse_count_loss(...)` makes a loss function."""

    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        operands = operands_in([*args, *kwargs.values()])
        return perform(m, "loss", operands, site, OPAQUE) if operands else Unknown("data")

    return Builtin("loss", run)


def bptt(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`snntorch.backprop.BPTT(net, loader, optimizer, criterion, ...)` and its kin: a whole epoch, walks included.

    What it returns, the mean loss, still holds the graphs that it walked.
    """
    net = argument(args, kwargs, 0, "net")
    if type(net) is not Obj:
        return Unknown("opaque", "loss")
    snn_reset(m, [net], {}, site)
    outputs = [m.call(net, [Unknown("data", "x")], {}, site) for _ in range(2)]
    loss = perform(m, "loss", operands_in(outputs), site, OPAQUE)
    backward.backward(m, [loss], {}, site)
    optimizer = argument(args, kwargs, 2, "optimizer")
    if type(optimizer) is Obj:
        m.call_method(optimizer, "step", [], {}, site)
        m.call_method(optimizer, "zero_grad", [], {}, site)
    return loss


class JellyNeuron(Module):
    """A neuron of SpikingJelly: its potential `v` always stays on itself."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"spikingjelly.{kind}"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["v"] = Tensor()
        if self.kind.startswith("Parametric"):
            obj.attrs["w"] = parameter(m)

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        own = [t for t in obj.attrs.values() if type(t) is Tensor and t.parameter]
        charged = perform(
            m, self.kind, [*operands_in(args[:1]), as_tensor(obj.attrs["v"]) or Tensor(), *own], site, OPAQUE
        )
        spike = perform(m, "spike", [charged], site, OPAQUE)
        m.setattr(obj, "v", perform(m, "reset", [charged, spike], site, OPAQUE), site)
        return spike

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name in ("reset", "detach"):
            obj.attrs["v"] = Tensor()
            return None
        return super().method(m, obj, name, args, kwargs, site)


def jelly_reset(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`reset_net(net)` and `detach_net(net)`: every module below that has such a method."""
    called = site.func.attr if isinstance(site, ast.Call) and isinstance(site.func, ast.Attribute) else "reset_net"
    name = "detach" if called.startswith("detach") else "reset"
    if args and type(args[0]) is Obj:
        # What is below a net is looked up at the first call and remembered.
        for module in args[0].attrs.setdefault(f"@{name}", [module for _, module in modules(args[0])]):
            if isinstance(module.cls.native_base(), JellyNeuron):
                module.attrs["v"] = Tensor()
            elif module.cls.lookup(name) is not MISSING:
                m.call_method(module, name, [], {}, site)
    return None


def jelly_look_again(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`invalidate_reset_cache(net)`."""
    if args and type(args[0]) is Obj:
        args[0].attrs.pop("@reset", None)
    return None


def nothing(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """Settings of neurons and surrogates that concern no graph."""
    return Unknown("number")


CLASSES: dict[str, Native] = {f"snntorch.{kind}": SnnNeuron(kind) for kind in STATES}
FUNCTIONS: dict[str, Run] = {"snntorch.utils.reset": snn_reset}
for _kind in STATES:
    for _name in ("reset_hidden", "detach_hidden"):
        FUNCTIONS[f"snntorch.{_kind}.{_name}"] = partial(_every, CLASSES[f"snntorch.{_kind}"])
for _name in ("BPTT", "TBPTT", "RTRL"):
    FUNCTIONS[f"snntorch.backprop.{_name}"] = bptt
for _kind in JELLY:
    _neuron = JellyNeuron(_kind)
    for _root in ("spikingjelly.activation_based.neuron", "spikingjelly.clock_driven.neuron"):
        CLASSES[f"{_root}.{_kind}"] = _neuron
for _path, _native in LAYERS.items():
    if _path.startswith("torch.nn."):
        CLASSES[f"spikingjelly.activation_based.layer.{_path.removeprefix('torch.nn.')}"] = _native
for _root in ("spikingjelly.activation_based.functional", "spikingjelly.clock_driven.functional"):
    FUNCTIONS[f"{_root}.reset_net"] = FUNCTIONS[f"{_root}.detach_net"] = jelly_reset
    FUNCTIONS[f"{_root}.invalidate_reset_cache"] = jelly_look_again
    FUNCTIONS[f"{_root}.set_step_mode"] = FUNCTIONS[f"{_root}.set_backend"] = nothing
for _name in (
    "mse_count_loss ce_count_loss ce_rate_loss ce_max_membrane_loss mse_membrane_loss ce_temporal_loss "
    "mse_temporal_loss"
).split():
    FUNCTIONS[f"snntorch.functional.{_name}"] = FUNCTIONS[f"snntorch.functional.loss.{_name}"] = snn_loss
