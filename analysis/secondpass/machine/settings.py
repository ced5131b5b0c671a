"""Settings: what a person gives a program from outside, and what is believed of it.

The command line, the environment and configuration files are not known, but their defaults are: an option is an unknown
with a `believed` value, and with the values it may have, if the program names them. What hangs on it believes the
default and is a choice; the answer holds for the rest of the run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from secondpass.machine.values import MISSING, Unknown, V, Value
from secondpass.source.twins import twin

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

FEW = 8
"""A count up to here is simply what it is by default. So many layers are made; of more, a few stand for all."""
TRIED = 4
"""How many values of an option are tried beside the one that is believed."""


def setting(label: str, default: V = MISSING, options: list[V] | None = None) -> V:
    """An option with its default. A number is what it is by default, unless that is none or one: others differ."""
    if isinstance(default, Value) or (not options and _fixed(default) and abs(default) <= FEW):
        return default
    made = Unknown("number", label)
    made.setting, made.believed = True, default
    if type(default) is bool and not options:
        options = [default, not default]
    if options:
        made.options = [default, *(o for o in options if o != default)] if default is not MISSING else list(options)
    return made


def _fixed(value: V) -> bool:
    return (type(value) is int or type(value) is float) and value not in (0, 1)


def number(value: V) -> V:
    """A setting that is a number, as a condition sees it: what it is by default."""
    if type(value) is Unknown and value.setting and value.known is MISSING and value.options is None:
        return value.believed if _fixed(value.believed) else value
    return value


def foreign(label: str) -> Unknown:
    """Something of which it is only known that it was set outside."""
    made = Unknown("number", label)
    made.setting = True
    return made


def belief(value: V) -> V:
    """What a value is believed to be: itself if it is a constant, an option's default; else MISSING."""
    if not isinstance(value, Value):
        return value
    if type(value) is not Unknown:
        return MISSING
    return value.known if value.known is not MISSING else value.believed


def derive(made: Unknown, compute: Callable[..., Any], *operands: V) -> Unknown:
    """What is computed from settings is one: it is believed to be what comes of their defaults."""
    given = [v for v in operands if type(v) is Unknown and v.setting]
    if not given or made.setting:
        return made
    made.setting = True
    made.believed = _computed(compute, [belief(v) for v in operands])
    source = given[0]
    if len(given) == 1 and all(constant(v) for v in operands if v is not source):
        root, before = source.origin or (source, lambda v: v)
        made.origin = root, lambda v: _computed(compute, [before(v) if o is source else o for o in operands])
        if source.options is not None:
            mapped = [_computed(compute, [o if v is source else v for v in operands]) for o in source.options]
            made.options = [v for i, v in enumerate(mapped) if v not in mapped[:i]] if MISSING not in mapped else None
    return made


def _computed(compute: Callable[..., Any], operands: list[V]) -> V:
    if any(isinstance(v, Value) or v is MISSING for v in operands):
        return MISSING
    try:
        found = compute(*operands)
    except Exception:
        return MISSING
    return found if constant(found) and not isinstance(found, (list, tuple, dict, set)) else MISSING


def decided(value: Unknown, side: bool) -> None:
    """A condition on a setting takes this side: the setting is none of the values that would take the other."""
    if value.origin is None:
        if value.options is not None and all(type(o) is bool for o in value.options):
            value.known = side
        return
    root, compute = value.origin

    def fits(option: V) -> bool:
        found = compute(option)
        return found is MISSING or bool(found) is side

    if root.options is not None:
        root.options = [o for o in root.options if fits(o)]
        if len(root.options) == 1:
            root.known = root.options[0]
    if root.believed is not MISSING and not fits(root.believed):
        root.believed = MISSING


def certain(value: Unknown) -> bool | None:
    """The side that a setting counts as, if all the values that are left for it count the same."""
    if number(value) is not value:
        return True
    root, compute = value.origin or (value, lambda v: v)
    left = [root.known] if root.known is not MISSING else root.options or [MISSING]
    sides = {None if found is MISSING or isinstance(found, Value) else bool(found) for found in map(compute, left)}
    return sides.pop() if len(sides) == 1 else None


def constant(value: V) -> bool:
    return not isinstance(value, Value)


def pick(m: Machine, value: V, site: ast.AST, others: Iterable[V] = ()) -> V:
    """The constant that an option is taken for here, as a choice; the value itself where nothing says what it may be.

    `others` are the values that make sense here (the keys of a dict), for an option that does not say its own.
    """
    if type(value) is not Unknown:
        return value
    if value.known is not MISSING:
        return value.known
    found = value.options if value.options is not None else [*others]
    if value.believed is not MISSING and value.believed not in found:
        found = [value.believed, *found]
    if not found:
        return value
    known = value.believed is not MISSING
    first = value.believed if known else found[0]
    for option in [o for o in found if o is not first][:TRIED]:
        if m.choose(_named(site, value.label, option), False, known):
            first = option
            break
    value.known = first
    return first


def drawn(m: Machine, items: list[V], site: ast.AST) -> V:
    """One of these, drawn at random: a constant that may be any of them, else the first or, as a choice, another."""
    if all(constant(item) for item in items):
        made = Unknown("number", "what is drawn")
        made.setting, made.options = True, list(items)
        return made
    first = items[0]
    for number, other in enumerate(items[1 : TRIED + 1], 1):
        if other is not first and m.choose(stated(site, f"number {number} is drawn"), False):
            return other
    return first


def _named(site: ast.AST, label: str, option: V) -> ast.AST:
    """The place of the choice of one value."""
    shown = getattr(option, "name", "another value") if isinstance(option, Value) else repr(option)
    return stated(site, f"{label or 'the key'} == {shown}")


def stated(site: ast.AST, says: str) -> ast.AST:
    """The place of a choice that is no condition of the program; `says` is what holds on its other side."""
    made = twin(site, says, lambda: ast.Constant(says))
    made.unit, made.says = site.unit, says  # type: ignore[attr-defined]
    return made
