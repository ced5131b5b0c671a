"""A fixed sample of what `measure` measures on ten thousand pairs."""

from __future__ import annotations

from .measure import measure

SEED, COUNT = 31_000, 110


def test_fixes_of_random_programs_do_what_they_say() -> None:
    tally = measure(range(SEED, SEED + COUNT))
    assert tally.raising >= 30 and tally.pairs >= 60, "the sample lost its point"
    assert tally.share >= 0.97, tally.wrong
    assert not [line for line in tally.wrong if "does not parse" in line or "once more" in line]
    assert len(tally.unfixed) <= 0.1 * tally.raising, tally.unfixed
