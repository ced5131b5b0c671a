"""A program in the making: lines with names still open, kept in the slots of a training iteration.

The pieces of the generator (models, states, mechanisms) write lines such as `$h = $cell($x, $h)` into slots; which
name `$h` becomes, and whether it is a local, a global, an attribute of a trainer or a function's parameter, is decided
by the architecture at the end. So every piece meets every architecture, and nothing is a fixed template.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

T = TypeVar("T")
Kind = Literal["setup", "carried", "local"]
ROLE = re.compile(r"\$([a-z_][a-z_0-9]*)")
SLOTS = ("start", "forward", "loss", "extra", "mid", "walk", "step", "end")
SKIP = "@skip"
"""A line that leaves the iteration early: `continue` in a loop, `return` in a step function."""


@dataclass
class Draft:
    """What the pieces agree on.

    Sizes: inputs `$x` are (batch, inputs) floats, targets `$y` (batch, outputs) floats or (batch,) classes.
    A role is "setup" (bound once, before the loop), "carried" (bound before the loop, rebound in its iterations) or
    "local" (bound within an iteration).
    """

    rng: random.Random
    batch: int = 2
    inputs: int = 3
    hidden: int = 4
    outputs: int = 2
    iterations: int = 3
    classes: bool = False
    features: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    slots: dict[str, list[str]] = field(default_factory=lambda: {slot: [] for slot in SLOTS})
    after: list[str] = field(default_factory=list)
    kinds: dict[str, Kind] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    """Expressions of the modules whose parameters are trained together."""
    tensors: list[str] = field(default_factory=list)
    """Expressions of the bare parameters trained together."""
    counter: bool = False
    """Whether some line reads `$i`, the number of the iteration from 0."""

    # --- choices
    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, *options: T) -> T:
        return self.rng.choice(options)

    def weighted(self, options: Mapping[T, float]) -> T:
        return self.rng.choices(list(options), weights=list(options.values()))[0]

    def feature(self, *words: str) -> None:
        self.features.append(":".join(words))

    # --- names
    def role(self, role: str, kind: Kind, *names: str) -> str:
        """Register a role; the name is one of `names` that is still free. Returns the placeholder."""
        if role not in self.names:
            taken = set(self.names.values())
            free = [name for name in names or (role,) if name not in taken]
            name = (
                self.rng.choice(free) if free else next(f"{role}{n}" for n in range(2, 99) if f"{role}{n}" not in taken)
            )
            self.names[role] = name
        self.kinds[role] = kind
        return f"${role}"

    def use_counter(self) -> str:
        self.counter = True
        return "$i"

    def need(self, line: str) -> None:
        if line not in self.imports:
            self.imports.append(line)

    def define(self, *lines: str) -> None:
        """Add a class or function of the program, unless it is there."""
        text = "\n".join(lines)
        if text not in self.definitions:
            self.definitions.append(text)

    # --- parameters
    def parameters(self) -> str:
        """An expression for a list or iterator of everything trained."""
        parts = [f"{module}.parameters()" for module in self.modules]
        if len(parts) == 1 and not self.tensors:
            return parts[0]
        if len(parts) > 1 and not self.tensors and self.chance(0.4):
            return " + ".join(f"list({part})" for part in parts)
        if len(parts) > 1 and not self.tensors and self.chance(0.3):
            self.need("import itertools")
            return f"itertools.chain({', '.join(parts)})"
        return f"[{', '.join([*(f'*{part}' for part in parts), *self.tensors])}]"

    def parameter_list(self) -> str:
        """The same as a list, which may be walked again and again."""
        text = self.parameters()
        return text if text.startswith(("[", "list(")) else f"list({text})"


def indent(lines: Iterable[str], by: int = 1) -> list[str]:
    return ["    " * by + line if line else line for line in lines]


def roles_in(lines: Iterable[str]) -> list[str]:
    """The roles that occur, in order, each once."""
    return list(dict.fromkeys(role for line in lines for role in ROLE.findall(line)))


def bound_in(lines: Iterable[str]) -> list[str]:
    """The roles that lines bind (not those whose element or attribute they set)."""
    text = "\n".join(ROLE.sub(r"role_\1", line).replace(SKIP, "pass") for line in lines)
    names = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(name.id.removeprefix("role_") for name in names if name.id.startswith("role_")))


def needed_by(draft: Draft, lines: Sequence[str]) -> list[str]:
    """The roles a function made of these lines must be given: all but the locals they bind themselves."""
    own = {role for role in bound_in(lines) if draft.kinds.get(role, "local") == "local"}
    return [role for role in roles_in(lines) if role not in own]


def at_iteration(lines: Iterable[str], number: int) -> list[str]:
    """The lines with the iteration's number in the counter's place, for use after the loop."""
    return [re.sub(r"\$i\b", str(number), line) for line in lines]


def render(lines: Iterable[str], names: Mapping[str, str], skip: str = "continue") -> list[str]:
    """Put the names in."""
    return [ROLE.sub(lambda match: names[match[1]], line).replace(SKIP, skip) for line in lines]
