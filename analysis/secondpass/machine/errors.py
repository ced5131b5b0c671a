"""Errors as values: what an `except ... as error` binds, which `except` takes an error, and what it says as text.

The errors that PyTorch's walks raise have the words that PyTorch uses, so that a handler that looks for others
(`"out of memory" in str(error)`) is seen to pass them on.
"""

from __future__ import annotations

import builtins

from secondpass.machine.graph import Failure
from secondpass.machine.values import Builtin, Class, External, Obj, Raised, Seq, Unknown, V

INTERRUPTS = frozenset(("KeyboardInterrupt", "SystemExit", "GeneratorExit"))
MESSAGES = {
    "second-time": "Trying to backward through the graph a second time (or directly access saved tensors after they "
    "have already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you "
    "need to access saved tensors after calling backward.",
    "inplace-version": "one of the variables needed for gradient computation has been modified by an inplace "
    "operation: [torch.FloatTensor] is at version 2; expected version 1 instead. Hint: enable anomaly detection to "
    "find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).",
    "donated": "This backward function was compiled with non-empty donated buffers which requires create_graph=False "
    "and retain_graph=False.",
}


def made(name: str, args: list[V]) -> Obj:
    """An instance of one of Python's own classes of errors."""
    error = Obj(Class(name, [], {}))
    error.attrs["args"] = Seq("tuple", args)
    return error


def value_of(raised: Raised) -> V:
    """What `except ... as error` binds. Of an error that only the machine made, nothing but its class is known."""
    if isinstance(raised.value, Obj):
        return raised.value
    if isinstance(raised.value, Failure):
        return made(raised.name, [MESSAGES.get(raised.value.kind, "")])
    return Unknown()


def class_of(raised: Raised) -> V:
    """The class of an error, as `__exit__` is told of it."""
    return raised.value.cls if isinstance(raised.value, Obj) else Class(raised.name, [], {})


def text(error: Obj) -> str | None:
    """`str(error)`; None if it is not known, or no error."""
    args = error.attrs.get("args")
    if type(args) is Seq and len(args.items) == 1 and isinstance(args.items[0], str):
        return args.items[0]
    return None


def name_of(value: V) -> str:
    """The name of the class of what a `raise` is given."""
    if type(value) is Obj:
        return value.cls.name
    if isinstance(value, (Class, Builtin)):
        return value.name
    if type(value) is External:
        return value.path.rsplit(".", 1)[-1]
    return "Exception"


def catches(name: str, raised: Raised) -> bool:
    """Whether `except name` takes an error."""
    if name == "BaseException" or name == raised.name:
        return True
    if name == "Exception":
        return raised.name not in INTERRUPTS
    if isinstance(raised.value, Obj) and any(cls.name == name for cls in raised.value.cls.mro):
        return True
    mine, theirs = getattr(builtins, raised.name, None), getattr(builtins, name, None)
    return isinstance(mine, type) and isinstance(theirs, type) and issubclass(mine, theirs)
