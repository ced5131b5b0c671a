"""What one PyTorch operation does to the autograd graph: the words of the generated table `operations.py`.

The facts are measured by `measure.py` on a real PyTorch, never typed in. All masks are about *tensor operands*: the
tensor arguments of the call in the order in which the operation takes them (a list's tensors count one by one), so for
`F.linear(input, weight, bias)` operand 0 is the input, 1 the weight, 2 the bias, and for `torch.lerp(a, b, 0.5)` there
are two. Bit `j` of a mask speaks of the call in which operand `j` alone requires grad. PyTorch's saving conditions are
ORs of such needs: for several operands that require grad, OR the bits (`EXCEPTIONS` in `operations.py` names the few
operations for which that was measured to be wrong, and how). Everything is measured on the CPU in float32; other
devices and types may choose kernels that save other tensors, which nothing here speaks about.
"""

from __future__ import annotations

from typing import NamedTuple


class Operation(NamedTuple):
    """The facts of one operation. Fields at their default are left out of the table."""

    frees: int = 0
    """Bit j: with operand j alone requiring grad, a second plain walk raises (a released node had saved a tensor)."""
    saves: tuple[int, ...] = ()
    """Per operand i, a mask of operands j: operand i's storage version is saved, so that changing operand i in place
    before the backward raises "modified by an inplace operation". Missing operands at the end save nothing.
    For an in-place operation (a name ending in `_`, `setitem.*`) operand 0 is the tensor *before* the change; a bit in
    `saves[0]` means that the old value is saved, so that the operation itself makes the backward raise."""
    result: int = 0
    """Bit j: the version of the result (output 0) is saved; changing the result in place before the backward raises."""
    differentiable: int = 0
    """Bit j: an output has a graph when operand j alone requires grad. 0: the operation cuts (argmax, `>`, detach)."""
    view: bool = False
    """Output 0 shares its storage and its version counter with an operand, without being that very object."""
    same: bool = False
    """Output 0 is operand 0: nothing was to be done (contiguous, to its own dtype), or it was changed in place."""
    outputs: int = 1
    """Number of tensors returned; 0 for a list or tuple of unknown length (split, unbind, chunk)."""
    operands: int = 1
    """Number of tensor operands in the measured call; a list-taking operation is measured with two or three."""
    constants: int = 0
    """Mask of outputs that never require grad although another output does (the indices of max, sort and topk)."""
    others: tuple[int, ...] = ()
    """As `result`, for outputs 1, 2, ... (missing ones save nothing)."""
    attached: int = 0
    """Mask of outputs on which `detach_()` raises though they view no operand (3-D linear, some matrix products)."""
