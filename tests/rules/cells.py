"""Examples about notebooks are written with a line `# %%` before each cell; here they become notebooks."""

from __future__ import annotations

import json
from itertools import pairwise

MARK = "# %%"


def starts(program: str) -> list[int]:
    """The line (from 1) of each cell's mark; empty for a program that is no notebook."""
    return [number for number, line in enumerate(program.split("\n"), 1) if line == MARK]


def cells(program: str) -> list[str]:
    """The text of each cell, without its mark."""
    lines = program.split("\n")
    return ["\n".join(lines[a : b - 1]) for a, b in pairwise([*starts(program), len(lines) + 1])]


def notebook(program: str) -> str:
    """The .ipynb text."""
    made = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text.strip("\n")}
        for text in cells(program)
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
