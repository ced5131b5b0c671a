"""Iterators that can leave elements out: a loop that repeats goes on further ahead (compiler/loops.py).

Each gives its elements one at a time, like any iterator, and `skip(n)` passes over n of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from secondpass.machine.values import MISSING, Seq, Unknown, V

UNSEEN = 1000
"""How many elements an unknown iterable can give."""


def skip(source: Any, n: int) -> None:
    """Pass over elements. An iterator that cannot (a generator of the program) gives others as good later."""
    passes = getattr(source, "skip", None)
    if passes is not None:
        passes(n)


class Elements:
    """An iterator by position."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = 0

    def __iter__(self) -> Iterator[V]:
        return self

    def __next__(self) -> V:
        raise NotImplementedError

    def skip(self, n: int) -> None:
        self.at += n


class Counted(Elements):
    """The numbers of a range, or (without a length) on and on."""

    __slots__ = ("length", "start", "step")

    def __init__(self, start: V, step: V, length: int | None) -> None:
        super().__init__()
        self.start, self.step, self.length = start, step, length

    def __next__(self) -> V:
        at = self.at
        if self.length is not None and at >= self.length:
            raise StopIteration
        self.at = at + 1
        return self.start + self.step * at


class Listed(Elements):
    """The elements of a list, which may grow or shrink meanwhile. Of data (`plain`) one is as good as another."""

    __slots__ = ("plain", "reaches", "seq")

    def __init__(self, seq: Seq, reaches: Callable[[Seq, int], bool], plain: Callable[[V], bool]) -> None:
        super().__init__()
        self.seq, self.reaches, self.plain = seq, reaches, plain

    def __next__(self) -> V:
        seq, at = self.seq, self.at
        items = seq.items
        if at < len(items) or self.reaches(seq, at):
            self.at = at + 1
            return items[at]
        if not seq.open or seq.count is not None or at >= UNSEEN:
            raise StopIteration
        if not items and at >= 3:
            raise StopIteration
        if items and not self.plain(items[-1]):
            raise StopIteration
        # Nobody knows how many more there are: as many as the loop takes to settle.
        self.at = at + 1
        return items[-1] if items else Unknown()


class Sprung(Elements):
    """The elements of an unknown, which stay the same each time: more than any loop takes, so that nothing goes on for
    ever."""

    __slots__ = ("get", "given")

    def __init__(self, get: Callable[[int], V]) -> None:
        super().__init__()
        self.get = get
        self.given = 0

    def __next__(self) -> V:
        if self.given >= UNSEEN:
            raise StopIteration
        self.given += 1
        self.at += 1
        return self.get(self.at - 1)


class Rows(Elements):
    """What `zip` and `enumerate` give."""

    __slots__ = ("sources",)

    def __init__(self, sources: list[Any]) -> None:
        super().__init__()
        self.sources = sources

    def __next__(self) -> V:
        row = []
        for source in self.sources:
            item = next(source, MISSING)
            if item is MISSING:
                raise StopIteration
            row.append(item)
        return Seq("tuple", row)

    def skip(self, n: int) -> None:
        for source in self.sources:
            skip(source, n)
