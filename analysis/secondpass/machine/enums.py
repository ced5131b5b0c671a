"""Enums: their members are instances of the class, one for each name."""

from __future__ import annotations

from secondpass.machine.operators import same
from secondpass.machine.values import MISSING, Class, Function, Obj, Property, Static, Unknown, V

ENUMS = frozenset(("Enum", "Flag"))
MIXED = frozenset(("str", "int"))
"""With one of these among its bases, a member is as good as its value."""


def make_members(cls: Class) -> None:
    """The members of an Enum: one instance for each of its names."""
    if any(c.name in MIXED for c in cls.mro):
        return
    for key, value in list(cls.attrs.items()):
        if key[0] not in "_@" and type(value) not in (Function, Property, Static, Class):
            member = Obj(cls)
            member.attrs = {"name": key, "value": value}
            cls.attrs[key] = member


def members(cls: Class) -> list[Obj]:
    """The members of an Enum; none for any other class."""
    return [v for v in cls.attrs.values() if type(v) is Obj and v.cls is cls and "name" in v.attrs]


def member(cls: Class, value: V) -> V:
    """`Mode("train")`, `Mode["TRAIN"]`: the member with that value or name; MISSING if `cls` is no Enum."""
    found = members(cls)
    for one in found:
        if one is value or same(one.attrs["value"], value) or one.attrs["name"] == value:
            return one
    if not found:
        return MISSING
    made = Unknown("number", cls.name)
    made.setting, made.options = True, list(found)
    return made
