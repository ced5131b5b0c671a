"""Random training programs, each from one seed.

A scenario fills the iteration of a training loop, mechanisms add to it, an architecture gives it a shape; see the
modules of these names. The truth of a program is torch's alone: nothing here knows, or is asked, whether it raises.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.judge import architecture, mechanisms, scenarios
from tests.judge.draft import Draft


@dataclass(frozen=True, slots=True)
class Program:
    """A program's text, and the choices that made it (`cut:half:end`, `shape:trainer`)."""

    seed: int
    text: str
    features: tuple[str, ...]


def generate(seed: int) -> Program:
    """The program of this seed; the same for ever on one version of this package."""
    rng = random.Random(seed)
    d = Draft(
        rng,
        batch=2,
        inputs=rng.choice((2, 3)),
        hidden=4,
        outputs=2,
        iterations=rng.choice((3, 4, 5, 6)),
        classes=rng.random() < 0.4,
    )
    architecture.data(d)
    name = scenarios.scenario(d)
    if name in scenarios.OPEN:
        for _ in range(rng.choice((0, 1, 2, 2, 3))):
            mechanisms.add(d)
    scenarios.finish(d, name)
    text = architecture.assemble(d)
    return Program(seed, text, tuple(dict.fromkeys(d.features)))
