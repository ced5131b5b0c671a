"""argparse with our manners: wrong use is one line that names the word and suggests the nearest, with status 2."""

from __future__ import annotations

import argparse
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
        raise UsageError(f"{message.removeprefix('argument ')} (see `{self.prog} --help`)")

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse; an unknown option says which and suggests the nearest."""
        known, extra = self.parse_known_args(arguments)
        if extra:
            word = extra[0].partition("=")[0]
            if word.startswith("-"):
                options = [option for action in self._actions for option in action.option_strings]
                self.error(f"unknown option `{word}`{nearest(word, options)}")
            self.error(f"unexpected argument `{word}`")
        return known


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` for the nearest known word, or the list of them."""
    from ..project.config import suggestion

    return suggestion(word, known)


def one_of(kind: str, known: Sequence[str]) -> Callable[[str], str]:
    """An argument type that takes one of `known` and else says what there is."""

    def convert(word: str) -> str:
        if word not in known:
            raise argparse.ArgumentTypeError(f"unknown {kind} `{word}`{nearest(word, known)}")
        return word

    return convert


def positive(word: str) -> int:
    """An argument type for a whole number of at least 1."""
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"takes a whole number of at least 1, not `{word}`")
    return int(word)
