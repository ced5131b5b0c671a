"""Where state is kept between iterations: names, a tuple, a list, a dict, a deque, an object, a function's default
argument.

A `Place` knows how one or two state tensors are initialised, read, written and rewritten (the cut) where they are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.judge.draft import Draft


@dataclass
class Place:
    """Where `count` state tensors live between iterations."""

    kind: str
    before: list[str]
    read: list[str]
    write: Callable[[list[str]], list[str]]
    """Lines that store new values (expressions, in order)."""
    cut_all: Callable[[str], list[str]]
    """Lines that pass every part through a template such as `{}.detach()`."""
    cut_one: Callable[[int, str], list[str]]
    new: list[str]
    """Names for freshly computed parts; the very names of the state where it is kept in names."""


def place(d: Draft, zeros: str, count: int, kind: str | None = None) -> Place:
    """Draw a place; `zeros` is the text of an initial part."""
    options = {
        "names": 4.0,
        "tuple": 1.5 if count > 1 else 0.3,
        "list": 1.2,
        "dict": 1.2,
        "deque": 0.8,
        "namedtuple": 0.8,
        "dataclass": 0.8,
        "namespace": 0.6,
        "history": 0.6,
        "default": 0.4 if count == 1 else 0.0,
        "object": 0.8,
        "buffer": 0.9 if count == 1 and zeros.startswith("torch.zeros") else 0.0,
    }
    kind = kind or d.weighted(options)
    d.feature("place", kind)
    fields = ["h", "c"][:count]
    if kind == "names":
        roles = [
            d.role("h", "carried", "h", "hidden", "state", "hx", "mem"),
            d.role("c", "carried", "c", "cell_state", "cx", "ctx"),
        ][:count]
        chained = " = ".join(roles) + f" = {zeros}" if count > 1 and d.chance(0.2) else ""
        before = [chained] if chained else [f"{', '.join(roles)} = {', '.join([zeros] * count)}"]
        return Place(
            kind,
            before,
            roles,
            lambda values: [] if values == roles else [f"{', '.join(roles)} = {', '.join(values)}"],
            lambda f: [f"{', '.join(roles)} = {', '.join(f.format(r) for r in roles)}"],
            lambda i, f: [f"{roles[i]} = {f.format(roles[i])}"],
            roles,
        )
    if kind == "buffer":
        return _buffer(d, zeros)
    new = ["$h_new", "$c_new"][:count]
    for role, name in (("h_new", "new_h"), ("c_new", "new_c")):
        d.role(role, "local", name, "next_" + name[-1])
    if kind == "tuple":
        s = d.role("state", "carried", "state", "hidden", "carry")
        trailing = "," if count == 1 else ""

        def pack(values: list[str]) -> str:
            return f"({', '.join(values)}{trailing})"

        every = d.pick("tuple({f} for p in {s})", "tuple([{f} for p in {s}])", "({each})")
        return Place(
            kind,
            [f"{s} = {pack([zeros] * count)}"],
            [f"{s}[{i}]" for i in range(count)],
            lambda values: [f"{s} = {pack(values)}"],
            lambda f: [
                f"{s} = "
                + every.format(
                    f=f.format("p"), s=s, each=", ".join(f.format(f"{s}[{i}]") for i in range(count)) + trailing
                )
            ],
            lambda i, f: [f"{s} = " + pack([f.format(f"{s}[{j}]") if j == i else f"{s}[{j}]" for j in range(count)])],
            new,
        )
    if kind == "namedtuple":
        d.need("from collections import namedtuple")
        d.define(f'Memory = namedtuple("Memory", {fields!r})'.replace("'", '"'))
        s = d.role("state", "carried", "state", "memory", "carry")
        return Place(
            kind,
            [f"{s} = Memory({', '.join([zeros] * count)})"],
            [f"{s}.{f}" for f in fields],
            lambda values: [f"{s} = Memory({', '.join(values)})"],
            lambda f: [
                f"{s} = "
                + d.pick(
                    f"Memory(*[{f.format('p')} for p in {s}])",
                    "Memory(" + ", ".join(f.format(f"{s}.{x}") for x in fields) + ")",
                )
            ],
            lambda i, f: [f"{s} = {s}._replace({fields[i]}={f.format(f'{s}.{fields[i]}')})"],
            new,
        )
    if kind == "default":
        name = d.pick("remember", "memory_cell", "keep")
        d.define(
            f"def {name}(value=None, box=[]):\n    if value is not None:\n        box[:] = [value]\n    return box[0]"
        )
        return Place(
            kind,
            [f"{name}({zeros})"],
            [f"{name}()"],
            lambda values: [f"{name}({values[0]})"],
            lambda f: [f"{name}({f.format(f'{name}()')})"],
            lambda i, f: [f"{name}({f.format(f'{name}()')})"],
            new,
        )
    s = d.role("store", "setup", "memory", "store", "cache", "states", "buffers")
    if kind == "deque":
        d.need("from collections import deque")
        parts = [f"{s}[-1][{i}]" for i in range(count)] if count > 1 else [f"{s}[-1]"]

        def item(values: list[str]) -> str:
            return f"({', '.join(values)})" if count > 1 else values[0]

        return Place(
            kind,
            [f"{s} = deque([{item([zeros] * count)}], maxlen={d.pick(1, 2, 3)})"],
            parts,
            lambda values: [f"{s}.append({item(values)})"],
            lambda f: [f"{s}[-1] = {item([f.format(p) for p in parts])}"],
            lambda i, f: [f"{s}[-1] = {item([f.format(p) if j == i else p for j, p in enumerate(parts)])}"],
            new,
        )
    if kind == "history":
        parts = [f"{s}[-1][{i}]" for i in range(count)] if count > 1 else [f"{s}[-1]"]

        def entry(values: list[str]) -> str:
            return f"({', '.join(values)})" if count > 1 else values[0]

        return Place(
            kind,
            [f"{s} = [{entry([zeros] * count)}]"],
            parts,
            lambda values: [f"{s}.append({entry(values)})"],
            lambda f: [f"{s}[-1] = {entry([f.format(p) for p in parts])}"],
            lambda i, f: [f"{s}[-1] = {entry([f.format(p) if j == i else p for j, p in enumerate(parts)])}"],
            new,
        )
    if kind in ("list", "dict"):
        keys = [str(i) for i in range(count)] if kind == "list" else [f'"{f}"' for f in fields]
        parts = [f"{s}[{key}]" for key in keys]
        start = (
            f"[{', '.join([zeros] * count)}]"
            if kind == "list"
            else "{" + ", ".join(f"{key}: {zeros}" for key in keys) + "}"
        )
        at_once = d.chance(0.4)

        def write(values: list[str]) -> list[str]:
            if at_once and kind == "dict":
                return [f"{s}.update({', '.join(f'{f}={v}' for f, v in zip(fields, values, strict=True))})"]
            if at_once:
                return [f"{s}[:] = [{', '.join(values)}]"]
            return [f"{part} = {value}" for part, value in zip(parts, values, strict=True)]

        def every_part(f: str) -> list[str]:
            if kind == "list":
                loop = d.pick(f"for k in range(len({s})):", f"for k, _ in enumerate({s}):")
                return d.pick(
                    [loop, f"    {s}[k] = {f.format(f'{s}[k]')}"], [f"{s}[:] = [{f.format('p')} for p in {s}]"]
                )
            return d.pick(
                [f"for key in {s}:", f"    {s}[key] = {f.format(f'{s}[key]')}"],
                [f"for key, value in {s}.items():", f"    {s}[key] = {f.format('value')}"],
            )

        return Place(
            kind, [f"{s} = {start}"], parts, write, every_part, lambda i, f: [f"{parts[i]} = {f.format(parts[i])}"], new
        )
    # an object with attributes
    if kind == "namespace":
        d.need("from types import SimpleNamespace")
        make = f"SimpleNamespace({', '.join(f'{f}={zeros}' for f in fields)})"
    elif kind == "dataclass":
        d.need("from dataclasses import dataclass")
        d.define("@dataclass\nclass Carry:\n" + "\n".join(f"    {f}: torch.Tensor" for f in fields))
        make = f"Carry({', '.join([zeros] * count)})"
    else:
        cut = "\n\n    def cut(self):\n" + "\n".join(f"        self.{f} = self.{f}.detach()" for f in fields)
        d.define(
            f"class Carry:\n    def __init__(self, {', '.join(fields)}):\n"
            + "\n".join(f"        self.{f} = {f}" for f in fields)
            + cut
        )
        make = f"Carry({', '.join([zeros] * count)})"
    parts = [f"{s}.{f}" for f in fields]

    def cut_object(f: str) -> list[str]:
        if kind == "object" and f == "{0}.detach()" and d.chance(0.7):
            return [f"{s}.cut()"]
        return [f"{part} = {f.format(part)}" for part in parts]

    return Place(
        kind,
        [f"{s} = {make}"],
        parts,
        lambda values: [f"{part} = {value}" for part, value in zip(parts, values, strict=True)],
        cut_object,
        lambda i, f: [f"{parts[i]} = {f.format(parts[i])}"],
        new,
    )


def _buffer(d: Draft, zeros: str) -> Place:
    """A tensor written in place; whoever reads it reads the tensor itself or a copy."""
    b = d.role("buf", "carried", "buffer", "memory", "state_buf")
    d.role("h_new", "local", "new_h", "next_h")
    write = d.weighted(
        {
            "{b}.copy_({v})": 2.0,
            "{b}[:] = {v}": 1.0,
            "{b}.zero_()\n{b}.add_({v})": 0.7,
            "with torch.no_grad():\n    {b}.copy_({v})": 1.2,
            "{b}.data.copy_({v})": 0.7,
            "{b} = 0.5 * {b} + 0.5 * {v}": 1.0,
            "{b}.mul_(0.5).add_({v}, alpha=0.5)": 0.7,
            "{b}.copy_({v}.detach())": 1.2,
        }
    )
    d.feature("buffer", write.split("(")[0].split(" = ")[0].replace("\n", " "))
    return Place(
        "buffer",
        [f"{b} = {zeros}"],
        [d.pick(b, f"{b}.clone()", f"{b}.clone()")],
        lambda values: write.format(b=b, v=values[0]).split("\n"),
        lambda f: [f"{b} = {f.format(b)}"],
        lambda i, f: [f"{b} = {f.format(b)}"],
        ["$h_new"],
    )
