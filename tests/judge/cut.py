"""Where, when and whether carried state is cut from its history; with the cuts that only look like one."""

from __future__ import annotations

from tests.judge.draft import Draft, indent
from tests.judge.place import Place

CUTS = (
    "{0}.detach()",
    "{0}.detach()",
    "{0}.detach()",
    "{0}.detach().clone()",
    "{0}.data",
    "{0}.clone().detach()",
    "torch.zeros_like({0})",
    "{0}.data.clone()",
    "{0}.detach().requires_grad_()",
    "torch.tensor({0}.tolist())",
    "{0}.new_tensor({0}.tolist())",
)
NOT_CUTS = (
    "{0}.clone()",
    "{0}.contiguous()",
    "{0} * 1.0",
    "{0}.float()",
    "{0}.cpu()",
    "{0} * 0.0",
    "torch.as_tensor({0})",
    "{0} + 0.0",
    "{0}.view_as({0})",
)


def cut(d: Draft, at: Place) -> None:
    """Put a cut, a half cut or something that only looks like one at the start, middle or end of the iteration."""
    kind = d.weighted(
        {
            "none": 3.5,
            "right": 5.5,
            "half": 2.0,
            "dropped": 1.0,
            "not": 1.5,
            "loop": 1.0,
            "no_grad": 1.0,
            "gap": 2.0,
            "helper": 1.6,
            "wrong-type": 0.6,
            "flag": 1.0,
            "inplace": 0.12,
            "first": 0.6,
        }
    )
    slot = d.pick("start", "mid", "end", "end")
    count = len(at.read)
    template = d.pick(*CUTS)

    whole = at.cut_all
    lines: list[str]
    if kind == "none":
        lines = []
    elif kind == "right":
        lines = whole(template)
    elif kind == "half":
        lines = at.cut_one(d.rng.randrange(count), "{}.detach()")
        kind = "half" if count > 1 else "right"
    elif kind == "dropped":
        lines = [f"{part}.detach()" for part in at.read]
    elif kind == "not":
        lines = whole(d.pick(*NOT_CUTS))
    elif kind == "loop":
        lines = d.pick(
            [f"for part in ({', '.join(at.read)},):", "    part = part.detach()"],
            [f"for part in [{', '.join(at.read)}]:", f"    part.{d.pick('detach_', 'detach_', 'detach')}()"],
        )
        slot = "end"
    elif kind == "no_grad":
        inner = whole(d.pick("{}.clone()", "{} * 1.0", "{} + 0.0", "{}", "{}.float()"))
        lines = ["with torch.no_grad():", *indent(inner)]
    elif kind == "gap":
        i, k = d.use_counter(), d.pick(2, 2, 3)
        lines = [
            d.pick(f"if {i} % {k} == 0:", f"if ({i} + 1) % {k} == 0:", f"if {i} % {k} == {k - 1}:"),
            *indent(whole(template)),
        ]
    elif kind == "helper":
        lines = _helper(d, at)
    elif kind == "wrong-type":
        test = d.pick(
            "isinstance({}, list)",
            "isinstance({}, tuple)",
            "isinstance({}, torch.Tensor)",
            "{} is None",
            "{} is not None",
            "torch.is_tensor({})",
        )
        lines = [f"if {test.format(at.read[0])}:", *indent(whole(template))]
    elif kind == "flag":
        flag = d.role("flag", "setup", "detach_state", "truncate", "reset")
        d.setup.append(f"{flag} = {d.pick('True', 'True', 'False')}")
        lines = [f"if {flag}:", *indent(whole(template))]
    elif kind == "first":
        i = d.use_counter()
        lines = [
            d.pick(f"if {i} == 0:", f"if {i} > 0:", f"if not {i}:", f"if {i} >= 1:", f"if {i} == 1:"),
            *indent(whole(template)),
        ]
    else:
        lines = [f"{part}.detach_()" for part in at.read]
        slot = "end"
    d.feature("cut", kind, slot)
    target = d.slots[slot]
    target[:] = [*lines, *target] if slot == "start" else [*target, *lines]


def _helper(d: Draft, at: Place) -> list[str]:
    """A function that cuts whatever it is given, rightly or not, applied to the state."""
    name = d.pick("repackage", "detach_state", "truncate", "cut_history")
    style = d.pick("recursive", "recursive", "plain", "forgets", "half", "returns-none")
    d.feature("helper", style)
    if style == "recursive":
        d.define(
            f"def {name}(s):",
            "    if isinstance(s, torch.Tensor):",
            "        return s.detach()",
            f"    return {d.pick('tuple', 'type(s)')}({name}(p) for p in s)",
        )
    elif style == "plain":
        d.define(f"def {name}(s):\n    return s.detach() if torch.is_tensor(s) else tuple(p.detach() for p in s)")
    elif style == "forgets":
        d.define(f"def {name}(s):\n    if isinstance(s, list):\n        return [p.detach() for p in s]\n    return s")
    elif style == "half":
        d.define(
            f"def {name}(s):\n    if torch.is_tensor(s):\n        return s.detach()\n    return s[0].detach(), *s[1:]"
        )
    else:
        d.define(
            f"def {name}(s):",
            "    parts = [s] if torch.is_tensor(s) else s",
            "    for p in parts:",
            "        p = p.detach()",
            "    return s",
        )
    if len(at.read) == 1 or d.chance(0.3):
        return at.cut_all(f"{name}({{}})")
    fresh = ["$cut0", "$cut1"]
    return [f"{', '.join(fresh)} = {name}(({', '.join(at.read)}))", *at.write(fresh)]
