"""Loops that frameworks own: what each calls in a batch, in which order, and with what. One table, one way to run it.

Read in the frameworks' own packages and shown by running them (tests/frameworks). A hook is written with the names of
what it is handed: by position, and behind a bar by keyword. Words in capitals are the framework's own doings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondpass.machine.compiler.iterations import Iterations
from secondpass.machine.values import MISSING, Bound, Dict, Function, Obj, Seq, Tensor, Unknown, V
from secondpass.pytorch import backward
from secondpass.pytorch.modules import is_module, parameters
from secondpass.pytorch.operands import perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

EPOCHS = 2
BATCHES = 3
"""Iterations of a loop that are run at the least; more while the iterations still differ."""


@dataclass(frozen=True, slots=True)
class Loop:
    """How a framework trains what the user gave it."""

    bases: tuple[str, ...]
    """The framework's classes, by their last name, from which the user's class derives."""
    bodies: tuple[str, ...]
    """The methods of that class that make the loss; a class that has one of them is trained."""
    batch: tuple[str, ...]
    start: tuple[str, ...] = ()
    epoch: tuple[str, ...] = ()
    epoch_end: tuple[str, ...] = ()
    callback: str = "Callback"
    """The class from which callbacks derive."""
    handed: tuple[str, ...] = ()
    """What a callback is handed before anything else."""
    own_handed: bool = False
    """Whether the hooks of the class itself are handed that too."""
    prepare: str = ""
    """What the framework calls before all, to make the module and the optimizer."""


LIGHTNING = Loop(
    bases=("LightningModule",),
    bodies=("training_step batch batch_idx",),
    start=("setup stage", "on_fit_start", "on_train_start"),
    epoch=("on_train_epoch_start",),
    batch=(
        "on_train_batch_start batch batch_idx",
        "BODY",
        "on_before_zero_grad optimizer",
        "ZERO",
        "on_before_backward loss",
        "BACKWARD",
        "on_after_backward",
        "on_before_optimizer_step optimizer",
        "STEP",
        "on_train_batch_end outputs batch batch_idx",
    ),
    epoch_end=("on_train_epoch_end",),
    handed=("trainer", "pl_module"),
)
TRANSFORMERS = Loop(
    bases=("Trainer", "Seq2SeqTrainer", "SFTTrainer", "DPOTrainer", "RewardTrainer", "GRPOTrainer"),
    bodies=("training_step model inputs", "compute_loss model inputs"),
    start=("on_train_begin args state control | model",),
    epoch=("on_epoch_begin args state control | model",),
    batch=(
        "on_step_begin args state control | model",
        "BODY",
        "on_pre_optimizer_step args state control | model",
        "STEP",
        "ZERO",
        "on_step_end args state control | model",
    ),
    epoch_end=("on_epoch_end args state control | model",),
    callback="TrainerCallback",
)
SKORCH = Loop(
    bases=("NeuralNet", "NeuralNetClassifier", "NeuralNetRegressor", "NeuralNetBinaryClassifier"),
    bodies=("train_step_single batch", "get_loss", "infer"),
    start=("on_train_begin",),
    epoch=("on_epoch_begin",),
    batch=("on_batch_begin | batch training", "BODY", "STEP", "on_batch_end | batch training loss y_pred"),
    epoch_end=("on_epoch_end",),
    handed=("net",),
    own_handed=True,
    prepare="initialize",
)
FASTAI = Loop(
    bases=("Learner",),
    bodies=("one_batch i batch",),
    start=("before_fit", "before_train"),
    epoch=("before_epoch",),
    batch=("before_batch", "BODY", "STEP", "after_step", "ZERO", "after_batch"),
    epoch_end=("after_epoch",),
)
LOOPS = (LIGHTNING, TRANSFORMERS, SKORCH, FASTAI)


def loop_of(obj: Obj, method: str = "") -> Loop | None:
    """The loop in which a framework runs an object's class (or this method of it)."""
    names = {cls.name for cls in obj.cls.mro}
    for loop in LOOPS:
        if names & set(loop.bases) and (not method or any(b.split()[0] == method for b in loop.bodies)):
            return loop
    return None


def hooks_of(loop: Loop) -> list[str]:
    """The names of a loop's hooks that are called in every batch."""
    return [step.split()[0] for step in loop.batch if not step.isupper()]


@dataclass(slots=True)
class Training:
    """One run of a loop: who listens, and what there is to be handed to them."""

    m: Machine
    loop: Loop
    obj: Obj
    callbacks: list[Obj]
    site: ast.AST
    values: dict[str, V]

    def fit(self, data: V) -> None:
        """A few epochs of a few batches."""
        m, obj = self.m, self.obj
        outer = m.iterations
        around: ast.AST = obj.cls.node if obj.cls.node is not None and hasattr(obj.cls.node, "unit") else self.site
        for hook in self.loop.start:
            self.tell(hook)
        for epoch in range(EPOCHS):
            m.iterations = (*outer, (around, epoch + 1)) if around is not self.site else outer
            for hook in self.loop.epoch:
                self.tell(hook)
            self._epoch(data)
            for hook in self.loop.epoch_end:
                self.tell(hook)
            if around is self.site:
                break
        m.iterations = outer

    def _epoch(self, data: V) -> None:
        m = self.m
        iterations = Iterations(m, self.site, None)
        try:
            for batch in _batches(m, data):
                iterations.begin()
                self.values.update(batch=batch, inputs=batch, batch_idx=iterations.index - 1, i=iterations.index - 1)
                for step in self.loop.batch:
                    self._do(step)
                if iterations.repeats() and iterations.index >= BATCHES:
                    break
                m.iterations = iterations.outer
        finally:
            m.iterations = iterations.outer

    def _do(self, step: str) -> None:
        m, values = self.m, self.values
        manual = self.obj.attrs.get("automatic_optimization") is False
        if step == "BODY":
            name, *handed = self.loop.bodies[0].split()
            result = m.call_method(self.obj, name, [values[h] for h in handed], {}, self.site)
            values["loss"] = _loss(result)
            values["outputs"] = _seen_by_hooks(result)
            if type(result) is Dict:
                values["y_pred"] = result.items.get("y_pred", (None, Unknown()))[1]
        elif step == "BACKWARD":
            if not manual:
                self._backward()
        elif step == "STEP":
            if not manual:
                optimizer_step(m, _trained(self.obj), self.site)
        elif step == "ZERO":
            pass
        elif not (manual and step.startswith("on_before_zero_grad")):
            self.tell(step)

    def _backward(self) -> None:
        loss = self.values["loss"]
        own = self.obj.cls.lookup("backward")
        if type(own) is Function and type(loss) is Tensor:
            self.m.call(Bound(own, self.obj), [loss], {}, self.site)
        else:
            walk_mean(self.m, loss, self.site)

    def tell(self, hook: str) -> None:
        """Call a hook of the class and of every callback that has it."""
        m, loop = self.m, self.loop
        positional, _, named = hook.partition("|")
        name, *handed = positional.split()
        for listener in (self.obj, *self.callbacks):
            fn = listener.cls.lookup(name)
            if type(fn) is not Function:
                continue
            first = loop.handed if listener is not self.obj or loop.own_handed else ()
            args = [self._value(h) for h in (*first, *handed)]
            if fn.params.vararg is None:
                args = args[: len(fn.params.names) - 1]
            taken = [*fn.params.names, *fn.params.keyword_only]
            kwargs = {k: self._value(k) for k in named.split() if k in taken or fn.params.kwarg is not None}
            m.call(Bound(fn, listener), args, kwargs, self.site)

    def _value(self, name: str) -> V:
        if name in ("pl_module", "net"):
            return self.obj
        found = self.values.get(name, MISSING)
        return Unknown("opaque", name) if found is MISSING else found


def run_loop(
    m: Machine, loop: Loop, obj: Obj, callbacks: list[Obj], site: ast.AST, data: V = None, **values: V
) -> None:
    """Train an object as its framework does."""
    for callback in callbacks:
        callback.attrs.setdefault("learn", obj)
    Training(m, loop, obj, callbacks, site, {"training": True, **values}).fit(data)


def _batches(m: Machine, data: V) -> Iterator[V]:
    """The batches of what a loop is given; unknown ones where it is not seen."""
    if type(data) in (Obj, Seq):
        yield from m.iterate(data)
        return
    while True:
        yield Unknown("data", "batch")


def _loss(result: V) -> V:
    """The loss in what a step returns."""
    if type(result) is Dict:
        result = result.items.get("loss", (None, None))[1]
    elif type(result) is Seq and result.items:
        result = result.items[0]
    return result.tensor() if type(result) is Unknown and result.history is not None else result


def _seen_by_hooks(result: V) -> V:
    """What a hook is handed of a step's result: the loss without its history, anything else as it is."""
    if type(result) is Tensor:
        return Dict({"loss": ("loss", Tensor(None, result.storage, result.shape))})
    if type(result) is Dict:
        return Dict(
            {k: (n, Tensor() if k == "loss" and type(v) is Tensor else v) for k, (n, v) in result.items.items()}
        )
    return result


def walk_mean(m: Machine, loss: V, site: ast.AST) -> None:
    """The framework's backward: of the loss divided by the steps that are accumulated."""
    if type(loss) is Unknown and loss.history is not None:
        loss = loss.tensor()
    if type(loss) is Tensor and loss.node is not None:
        backward.backward(m, [perform(m, "div.scalar", [loss], site)], {}, site)


def _trained(obj: Obj) -> list[Tensor]:
    """The parameters of a module, or of the modules that a trainer holds."""
    owners = [obj, *(v for v in obj.attrs.values() if is_module(v))]
    return [t for owner in owners if is_module(owner) for _, t in parameters(owner)]


def optimizer_step(m: Machine, trained: list[Tensor], site: ast.AST) -> None:
    """A step over everything that has a gradient."""
    for t in trained:
        if t.grad is not None:
            m.bump(t.storage, site)
            t.grad = None
