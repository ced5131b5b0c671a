"""SP401 traced-second-backward: a recorded run raised, and no finding of the check had told it."""

from __future__ import annotations

from secondpass.findings import Severity
from secondpass.rules.rule import Rule

RULE = Rule(
    code="SP401",
    name="traced-second-backward",
    severity=Severity.ERROR,
    summary="a recorded run raised one of the two errors, and the check had not foreseen it",
    why="""
        This is no claim but what a run of `secondpass trace` did: PyTorch raised "Trying to backward through the graph
        a second time", or "modified by an inplace operation", on the line shown. The recorder knows the line of every
        autograd node, so the story names the statement that built the graph, the call that consumed it first (or the
        step that changed what it had saved) and the name that brought it back.

        It is added by `secondpass check --trace FILE` where no finding told the same event, and told by
        `secondpass trace` itself.
    """,
    choosing="""
        Read the story from its first step: is the graph of the earlier iteration meant to be walked again?

        - Not meant: cut it where the carried name is bound (`h = h.detach()`), or at the end of the iteration.
        - Meant, within one iteration: walk the sum of the losses once, or pass `retain_graph=True` to the first call.
        - Built once, used in every iteration: move the statement that built it into the loop.
        - Changed in between: walk before the optimizer steps, or compute the value again after the step.
    """,
    limits="""
        A run tells what it did and nothing about other inputs, flags or lengths. The consumer is known where it is one
        of the last few calls that freed a graph; where it is older it is inferred, and the record says so.
    """,
    fix_safety="""
        No fix is offered for what only a run has seen: the check did not understand this code well enough to prove an
        edit. `secondpass.trace.proof` runs a changed text in a copy.
    """,
)
