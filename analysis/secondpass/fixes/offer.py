"""The fixes of one finding: candidates by rule, each proved, ordered, at most one preferred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..findings import Finding, Fix
from ..rules.story import Story
from ..settings import Settings
from ..source.source import Source
from . import (
    carry,
    clear,
    growth,
    library,
    no_grad,
    out_of_place,
    rebuild,
    recompute,
    repair,
    share,
    store,
    suppress,
    walks,
)
from .change import Change, Unplaceable, edits
from .proof import Proof, Proved, Ran, run
from .scene import Candidate, Scene, story_of
from .training import Training, named

Maker = Callable[[Scene], Iterator[Candidate]]

MAKERS: dict[str, tuple[Maker, ...]] = {
    "SP101": (
        rebuild.candidates,
        repair.candidates,
        carry.candidates,
        clear.candidates,
        library.candidates,
        store.candidates,
        share.candidates,
        walks.retained,
    ),
    "SP102": (
        walks.summed_in_loop,
        recompute.into_loop,
        recompute.into_closure,
        recompute.before_second_walk,
        walks.candidates,
        walks.removed,
        share.candidates,
        carry.candidates,
    ),
    "SP103": (
        rebuild.candidates,
        walks.summed_in_loop,
        recompute.into_loop,
        recompute.into_closure,
        no_grad.candidates,
        store.candidates,
        share.candidates,
        carry.candidates,
        walks.retained,
    ),
    "SP104": (
        rebuild.candidates,
        clear.candidates,
        carry.candidates,
        walks.after_loop,
        store.candidates,
        share.candidates,
        walks.retained,
    ),
    "SP105": (
        walks.candidates,
        walks.summed_in_loop,
        recompute.into_closure,
        share.candidates,
        no_grad.candidates,
        recompute.before_second_walk,
        store.candidates,
        carry.candidates,
    ),
    "SP106": (
        rebuild.candidates,
        repair.candidates,
        clear.candidates,
        store.candidates,
        carry.candidates,
        share.candidates,
        walks.retained,
    ),
    "SP201": (repair.candidates, carry.candidates, clear.candidates),
    "SP202": (walks.needless,),
    "SP203": (
        out_of_place.candidates,
        out_of_place.copies,
        recompute.into_closure,
        recompute.before_second_walk,
        recompute.into_loop,
        share.candidates,
        carry.candidates,
    ),
    "SP204": (recompute.before_second_walk, recompute.into_loop, carry.candidates),
    "SP205": (walks.candidates, recompute.before_second_walk),
    "SP301": (growth.candidates, no_grad.candidates),
    "SP302": (clear.candidates, growth.candidates),
}

CARRIED = ("SP101", "SP104", "SP201")
"""Rules about state that each iteration computes from the iteration before."""
ENOUGH = 3
"""Proved fixes after which no more are looked for."""
REVEALING = 25
"""What it costs a candidate in rank that another fault shows once it is made."""
MOST = 40
"""Candidates that are run at most."""
MORE = 3
"""Candidates that are still run after the first that may be preferred."""


@dataclass(frozen=True, slots=True)
class _Good:
    candidate: Candidate
    changes: tuple[Change, ...]
    proved: Proved
    starving: str
    """The end of the title that says what gets no gradient any more; "" if nothing."""
    starved: bool
    """Whether that makes it the worse fix. Where state is carried, a cut at the end of the first iteration is meant."""
    takes: bool
    """Whether a parameter learns less by it than the program means: a contribution is gone, though not all of them."""

    @property
    def whole(self) -> bool:
        """Whether all is trained as it is meant."""
        return not self.starved and not self.takes


def fixes_for(text: str, path: str, finding: Finding, settings: Settings | None = None) -> tuple[Fix, ...]:
    """The proved fixes of a finding of this text, best first; none if the text has no such finding."""
    settings = settings or Settings()
    before = run(text, path, settings)
    if before is None:
        return ()
    return fixes_in(before, finding, settings)


def mendable(finding: Finding) -> bool:
    """Whether there are fixes for findings of its kind at all."""
    return finding.rule in MAKERS or finding.rule == "SP900"


def fixes_in(before: Ran, finding: Finding, settings: Settings) -> tuple[Fix, ...]:
    """The proved fixes of a finding of a text that was just checked."""
    mine = next((f for f in before.findings if f.span == finding.span and f.rule == finding.rule), None)
    if mine is None:
        return ()
    if mine.rule == "SP900":
        fix = suppress.unused(before.source, mine)
        return (fix,) if fix is not None else ()
    return _proved(before, mine, settings)  # the collector is held off within each proof, and may work between them


def _proved(before: Ran, mine: Finding, settings: Settings) -> tuple[Fix, ...]:
    story = story_of(before.outcome, mine)
    told: tuple[Fix, ...] = ()
    for home in _homes(before, mine, story):
        main = None if home is before.source else before.source
        scene = Scene(home, settings, mine, before.outcome, story, before.project, main)
        found = _told(scene, _good(before, scene, settings))
        if any(fix.preferred for fix in found):
            return found
        told = told or found
    return told


def _homes(before: Ran, mine: Finding, story: Story | None) -> list[Source]:
    """The files that a fix may change: the checked one, then those of its project that the story passes through."""
    found = [before.source]
    project = before.project
    if project is None:
        return found
    if story is None:
        other = project.sources.get(mine.span.path)
        return [*found, other] if other is not None else found
    for node in (story.stale, story.node):
        sites = [node.holder.site] if node.holder is not None else []
        for site in (*sites, node.site, *(reversed(node.chain.sites()) if node.chain is not None else [])):
            home = project.sources.get(site.unit.path)  # type: ignore[attr-defined]
            if home is not None and home not in found:
                found.append(home)
    return found


def _good(before: Ran, scene: Scene, settings: Settings) -> list[_Good]:
    """The candidates of a scene that are proved, in the order in which they were tried.

    One that leaves a parameter without a gradient does not end the search for one that does not.
    """
    proof = Proof(before, scene.finding, settings, scene.idle, scene.source)
    good: list[_Good] = []
    texts: set[str] = set()
    told: set[tuple[str, str]] = set()
    most, kept = MOST, 0
    for candidate in sorted(_made(scene), key=lambda c: c.rank):
        if kept >= ENOUGH or proof.runs >= most:
            break
        try:
            changes = candidate.changes()
        except Unplaceable:
            continue
        if changes is None or (candidate.id, candidate.title) in told:
            continue
        proved = proof.prove(changes)
        if proved is not None and proved.text not in texts:
            texts.add(proved.text)
            told.add((candidate.id, candidate.title))
            one = _judged(scene, proof, candidate, changes, proved, [proof.meant])
            good.append(one)
            kept += one.whole
            if candidate.preferable and one.whole:
                most = min(most, proof.runs + (2 * MORE if proved.revealed else MORE))
    trainings = [proof.meant, *(one.proved.training for one in good if one.proved.ends)]
    return [_judged(scene, proof, one.candidate, one.changes, one.proved, trainings) for one in good]


def _judged(
    scene: Scene,
    proof: Proof,
    candidate: Candidate,
    changes: tuple[Change, ...],
    proved: Proved,
    trainings: Sequence[Training],
) -> _Good:
    told, starved = _starved(scene, proved, trainings)
    taken = "" if starved or candidate.given else _taken(proved, proof)
    return _Good(candidate, changes, proved, told or taken, starved, bool(taken))


def _taken(proved: Proved, proof: Proof) -> str:
    """The end of the title that says which contributions to what is trained a fix takes away; "" if none."""
    if not proved.ends:
        return ""
    mine, meant = proved.training, proof.meant
    lost: dict[str, None] = {}
    for mark, number in meant.shares.items():
        born, walk, use = mark
        there = all(proved.stands(at) for at in (born, (walk,), use))
        if (born, walk) in mine.anew or not there:
            continue
        left = mine.shares.get(mark, 0)
        if left == 0 or left == 1 < number:
            lost.setdefault(named(meant.leaves[born]) if born in meant.leaves else "")
    return f"; {_get(lost)} a part of the gradient only" if lost else ""


def _made(scene: Scene) -> Iterator[Candidate]:
    for maker in MAKERS.get(scene.finding.rule, ()):
        yield from maker(scene)


def _starved(scene: Scene, proved: Proved, trainings: Sequence[Training]) -> tuple[str, bool]:
    """What a fix leaves without the gradient that it has now, or would have by another fix, and whether that is worse.

    What a program trains that goes on to raise elsewhere is not known yet.
    """
    if not proved.ends:
        return "", False
    mine = proved.training
    several = max(mine.iterations.values(), default=0) > 1
    lost: dict[str, None] = {}
    late: dict[str, None] = {}
    for other in trainings:
        if mine.steps and not other.steps:
            continue
        for born, leaf in other.leaves.items():
            if not proved.stands(born):
                continue
            if born not in mine.leaves or (mine.asks and not other.asks):
                lost.setdefault(named(leaf))
            elif several and mine.iterations[born] == 1 < other.iterations[born]:
                late.setdefault(named(leaf))
    if lost:
        return f"; {_get(lost)} no gradient", True
    if late:
        return f"; {_get(late)} a gradient in the first step only", scene.finding.rule not in CARRIED
    return "", False


def _get(names: Iterable[str]) -> str:
    listed = [f"`{name}`" for name in sorted(names) if name]
    if not listed or len(listed) > 3:
        return "some parameters then get"
    return f"{' and '.join(listed)} then {'gets' if len(listed) == 1 else 'get'}"


def _order(one: _Good) -> tuple[bool, bool, float]:
    return one.starved, one.takes, one.candidate.rank + REVEALING * bool(one.proved.revealed)


def _told(scene: Scene, good: list[_Good]) -> tuple[Fix, ...]:
    if any(one.proved.ends and not one.starved for one in good):  # what goes on to raise is half a fix
        good = [one for one in good if one.proved.ends]
    good = sorted(good, key=_order)
    feeding = [one for one in good if not one.starved]
    good = [*feeding, *good[len(feeding) :][: max(0, ENOUGH - 1 - len(feeding))]] if feeding else good[:ENOUGH]
    preferred = next((one for one in feeding if one.candidate.preferable), None)
    told = [
        Fix(
            one.candidate.id,
            one.candidate.title + one.starving,
            "changes-gradients" if one.starving and one.candidate.safety == "safe" else one.candidate.safety,
            one is preferred,
            edits(scene.source, one.changes),
        )
        for one in good
    ]
    return tuple(sorted(told, key=lambda fix: not fix.preferred))
