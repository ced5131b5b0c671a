"""What stands left of an assignment: names, attributes, elements, unpacking; and `del`."""

from __future__ import annotations

import ast

from secondpass.machine import containers
from secondpass.machine.compiler.core import Compiler, Scope, Statement, Storer, compiles_statement
from secondpass.machine.graph import Node
from secondpass.machine.machine import Frame
from secondpass.machine.sighting import WATCHED
from secondpass.machine.values import Dict, Seq, Tensor, Unknown, V, tensors_in

FEW = 8
"""Containers with more items than these are not looked into when a name is bound to them."""


def storer(c: Compiler, node: ast.expr, scope: Scope) -> Storer:
    """A closure that binds a value to a target."""
    node.unit = c.unit  # type: ignore[attr-defined]
    if c.seeing and isinstance(node, WATCHED):
        store, m = _storer(c, node, scope), c.m

        def see(f: Frame, value: V) -> None:
            store(f, value)
            m.see(node, value)

        return see
    return _storer(c, node, scope)


def _storer(c: Compiler, node: ast.expr, scope: Scope) -> Storer:
    kind = type(node)
    if isinstance(node, ast.Name):
        return _name(c, node, scope)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _unpack(c, node, scope)
    m = c.m
    if isinstance(node, ast.Attribute):
        owner, key = c.expr(node.value, scope), node.attr
        return lambda f, value: m.setattr(owner(f), key, value, node)
    if isinstance(node, ast.Subscript):
        holder, index = c.expr(node.value, scope), c.expr(node.slice, scope)
        return lambda f, value: containers.set_item(m, holder(f), index(f), value, node)
    if isinstance(node, ast.Starred):
        return storer(c, node.value, scope)
    raise AssertionError(f"not a target: {kind.__name__}")


def _name(c: Compiler, node: ast.Name, scope: Scope) -> Storer:
    m, key = c.m, node.id

    def outlives(value: V, names: int, scope_of: Frame | int) -> None:
        """A name of a wider scope lives on when the function ends, as an attribute does."""
        m.note_bound("attribute", node, scope_of, key, value)
        if type(value) is Tensor and type(value.node) is Node:
            m.hold(value, "attribute", node, (names, key))
        elif type(value) is Seq and len(value.items) <= FEW:
            for t in tensors_in(value):
                m.hold(t, "attribute", node, (names, key), True)
        elif type(value) is Unknown and value.history is not None:
            m.hold(value.tensor(), "attribute", node, (names, key))

    if key in scope.globals:

        def store_global(f: Frame, value: V) -> None:
            m.lasting()
            m.replaced(f.globals.get(key), value)
            f.globals[key] = value
            if type(value) is int:
                m.counted(f.globals, key)
            outlives(value, id(f.globals), id(f.globals))

        return store_global
    if key in scope.nonlocals:

        def store_nonlocal(f: Frame, value: V) -> None:
            outer = f.enclosing
            while outer is not None and key not in outer.vars:
                outer = outer.enclosing
            names = outer.vars if outer is not None else f.vars
            m.replaced(names.get(key), value)
            names[key] = value
            if type(value) is int:
                m.counted(names, key)
            outlives(value, id(names), outer or f)

        return store_nonlocal

    def store(f: Frame, value: V) -> None:
        kind = type(value)
        if kind is Seq or kind is Dict:
            m.replaced(f.vars.get(key), value)
        f.vars[key] = value
        if kind is Tensor:
            if type(value.node) is Node:
                m.hold(value, "name", node, (id(f.vars), key))
        elif type(value) is Seq and len(value.items) <= FEW:
            for t in tensors_in(value):
                m.hold(t, "name", node, (id(f.vars), key), True)
        elif type(value) is Unknown and value.history is not None:
            m.hold(value.tensor(), "name", node, (id(f.vars), key))

    return store


def _unpack(c: Compiler, node: ast.Tuple | ast.List, scope: Scope) -> Storer:
    m = c.m
    parts = [storer(c, t, scope) for t in node.elts]
    star = next((i for i, t in enumerate(node.elts) if type(t) is ast.Starred), None)
    n = len(parts)

    def store(f: Frame, value: V) -> None:
        if type(value) is Seq and not value.open and star is None and len(value.items) == n:
            items = value.items
        elif type(value) is Unknown or (type(value) is Tensor and not (value.shape and value.shape[0] == n)):
            items = [containers.get_item(m, value, i, node) for i in range(n)]
            if star is not None:
                items[star] = Seq("list", [items[star]], True)
        else:
            items = _spread(m, value, n, star)
        for part, item in zip(parts, items, strict=False):
            part(f, item)

    return store


def _spread(m: object, value: V, n: int, star: int | None) -> list[V]:
    from secondpass.machine.compiler.expressions import take

    if type(value) is Dict:
        source = [k for k, _ in value.items.values()]
    else:
        source = take(m.iterate(value), n if star is None else containers.MOST)  # type: ignore[attr-defined]
    if star is None:
        while len(source) < n:
            source.append(Unknown())
        return source[:n]
    after = n - star - 1
    while len(source) < n - 1:
        source.append(Unknown())
    middle = source[star : len(source) - after]
    more = type(value) is Seq and value.open
    return [*source[:star], Seq("list", middle, more), *source[len(source) - after :]]


@compiles_statement(ast.Delete)
def delete(c: Compiler, node: ast.Delete, scope: Scope) -> Statement:
    steps = []
    for target in node.targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            steps.append(_delete_one(c, part, scope))

    def run(f: Frame) -> None:
        for step in steps:
            step(f)

    return run


def _delete_one(c: Compiler, node: ast.expr, scope: Scope) -> Statement:
    m = c.m
    if isinstance(node, ast.Name):
        key = node.id
        return lambda f: f.vars.pop(key, None) and None
    if isinstance(node, ast.Attribute):
        owner, name = c.expr(node.value, scope), node.attr

        def delete_attribute(f: Frame) -> None:
            m.lasting()
            value = owner(f)
            attrs = getattr(value, "attrs", None)
            if attrs is not None:
                attrs.pop(name, None)

        return delete_attribute
    if isinstance(node, ast.Subscript):
        holder, index = c.expr(node.value, scope), c.expr(node.slice, scope)
        return lambda f: containers.del_item(m, holder(f), index(f), node)
    return lambda f: None
