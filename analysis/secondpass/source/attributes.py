"""Attributes of `self` that a text assigns more than once: what a class may keep between calls, by its lines."""

from __future__ import annotations

import re
from collections import Counter

STORES = re.compile(
    r"(?<![=(])self\.(\w+)(?:\[[^\]\n]*\])?(?:[ \t]*,[ \t]*[\w.\[\]]+)*\)?(?:[ \t]*:[^=\n]*)?[ \t]*[-+*/]?=(?!=)"
    r"|self\.register_buffer\([\"'](\w+)"
    r"|self\.(\w+)(?:\[[^\]\n]*\])?\.(?:append|extend|update|copy_|add_|mul_|lerp_|insert)\("
)
"""`self.h = h`, `out, self.h = f()`, `self.h[0] = h`, `self.register_buffer("h", h)`, `self.bank.append(h)`."""


def stored(text: str) -> Counter[str]:
    """How often each attribute is assigned."""
    return Counter(name for names in STORES.findall(text) for name in names if name)


def keeps_state(text: str) -> bool:
    """Whether a text may hold a module that keeps something from call to call."""
    if "def forward" not in text:
        return False
    return any(count > 1 for count in stored(text).values())
