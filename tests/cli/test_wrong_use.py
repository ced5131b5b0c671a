"""Wrong use is one line on stderr that names the word, suggests the nearest, and exits with 2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Run

CASES = {
    ("chek",): "unknown command `chek`; did you mean `check`? (see `secondpass --help`)",
    ("--versoin",): "unknown option `--versoin`; did you mean `--version`? (see `secondpass --help`)",
    ("check", "--output-fromat", "json"): (
        "unknown option `--output-fromat`; did you mean `--output-format`? (see `secondpass check --help`)"
    ),
    ("check", "--output-format=jsn"): (
        "--output-format: unknown format `jsn`; did you mean `json`? (see `secondpass check --help`)"
    ),
    ("check", "--jobs", "many"): (
        "--jobs: takes a whole number of at least 1, not `many` (see `secondpass check --help`)"
    ),
    ("check", "--select", "SP999"): (
        "unknown rule `SP999`; did you mean `SP900`? (`secondpass explain --all` lists them)"
    ),
    ("check", "-", "train.py"): "standard input (-) is checked alone, without other paths",
    ("check", "-", "--fix"): "--fix, --diff and --add-ignore need files, standard input has none",
    ("explain", "caried-state"): (
        "unknown rule `caried-state`; did you mean `carried-state`? (`secondpass explain --all` lists them)"
    ),
    ("graph",): "name a FILE[:LINE] to check, or a record with --trace FILE (see `secondpass graph --help`)",
    ("graph", "a.py", "more"): "unexpected argument `more` (see `secondpass graph --help`)",
    ("graph", "a.py", "--format", "png"): (
        "--format: unknown format `png`; known are `text`, `svg`, `html` (see `secondpass graph --help`)"
    ),
    ("graph", "train.py:0"): "lines count from 1: train.py:0",
}


@pytest.mark.parametrize("arguments", CASES, ids=" ".join)
def test_one_line(arguments: tuple[str, ...], run: Callable[..., Run]) -> None:
    ended = run(*arguments)
    assert (ended.status, ended.out, ended.err) == (2, "", f"secondpass: {CASES[arguments]}\n")


@pytest.mark.parametrize("command", ["check", "fix", "explain", "graph", "trace"])
def test_every_command_has_help(command: str, run: Callable[..., Run]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(command, "--help")
    assert ended.value.code == 0


def test_help_and_version(run: Callable[..., Run]) -> None:
    import secondpass

    assert run("--version").out == f"secondpass {secondpass.__version__}\n"
    assert all(command in run("--help").out for command in ("check", "fix", "explain", "trace", "graph", "server"))
