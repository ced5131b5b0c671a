"""Sees torch's backward calls where they enter the engine, without leaving a frame in anybody's traceback."""

from __future__ import annotations

import ast
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .session import Session


class EngineProxy:
    """Stands where torch keeps its engine; reading `run_backward` from it announces a call.

    A property and not a wrapper: its frame is gone when the engine runs, so tracebacks are what they were.
    """

    def __init__(self, engine: Any, session: Session) -> None:
        self._engine = engine
        self._session = session

    @property
    def run_backward(self) -> Any:
        try:
            self._session.before(sys._getframe(1))
        except Exception as fault:
            self._session.failed_itself(fault)
        return self._engine.run_backward

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def guard_function(function: Any, session: Session) -> None:
    """Compiles torch's own function again so that the recorder hears how it ended; no frame is added."""
    code = function.__code__
    with open(code.co_filename, encoding="utf-8") as handle:
        tree = ast.parse(handle.read())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _first_line(node) == code.co_firstlineno:
            break
    else:
        session.notes.append(f"torch's {code.co_name} could not be read; errors that the program catches are missed")
        return
    wrapper = ast.parse(
        "try:\n    pass\nexcept BaseException as _sp_error:\n    _sp_after(_sp_error)\n    raise\n"
        "finally:\n    _sp_after(None)\n"  # after an error the call is already taken off, and this does nothing
    ).body[0]
    assert isinstance(wrapper, ast.Try)
    for part in ast.walk(wrapper):
        if hasattr(part, "lineno"):
            ast.copy_location(part, node.body[-1])
    wrapper.body, node.body, node.decorator_list = node.body, [wrapper], []
    module = compile(ast.Module(body=[node], type_ignores=[]), code.co_filename, "exec")
    new = next(c for c in module.co_consts if isinstance(c, types.CodeType))

    def ended(error: BaseException | None) -> None:
        try:
            session.after(sys._getframe(1), error)
        except Exception as fault:
            session.failed_itself(fault)

    function.__globals__["_sp_after"] = ended
    function.__code__ = new.replace(co_firstlineno=code.co_firstlineno)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(item.lineno for item in node.decorator_list)])


def engine_arguments(frame: Any) -> tuple[list[Any], bool, bool, list[Any], bool]:
    """Roots, retain_graph, create_graph, inputs and accumulate_grad, from the locals of torch's calling function."""
    local = frame.f_locals
    if "args" in local and "t_outputs" in local:  # graph._engine_run_backward, torch 2.2 and newer
        roots, rest, named = local["t_outputs"], local["args"], local.get("kwargs", {})
        retain, create, inputs = (*rest[1:4], *[()] * 3)[:3] if len(rest) >= 4 else (False, False, ())
        return list(roots), bool(retain), bool(create), list(inputs or ()), bool(named.get("accumulate_grad"))
    grad = frame.f_code.co_name != "backward"
    roots = local.get("t_outputs") or local.get("outputs") or local.get("tensors") or ()
    inputs = local.get("t_inputs") or local.get("inputs") or ()
    many = isinstance(roots, (tuple, list))
    retain, create = bool(local.get("retain_graph")), bool(local.get("create_graph"))
    inputs = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    return list(roots) if many else [roots], retain, create, inputs, not grad


def gradient_node(root: Any) -> Any:
    """The node behind a tensor (its accumulator if it is a leaf) or a gradient edge; None if there is none."""
    node = getattr(root, "node", None)
    if node is not None:
        return node
    if getattr(root, "grad_fn", None) is not None:
        return root.grad_fn
    if not getattr(root, "requires_grad", False):
        return None
    torch = sys.modules["torch"]
    with torch.enable_grad():
        return root.view_as(root).grad_fn.next_functions[0][0]
