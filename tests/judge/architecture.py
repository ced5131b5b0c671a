"""How a draft becomes a program: script, main function, step function, trainer class, closure, generator.

Here the open names get their scope: what was set up once becomes a global, a parameter or an attribute, what is
carried becomes a local, a returned value, a global, a nonlocal or an attribute.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.judge.draft import SLOTS, Draft, bound_in, indent, needed_by, render, roles_in


@dataclass
class Loop:
    """The loop over the data: lines before it, its header(s), lines that open its body, lines that close it."""

    before: list[str]
    head: list[str]
    opening: list[str]
    closing: list[str]
    each_epoch: list[str] = field(default_factory=list)
    """What stands between the two headers, if there are two."""

    def around(self, body: list[str]) -> list[str]:
        depth = len(self.head)
        lines = [
            line
            for level, head in enumerate(self.head)
            for line in indent([*(self.each_epoch if level else []), head], level)
        ]
        return [*self.before, *lines, *indent([*self.opening, *body, *self.closing], depth)]


def data(d: Draft) -> None:
    """Make the data and the sizes the loop runs over."""
    targets = f"torch.randint(0, {d.outputs}, ({d.batch},))" if d.classes else f"torch.randn({d.batch}, {d.outputs})"
    d.role("data", "setup", "data", "batches", "loader", "dataset", "stream")
    d.setup.append(f"$data = [(torch.randn({d.batch}, {d.inputs}), {targets}) for _ in range({d.iterations})]")


def loop(d: Draft, skips: bool) -> Loop:
    """Draw a loop that binds `$x`, `$y` and, where some line asks for it, `$i`."""
    kind = d.weighted(
        {
            "for": 4.0,
            "enumerate": 3.0,
            "range": 2.5,
            "while": 0.0 if skips else 1.0,
            "epochs": 2.5,
            "zip": 1.0,
            "break": 0.8,
            "fresh": 1.5,
            "walrus": 0.5,
            "next": 0.7,
            "endless": 0.0 if skips else 0.5,
        }
    )
    d.feature("loop", kind)
    d.role("i", "local", "i", "step", "t", "it", "batch_idx")
    if kind == "for" and d.counter:
        kind = "enumerate"
    if kind == "for":
        return Loop([], ["for $x, $y in $data:"], [], [])
    if kind == "enumerate":
        return Loop([], ["for $i, ($x, $y) in enumerate($data):"], [], [])
    if kind == "range":
        opening = ["$x, $y = $data[$i]"] if d.chance(0.6) else ["$x = $data[$i][0]", "$y = $data[$i][1]"]
        return Loop([], [f"for $i in range({d.pick(str(d.iterations), 'len($data)')}):"], opening, [])
    if kind == "fresh":
        targets = (
            f"torch.randint(0, {d.outputs}, ({d.batch},))" if d.classes else f"torch.randn({d.batch}, {d.outputs})"
        )
        return Loop(
            [],
            [f"for $i in range({d.iterations}):"],
            [f"$x = torch.randn({d.batch}, {d.inputs})", f"$y = {targets}"],
            [],
        )
    if kind == "while":
        return Loop(
            ["$i = 0"],
            [d.pick(f"while $i < {d.iterations}:", "while $i < len($data):")],
            ["$x, $y = $data[$i]"],
            ["$i += 1"],
        )
    if kind == "walrus":
        return Loop(["$i = -1"], [f"while ($i := $i + 1) < {d.iterations}:"], ["$x, $y = $data[$i]"], [])
    if kind == "next":
        d.role("source", "local", "source", "iterator")
        return Loop(["$source = iter($data)"], [f"for $i in range({d.iterations}):"], ["$x, $y = next($source)"], [])
    if kind == "endless":
        return Loop(
            ["$i = 0"], ["while True:"], ["if $i == len($data):", "    break", "$x, $y = $data[$i]"], ["$i += 1"]
        )
    if kind == "zip":
        if d.counter:
            return Loop([], ["for $i, ($x, $y) in zip(range(len($data)), $data):"], [], [])
        return Loop(["$xs, $ys = zip(*$data)"], ["for $x, $y in zip($xs, $ys):"], [], [])
    if kind == "break":
        stop = d.pick(1, 2, d.iterations)
        return Loop([], ["for $i, ($x, $y) in enumerate($data):"], [f"if $i >= {stop}:", "    break"], [])
    d.role("epoch", "local", "epoch", "ep")
    inner = "for $i, ($x, $y) in enumerate($data):" if d.counter or d.chance(0.3) else "for $x, $y in $data:"
    return Loop([], ["for $epoch in range(2):", inner], [], [])


def extract(d: Draft) -> None:
    """Sometimes move the forward computation and the loss into a function of their own."""
    if not d.chance(0.25):
        return
    body = [*d.slots["forward"], *(d.slots["loss"] if d.chance(0.6) else [])]
    later = (
        [line for slot in SLOTS for line in d.slots[slot]][len(d.slots["start"]) + len(body) :]
        + d.slots["start"]
        + d.after
    )
    bound = [role for role in bound_in(body) if role in roles_in(later) or d.kinds.get(role) == "carried"]
    if not bound or any("@skip" in line for line in body):
        return
    needed = needed_by(d, body)
    form = d.weighted({"function": 3.0, "dict": 1.0, "keywords": 1.0, "star": 0.6, "lambda": 0.0})
    d.feature("extract", form)
    name = d.pick("compute", "forward_pass", "evaluate", "run_model")
    parameters = ", ".join(f"${role}" for role in needed)
    results = ", ".join(f"${role}" for role in bound)
    if form == "dict":
        returned = "{" + ", ".join(f'"{role}": ${role}' for role in bound) + "}"
        call = [f"$result = {name}({parameters})", *(f'${role} = $result["{role}"]' for role in bound)]
    elif form == "keywords":
        returned, call = results, [f"{results} = {name}({', '.join(f'{d_name(d, role)}=${role}' for role in needed)})"]
    elif form == "star":
        returned, call = results, [f"$args = ({parameters},)", f"{results} = {name}(*$args)"]
    else:
        returned, call = results, [f"{results} = {name}({parameters})"]
    plain = {role: d_name(d, role) for role in roles_in([*body, parameters, results])}
    d.define("\n".join(render([f"def {name}({parameters}):", *indent([*body, f"return {returned}"])], plain)))
    moved = len(body) > len(d.slots["forward"])
    d.slots["forward"] = call
    if moved:
        d.slots["loss"] = []


def d_name(d: Draft, role: str) -> str:
    """The bare name of a role, registered on the fly for a local nobody named."""
    if role not in d.names:
        d.role(role, d.kinds.get(role, "local"))
    return d.names[role]


def assemble(d: Draft) -> str:
    """The text of the program."""
    extract(d)
    iteration = [line for slot in SLOTS for line in d.slots[slot]]
    skips = any("@skip" in line for line in iteration)
    counter = "$i" in " ".join(iteration)
    d.counter = counter
    around = loop(d, skips)
    if len(around.head) == 2 and d.before and d.chance(0.5):  # the state starts anew in each epoch
        around.each_epoch, d.before = d.before, []
        d.feature("epoch", "fresh")
    if d.chance(0.06) and not skips:
        iteration = ["try:", *indent(iteration), "finally:", '    print("iteration done")']
        d.feature("try")
    elif d.chance(0.02) and not skips:
        iteration = [
            "try:",
            *indent(iteration),
            "except RuntimeError as failure:",
            '    print("iteration failed", failure)',
        ]
        d.feature("caught")
    elif d.chance(0.04) and not skips:
        iteration = ["with torch.autograd.set_detect_anomaly(True):", *indent(iteration)]
        d.feature("anomaly")
    everything = [
        *d.setup,
        *d.before,
        *iteration,
        *d.after,
        *around.before,
        *around.each_epoch,
        *around.head,
        *around.opening,
        *around.closing,
    ]
    for role in roles_in(everything):
        d_name(d, role)
    loop_bound = bound_in([f"{around.head[-1]}\n    pass", *around.opening, *around.before])
    given = [role for role in roles_in(iteration) if role in loop_bound]
    carried = [
        role
        for role in roles_in([*iteration, *d.before, *around.each_epoch])
        if d.kinds.get(role) == "carried" and (role in bound_in(iteration) or role in roles_in(iteration))
    ]
    makers = {
        "script": _script,
        "main": _main,
        "step": _step,
        "trainer": _trainer,
        "closure": _closure,
        "generator": _generator,
        "epoch": _epoch,
    }
    weights = {
        "script": 3.5,
        "main": 1.5,
        "step": 2.5,
        "trainer": 2.5,
        "closure": 1.0,
        "generator": 0.0 if skips else 0.6,
        "epoch": 1.5,
    }
    if around.each_epoch:
        weights["closure"] = 0.0
    kind = d.weighted(weights)
    d.feature("shape", kind)
    lines = makers[kind](d, iteration, around, given, carried)
    head = [
        "import torch",
        *([f"{line}"] if (line := d.pick("from torch import nn", "import torch.nn as nn")) else []),
        "import torch.nn.functional as F",
    ]
    imports = sorted(d.imports) + ([""] if d.imports else []) + head
    blocks = ["\n".join([*imports, "", f"torch.manual_seed({d.rng.randrange(10)})"])]
    definitions = list(d.definitions)
    blocks += [f"\n{text}\n" for text in definitions]
    return "\n\n".join(["\n".join(blocks), "\n".join(lines)]) + "\n"


def _plain(d: Draft) -> dict[str, str]:
    return dict(d.names)


def _script(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    return render([*d.setup, *d.before, *around.around(iteration), *d.after], _plain(d))


def _main(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    name = d.pick("main", "train", "run")
    body = render([*d.setup, *d.before, *around.around(iteration), *d.after], _plain(d))
    tail = ["", "", 'if __name__ == "__main__":', f"    {name}()"] if d.chance(0.6) else ["", "", f"{name}()"]
    return [f"def {name}():", *indent(body), *tail]


def _step(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    """A function makes one iteration; what is carried goes in and comes back, or is global."""
    names = _plain(d)
    name = d.pick("train_step", "step", "update", "train_one")
    if name in names.values():
        name = "train_iteration"
    needed = [role for role in needed_by(d, iteration) if role not in given and role not in carried]
    passed = [role for role in needed if d.chance(0.5)]
    as_global = bool(carried) and d.chance(0.3)
    d.feature("carried", "global" if as_global else "returned")
    parameters = [*passed, *given, *([] if as_global else carried)]
    back = ", ".join(f"${role}" for role in carried) if carried and not as_global else ""
    skips = any("@skip" in line for line in iteration)
    wrap = back and len(carried) > 1 and not skips and d.chance(0.25)
    returned = (
        [f"return {'{' + ', '.join(f'{chr(34)}{role}{chr(34)}: ${role}' for role in carried) + '}' if wrap else back}"]
        if back
        else []
    )
    skip = returned[0] if returned and not wrap else "return"
    body = [*([f"global {', '.join(f'${role}' for role in carried)}"] if as_global else []), *iteration, *returned]
    definition = render(
        [f"def {name}({', '.join(f'${role}' for role in parameters)}):", *indent(body)], names, render([skip], names)[0]
    )
    keyword = d.chance(0.25)
    arguments = ", ".join(
        f"{names[role]}=${role}" if keyword and role not in passed[:1] else f"${role}" for role in parameters
    )
    if keyword and len(passed) > 1:
        arguments = ", ".join(f"{names[role]}=${role}" for role in parameters)
    call = [f"{name}({arguments})"]
    if wrap:
        call = [f"$result = {name}({arguments})", *(f'${role} = $result["{role}"]' for role in carried)]
        d_name(d, "result")
        names = _plain(d)
    elif back:
        call = [f"{back} = {name}({arguments})"]
    elif around.head == ["for $x, $y in $data:"] and not around.opening and d.chance(0.3):
        d.feature("comprehension")
        around = Loop([], [], [], [])
        call = [f"$results = [{name}({arguments}) for $x, $y in $data]"]
        d_name(d, "results")
        names = _plain(d)
    lines = render([*d.setup, *d.before, *around.around(call), *d.after], names)
    return [*definition, "", "", *lines]


def _epoch(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    """A function makes a pass over the data and is called for every epoch."""
    names = _plain(d)
    name = d.pick("train_epoch", "run_epoch", "fit", "train")
    inner = [*around.around(iteration)]
    inside = d.chance(0.4) and not d.after and not around.each_epoch  # the state starts anew in each epoch
    d.feature("epoch", "fresh" if inside else "kept")
    before = d.before if inside else []
    after, d.after = (d.after, list[str]()) if around.each_epoch else (list[str](), d.after)
    carried = [] if around.each_epoch else carried
    made = [*bound_in([*before, *around.each_epoch]), *carried]
    needed = [role for role in needed_by(d, [*before, *inner, *after]) if role not in made]
    parameters = [*needed, *([] if inside else carried)]
    back = "" if inside else ", ".join(f"${role}" for role in carried)
    body = [*before, *inner, *after, *([f"return {back}"] if back else [])]
    definition = render([f"def {name}({', '.join(f'${role}' for role in parameters)}):", *indent(body)], names)
    call = f"{name}({', '.join(f'${role}' for role in parameters)})"
    epoch = "outer" if "epoch" in names else "epoch"
    lines = [
        *d.setup,
        *([] if inside else d.before),
        f"for {epoch} in range({d.pick(1, 2, 2)}):",
        f"    {back + ' = ' if back else ''}{call}",
        *d.after,
    ]
    return [*definition, "", "", *render(lines, names)]


def _trainer(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    """A class holds what is set up and what is carried; `step` makes an iteration and `fit` the loop."""
    names = _plain(d)
    owned = {role for role, kind in d.kinds.items() if kind == "setup" or role in carried}
    names = {role: f"self.{name}" if role in owned and role != "data" else name for role, name in names.items()}
    data_lines = [line for line in d.setup if line.startswith("$data")]
    setup = [line for line in d.setup if not line.startswith("$data")]
    class_name = d.pick("Trainer", "Learner", "Runner", "Experiment")
    step = d.pick("step", "train_step", "training_step")
    apart = d.chance(0.7)
    d.feature("trainer", "step" if apart else "fit")
    fit = around.around([f"self.{step}({', '.join(f'${role}' for role in given)})"] if apart else iteration)
    if not apart and any("@skip" in line for line in iteration):
        fit = around.around(iteration)
    lines = [
        f"class {class_name}:",
        "    def __init__(self):",
        *indent(render([*setup, *d.before], names) or ["pass"], 2),
    ]
    if apart:
        lines += [
            "",
            *indent(
                [
                    f"def {step}(self{''.join(f', {names[role]}' for role in given)}):",
                    *indent(render(iteration, names, "return")),
                ]
            ),
        ]
    body = render([*fit, *d.after], names)
    lines += ["", f"    def fit(self, {names['data']}):", *indent(body, 2)]
    return [
        *lines,
        "",
        "",
        *render(data_lines, d.names),
        f"{class_name}().fit({d.names['data']})",
    ]


def _closure(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    """A factory returns the function that makes an iteration; what is carried is nonlocal."""
    names = _plain(d)
    factory = d.pick("make_step", "build_trainer", "make_trainer")
    data_lines = [line for line in d.setup if line.startswith("$data")]
    setup = [line for line in d.setup if not line.startswith("$data")]
    bound = [role for role in carried if role in bound_in(iteration)]
    inner = [
        f"def iteration({', '.join(f'${role}' for role in given)}):",
        *indent([*([f"nonlocal {', '.join(f'${role}' for role in bound)}"] if bound else []), *iteration]),
    ]
    after = ["def finish():", *indent(d.after)] if d.after else []
    if any(role in carried for role in bound_in(d.after)):
        after = [after[0], f"    nonlocal {', '.join(f'${r}' for r in bound_in(d.after) if r in carried)}", *after[1:]]
    text = [
        f"def {factory}():",
        *indent(
            [
                *setup,
                *d.before,
                "",
                *inner,
                "",
                *after,
                *([""] if after else []),
                f"return iteration{', finish' if after else ''}",
            ]
        ),
    ]
    call = around.around([f"train({', '.join(f'${role}' for role in given)})"])
    rest = [*data_lines, f"train{', finish' if after else ''} = {factory}()", *call, *(["finish()"] if after else [])]
    return [*render(text, names, "return"), "", "", *render(rest, names)]


def _generator(d: Draft, iteration: list[str], around: Loop, given: list[str], carried: list[str]) -> list[str]:
    """A generator runs the loop and yields after each iteration."""
    names = _plain(d)
    body = render([*d.setup, *d.before, *around.around([*iteration, "yield"]), *d.after], names)
    return [
        "def training():",
        *indent(body),
        "",
        "",
        *d.pick(
            ["for _ in training():", "    pass"],
            ["list(training())"],
            ["for n, _ in enumerate(training()):", '    print(f"iteration {n}")'],
        ),
    ]
