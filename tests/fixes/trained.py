"""Which parameters a program's optimizers see a gradient of, under torch: what a fix must not silently change."""

from __future__ import annotations

import ast
import json

from tests.judge.forkserver import truth

PRELUDE = """
import torch as _torch, json as _json
from torch.optim.optimizer import register_optimizer_step_pre_hook as _hook
_names, _seen = {}, {}
_init = _torch.optim.Optimizer.__init__
def _noted(self, *a, **k):
    _init(self, *a, **k)
    for g in self.param_groups:
        for p in g["params"]:
            _names.setdefault(id(p), len(_names))
_torch.optim.Optimizer.__init__ = _noted
def _step(self, *_):
    for g in self.param_groups:
        for p in g["params"]:
            if p.grad is not None:
                _seen[_names[id(p)]] = _seen.get(_names[id(p)], 0) + 1
_hook(_step)
try:
"""
END = """
finally:
    raise SystemError(_json.dumps(_seen))
"""


def trained(program: str) -> dict[str, int]:
    """How many steps found a gradient of each parameter of the optimizers, as far as the program runs."""
    body = ast.unparse(ast.parse(program))
    future = "from __future__ import annotations\n"
    lead = future if body.startswith(future) else ""
    inner = "\n".join(f"    {line}" for line in body.removeprefix(future).splitlines())
    outcome = truth(f"{lead}{PRELUDE}{inner}{END}")
    assert outcome.type == "SystemError", outcome
    found: dict[str, int] = json.loads(outcome.message)
    return found
