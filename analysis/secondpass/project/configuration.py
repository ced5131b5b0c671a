"""Where a project says how it wants to be checked: `[tool.secondpass]` in pyproject.toml, or secondpass.toml.

The nearest folder upwards that holds either decides; in one folder secondpass.toml is stronger. A wrong key or value is
told in one line that names it and suggests the nearest, once; the rest of the file still counts.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..findings import FileError, Severity
from ..settings import Budget, Settings

OWN_FILE, SHARED_FILE = "secondpass.toml", "pyproject.toml"
KEYS = ("select", "ignore", "exclude", "severity", "budget")
_LARGEST = 1_000_000
"""Bytes of a configuration file beyond which it is not read."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings as a project's file gives them, and what in that file was not understood."""

    settings: Settings
    problems: tuple[FileError, ...] = ()


def find(start: Path) -> Configuration:
    """The configuration that holds for a file or folder, looked for upwards from it; defaults where there is none."""
    folder = start if start.is_dir() else start.parent
    for here in (folder.absolute(), *folder.absolute().parents):
        for name in (OWN_FILE, SHARED_FILE):
            file = here / name
            if file.is_file():
                found = read(file)
                if found is not None:
                    return found
    return Configuration(Settings())


def read(file: Path) -> Configuration | None:
    """The configuration in one file; None for a pyproject.toml that does not speak of secondpass."""
    own = file.name == OWN_FILE
    shown = _shown(file)
    try:
        if file.stat().st_size > _LARGEST:
            raise ValueError(f"larger than {_LARGEST} bytes")
        raw = file.read_bytes()
        if not own and b"secondpass" not in raw:
            return None
        table: Any = _loads(raw.decode("utf-8"))
        if not own:
            tool = table.get("tool")
            table = tool.get("secondpass") if isinstance(tool, dict) else None
            if table is None:
                return None
    except (OSError, ValueError) as fault:
        told = " ".join(str(getattr(fault, "strerror", None) or fault).split())
        return Configuration(Settings(root=file.parent), (FileError(shown, 1, f"configuration not read: {told}"),))
    return from_table(table, file.parent, shown)


def from_table(table: object, root: Path | None, path: str) -> Configuration:
    """Settings from a table of `KEYS`, as in a file or from an editor; `path` names where it stands in problems."""
    problems: list[FileError] = []

    def problem(message: str) -> None:
        problems.append(FileError(path, 1, message))

    settings = Settings(root=root)
    if not isinstance(table, Mapping):
        problem(f"the configuration of secondpass is a table, not {_kind(table)}")
        return Configuration(settings, tuple(problems))
    for key, value in table.items():
        if key in ("select", "ignore", "exclude"):
            if _is_words(value):
                settings = _with_words(settings, key, value)
            else:
                problem(f"`{key}` is a list of strings, not {_kind(value)}")
        elif key == "severity":
            settings = replace(settings, severity=_severities(value, problem))
        elif key == "budget":
            settings = replace(settings, budget=_budget(value, problem))
        else:
            problem(f"unknown key `{key}`{_nearest(str(key), KEYS)}")
    return Configuration(settings, tuple(problems))


def _with_words(settings: Settings, key: str, words: Sequence[str]) -> Settings:
    if key == "exclude":
        return replace(settings, exclude=tuple(words))
    codes = tuple(word.upper() for word in words)
    return replace(settings, select=codes) if key == "select" else replace(settings, ignore=codes)


def _loads(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    loaded: dict[str, Any] = tomllib.loads(text)
    return loaded


def _severities(value: object, problem: Callable[[str], None]) -> dict[str, Severity]:
    levels = [level.value for level in Severity]
    out: dict[str, Severity] = {}
    if not isinstance(value, Mapping):
        problem(f'`severity` is a table like {{SP301 = "error"}}, not {_kind(value)}')
        return out
    for code, level in value.items():
        if level in levels:
            out[str(code).upper()] = Severity(level)
        else:
            problem(
                f"unknown severity `{level}` for {code}{_nearest(str(level), levels)} (there are {', '.join(levels)})"
            )
    return out


def _budget(value: object, problem: Callable[[str], None]) -> Budget:
    known = [field.name for field in fields(Budget)]
    budget = Budget()
    if not isinstance(value, Mapping):
        problem(f"`budget` is a table of {', '.join(known)}, not {_kind(value)}")
        return budget
    for key, number in value.items():
        if key not in known:
            problem(f"unknown key `budget.{key}`{_nearest(str(key), known)}")
        elif isinstance(number, bool) or not isinstance(number, int) or number < 1:
            problem(f"`budget.{key}` is a whole number of at least 1, not `{number}`")
        else:
            budget = replace(budget, **{key: number})
    return budget


def _is_words(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)


def _nearest(word: str, known: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f", did you mean `{close[0]}`?" if close else ""


def _kind(value: object) -> str:
    names = {
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "this")


def _shown(file: Path) -> str:
    """The path as a person in the current folder would write it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
