"""Measures under torch whether the graphs that a program holds grow from iteration to iteration.

At each walk the autograd nodes are counted that the walk's roots reach, and those that any tensor in the program's
variables, objects and containers reaches. The counts of one line, in the order of its walks, tell growth.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise

from tests.judge.forkserver import truth

_PROBE = """
def _probe():
    import collections, sys, torch

    counts = {}

    def reach(tensors):
        seen, todo = set(), [t.grad_fn for t in tensors if t.grad_fn is not None]
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [below for below, _ in node.next_functions if below is not None]
        return len(seen)

    def held(frame):
        found, seen, todo = [], set(), []
        while frame is not None:
            if frame.f_code.co_filename == __file__:
                todo += [v for k, v in frame.f_locals.items() if type(v).__name__ != "module"]
            frame = frame.f_back
        while todo:
            value = todo.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, torch.Tensor):
                found.append(value)
            elif isinstance(value, dict):
                todo += value.values()
            elif isinstance(value, (list, tuple, set, collections.deque)):
                todo += value
            elif type(value).__name__ != "module" and isinstance(getattr(value, "__dict__", None), dict):
                todo += vars(value).values()
        return found

    def counted(walk):
        def call(*args, **kwargs):
            frame = sys._getframe(1)
            if frame.f_code.co_filename == __file__:
                roots = args[0] if isinstance(args[0], (list, tuple)) else [args[0]]
                counts.setdefault(frame.f_lineno, []).append((reach(roots), reach(held(frame))))
            return walk(*args, **kwargs)

        return call

    torch.Tensor.backward = counted(torch.Tensor.backward)
    torch.autograd.grad = counted(torch.autograd.grad)
    return counts


_counts = _probe()
"""
_SAY = "\nimport json\nraise LookupError(json.dumps(list(_counts.values())))\n"


@dataclass(frozen=True)
class Nodes:
    """How many nodes each walk of one line reaches, and how many the whole program holds then."""

    walked: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def walked_grow(self) -> bool:
        return rises(self.walked)

    @property
    def held_grow(self) -> bool:
        return rises(self.held)


def rises(counts: tuple[int, ...]) -> bool:
    """Whether at least three counts each exceed the one before; the first, with nothing behind it, is left out."""
    later = counts[1:]
    return len(later) >= 3 and all(a < b for a, b in pairwise(later))


def measure(program: str) -> list[Nodes]:
    """The counts of each walking line of a program that runs to its end."""
    end = truth(_PROBE + program + _SAY)
    assert (end.exception, end.type) == ("other", "LookupError"), end
    lines = json.loads(end.message)
    return [Nodes(tuple(w for w, _ in line), tuple(h for _, h in line)) for line in lines]
