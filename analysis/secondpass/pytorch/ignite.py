"""Ignite: `Engine(update)` calls `update(engine, batch)` for every batch, handlers between; its `state` persists."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from secondpass.machine import containers
from secondpass.machine.native import Native
from secondpass.machine.values import Builtin, Class, External, Obj, Partial, Unknown, V
from secondpass.pytorch.loops import walk_mean
from secondpass.pytorch.operands import argument

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine
    from secondpass.pytorch.functions import Run

EPOCHS, BATCHES = 2, 3
"""How many epochs and batches of an engine are run: enough for what one leaves to the next."""


class Engine(Native):
    """`ignite.engine.Engine`."""

    name = "ignite.engine.Engine"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["@update"] = argument(args, kwargs, 0, "process_function")
        obj.attrs["@handlers"] = []
        state = Class("State", [], {})
        state.unresolved = True
        obj.attrs["state"] = Obj(state)

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name == "on":
            event, rest = args[0], args[1:]

            def register(m: Machine, more: list[V], named: dict[str, V], site: ast.AST) -> V:
                obj.attrs["@handlers"].append((event, more[0], rest))
                return more[0]

            return Builtin("on", register)
        if name == "add_event_handler":
            obj.attrs["@handlers"].append((args[0], args[1], args[2:]))
            return None
        if name == "run":
            self.run(m, obj, argument(args, kwargs, 0, "data"), site)
            return obj.attrs["state"]
        return Unknown("number", name)

    def run(self, m: Machine, obj: Obj, data: V, site: ast.AST) -> None:
        outer = m.iterations
        self.fire(m, obj, "STARTED", 1, site)
        count = 0
        for epoch in range(EPOCHS):
            around = m.iterations = (*outer, (site, epoch + 1))
            m.setattr(obj.attrs["state"], "epoch", epoch + 1, site)
            self.fire(m, obj, "EPOCH_STARTED", epoch + 1, site)
            batches = m.iterate(data) if data is not None else iter([Unknown("data", "batch")] * BATCHES)
            for iteration, batch in enumerate(islice(batches, BATCHES)):
                count += 1
                m.iterations = (*around, (_site_of(obj.attrs["@update"], site), iteration + 1))
                self.fire(m, obj, "ITERATION_STARTED", count, site)
                output = m.call(obj.attrs["@update"], [obj, batch], {}, site)
                m.setattr(obj.attrs["state"], "output", output, site)
                self.fire(m, obj, "ITERATION_COMPLETED", count, site)
            m.iterations = around
            self.fire(m, obj, "EPOCH_COMPLETED", epoch + 1, site)
        m.iterations = outer
        self.fire(m, obj, "COMPLETED", 1, site)

    def fire(self, m: Machine, obj: Obj, event: str, count: int, site: ast.AST) -> None:
        """Call the handlers of an event; `every=k` ones on each k-th."""
        for wanted, handler, rest in obj.attrs["@handlers"]:
            if type(wanted) is Partial:
                every = wanted.kwargs.get("every", 1)
                once = wanted.kwargs.get("once")
                if (type(every) is int and count % every) or (type(once) is int and once != count):
                    continue
                wanted = wanted.func
            if type(wanted) is External and wanted.path.rsplit(".", 1)[-1] == event:
                m.call(handler, [obj, *rest][: _takes(handler, len(rest) + 1)], {}, site)


def _site_of(update: V, site: ast.AST) -> ast.AST:
    return getattr(update, "node", site)


def _takes(handler: V, given: int) -> int:
    """Ignite leaves the engine out for a handler that takes no argument."""
    params = getattr(handler, "params", None)
    return given if params is None or params.names or params.vararg else 0


def supervised_trainer(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`create_supervised_trainer(model, optimizer, loss_fn)`: an engine whose update walks; its output is a number."""
    model, optimizer = argument(args, kwargs, 0, "model"), argument(args, kwargs, 1, "optimizer")
    loss_fn = argument(args, kwargs, 2, "loss_fn")

    def update(m: Machine, given: list[V], named: dict[str, V], site: ast.AST) -> V:
        x, y = containers.get_item(m, given[1], 0, site), containers.get_item(m, given[1], 1, site)
        loss = m.call(loss_fn, [m.call(model, [x], {}, site), y], {}, site)
        walk_mean(m, loss, site)
        if type(optimizer) is Obj:
            m.call_method(optimizer, "step", [], {}, site)
            m.call_method(optimizer, "zero_grad", [], {}, site)
        return Unknown("number", "loss")

    return m.call(m.external("ignite.engine.Engine"), [Builtin("update", update)], {}, site)


FUNCTIONS: dict[str, Run] = {
    "ignite.engine.create_supervised_trainer": supervised_trainer,
    "ignite.engine.engine.create_supervised_trainer": supervised_trainer,
}
CLASSES: dict[str, Native] = {}
for _path in ("ignite.engine.Engine", "ignite.engine.engine.Engine"):
    CLASSES[_path] = Engine()
