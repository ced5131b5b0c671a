"""The reset that a spiking library has for its own states, called where an iteration is over, with the import it
needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from . import carry
from .change import Change
from .places import names_loaded
from .scene import Candidate, Scene

RESETS = {
    "spikingjelly": ("from spikingjelly.activation_based import functional", "functional", "reset_net"),
    "snntorch": ("from snntorch import utils", "utils", "reset"),
}
"""By library: the import, the name it binds, and the function of that name that takes a network."""


def candidates(scene: Scene) -> Iterator[Candidate]:
    loop = scene.loop()
    if loop is None:
        return
    used = [library for library in RESETS if any(library in text for text in scene.texts)]
    if not used:
        return
    names = sorted(names_loaded(loop.body))
    shown = scene.look(loop.body, 0, names)
    nets = [name for name, seen in shown.items() if any(shape.module for shape in seen.shapes)]
    for library in used:
        for net in nets:
            for step, last in enumerate(carry.ends(scene, loop)):
                yield Candidate(
                    "reset-library",
                    f"Reset the states in `{net}` at the end of each step (the next one begins anew)",
                    "changes-gradients",
                    partial(_reset, scene, last, library, net),
                    31 + step,
                )


def _reset(scene: Scene, last: ast.stmt, library: str, net: str) -> tuple[Change, ...]:
    line, name, function = RESETS[library]
    return (carry.put(scene, last, f"{name}.{function}({net})"), *_imported(scene, line, name))


def _imported(scene: Scene, line: str, name: str) -> list[Change]:
    """The import, after the file's others, unless the name is there."""
    if name in scene.imported:
        return []
    imports = [s for s in scene.source.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]
    if imports:
        return [scene.page.after(imports[-1], line)]
    first = scene.source.tree.body[0]
    return [scene.page.before(first, line)]
