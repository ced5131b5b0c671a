"""Who carries the stale graph into the later iteration: of all places that held the tensor, the one that outlives the
iteration.

A tensor passes through many hands: a local name of a module's forward, a loop variable, an element, an attribute. The
one to tell is still bound to it when the stale graph is entered, and lives in a scope that is running then.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondpass.machine.graph import Holder, Node
from secondpass.machine.record import Detached
from secondpass.rules.places import alone, base_text, function_of, mentions, receiver_text, text_of

if TYPE_CHECKING:
    from secondpass.rules.story import Story

WRITTEN_INTO = ("CopySlices", "IndexPutBackward0")
"""Nodes that stand for a tensor of which a part was overwritten: the tensor itself is the carrier."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """The places that carry the graph, as written; `holder` is the one the story marks."""

    holder: Holder | None
    names: tuple[str, ...]
    holders: tuple[Holder, ...] = ()
    cut: tuple[tuple[str, Detached], ...] = ()
    """Names of the same state that were cut while these were not."""


def carrier_of(story: Story) -> Carrier:
    if story.stale.op in WRITTEN_INTO:
        return Carrier(None, (base_text(story.stale.site),))
    found = _best(story, story.stale)
    if not found and story.node is not story.stale:
        found = _best(story, story.node)
    if not found:
        return Carrier(None, ())
    holder = found[-1]
    cuts = _partly_cut(story, holder)
    if cuts is not None:
        holder, names = cuts
        return Carrier(holder, (name_of(holder),), (holder,), names)
    several = _plain(holder) and _read(story, holder)
    holders = [h for h in found if h.tensor != holder.tensor and _plain(h)] if several else []
    kept = {name_of(h): h for h in [*holders, *_beside(story), holder]}
    if len(kept) > 3:
        kept = {name_of(holder): holder}
    return Carrier(holder, tuple(kept), tuple(kept.values()))


def name_of(holder: Holder) -> str:
    """A place as written: `h`, `self.hidden`, the list that something was appended to."""
    return receiver_text(holder.site) if holder.kind in ("append", "element") else text_of(holder.site)


def _stands(holder: Holder) -> bool:
    """Whether it is a place of the program (and not a container under construction)."""
    return holder.kind != "element" or isinstance(holder.site, (ast.Subscript, ast.Call))


def _plain(holder: Holder) -> bool:
    return holder.kind in ("name", "attribute") and not holder.part


def _entered(story: Story) -> int:
    """The machine's clock when the stale graph is entered."""
    return story.fresh.seq if story.fresh is not None else story.second.seq


def _best(story: Story, node: Node) -> list[Holder]:
    """The places of equal worth that hold a node's tensors when it is entered, in the order in which they came."""
    holders = [h for h in node.holders or () if _stands(h)]
    if not holders:
        return []
    entered = _entered(story)
    early = [h for h in holders if not story.late(h.iterations)]
    again = _read_again(story, node)
    kept = [h for h in early if h.seq <= entered and _bound(h, holders, entered) and _place(h) not in again]
    kept = kept or [h for h in early if _place(h) not in again] or early or holders
    worth = max(_worth(story, h) for h in kept)
    return [h for h in kept if _worth(story, h) == worth]


def _read_again(story: Story, node: Node) -> set[tuple[str, ast.AST | None]]:
    """Names that are bound to the old tensor again in the later iteration by the same statement (`for ref in bank`)."""
    found: set[tuple[str, ast.AST | None]] = set()
    for one in (node, *_stale_beside(story)):
        early = {h.site for h in one.holders or () if not story.late(h.iterations)}
        late = [h for h in one.holders or () if story.late(h.iterations)]
        found.update(_place(h) for h in late if h.site in early or h.part is False)
    return found


def _bound(holder: Holder, holders: list[Holder], then: int) -> bool:
    """Whether a name or attribute was not bound to another tensor before; containers keep what they hold."""
    if holder.kind not in ("name", "attribute") or holder.until == 0 or holder.until >= then:
        return True
    return any(h.seq == holder.until and h.tensor == holder.tensor and _place(h) == _place(holder) for h in holders)


def _worth(story: Story, holder: Holder) -> tuple[bool, bool, bool]:
    lasting = holder.kind != "name" or function_of(holder.site) in story.scopes
    return lasting, _read(story, holder), not holder.part


def _place(holder: Holder) -> tuple[str, ast.AST | None]:
    return name_of(holder), function_of(holder.site) if holder.kind == "name" else None


def _read(story: Story, holder: Holder) -> bool:
    """Whether what enters the stale graph reads this very place: the expression, or a call that leads to it."""
    if story.fresh is None:
        return holder.kind != "append"
    if holder.kind == "append":
        return False
    sites = [story.fresh.site]
    chain = story.fresh.chain
    while chain is not None:
        if hasattr(chain.site, "unit"):
            sites.append(chain.site)
        chain = chain.outer
    own = function_of(holder.site) if holder.kind == "name" else None
    name = text_of(holder.site, 1000)
    return any(mentions(s, name) and (holder.kind != "name" or function_of(s) is own) for s in sites)


def _stale_beside(story: Story) -> list[Node]:
    """Other nodes of earlier iterations on which the entering operation builds."""
    if story.fresh is None or story.loop is None:
        return []
    return [
        n
        for n in story.fresh.inputs
        if type(n) is Node and n is not story.stale and story.built_inside(n) and not story.late(n.iterations)
    ]


def _beside(story: Story) -> list[Holder]:
    """What carries those other nodes, where the entering expression itself reads it."""
    found = []
    for node in _stale_beside(story):
        best = _best(story, node)
        if best and _plain(best[-1]) and story.fresh is not None and mentions(story.fresh.site, name_of(best[-1])):
            found.append(best[-1])
    return found


def _partly_cut(story: Story, holder: Holder) -> tuple[Holder, tuple[tuple[str, Detached], ...]] | None:
    """Of one node's several tensors some were cut (`h` of an LSTM's pair) and this one was not."""
    entered, node = _entered(story), story.stale
    cut = [d for d in story.event.detached if d.node is node and story.first.seq < d.seq < entered]
    tensors = {d.tensor for d in cut}
    direct = [h for h in node.holders or () if h.kind == "name" and not h.part]
    rest = [h for h in direct if h.tensor not in tensors]
    if not rest or not tensors or not any(h.tensor in tensors for h in direct):
        return None
    names: dict[str, Detached] = {}
    for one in cut:
        if not alone(one.site):
            names.setdefault(next((name_of(h) for h in direct if h.tensor == one.tensor), name_of(holder)), one)
    left = next((h for h in reversed(rest) if not story.late(h.iterations)), rest[-1])
    return (left, tuple(names.items())) if names else None
