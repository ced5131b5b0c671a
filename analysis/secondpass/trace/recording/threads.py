"""Which log a thread writes, and which thread made a node: nodes are numbered per thread and do not say which.

While only the main thread runs user code, markers go straight to its log. From the first further thread on, each marker
asks for its thread's log, and in the further threads a mode marks the result of every operation with its thread. What
lies inside an operation has no mark of its own; it belongs to the thread of the result if its number fits there.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Callable
from typing import Any

from .graph import is_leaf, sequence
from .log import Log

MAIN = 0
MARK = "secondpass_thread"
QUIET = ("tqdm.", "torch.utils.data", "torch._inductor", "torch.distributed", "wandb", "tensorboard")
"""Modules whose threads run no user code."""


class Threads:
    """The logs by number; the main thread's is 0. Numbers are not reused, as the system's thread ids are."""

    def __init__(self) -> None:
        self.logs: dict[int, Log] = {MAIN: Log(MAIN)}
        self._local = threading.local()
        self._local.log = self.logs[MAIN]
        self._lock = threading.Lock()

    def log(self) -> Log:
        """The calling thread's."""
        log: Log | None = getattr(self._local, "log", None)
        if log is None:
            with self._lock:
                log = self.logs[len(self.logs)] = Log(len(self.logs))
            self._local.log = log
            self._mark_results(log.number)
        return log

    def watch(self, alive: Callable[[], bool]) -> None:
        """From the first thread that may run user code on, each marker goes to the log of its own thread."""
        start = threading.Thread.start

        def started(thread: threading.Thread, *args: Any, **kwargs: Any) -> None:
            target = getattr(thread, "_target", None)
            owner = getattr(target, "__module__", None) or type(thread).__module__ or ""
            if not owner.startswith(QUIET) and alive():
                builtins._sp_a = self._append  # type: ignore[attr-defined]
            start(thread, *args, **kwargs)

        threading.Thread.start = started  # type: ignore[assignment,method-assign]

    def _append(self, event: int) -> None:
        try:
            log = self._local.log
        except AttributeError:
            log = self.log()
        log.events.append(event)

    def _mark_results(self, number: int) -> None:
        overrides = sys.modules.get("torch.overrides")
        if overrides is None:
            return

        class Marking(overrides.TorchFunctionMode):  # type: ignore[misc,name-defined]
            def __torch_function__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = function(*args, **(kwargs or {}))
                for part in result if isinstance(result, (tuple, list)) else (result,):
                    node = getattr(part, "grad_fn", None)
                    if node is not None:
                        node.metadata.setdefault(MARK, number)
                return result

        Marking().__enter__()  # for the rest of the thread; its stack of modes ends with it

    def of(self, nodes: dict[Any, Any], default: int) -> dict[Any, int]:
        """The thread of each node; `nodes` maps each to the one it was reached from, parents first."""
        if len(self.logs) == 1:
            return dict.fromkeys(nodes, MAIN)
        owners: dict[Any, int] = {}
        for node, parent in nodes.items():
            own = None if is_leaf(node) else node.metadata.get(MARK)
            if own is None:
                inherited = owners.get(parent, default)
                own = inherited if inherited == MAIN or self._beside(node, parent, inherited) else MAIN
                own = default if parent is None else own
            owners[node] = own
        return owners

    def _beside(self, node: Any, parent: Any, thread: int) -> bool:
        """Whether the numbers of two nodes lie between the same two markers of this thread."""
        log = self.logs[thread]
        return is_leaf(node) or log.index_of(sequence(node)) == log.index_of(sequence(parent))
