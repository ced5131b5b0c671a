"""Arguments that several commands share, and the settings they make together with the project's configuration."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..settings import Settings
from .boundary import UsageError
from .parser import Parser


def add_rule_options(parser: Parser) -> None:
    parser.add_argument("--select", action="append", default=[], metavar="CODES", help="tell only these (SP101,SP2)")
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES", help="do not tell these")
    parser.add_argument("--config", metavar="FILE", help="a configuration file to use in place of the project's own")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN", help="do not check these paths (as in .gitignore)"
    )


def settings_for(arguments: argparse.Namespace, paths: Iterable[Path]) -> Settings:
    """The project's settings with what the command line says on top."""
    settings = configured(paths, arguments.config)
    return replace(
        settings,
        select=codes(arguments.select) or settings.select,
        ignore=(*settings.ignore, *codes(arguments.ignore)),
        exclude=(*settings.exclude, *arguments.exclude),
    )


def codes(given: Iterable[str]) -> tuple[str, ...]:
    """Rule codes from options like `SP101,SP2,carried-state` (prefixes and names too); an unknown one is wrong use."""
    words = [word for option in given for word in option.split(",") if word.strip()]
    if not words:
        return ()
    from ..project.config import as_code, code_problem
    from ..rules import NAMES

    found = tuple(as_code(word, NAMES) for word in words)
    for code in found:
        problem = code_problem(code, NAMES)
        if problem:
            raise UsageError(f"{problem} (`secondpass explain --all` lists them)")
    return found


def configured(paths: Iterable[Path], chosen: str | None = None) -> Settings:
    """The `chosen` configuration, else the nearest to the first path; what is wrong in it is told on stderr, once."""
    from ..project.config import Configurations
    from ..rules import NAMES

    if chosen is not None and not Path(chosen).is_file():
        raise UsageError(f"--config names {chosen}, and there is no such file")
    configurations = Configurations(NAMES, Path(chosen) if chosen is not None else None)
    settings = configurations.of(next(iter(paths), Path()))
    for problem in configurations.problems:
        print(f"secondpass: {problem.path}:{problem.line}: {problem.message}", file=sys.stderr)
    return settings
