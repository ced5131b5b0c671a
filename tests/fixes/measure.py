"""Random programs and the fixes offered for them, judged by torch: `python -m tests.fixes.measure FIRST COUNT`.

For each pair of a raising program and a fix: the result parses; fixing it again changes nothing more for that finding;
and where the machine says that it runs, PyTorch runs it. With `--preferred` only the preferred fixes are taken.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from secondpass.findings import Finding, Fix
from secondpass.fixes.apply import apply_fix
from secondpass.fixes.offer import fixes_in
from secondpass.fixes.proof import Ran, run
from secondpass.settings import Settings

from tests.judge.forkserver import truth
from tests.judge.generate import generate

SETTINGS = Settings()


@dataclass(slots=True)
class Tally:
    programs: int = 0
    raising: int = 0
    """Programs that raise under torch and for which a finding says so."""
    unfixed: list[int] = field(default_factory=list)
    """Seeds of those without any fix."""
    pairs: int = 0
    clean: int = 0
    """Results that the machine says will run."""
    running: int = 0
    """Those of them that do under torch."""
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """One line for each result that does not do what was said."""

    @property
    def share(self) -> float:
        return self.running / self.clean if self.clean else 1.0


def measure(seeds: Iterable[int], *, preferred: bool = False) -> Tally:
    tally = Tally()
    for seed in seeds:
        text = generate(seed).text
        tally.programs += 1
        before = run(text, "program.py", SETTINGS)
        assert before is not None
        told = next((finding for finding in before.findings if finding.raises_at), None)
        if told is None or truth(text).exception not in ("second-time", "inplace-version"):
            continue
        tally.raising += 1
        fixes = fixes_in(before, told, SETTINGS)
        if not fixes:
            tally.unfixed.append(seed)
        for fix in fixes:
            if fix.preferred or not preferred:
                _judge(tally, seed, before, text, told, fix)
    return tally


def _judge(tally: Tally, seed: int, before: Ran, text: str, finding: Finding, fix: Fix) -> None:
    tally.pairs += 1
    tally.kinds[finding.rule, fix.id] += 1
    after = apply_fix(before, text, fix)
    try:
        ast.parse(after)
    except SyntaxError as error:
        tally.wrong.append(f"{seed} {finding.rule} {fix.id}: does not parse: {error.msg}")
        return
    again = run(after, "program.py", SETTINGS)
    assert again is not None
    same = (o for o in again.findings if o.raises_at and (o.rule, o.message) == (finding.rule, finding.message))
    if any((one.id, one.title) == (fix.id, fix.title) for other in same for one in fixes_in(again, other, SETTINGS)):
        tally.wrong.append(f"{seed} {finding.rule} {fix.id}: is offered once more")
    if any(other.raises_at for other in again.findings):
        return  # a second fault that the first had hidden
    tally.clean += 1
    outcome = truth(after)
    if outcome.exception is None:
        tally.running += 1
    else:
        tally.wrong.append(
            f"{seed} {finding.rule} {fix.id}: line {outcome.line}: {outcome.type}: {outcome.message[:80]}"
        )


def main() -> None:
    arguments = [word for word in sys.argv[1:] if not word.startswith("-")]
    first, count = map(int, arguments)
    tally = measure(range(first, first + count), preferred="--preferred" in sys.argv)
    for (rule, identity), number in sorted(tally.kinds.items()):
        print(f"{number:6} {rule} {identity}")
    print(*tally.wrong, sep="\n")
    print(f"without a fix: {tally.unfixed}")
    print(f"{tally.programs} programs, {tally.raising} raise and are told, {len(tally.unfixed)} of them without a fix")
    print(f"{tally.pairs} pairs, {tally.clean} said to run, {tally.running} run ({tally.share:.1%})")


if __name__ == "__main__":
    main()
