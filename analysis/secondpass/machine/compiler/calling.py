"""Call expressions: the callee, the arguments, `super()`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from secondpass.machine.compiler.core import Compiler, Expression, Scope, compiles_expression
from secondpass.machine.compiler.expressions import elements
from secondpass.machine.machine import Frame
from secondpass.machine.values import Class, Dict, External, Super, Unknown, V, held

Arguments = Callable[[Frame], tuple[list[V], dict[str, V]]]


@compiles_expression(ast.Call)
def call(c: Compiler, node: ast.Call, scope: Scope) -> Expression:
    m = c.m
    func = node.func
    if isinstance(func, ast.Name) and func.id == "super":
        return _super(c, node, scope)
    simple = not node.keywords and not any(type(a) is ast.Starred for a in node.args)
    if isinstance(func, ast.Attribute):
        func.unit = c.unit  # type: ignore[attr-defined]
        owner, key, invoke = c.expr(func.value, scope), func.attr, m.call_method
        if simple:
            args = [c.expr(a, scope) for a in node.args]

            def run_method(f: Frame) -> V:
                obj = owner(f)
                values = [a(f) for a in args]
                m.site = node
                return invoke(obj, key, values, {}, node)

            return run_method
        make = arguments(c, node, scope)

        def run_method_general(f: Frame) -> V:
            obj = owner(f)
            values, named = make(f)
            m.site = node
            return invoke(obj, key, values, named, node)

        return run_method_general
    callee, do_call = c.expr(func, scope), m.call
    if simple:
        args = [c.expr(a, scope) for a in node.args]

        def run(f: Frame) -> V:
            fn = callee(f)
            values = [a(f) for a in args]
            m.site = node
            return do_call(fn, values, {}, node)

        return run
    make = arguments(c, node, scope)

    def run_general(f: Frame) -> V:
        fn = callee(f)
        values, named = make(f)
        m.site = node
        return do_call(fn, values, named, node)

    return run_general


def arguments(c: Compiler, node: ast.Call | ast.ClassDef, scope: Scope) -> Arguments:
    """Positional and keyword arguments, with `*args` and `**kwargs` spread."""
    positional = elements(c, node.args if isinstance(node, ast.Call) else node.bases, scope)
    named = [(k.arg, c.expr(k.value, scope)) for k in node.keywords]

    def run(f: Frame) -> tuple[list[V], dict[str, V]]:
        values, _ = positional(f)
        keywords: dict[str, V] = {}
        for key, part in named:
            value = part(f)
            if key is not None:
                keywords[key] = value
            elif type(value := held(value)) is Dict:
                keywords.update({str(k): v for k, (_, v) in value.items.items()})
        return values, keywords

    return run


def _super(c: Compiler, node: ast.Call, scope: Scope) -> Expression:
    cell, name = scope.class_cell, scope.self_name
    explicit = [c.expr(a, scope) for a in node.args]

    def run(f: Frame) -> V:
        if len(explicit) == 2:
            after, self = explicit[0](f), explicit[1](f)
            if type(after) is External:
                after = c.m.library.as_class(c.m, after)
            return Super(after, self) if type(after) is Class else Unknown()
        frame: Frame | None = f
        while frame is not None and name not in frame.vars:
            frame = frame.enclosing
        if frame is None or not cell:
            return Unknown()
        func = f.func
        owner = func.owner if func is not None and func.owner is not None else cell[-1]
        return Super(owner, frame.vars[name])

    return run
