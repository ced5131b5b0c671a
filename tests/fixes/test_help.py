"""What a finding's help says and what the edit under it does are one thing, over every program that is kept here.

The reports take both from one finding, so it is the findings that are looked at, and the text that is printed of them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from secondpass.cli.offers import with_fixes
from secondpass.engine import check_text
from secondpass.findings import UNPROVED, Edit, Finding, Fix, Span
from secondpass.fixes.offer import mendable
from secondpass.report.text import plain, render_finding
from secondpass.rules import RULES

from tests.rules.cells import notebook, starts

from .helpers import SETTINGS

TESTS = Path(__file__).parents[1]
KEEPING = re.compile(r"keep the graph|retain_graph=True")
FIX = Fix("detach-use", "Detach `h` there", "changes-gradients", True, (Edit(Span("a.py", 1, 1, 1, 1), "#"),))


def programs() -> list[object]:
    found = [
        pytest.param(path.read_text("utf-8"), id=f"{path.parent.name}-{path.stem}")
        for path in sorted(TESTS.glob("programs/**/*.py"))
    ]
    for code, rule in RULES.items():
        for number, example in enumerate((*rule.raises, *rule.runs)):
            found.append(pytest.param(example.program, id=f"{code}-{number}"))
    return found


@pytest.mark.parametrize("program", programs())
def test_no_help_contradicts_the_edit_under_it(program: str) -> None:
    path, text = ("program.ipynb", notebook(program)) if starts(program) else ("program.py", program)
    report = with_fixes(check_text(text, path, SETTINGS), {path: text}, SETTINGS)
    for finding in report.findings:
        first = next(iter(finding.fixes), None)
        if first is None:
            assert not mendable(finding) or not finding.help or finding.help.endswith(UNPROVED), finding.help
            continue
        assert finding.help == first.title[:1].lower() + first.title[1:]
        assert not any(fix.preferred for fix in finding.fixes[1:])
        printed = plain(render_finding(finding, lambda *_: None))
        assert printed.count("= help: ") == 1 and f"= help: {finding.help}\n" in printed
        adds = any("retain_graph=True" in edit.text for edit in first.edits)
        assert not adds or KEEPING.search(finding.help), finding.help


def test_the_first_fix_gives_the_help_its_words() -> None:
    finding = Finding("SP105", "shared", RULES["SP105"].severity, Span("a.py", 1, 1, 1, 2), "told", help="do it")
    assert finding.with_fixes((FIX,)).help == "detach `h` there"


def test_without_a_fix_the_help_says_that_none_was_proved() -> None:
    finding = Finding("SP105", "shared", RULES["SP105"].severity, Span("a.py", 1, 1, 1, 2), "told", help="do it")
    alone = finding.with_fixes(())
    assert alone.help == "do it" + UNPROVED
    assert alone.with_fixes(()) == alone
