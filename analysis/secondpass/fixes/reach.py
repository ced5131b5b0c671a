"""What of a file its own script reaches, so that a proof need not run the rest again.

A function or class at the top of the file that neither the script nor an edited definition leads to, by any name, is
left out of the runs that try a candidate: it ran before, and would do the same again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from .places import FUNCTIONS

DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


def idle(tree: ast.Module) -> dict[str, set[str]]:
    """The definitions at the top of a file that its script does not lead to, each with the names that it mentions."""
    mentions: dict[str, set[str]] = {}
    todo: set[str] = set()
    for statement in tree.body:
        names = set(_names(statement))
        if isinstance(statement, DEFINITIONS):
            mentions.setdefault(statement.name, set()).update(names)
            for decorator in statement.decorator_list:  # may register what it decorates
                todo.update((statement.name, *_names(decorator)))
        else:
            todo |= names
    reached: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo |= mentions.get(name, set()) - reached
    return {name: names for name, names in mentions.items() if name not in reached}


def untouched(mentions: dict[str, set[str]], edited: set[str]) -> set[str]:
    """Of the idle definitions, those that mention no edited one, not even by way of others."""
    touched = set(edited)
    while True:
        more = {name for name, names in mentions.items() if name not in touched and names & touched}
        if not more:
            return set(mentions) - touched
        touched |= more


@contextmanager
def without(tree: ast.Module, names: set[str]) -> Iterator[None]:
    """The tree without these definitions at its top, for a while."""
    whole = tree.body
    if names:
        tree.body = [s for s in whole if not (isinstance(s, DEFINITIONS) and s.name in names)]
    try:
        yield
    finally:
        tree.body = whole


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield part.value  # `getattr(module, "name")`, `globals()["name"]`, a forward reference
