"""The rules, one file each: a rule is a value (rule.py), told from the machine's record (story.py, history.py).

`RULES` finds them by itself: any module here named like a code.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from secondpass.rules.rule import Rule

ORDER = ("SP204", "SP205", "SP203", "SP102", "SP103", "SP104", "SP106", "SP101", "SP105")
"""Which rule owns a failing walk: the most telling one first."""


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the codes."""
    found: dict[str, Rule] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        if module.startswith("sp") and module[2:].isdigit():
            rule: Rule = importlib.import_module(f"{__name__}.{module}").RULE
            found[rule.code] = rule
    return found


RULES = rules()
NAMES = {code: rule.name for code, rule in RULES.items()}
"""The name of each rule, which is taken wherever its code is."""
