"""The project's own settings: `[tool.secondpass]` in pyproject.toml, or secondpass.toml.

Nearest upwards from what is checked; in one folder secondpass.toml comes first, and a pyproject.toml without the table
is passed over. What is wrong in a file is told in one line each, once, and the rest of the file still counts.
The rules' codes are handed in: this module knows no rule.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from pathlib import Path

from ..findings import FileError, Severity
from ..settings import Budget, Settings

KEYS = ("select", "ignore", "exclude", "per-file-ignores", "severity", "budget")
BUDGET_KEYS = tuple(field.name for field in fields(Budget))
_LEVELS = tuple(level.value for level in Severity)
_AT_LINE = re.compile(r"\s*\((?:at line (\d+), column \d+|at end of document)\)")
_LARGEST = 1_000_000
"""Bytes of a configuration file beyond which it is not read."""


class Configurations:
    """The settings of the files of one run; each configuration file is read once."""

    def __init__(self, codes: Collection[str], chosen: Path | None = None) -> None:
        """`codes` are the rules there are, with their names if it is a mapping.

        `chosen` is a configuration file to use for everything, if one was named.
        """
        self.codes = codes
        self.chosen = chosen
        self.problems: list[FileError] = []
        """What is wrong in the configuration files read so far, one line each."""
        self._by_folder: dict[Path, Settings] = {}
        self._by_file: dict[Path, Settings | None] = {}

    def of(self, path: Path) -> Settings:
        """The settings for a file or folder; the defaults if no configuration is found."""
        if self.chosen is not None:
            return self._load(self.chosen, required=True) or Settings()
        folder = path.absolute()
        return self._of_folder(folder if folder.is_dir() else folder.parent)

    def _of_folder(self, folder: Path) -> Settings:
        if folder in self._by_folder:
            return self._by_folder[folder]
        found = self._load(folder / "secondpass.toml", required=False)
        if found is None:
            found = self._load(folder / "pyproject.toml", required=False)
        if found is None:
            found = Settings() if folder.parent == folder else self._of_folder(folder.parent)
        self._by_folder[folder] = found
        return found

    def _load(self, file: Path, *, required: bool) -> Settings | None:
        if file not in self._by_file:
            self._by_file[file] = self._read(file) if required or file.is_file() else None
        return self._by_file[file]

    def _read(self, file: Path) -> Settings | None:
        """The settings in a file; None for a pyproject.toml that does not speak of secondpass. A broken file counts
        as one without settings, so that no other file is looked for behind its back."""
        root = file.absolute().parent
        text = ""
        try:
            if file.stat().st_size > _LARGEST:
                raise ValueError(f"is larger than {_LARGEST // 1_000_000} MB")
            raw = file.read_bytes()
            if file.name == "pyproject.toml" and b"secondpass" not in raw:
                return None
            text = raw.decode("utf-8-sig")
            document = _loads(text)
        except OSError as error:
            self._tell(file, 1, f"cannot be read: {(error.strerror or str(error)).lower()}")
            return Settings(root=root)
        except UnicodeDecodeError:
            self._tell(file, 1, "is not UTF-8 text")
            return Settings(root=root)
        except ValueError as error:
            self._tell(file, *_broken(str(error), text))
            return Settings(root=root)
        table: object = document
        if file.name == "pyproject.toml":
            tool = document.get("tool")
            table = tool.get("secondpass") if isinstance(tool, dict) else None
            if table is None:
                return None
        if not isinstance(table, dict):
            self._tell(file, _line_of(text, "secondpass"), f"`tool.secondpass` must be a table, not {_kind(table)}")
            return Settings(root=root)
        settings, messages = from_mapping(table, self.codes, root)
        for key, message in messages:
            self._tell(file, _line_of(text, key), message)
        return settings

    def _tell(self, file: Path, line: int, message: str) -> None:
        try:
            shown = file.relative_to(Path.cwd())
        except ValueError:
            shown = file
        self.problems.append(FileError(str(shown), line, message))


def from_mapping(
    table: Mapping[str, object], codes: Collection[str], root: Path | None = None
) -> tuple[Settings, list[tuple[str, str]]]:
    """Settings from a table with the keys of `KEYS`, and (key, message) for each thing that is wrong in it.

    The same for a configuration file and for the settings an editor sends.
    """
    problems: list[tuple[str, str]] = []
    for key in table:
        if key not in KEYS:
            problems.append((str(key), f"unknown key `{key}`{suggestion(str(key), KEYS)}"))
    settings = Settings(
        select=_codes(table, "select", codes, problems),
        ignore=_codes(table, "ignore", codes, problems),
        exclude=_strings(table, "exclude", problems),
        per_file_ignores=_per_file(table, codes, problems),
        severity=_severity(table, codes, problems),
        budget=_budget(table, problems),
        root=root,
    )
    return settings, problems


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for the nearest known word, or the list of them."""
    known = list(known)
    nearest = difflib.get_close_matches(word, known, 1, 0.5)
    if nearest:
        return f"; did you mean `{nearest[0]}`?"
    return f"; known are {', '.join(f'`{one}`' for one in known)}"


def as_code(word: str, codes: Collection[str]) -> str:
    """A code or prefix in capitals; for the name of a rule, its code."""
    word = word.strip()
    if isinstance(codes, Mapping):
        return next((code for code, name in codes.items() if name == word.lower()), word.upper())
    return word.upper()


def code_problem(code: str, codes: Collection[str]) -> str | None:
    """What is wrong with a rule code or prefix, in one line; None if it names at least one rule."""
    if code and any(known.startswith(code) for known in codes):
        return None
    return f"unknown rule `{code}`{suggestion(code, sorted(codes))}"


def _loads(text: str) -> dict[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    loaded: dict[str, object] = tomllib.loads(text)
    return loaded


def _broken(message: str, text: str) -> tuple[int, str]:
    """Line and message of a file that is no TOML."""
    line = _AT_LINE.search(message)
    at = int(line[1]) if line and line[1] else max(len(text.splitlines()), 1)
    told = " ".join(_AT_LINE.sub("", message).split())
    return at, f"is not valid TOML: {told[:1].lower()}{told[1:]}" if text else told


def _codes(
    table: Mapping[str, object], key: str, codes: Collection[str], problems: list[tuple[str, str]]
) -> tuple[str, ...]:
    found = []
    for given in _strings(table, key, problems):
        code = as_code(given, codes)
        wrong = code_problem(code, codes)
        if wrong:
            problems.append((given, f"{wrong} (in `{key}`)"))
        else:
            found.append(code)
    return tuple(found)


def _strings(table: Mapping[str, object], key: str, problems: list[tuple[str, str]]) -> tuple[str, ...]:
    value = table.get(key, [])
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return tuple(value)
    problems.append((key, f"`{key}` must be a list of strings, not {_kind(value)}"))
    return ()


def _per_file(
    table: Mapping[str, object], codes: Collection[str], problems: list[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    value = table.get("per-file-ignores", {})
    if not isinstance(value, Mapping):
        problems.append(
            ("per-file-ignores", f"`per-file-ignores` must be a table of pattern = codes, not {_kind(value)}")
        )
        return {}
    return {str(pattern): _codes(value, str(pattern), codes, problems) for pattern in value}


def _severity(
    table: Mapping[str, object], codes: Collection[str], problems: list[tuple[str, str]]
) -> dict[str, Severity]:
    value = table.get("severity", {})
    if not isinstance(value, Mapping):
        problems.append(("severity", f"`severity` must be a table of code = level, not {_kind(value)}"))
        return {}
    found = {}
    for given, level in value.items():
        code = as_code(str(given), codes)
        wrong = code_problem(code, codes)
        if wrong:
            problems.append((str(given), f"{wrong} (in `severity`)"))
        elif level not in _LEVELS:
            shown = f"`{level}`" if isinstance(level, str) else _kind(level)
            near = suggestion(str(level), _LEVELS)
            problems.append((str(given), f"severity of `{given}` must be a level, not {shown}{near}"))
        else:
            found[code] = Severity(level)
    return found


def _budget(table: Mapping[str, object], problems: list[tuple[str, str]]) -> Budget:
    value = table.get("budget", {})
    if not isinstance(value, Mapping):
        problems.append(("budget", f"`budget` must be a table of numbers, not {_kind(value)}"))
        return Budget()
    found: dict[str, int] = {}
    for key, number in value.items():
        if key not in BUDGET_KEYS:
            problems.append((str(key), f"unknown key `budget.{key}`{suggestion(str(key), BUDGET_KEYS)}"))
        elif isinstance(number, bool) or not isinstance(number, int) or number < 1:
            shown = number if isinstance(number, (int, float)) and not isinstance(number, bool) else _kind(number)
            problems.append((str(key), f"`budget.{key}` must be a whole number from 1, not {shown}"))
        else:
            found[str(key)] = number
    return Budget(**found)


def _kind(value: object) -> str:
    """What a value of the wrong type is, in words."""
    names = {str: "a string", bool: "true or false", int: "a number", float: "a number", dict: "a table"}
    if isinstance(value, (list, tuple)):
        other = next((_kind(one) for one in value if not isinstance(one, str)), "")
        return f"a list with {other} in it" if other else "a list"
    return names.get(type(value), type(value).__name__)


def _line_of(text: str, key: str) -> int:
    """The line (from 1) on which a key or value is first written in the file, 1 if it is not found as written."""
    start = max(text.find("[tool.secondpass"), 0)
    match = re.compile(rf"(?<![\w.-]){re.escape(key)}(?![\w-])").search(text, start)
    return text.count("\n", 0, match.start()) + 1 if match else 1
