"""PyTorch's optimizers, measured on torch 2.13.0+cpu. Generated, do not edit: see measure.py.

Regenerate with `python -m secondpass.pytorch.measure --write`. The fields are explained in optimizer_facts.py.
"""

# fmt: off

from __future__ import annotations

from secondpass.pytorch.optimizer_facts import Optimizer

OPTIMIZERS: dict[str, Optimizer] = {
    "ASGD": Optimizer(bumps=True),
    "Adadelta": Optimizer(bumps=True),
    "Adafactor": Optimizer(bumps=True),
    "Adagrad": Optimizer(bumps=True, bumps_fused=False),
    "Adam": Optimizer(bumps=True, bumps_fused=False),
    "AdamW": Optimizer(bumps=True, bumps_fused=False),
    "Adamax": Optimizer(bumps=True),
    "LBFGS": Optimizer(bumps=True, needs_closure=True, closure_calls=4),
    "Muon": Optimizer(bumps=True),
    "NAdam": Optimizer(bumps=True),
    "RAdam": Optimizer(bumps=True),
    "RMSprop": Optimizer(bumps=True),
    "Rprop": Optimizer(bumps=True),
    "SGD": Optimizer(bumps=True, bumps_fused=False),
    "SparseAdam": Optimizer(bumps=True),
}
