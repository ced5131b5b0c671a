"""`python -m tests.judge`: write programs, run them under torch, check them, and show where the two disagree."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from pathlib import Path

from tests.judge.compare import Judged, Kind, Tally, Verdict, as_case, compare, kind_of, verdict
from tests.judge.forkserver import ForkServer, Truth
from tests.judge.generate import generate
from tests.judge.shrink import shrink

KINDS: tuple[Kind, ...] = ("crash", "false alarm", "missed", "other word", "line")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.judge", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first program's seed is seed times a million")
    parser.add_argument("--show", type=int, default=20, help="disagreements to list of each kind")
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="write each disagreement's program, its truth as marks"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="make the disagreements that are shown or saved small first"
    )
    parser.add_argument("--truth-only", action="store_true", help="only run the programs: shares and features")
    parser.add_argument(
        "--print", type=int, metavar="SEED", dest="one", help="print the program of this very seed and its verdicts"
    )
    options = parser.parse_args()
    with ForkServer() as server:
        if options.one is not None:
            return _one(options.one, server)
        programs = (generate(options.seed * 1_000_000 + number) for number in range(options.count))
        if options.truth_only:
            return _shares([(program.features, server.truth(program.text)) for program in programs])
        tally = compare(programs, server)
        _report(tally, options.show)
        _details(tally, options, server)
    return 0 if not tally.disagreements else 1


def _one(seed: int, server: ForkServer) -> int:
    program = generate(seed)
    print(program.text)
    print(Judged(program, server.truth(program.text), verdict(program.text)))
    return 0


def _shares(runs: list[tuple[tuple[str, ...], Truth]]) -> int:
    """How programs ended, over all and for each feature."""
    total = Counter(truth.exception or "clean" for _, truth in runs)
    by_feature: dict[str, Counter[str]] = {}
    for features, truth in runs:
        for feature in features:
            by_feature.setdefault(feature, Counter())[truth.exception or "clean"] += 1
    for feature, counts in sorted(by_feature.items()):
        print(f"  {feature}: {dict(counts)}")
    print(f"{len(runs)} programs, {len(by_feature)} features: {dict(total)}")
    for features, truth in runs:
        if truth.exception == "other":
            print(f"other: {truth.type}: {truth.message[:100]} ({' '.join(features)})")
    return 0


def _report(tally: Tally, show: int) -> None:
    for kind in KINDS:
        cases = tally.of(kind)
        if not cases:
            continue
        print(f"\n{kind}: {len(cases)}")
        print(
            "   most in: "
            + ", ".join(f"{feature} {there}/{everywhere}" for feature, there, everywhere in tally.suspects(kind))
        )
        for case in cases[:show]:
            print(f"   {case}")
            if case.ours.crash:
                print("      " + case.ours.crash.strip().splitlines()[-1])
    count = len(tally.judged)
    print(f"\ntruth {dict(tally.truths())}, {len(tally.dropped)} dropped (another exception)")
    print(f"check: median {1000 * statistics.median(tally.seconds):.1f} ms, longest {1000 * max(tally.seconds):.0f} ms")
    print(f"agree {tally.verdicts_agree}/{count} and line {tally.agree}/{count} ({tally.agree / count:.2%})")


def _details(tally: Tally, options: argparse.Namespace, server: ForkServer) -> None:
    """Save the disagreements, small if so asked."""
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        for case in tally.of(kind)[: None if options.save else options.show]:
            text, truth = (case.program.text, case.truth) if not options.shrink else _small(case, server)
            if options.save:
                path = options.save / f"{kind.replace(' ', '_')}_{case.program.seed}.py"
                path.write_text(as_case(case, text, truth), encoding="utf-8")
            elif options.shrink:
                print(f"\n{'-' * 100}\n{as_case(case, text, truth)}")
            sys.stdout.flush()


def _small(case: Judged, server: ForkServer) -> tuple[str, Truth]:
    """Shrink while torch's word, our word and the kind of the disagreement stay."""

    def same(text: str) -> bool:
        ours: Verdict = verdict(text)
        if ours.exception != case.ours.exception or bool(ours.crash) != bool(case.ours.crash):
            return False
        truth = server.truth(text)
        # A false alarm must stay one about something that runs: not about a function that nobody calls any more.
        told = case.kind != "false alarm" or bool(set(ours.lines) & set(truth.walked))
        return truth.exception == case.truth.exception and kind_of(truth, ours) == case.kind and told

    text = shrink(case.program.text, same)
    return text, server.truth(text)


if __name__ == "__main__":
    sys.exit(main())
