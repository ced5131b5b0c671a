"""argparse with our manners: wrong use is one line that names the word and suggests the nearest, with status 2."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from .boundary import UsageError


class Parser(argparse.ArgumentParser):
    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message.removeprefix('argument ')}; see `{self.prog} --help`")

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse; an unknown option says which and suggests the nearest."""
        known, extra = self.parse_known_args(arguments)
        if extra:
            word = extra[0].partition("=")[0]
            if word.startswith("-"):
                options = [option for action in self._actions for option in action.option_strings]
                raise UsageError(f"unknown option {word}{nearest(word, options)}; see `{self.prog} --help`")
            raise UsageError(f"unexpected argument {word!r}; see `{self.prog} --help`")
        return known


def nearest(word: str, known: Iterable[str]) -> str:
    """`, did you mean X?` or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f", did you mean {close[0]}?" if close else ""


def one_of(kind: str, known: Sequence[str]) -> Callable[[str], str]:
    """An argument type that takes one of `known` and else says what there is."""

    def convert(word: str) -> str:
        if word not in known:
            hint = nearest(word, known)
            raise argparse.ArgumentTypeError(f"unknown {kind} {word!r}{hint} (there are {', '.join(known)})")
        return word

    return convert


def positive(word: str) -> int:
    """An argument type for a whole number of at least 1."""
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"takes a whole number of at least 1, not {word!r}")
    return int(word)
