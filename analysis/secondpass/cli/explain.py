"""`secondpass explain CODE`: a rule's page in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..report.console import show, width_of
from ..report.snippet import Styled
from .boundary import NOTHING, UsageError
from .parser import Parser, nearest


def run(arguments: Sequence[str]) -> int:
    parser = Parser("secondpass explain", "What a rule tells, why it raises, and how to choose its fix.")
    parser.add_argument("code", nargs="?", metavar="CODE", help="a rule's code or name, as SP101 or carried-state")
    parser.add_argument("--all", action="store_true", help="list all rules")
    options = parser.parse(arguments)
    from ..rules import RULES

    if options.all or options.code is None:
        widest = max(len(rule.name) for rule in RULES.values())
        rows: list[Styled] = [
            [(f"{rule.code}  ", rule.severity.value), (f"{rule.name:<{widest}}  ", "bold"), (rule.summary, "")]
            for rule in RULES.values()
        ]
        show(rows, sys.stdout)
        return NOTHING
    names = {rule.name: code for code, rule in RULES.items()}
    code = names.get(options.code.lower(), options.code.upper())
    if code not in RULES:
        hint = nearest(options.code, [*RULES, *names])
        raise UsageError(f"unknown rule `{options.code}`{hint} (`secondpass explain --all` lists them)")
    from ..report.page import render

    show(render(RULES[code], width_of(sys.stdout)), sys.stdout)
    return NOTHING
