"""The iterations of a loop: when they have begun to repeat, and which of those to come can differ.

Two iterations are the same if they took the same way (branches, inner loops, which parts a number picked), met the same
watched conditions on the same sides, and walked back equally far. Once a loop repeats itself, it goes on further ahead:
every number that moved by a constant step (the loop's own, names, attributes, lengths of lists) is moved on to just
before the next iteration in which some watched condition changes its side. So iteration 20 is run as iteration 20, the
last of a known number is run too, and only iterations that would tell the same again are left out.

A change that comes round again and again (`step % 20 == 0`) is visited until it has told the same twice. If another
change lies ahead of it, whole periods are left out at once, so that what it does is never skipped alone.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterable
from math import isfinite, lcm
from typing import TYPE_CHECKING, Any, TypeAlias

from secondpass.machine import containers
from secondpass.machine.changes import Watched, next_change
from secondpass.machine.values import Seq, V

if TYPE_CHECKING:
    from secondpass.machine.machine import Frame, Machine

FEW = 3
"""A loop of so many iterations is simply run."""
MANY = 10
"""A loop over things that differ may have so many times the iterations of another: it is short of work, not of
things."""
FOREVER = 10**9
"""How many iterations a loop may have of which the number is not known."""

Event: TypeAlias = tuple[Watched, tuple[Any, ...], bool | None]
"""A watched condition, the values of its leaves, and the side it took."""
Key: TypeAlias = tuple[Watched, bool | None]
"""A change: the condition, and the side it turns to."""
Way: TypeAlias = tuple[Any, ...]
Place: TypeAlias = tuple[int, Any]
"""Where a number is kept: the identity of what holds it, and its key there."""
LENGTH = object()
"""The key of a list's length."""


class Iteration:
    """What one iteration that was run was like."""

    __slots__ = ("begun", "events", "index", "numbers", "oldest", "place", "way")

    def __init__(self, place: int, index: int, begun: int, way: Way, oldest: int, events: list[Event]) -> None:
        self.place = place
        """Which of the iterations run it is; `index` counts those left out as well."""
        self.index = index
        self.begun = begun
        """The machine's clock at its start."""
        self.way = way
        self.oldest = oldest
        """The place of the iteration that made the oldest node its walks came to: 0 if that is older than the loop, its
        own if they came to none of others."""
        self.events = events
        self.numbers: dict[Place, V] = {}

    def same(self, other: Iteration) -> bool:
        """Whether it told what another told: it went the same way, and its walks went as far back, or to the same."""
        if self.way != other.way:
            return False
        back, others = self.place - self.oldest, other.place - other.oldest
        return back == others or (back > 0 and others > 0 and self.oldest == other.oldest)


class Change:
    """What is known of a change of side: the iterations that took that side, and whether they have told all."""

    __slots__ = ("dead", "met", "period", "settled")

    def __init__(self, met: list[Iteration]) -> None:
        self.met = met
        self.settled = False
        self.dead = False
        """It was foretold and did not come: something does not move in a line."""
        self.period = 0

    def meets(self, now: Iteration, more: bool) -> None:
        """The side was taken as foretold. A number that only jumped has told all when it has done so twice."""
        self.settled = any(now.same(one) for one in self.met) or (not more and len(self.met) > 1)
        if self.met:
            self.period = now.index - self.met[-1].index
        self.met.append(now)


class Iterations:
    """One execution of a loop: counts its iterations and says when they have begun to repeat."""

    __slots__ = (
        "_asked",
        "_born",
        "_changes",
        "_first_walk",
        "_foretold",
        "_frame",
        "_grown",
        "_jumped",
        "_lists",
        "_marks",
        "_more",
        "_run",
        "_skip",
        "_walks",
        "alike",
        "clock",
        "exact",
        "index",
        "m",
        "outer",
        "short",
        "site",
        "size",
    )

    def __init__(
        self,
        m: Machine,
        site: ast.AST,
        size: int | None,
        alike: bool = True,
        frame: Frame | None = None,
        skip: Callable[[int], None] | None = None,
    ) -> None:
        self.m = m
        self.site = site
        self.outer = m.iterations
        self.index = 0
        self.size = size
        self.alike = alike
        self.short = size is not None and size <= FEW
        self.exact = False
        """At the end: whether the numbers that it moves are those of all its iterations."""
        self.clock = self._born = m.seq
        self._frame = frame
        self._skip = skip
        self._run: list[Iteration] = []
        self._changes: dict[Key, Change] = {}
        self._foretold: tuple[int, list[Key]] | None = None
        self._more = False
        self._jumped = False
        self._grown = len(m.grown)
        self._lists: dict[int, Seq] = {}
        self._asked = False
        self._first_walk = len(m.walks)
        self._mark()

    def _mark(self) -> None:
        m = self.m
        self._marks = (len(m.trail), len(m.watched), len(m.walks))
        self.clock = m.seq

    def next(self, step: Callable[[], Any]) -> Any:
        """Ask for the next element; what an iterator computes for it belongs to the iteration that it opens."""
        if self._jumped and self.size is not None and self.index >= self.size:
            return False
        self._asked = True
        self._mark()
        self.m.iterations = (*self.outer, (self.site, self.index + 1))
        return step()

    def begin(self) -> None:
        if not self._asked:
            self._mark()
        self._asked = False
        self.index += 1
        self.m.iterations = (*self.outer, (self.site, self.index))

    @property
    def mark(self) -> int:
        """What the loop's way is for the iteration around it."""
        if self._run:
            return hash((id(self.site), *[one.way for one in self._run]))
        return id(self.site) ^ self.index

    def grown(self) -> Iterable[Seq]:
        """The lists that grew meanwhile."""
        return self._lists.values()

    def repeats(self) -> bool:
        """After an iteration: whether the iterations to come would only repeat those that were run.

        If only the next ones would, they are left out: the loop goes on with the first that may differ.
        """
        if self.short:
            return False
        m = self.m
        now = self._close()
        run = self._run
        if len(run) >= m.budget.turns * (1 if self.alike else MANY):
            m.cut("a loop has more iterations than the budget", self.site)
            return True
        if not self.alike:
            return False
        if self._told(now):
            return True
        span = self._span()
        return span is not None and self._ahead(now, span)

    def _close(self) -> Iteration:
        """The iteration that has ended."""
        m = self.m
        trail, watched, walk = self._marks
        events = m.watched[watched:]
        walks = m.walks[walk:]
        way = (*m.trail[trail:], *[(id(w), side) for w, _, side in events], len(walks))
        del m.trail[trail:]
        if not self.outer:
            del m.watched[watched:]
        place = len(self._run) + 1
        reached = min((w.oldest for w in walks if w.oldest), default=0)
        oldest = place
        if 0 < reached <= self.clock:
            oldest = bisect_left([one.begun for one in self._run], reached) if reached > self._born else 0
        now = Iteration(place, self.index, self.clock, way, oldest, events)
        for seq in m.grown[self._grown :]:
            self._lists[id(seq)] = seq
        self._grown = len(m.grown)
        now.numbers = self._numbers()
        self._run.append(now)
        return now

    def _numbers(self) -> dict[Place, V]:
        """The numbers that an iteration may have moved."""
        found: dict[Place, V] = {}
        if self._frame is not None:
            names = self._frame.vars
            here = id(names)
            found = {(here, key): value for key, value in names.items() if type(value) is int or type(value) is float}
        for place, holder in self.m.counts.items():
            value = holder.get(place[1]) if type(holder) is dict else holder[place[1]]
            value = value[1] if type(value) is tuple else value
            if type(value) is int or type(value) is float:
                found[place] = value
        for key, seq in self._lists.items():
            if not seq.open or seq.count is not None:
                found[(key, LENGTH)] = len(seq.items) if not seq.open else seq.count
        return found

    def _told(self, now: Iteration) -> bool:
        """After an iteration in which changes were foretold: whether these were the last that could tell anything."""
        if self._foretold is None or self._foretold[0] != now.index:
            return False
        keys, self._foretold = self._foretold[1], None
        for key in keys:
            watched, side = key
            if side is None or any(w is watched and s is side for w, _, s in now.events):
                self._changes[key].meets(now, side is not None)
            else:
                self._changes[key].dead = True
        return not self._more and all(self._changes[key].settled for key in keys)

    def _span(self) -> int | None:
        """After how many iterations the last ones repeat those before; None if they do not."""
        run = self._run
        n = len(run)
        if n < FEW and any(w.retain for w in self.m.walks[self._first_walk :]):
            # A weight saved in iteration 1 by an operand without history is not saved before iteration 2.
            return None
        for span in range(1, n // 2 + 1):
            if run[-1].index - run[-1 - span].index == span and all(
                run[-1 - k].same(run[-1 - k - span]) for k in range(span)
            ):
                return span
        return None

    def _ahead(self, now: Iteration, span: int) -> bool:
        """Go on to the next iteration that can differ; True if there is none."""
        left = (FOREVER if self.size is None else self.size) - self.index
        coming = self._coming(now, span, left)
        fresh = [ahead for key, ahead in coming.items() if not self._changes[key].settled]
        then = self._run[-1 - span]
        if not fresh:
            self.exact = self.size is not None and not coming
            if self.exact:
                self._move(left // span * span, now, then)
                self.exact = left % span == 0
                return self.exact
            return True
        nearest, first = min(fresh), min(coming.values())
        if first < nearest and self._periods(now, nearest, [k for k, ahead in coming.items() if ahead < nearest]):
            return False
        self._foretold = (now.index + first, [key for key, ahead in coming.items() if ahead == first])
        self._more = any(ahead != first for ahead in fresh)
        self._move((first - 1) // span * span, now, then)
        return False

    def _coming(self, now: Iteration, span: int, left: int) -> dict[Key, int]:
        """The changes to come, and in how many iterations."""
        coming: dict[Key, int] = {}
        for k in range(span):
            one, before = self._run[-1 - k], self._run[-1 - k - span]
            for (watched, values, side), (_, others, _) in zip(one.events, before.events, strict=True):
                key = (watched, None if side is None else not side)
                change = self._changes.get(key)
                if change is not None and change.dead:
                    continue
                steps = _steps(values, others)
                cycles = next_change(watched, values, steps, (left + k) // span) if steps is not None else None
                if cycles is not None:
                    if change is None:
                        self._changes[key] = Change(self._meeting(key))
                    ahead = cycles * span - k
                    coming[key] = min(ahead, coming.get(key, ahead))
        return coming

    def _meeting(self, key: Key) -> list[Iteration]:
        """The iterations run that took a side already."""
        watched, side = key
        if side is None:
            return []
        return [one for one in self._run if any(w is watched and s is side for w, _, s in one.events)]

    def _periods(self, now: Iteration, nearest: int, keys: list[Key]) -> bool:
        """Leave out whole periods of changes that have told all, up to a change that has not."""
        period = lcm(*[self._changes[key].period for key in keys])
        if not 0 < period < nearest:
            return False
        then = next((one for one in self._run if one.index == now.index - period and one.same(now)), None)
        if then is None:
            return False
        self._move((nearest - 1) // period * period, now, then)
        return True

    def _move(self, by: int, now: Iteration, then: Iteration) -> None:
        """Leave out so many iterations: every number goes on as it went from an iteration to this one."""
        if by <= 0:
            return
        times = by // (now.index - then.index)
        names = self._frame.vars if self._frame is not None else {}
        for place, value in now.numbers.items():
            before = then.numbers.get(place)
            if before is None or before == value:
                continue
            key, counts = place[1], self.m.counts
            if key is LENGTH:
                containers.lengthen(self._lists[place[0]], value - before, times)
            elif type(value) is int and type(before) is int:
                _put(counts.get(place, names), key, value + (value - before) * times)
        self.index += by
        self._jumped = True
        if self._skip is not None:
            self._skip(by)


def _put(holder: Any, key: Any, value: int) -> None:
    found = holder[key]
    holder[key] = (found[0], value) if type(found) is tuple else value


def _steps(values: tuple[Any, ...], before: tuple[Any, ...]) -> list[Any] | None:
    """By how much the leaves of a condition moved; None if they are no numbers that could."""
    steps: list[Any] = []
    for value, other in zip(values, before, strict=True):
        if type(value) is int or type(value) is float:
            move = value - other
            if not isfinite(move) or not isfinite(value):
                return None
            steps.append(move)
        elif value == other:
            steps.append(0)
        else:
            return None
    return steps
