"""What helps: sentences that fit the cause, from what the record shows of cuts, steps and resets.

Each starts with a verb and names its price. A remedy is told only where the record supports it: `retain_graph=True`
only if no optimizer step lies between the walks, `detach` only where what is left can still be trained.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondpass.machine.graph import Leaf, Node, reach
from secondpass.rules.carrier import name_of
from secondpass.rules.places import (
    alone,
    binds_again,
    bound_by,
    called_with,
    deed_of,
    function_of,
    mentions,
    receiver_text,
    resets,
    span_of,
    statement_of,
    text_of,
)

if TYPE_CHECKING:
    from secondpass.rules.story import Story

NAME = re.compile(r"[\w.]+(\[[\w.'\"]+\])?")
"""Code short enough to be written into a suggestion as it is."""


@dataclass(frozen=True, slots=True)
class Between:
    """What happened to weights between two walks."""

    stepped: bool
    """Weights behind either loss were changed."""
    shared: bool
    """Weights behind the shared part were changed: the first loss's step owns them."""
    step: ast.AST | None
    """One such change."""


def leaves(nodes: list[Node | Leaf], without: Node | None = None) -> list[Leaf]:
    """The leaves below some nodes, on ways that do not go through `without`."""
    seen: set[Node | Leaf] = set(nodes)
    todo = [n for n in nodes if n is not without]
    found = []
    while todo:
        node = todo.pop()
        if type(node) is Leaf:
            found.append(node)
            continue
        for below in node.inputs:  # type: ignore[union-attr]
            if below not in seen and below is not without:
                seen.add(below)
                todo.append(below)
    return found


def between(story: Story) -> Between:
    """Whether an optimizer stepped between the walks, and on what."""

    def changed(nodes: list[Node | Leaf]) -> list[Leaf]:
        return [n for n in leaves(nodes) if n.tensor.storage.written >= story.first.seq]

    shared = changed([story.stale])
    other = shared or changed([*story.first.roots, *story.second.roots])
    step = other[0].tensor.storage.writer if other else None
    return Between(bool(other), bool(shared), step)


def never_trained(story: Story) -> bool:
    """Whether weights were stepped, but none of those behind the stale graph: it is data, not something to train."""
    behind = leaves([story.stale])
    return not any(n.tensor.storage.written for n in behind) and any(
        n.tensor.storage.written for n in leaves(list(story.first.roots))
    )


def cut_help(story: Story) -> str:
    """For a state that goes from iteration to iteration: what of a cut that is there already does not work, else where
    to cut."""
    unit = "call" if story.loop is None else "iteration"
    told = _existing_cut(story)
    if told:
        return told
    told = f"cut the history once the {unit} is done (gradients then stop at the {unit}'s start)"
    holder = story.holder
    method = resets(holder.site, story.subject) if holder is not None and holder.kind != "name" else ""
    if method:
        told += f", or call `{method}()`, which rebinds `{story.subject}`, at the start of the {unit}"
    return told


def _existing_cut(story: Story) -> str:
    carrier, name = story.carrier, story.subject
    if carrier.cut:
        names = " and ".join(f"`{n}`" for n, _ in carrier.cut)
        verb = "are" if len(carrier.cut) > 1 else "is"
        return f"cut `{name}` as well: {names} {verb} cut on {story.where(carrier.cut[0][1].site)}, `{name}` is not"
    entered = story.fresh.seq if story.fresh is not None else story.second.seq
    cuts = [d for d in story.event.detached if d.seq < entered]
    for cut in cuts:
        if cut.node is not story.stale:
            continue
        code, where = text_of(cut.site), story.where(cut.site)
        target = bound_by(cut.site)
        if alone(cut.site) and not code.endswith("detach_()"):
            return f"keep the result: `{code}` on {where} is dropped, and `detach` changes nothing in place"
        if target and target != name and _whole(cut.site):
            return f"store the cut tensor: `{code}` on {where} only rebinds `{target}`, and `{name}` keeps the old one"
    if story.stale.op.split(".")[0] in ("zero_", "fill_"):
        deed = f"`{text_of(story.stale.site)}` on {story.where(story.stale.site)}"
        return f"cut the history (`{name} = {name}.detach()`) or make a new tensor: {deed} keeps it"
    beside = _cut_beside(story, entered)
    if beside:
        return beside
    if story.loop is not None and story.holder is not None:
        ran = {story.where(h.site) for h in story.stale.holders or ()}
        for statement in binds_again(story.loop, name, story.holder.site):
            if story.where(statement) not in ran:
                first, iteration = (
                    story.when(story.stale.iterations),
                    story.when(story.fresh.iterations) if story.fresh else story.iteration,
                )
                code = text_of(statement)
                return (
                    f"cut in every iteration that walks: `{code}` on {story.where(statement)} does not run "
                    f"between iteration {first} and iteration {iteration}"
                )
    return ""


def _whole(site: ast.AST) -> bool:
    """Whether a statement assigns this very value."""
    statement = statement_of(site)
    return isinstance(statement, ast.Assign) and statement.value is site


def _cut_beside(story: Story, entered: int) -> str:
    """Other states of the same object that were cut between the walk and the next iteration."""
    holder = story.holder
    if holder is None or holder.kind != "attribute":
        return ""
    names: dict[str, ast.AST] = {}
    for cut in story.event.detached:
        if story.first.seq < cut.seq < entered and cut.node is not story.stale:
            for other in cut.node.holders or ():
                mine = other.kind == "attribute" and function_of(other.site) is function_of(holder.site)
                if mine and other.tensor == cut.tensor and name_of(other) != story.subject:
                    names.setdefault(name_of(other), cut.site)
    if not names or len(names) > 3:
        return ""
    told = " and ".join(f"`{n}`" for n in names)
    verb = "are" if len(names) > 1 else "is"
    site = next(iter(names.values()))
    return f"cut `{story.subject}` as well: {told} {verb} cut on {story.where(site)}, `{story.subject}` is not"


def again_help(story: Story, where: str) -> str:
    """For a graph that was built once and is walked over and over: compute it anew, or detach it."""
    if never_trained(story):
        return "detach it (no step trains what is behind it), or compute it under `torch.no_grad()`"
    return f"compute it again in each {where} (or detach it, if nothing behind it is to be trained)"


def element_help(story: Story) -> str:
    """For a graph whose parts are walked one by one with no step between: each walk may keep it."""
    if between(story).stepped or story.first.site is not story.second.site or "grad(" not in text_of(story.second.site):
        return ""
    return (
        "write `retain_graph=True` on each walk but the last (no step lies between), "
        "or use `torch.autograd.functional.jacobian`"
    )


def twice_help(story: Story) -> str:
    """For one loss that is walked twice."""
    first, second = text_of(story.first.site), story.second.site
    where = story.where(story.first.site)
    parted = between(story)
    if parted.stepped:
        by = f" ({_step_text(parted)} has changed its weights)" if parted.shared else ""
        return f"compute the loss again before the second walk{by}"
    if called_with(second, "retain_graph") and not called_with(story.first.site, "retain_graph"):
        return f"move `retain_graph=True` to the first walk, `{first}` on {where}: on the second it comes too late"
    if story.loop is not None:
        return "compute the loss again in each iteration, or write `retain_graph=True` (no step lies between the walks)"
    if "grad(" in first or story.first.site is second or "grad(" in text_of(second):
        return (
            f"write `retain_graph=True` on the first walk, `{first}` (no step lies between), or compute the loss again"
        )
    return (
        "remove one of the two walks, or write `retain_graph=True` on the first, "
        f"`{first}`, if both are meant (gradients add up)"
    )


def shared_help(story: Story) -> str:
    """For two losses that share a part of the graph: decided by what lies between their walks."""
    first, second = story.first, story.second
    if any(n.op == "grad" for n in story.path):
        return "add the penalty to the loss and walk once"
    parted, code = between(story), text_of(first.site)
    if not parted.stepped:
        if called_with(second.site, "retain_graph") and not called_with(first.site, "retain_graph"):
            where = story.where(first.site)
            return f"move `retain_graph=True` to the first walk, `{code}` on {where}: on the second it comes too late"
        if "grad(" in code or "grad(" in text_of(second.site):
            return f"write `retain_graph=True` on the first walk, `{code}` (no step lies between)"
        return f"walk once over the sum{_sum(story)} (the same gradients, one walk less)"
    if not parted.shared and leaves(list(first.roots), story.stale):
        use = _detached(story, [first.roots])
        return f"detach {story.named} where the first loss reads it{use}: that loss is not to train what built it"
    step = _step_text(parted)
    if parted.shared and leaves(list(second.roots), story.stale):
        use = _detached(story, [second.roots])
        return f"detach {story.named} where the second loss reads it{use}: {step} has trained what built it"
    return f"compute {story.named} again after {step} for the second walk"


def _step_text(parted: Between) -> str:
    """The step between the walks: as written if it is one call, not an optimizer's own code."""
    code = text_of(parted.step) if parted.step is not None else ""
    return f"`{code}`" if ".step(" in code else "the optimizer's step"


def _sum(story: Story) -> str:
    """The one walk as code, where both losses are plain names of one function."""
    one, other = receiver_text(story.first.site), receiver_text(story.second.site)
    near = function_of(story.first.site) is function_of(story.second.site)
    plain = [NAME.fullmatch(t) is not None and t.split(".")[-1] not in ("backward", "grad") for t in (one, other)]
    return f": `({one} + {other}).backward()`" if near and all(plain) else " of both losses"


def _detached(story: Story, roots: list[list[Node | Leaf]]) -> str:
    """How the reading expression looks with the carrier detached."""
    name = story.subject
    if not name or NAME.fullmatch(name) is None:
        return ""
    users = [n for r in roots for n in reach(r) if type(n) is Node and story.stale in n.inputs and n is not story.stale]
    for user in sorted(users, key=lambda n: n.seq):
        sites = [user.site]
        chain = user.chain
        while chain is not None:
            if hasattr(chain.site, "unit"):
                sites.append(chain.site)
            chain = chain.outer
        for site in sites:
            code = text_of(site, 200)
            if mentions(site, name) and not isinstance(site, ast.stmt) and len(code) <= 80:
                new = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w(])", f"{name}.detach()", code, count=1)
                return f" (`{new}`)"
    return ""


def stale_help(story: Story) -> str:
    """For values that were changed in place after the graph saved them."""
    storage = story.failure.storage
    writer = storage.writer if storage is not None else None
    sites = [*_outer_sites(story), story.node.site]
    again = f"compute `{text_of(sites[0])}` again after it"
    if writer is None:
        return "compute the forward again after the change"
    code = deed_of(writer)
    if ".step(" in code and story.loop is not None and story.built_inside():
        told = cut_help(story)
    elif ".step(" in code:
        where = story.where(writer)
        walk = text_of(story.walked_site)
        told = f"compute `{text_of(sites[0])}` again after the step"
        near = function_of(writer) is function_of(story.walked_site) and span_of(writer) < span_of(story.walked_site)
        if story.loop is None and story.calls is None and near:
            told = (
                f"compute `{text_of(sites[0])}` again after `{code}`, or move `{code}` behind `{walk}` "
                "(it then also steps with that walk's gradients)"
            )
        elif story.loop is not None and not story.built_inside():
            told = f"compute `{text_of(sites[0])}` again in each iteration, after `{code}` on {where}"
    elif isinstance(writer, ast.AugAssign) or code.split("(")[0].endswith("_"):
        told = f"write `{code}` as an operation that makes a new tensor, or {again}"
    else:
        told = f"compute `{text_of(sites[0])}` again after the change"
    kept = story.first.retain_site if story.first is not story.second else None
    if kept is not None:
        told += f"; `{text_of(kept)}` on {story.where(kept)} keeps the graph, not the old values"
    return told


def _outer_sites(story: Story) -> list[ast.AST]:
    """The calls that led to the failing node, seen from where the walks stand."""
    from secondpass.rules.story import links

    return [link.site for link in links(story.node.chain) if link not in story.outer_links]
