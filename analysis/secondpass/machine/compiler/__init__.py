"""The program's tree, compiled once into closures that run on the machine's values.

`Compiler` (core.py) dispatches on the type of a tree node; each of the other files holds the constructs of one kind.
An expression becomes `run(frame) -> value`; a statement becomes `run(frame) -> signal`, where the signal is None to go
on, `BREAK`, `CONTINUE`, or a `Return`.
"""

from secondpass.machine.compiler import calling, expressions, functions, loops, statements, targets, yields

__all__ = ["calling", "expressions", "functions", "loops", "statements", "targets", "yields"]
