"""SP402 traced-growth: in a recorded run a variable kept more of earlier iterations with every backward call."""

from __future__ import annotations

from secondpass.findings import Severity
from secondpass.rules.rule import Rule

RULE = Rule(
    code="SP402",
    name="traced-growth",
    severity=Severity.WARNING,
    summary="in a recorded run a variable kept more graph with every backward call",
    why="""
        As backward calls begin, the recorder counts how many autograd nodes each variable of your frames keeps alive.
        Here the count rose call after call and never fell: each iteration's graph stays because the next one holds on
        to it. Nothing raises, but memory grows with every step, and where the graph is walked again, time too.

        It is added by `secondpass check --trace FILE` where no finding told the same growth, and told by
        `secondpass trace` itself. Of several variables that grew by the same steps the smallest is named: a loss holds
        all that the state behind it holds.
    """,
    choosing="""
        Ask what the variable is for:

        - A number to print or plot: add `loss.item()`, keep `scores.detach()`.
        - State carried on: cut it once an iteration (`h = h.detach()`).
        - A graph that will be walked as a whole later: then the growth is meant; walk it and start again.
    """,
    limits="""
        Counted at the first eight calls of a line and then ever more rarely, in frames on the stack, their modules and
        containers a few levels deep. A program that never calls backward is not counted, and a variable that is let go
        later than the run lasted looks the same as one that never is.
    """,
    fix_safety="""
        No fix is offered for what only a run has seen. Detaching what is kept for reporting changes no gradient;
        detaching carried state ends the gradient at that iteration.
    """,
)
