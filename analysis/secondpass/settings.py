"""What a check may be told: which rules, which files, how loud, and how far the machine runs.

Plain values. Where they come from (a configuration file, the command line, an editor) is no concern of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .findings import Severity


@dataclass(frozen=True, slots=True)
class Budget:
    """How far the machine follows one file; what is cut short is noted and never told as a finding."""

    turns: int = 24
    """Most iterations of one loop."""
    paths: int = 12
    """Most runs of one entry, each with other choices at the branches whose condition is not known."""
    depth: int = 24
    """Deepest nesting of calls."""
    steps: int = 12_000
    """Most statements run for one file."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The wishes of one check; codes are given whole (`SP101`) or as a prefix (`SP1`)."""

    select: tuple[str, ...] = ()
    """Rules to tell; empty means all."""
    ignore: tuple[str, ...] = ()
    """Rules not to tell; stronger than `select`."""
    exclude: tuple[str, ...] = ()
    """Patterns of paths not to check, as in .gitignore, read from `root`."""
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """A level of one's own for a rule."""
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rules not to tell of files that match a pattern (as in .gitignore, read from `root`)."""
    budget: Budget = Budget()
    root: Path | None = None
    """The folder of the file these settings came from; None is the current folder."""
