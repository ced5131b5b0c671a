"""What one `torch.nn` layer does to the autograd graph: the words of the generated table `layers.py`.

The operands of a layer are its inputs, then its parameters in the order of `named_parameters()`, then its
floating-point buffers. Otherwise the fields mean what they mean for an operation (see operation_facts.py).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from secondpass.pytorch.operation_facts import Operation


class Layer(NamedTuple):
    """The facts of one layer in one mode and structure. Fields at their default are left out of the table."""

    inputs: int = 1
    """Number of tensor inputs of the measured call, states of recurrent layers included."""
    parameters: tuple[str, ...] = ()
    """Attribute names, operands `inputs` and up."""
    buffers: tuple[str, ...] = ()
    """Attribute names of the floating-point buffers, the last operands."""
    frees: int = 0
    """Bit j: with operand j alone requiring grad, a second plain walk raises."""
    saves: tuple[int, ...] = ()
    """Per operand i, a mask of operands j: operand i's version is saved when operand j alone requires grad."""
    result: int = 0
    """Bit j: the version of the result (output 0) is saved."""
    differentiable: int = 0
    """Bit j: some output requires grad when operand j alone does."""
    view: bool = False
    """Output 0 shares its storage and version counter with an input, without being that very object."""
    same: bool = False
    """Output 0 is the input itself."""
    outputs: int = 1
    """Number of tensors returned, nested tuples flattened: an LSTM's (output, (h, c)) counts 3."""
    constants: int = 0
    """Mask of outputs that never require grad although another output does."""
    others: tuple[int, ...] = ()
    """As `result`, for outputs 1, 2, ..."""
    attached: int = 0
    """Mask of outputs on which `detach_()` raises (views: batch_first outputs, an LSTM's states)."""

    @property
    def frees_input(self) -> bool:
        """Whether a second walk raises when only the first input requires grad (all parameters frozen)."""
        return bool(self.frees & 1)

    @property
    def frees_parameters(self) -> tuple[str, ...]:
        """The parameters that make a second walk raise when they alone require grad."""
        return tuple(name for k, name in enumerate(self.parameters) if self.frees >> (self.inputs + k) & 1)


@cache
def operation(layer: Layer) -> Operation:
    """A layer as the operation it is: its inputs, parameters and floating-point buffers are the operands."""
    return Operation(
        layer.frees,
        layer.saves,
        layer.result,
        layer.differentiable,
        layer.view,
        layer.same,
        layer.outputs,
        layer.inputs + len(layer.parameters) + len(layer.buffers),
        layer.constants,
        layer.others,
        layer.attached,
    )
