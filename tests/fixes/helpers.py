"""Programs, fixes made to them, and what they do under torch."""

from __future__ import annotations

from textwrap import dedent

from secondpass.findings import Finding, Fix
from secondpass.fixes.apply import apply_fix, fix_text
from secondpass.fixes.offer import fixes_in
from secondpass.fixes.proof import Ran, run
from secondpass.settings import Settings

from tests.judge.forkserver import truth

SETTINGS = Settings()


def text(program: str) -> str:
    return dedent(program).lstrip("\n")


def ran(program: str, path: str = "program.py") -> Ran:
    found = run(program, path, SETTINGS)
    assert found is not None
    return found


def offered(program: str, rule: str = "SP", path: str = "program.py") -> tuple[Finding, tuple[Fix, ...]]:
    """The first finding of a rule (or of rules of a prefix) and its fixes."""
    before = ran(program, path)
    finding = next(f for f in before.findings if f.rule.startswith(rule))
    return finding, fixes_in(before, finding, SETTINGS)


def fixed_by(program: str, identity: str, rule: str = "SP", path: str = "program.py") -> str:
    """The program with the first fix of that id."""
    _, fixes = offered(program, rule, path)
    fix = next((one for one in fixes if one.id == identity), None)
    assert fix is not None, f"offered were {[one.id for one in fixes]}"
    return apply_fix(ran(program, path), program, fix)


def fixed(program: str, path: str = "program.py") -> str:
    """The program with preferred fixes until none is left, those that change gradients included."""
    return fix_text(program, path, SETTINGS, unsafe=True)[0][path]


def added(before: str, after: str) -> list[str]:
    """The lines that only the second text has, in its order."""
    left = before.splitlines()
    found = []
    for line in after.splitlines():
        if line in left:
            left.remove(line)
        else:
            found.append(line)
    return found


def raises(program: str) -> str | None:
    """The kind of exception with which the program ends under torch."""
    return truth(program).exception
