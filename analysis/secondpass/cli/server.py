"""`secondpass server`: the language server of the package `secondpass_server`, which reads the arguments itself."""

from __future__ import annotations

from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    from secondpass_server import main

    return main(arguments)
