"""`nn.RNN`, `nn.LSTM`, `nn.GRU` and their cells: the state they take and return, the structure the table knows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch.layer_facts import operation
from secondpass.pytorch.layers import LAYERS
from secondpass.pytorch.modules import Module
from secondpass.pytorch.operands import OPAQUE, argument, as_tensor, flag, parameter, perform, scalar

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine


class Recurrent(Module):
    """A recurrent layer or cell. The state is a tensor, or the pair (h, c) of an LSTM."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"torch.nn.{kind}"
        self.cell = kind.endswith("Cell")
        self.pair = kind.startswith("LSTM")

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        attrs = obj.attrs
        for i, name in enumerate(("input_size", "hidden_size")):
            attrs[name] = argument(args, kwargs, i, name, Unknown("number", name))
        position = 2 if self.cell else 3
        if self.cell:
            bias = flag(m, argument(args, kwargs, position, "bias", True), site, True)
            names = ["weight_ih", "weight_hh", *(["bias_ih", "bias_hh"] if bias else [])]
        else:
            layers = scalar(argument(args, kwargs, 2, "num_layers", 1))
            attrs["num_layers"] = layers
            bias = flag(m, argument(args, kwargs, 3, "bias", True), site, True)
            attrs["batch_first"] = flag(m, argument(args, kwargs, 4, "batch_first", False), site, False)
            attrs["bidirectional"] = flag(m, argument(args, kwargs, 6, "bidirectional", False), site, False)
            names = []
            for layer in range(min(layers, 8) if type(layers) is int else 1):
                for suffix in ("", "_reverse") if attrs["bidirectional"] else ("",):
                    names += [f"weight_ih_l{layer}{suffix}", f"weight_hh_l{layer}{suffix}"]
                    names += [f"bias_ih_l{layer}{suffix}", f"bias_hh_l{layer}{suffix}"] if bias else []
        for name in names:
            attrs[name] = parameter(m)

    def variant(self, obj: Obj, given: Tensor, state: bool) -> str:
        """The table's entry for this structure, this input and whether a state was given."""
        tail = "" if state else ".nostate"
        if self.cell:
            return self.kind + tail
        attrs = obj.attrs
        time = 1 if attrs["batch_first"] else 0
        shape = given.shape
        single = shape is not None and len(shape) == 3 and shape[time] == 1
        name = f"{self.kind}.{'single' if single else 'sequence'}"
        if attrs["bidirectional"]:
            name = f"{self.kind}.sequence.bidirectional"
        elif attrs["num_layers"] != 1:
            name += ".layers"
        elif attrs["batch_first"]:
            name += ".batch_first"
        elif "bias_ih_l0" not in attrs:
            name = f"{self.kind}.sequence.nobias"
        return name + tail if name + tail in LAYERS else f"{self.kind}.sequence{tail}"

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        given = as_tensor(argument(args, kwargs, 0, "input")) or Tensor()
        state = argument(args, kwargs, 1, "hx")
        states = (
            [as_tensor(s) or Tensor() for s in state.items]
            if type(state) is Seq
            else []
            if state is None
            else [as_tensor(state) or Tensor()]
        )
        if type(state) is Unknown and self.pair:
            states = [Tensor(), Tensor()]
        fact = LAYERS.get(self.variant(obj, given, bool(states)))
        if fact is None:
            result = perform(
                m, self.kind, [given, *states, *(v for v in obj.attrs.values() if type(v) is Tensor)], site, OPAQUE
            )
            outputs = [result, Tensor(result.node), Tensor(result.node)]
        else:
            operands = [given, *states][: fact.inputs]
            while len(operands) < fact.inputs:
                operands.append(Tensor())
            for name in fact.parameters:
                value = obj.attrs.get(name)
                operands.append(value if type(value) is Tensor else Tensor())
            made = perform(m, self.kind, operands, site, operation(fact))
            outputs = made.items if type(made) is Seq else [made]
            for i, t in enumerate(outputs):
                if fact.attached >> i & 1:
                    # detach_() raises on these: they are views of what the layer computed.
                    t.base = Tensor(t.node, t.storage)
                    t.epoch = t.base.epoch
        if self.cell:
            for t in outputs:
                t.shape = states[0].shape if states else None
            return Seq("tuple", list(outputs[:2])) if self.pair else outputs[0]
        if given.shape is not None:
            outputs[0].shape = (*given.shape[:-1], obj.attrs["hidden_size"]) if not obj.attrs["bidirectional"] else None
        for k, t in enumerate(outputs[1:]):
            t.shape = states[k].shape if k < len(states) else None
        if self.pair:
            return Seq("tuple", [outputs[0], Seq("tuple", list(outputs[1:3]))])
        return Seq("tuple", list(outputs[:2]))


CLASSES: dict[str, Native] = {
    f"torch.nn.{kind}": Recurrent(kind) for kind in ("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell")
}
