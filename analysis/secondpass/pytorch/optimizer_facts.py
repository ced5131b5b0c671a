"""What one optimizer's `step()` does: the words of the generated table `optimizer_table.py`."""

from __future__ import annotations

from typing import NamedTuple


class Optimizer(NamedTuple):
    """The facts of one class of `torch.optim`, on the CPU. Fields at their default are left out of the table."""

    bumps: bool = False
    """A default `step()` raises the versions of the parameters that have a grad."""
    bumps_fused: bool | None = None
    """The same with `fused=True`; None if the class takes no `fused`."""
    needs_closure: bool = False
    """`step()` without a closure is a TypeError."""
    closure_calls: int = 1
    """How often one `step(closure)` called the closure, at `max_iter=4` where that exists; above 1: several walks."""
