"""The witness of a failing walk: its steps in the order in which they happen, each with a place, an iteration and a
text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.findings import Role, Span, Step
from secondpass.machine.graph import Chain, Holder
from secondpass.rules.advice import between
from secondpass.rules.carrier import name_of
from secondpass.rules.places import ENTRIES, deed_of, same_statement, span_of, text_of

if TYPE_CHECKING:
    from secondpass.rules.story import Story

DEEP = 4
"""Calls shown of one way through helpers and methods, the outermost first."""


class _Witness:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.told: set[tuple[Role, Span]] = set()

    def add(self, role: Role, site: ast.AST, iteration: int, text: str) -> None:
        span = span_of(site)
        if (role, span) not in self.told:
            self.told.add((role, span))
            self.steps.append(Step(role, span, iteration, text))


def steps_of(story: Story) -> tuple[Step, ...]:
    witness = _Witness()
    _built(story, witness)
    _carried(story, witness)
    _walked(story, witness)
    _stepped(story, witness)
    _entered(story, witness)
    _walked_again(story, witness)
    return tuple(witness.steps)


def _built(story: Story, witness: _Witness) -> None:
    node, stale = story.node, story.stale
    iteration = story.when(stale.iterations)
    name = story.named if story.subject else "this graph"
    verb = story.verb("is", "are") if story.subject else "is"
    if story.loop is not None and story.built_inside():
        text, part = f"iteration {iteration} builds {name} here", f"iteration {story.when(node.iterations)} builds"
    elif story.loop is not None:
        text, part = f"{name} {verb} computed here, once, before the loop", "this builds"
    elif story.built_in_call() and story.calls is not None:
        text, part = f"the first call of `{story.calls.name}` builds {name} here", "it builds"
    elif story.calls is not None:
        text, part = f"{name} {verb} computed here, once, outside `{story.calls.name}`", "this builds"
    else:
        text, part = f"{name} {verb} built here", "this builds"
    if stale is not node and not same_statement(stale.site, node.site):
        witness.add(
            "built", node.site, story.when(node.iterations), f"{part} part of the graph behind {story.named} here"
        )
    witness.add("built", stale.site, iteration, text)
    entering = {link.site for link in _inner(story, story.fresh.chain)} if story.fresh is not None else set()
    for link in _inner(story, stale.chain, story.first.chain)[:DEEP]:
        both = link.site in entering
        witness.add("built", link.site, iteration, _through(story) if both else "built by this call")


def _through(story: Story) -> str:
    """Of a call that both the stale graph and what builds on it went through."""
    assert story.fresh is not None
    iterations = story.when(story.stale.iterations), story.when(story.fresh.iterations)
    return (
        f"iterations {iterations[0]} and {iterations[1]} come through here"
        if iterations[0] != iterations[1]
        else "both come through here"
    )


def _inner(story: Story, chain: Chain | None, walked: Chain | None = None) -> list[Chain]:
    """The calls that led to a moment, without those during which both walks happened, and those that a walk's own
    chain (`walked`) tells."""
    from secondpass.rules.story import links

    told = {*story.outer_links, *links(walked)}
    # An entry is called from nowhere: its definition stands for the call.
    return [link for link in links(chain) if link not in told and not isinstance(link.site, ENTRIES)]


def _carried(story: Story, witness: _Witness) -> None:
    for holder in story.carrier.holders:
        text = _carries(story, holder)
        if text:
            witness.add("carried", holder.site, story.when(holder.iterations), text)


def _carries(story: Story, holder: Holder) -> str:
    name = f"`{name_of(holder)}`"
    crosses = (story.loop is not None and story.built_inside()) or story.built_in_call()
    if holder.kind == "append" or (not crosses and holder.kind != "name"):
        return f"{name} keeps it from here on"
    if not crosses:
        return ""
    if story.calls is not None:
        return f"{name} carries that call's graph into the next"
    later = story.when(story.fresh.iterations) if story.fresh is not None else story.iteration
    return f"{name} carries iteration {story.when(story.stale.iterations)}'s graph into iteration {later}"


def _walked(story: Story, witness: _Witness) -> None:
    first = story.first
    if story.reads:
        witness.add("consumed", first.site, story.first_iteration, "this walk releases its saved tensors")
    if first is story.second:
        return
    who = (
        f"iteration {story.first_iteration}"
        if story.loop is not None
        else f"the first call of `{story.calls.name}`"
        if story.calls is not None
        else "the first walk"
    )
    role: Role = "consumed" if story.kind in ("second-time", "passed") else "retained"
    verb = "consumes" if role == "consumed" else "keeps" if who.endswith("walk") else "walks and keeps"
    witness.add(role, first.site, story.first_iteration, f"{who} {verb} that graph here")
    again = {link.site for link in _inner(story, story.second.chain)}
    for link in _inner(story, first.chain)[:DEEP]:
        text = "both walks come from here" if link.site in again else "the first walk comes from here"
        witness.add(role, link.site, story.first_iteration, text)


def _stepped(story: Story, witness: _Witness) -> None:
    storage = story.failure.storage
    if story.kind == "passed":
        stepped = between(story)
        if stepped.shared and stepped.step is not None:
            witness.add(
                "stepped", stepped.step, story.first_iteration, f"`{text_of(stepped.step)}` changes what it came from"
            )
    if storage is None:
        return
    writer = storage.writer if story.kind == "inplace-version" else storage.silent_writer
    if writer is not None:
        code = deed_of(writer)
        what = "weights" if ".step(" in code else "values"
        iteration = story.when(storage.writer_iterations)
        witness.add("stepped", writer, iteration, f"`{code}` changes {what} that this graph saved")
        for link in _inner(story, storage.writer_chain)[:DEEP] if story.kind == "inplace-version" else ():
            witness.add("stepped", link.site, iteration, "stepped by this call")


def _entered(story: Story, witness: _Witness) -> None:
    fresh = story.fresh
    if fresh is None:
        return
    iteration = story.when(fresh.iterations)
    if story.loop is not None and story.built_inside():
        text = f"iteration {iteration} builds on iteration {story.when(story.stale.iterations)}'s graph here"
    elif story.loop is not None and iteration > story.first_iteration:
        text = f"iteration {iteration} builds on that graph again here"
    elif story.built_in_call():
        text = "the second call builds on the first one's graph here"
    elif story.calls is not None:
        text = f"each call of `{story.calls.name}` builds on it here"
    else:
        text = "this builds on the same graph"
    witness.add("entered", fresh.site, iteration, text)
    built = {link.site for link in _inner(story, story.stale.chain)}
    for link in _inner(story, fresh.chain, story.second.chain)[:DEEP]:
        if link.site not in built:
            witness.add("entered", link.site, iteration, "builds on it through this call")


def _walked_again(story: Story, witness: _Witness) -> None:
    same = story.first.site is story.walked_site
    who = (
        f"iteration {story.iteration}"
        if story.loop is not None
        else "the second"
        if story.calls is not None and same
        else f"the second call of `{story.calls.name}`"
        if story.calls is not None
        else "this walk"
        if story.first is story.second
        else "the second walk"
    )
    if story.reads:
        text = "this reads a saved tensor and raises"
    elif story.kind == "retained":
        first, last = story.when(story.stale.iterations), story.iteration
        both = "both iterations" if last - first == 1 else f"iterations {first} to {last}"
        text = f"iteration {last}'s walk goes through {both}"
    elif story.kind == "passed":
        text = f"{who} walks it again, with the value of before iteration {story.first_iteration}"
    elif story.kind == "silent":
        text = f"{who} uses the changed values"
    elif story.kind == "inplace-version":
        text = f"{who} needs the old values and raises"
    elif story.kind == "donated":
        text = f"{who} retains a compiled region and raises"
    elif story.loop is not None or story.calls is not None:
        text = f"{who} walks into it and raises"
    else:
        text = f"{who} needs it and raises"
    witness.add("walked-again", story.walked_site, story.iteration, text)
    known = {link.site for link in _inner(story, story.first.chain)} if story.first is not story.second else set()
    for link in _inner(story, story.second.chain)[:DEEP]:
        if link.site not in known:
            witness.add("walked-again", link.site, story.iteration, "the walk that raises comes from here")
