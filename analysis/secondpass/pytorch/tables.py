"""Writes measured facts as the generated modules of this folder: one entry a line, sorted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

COMMAND = "python -m secondpass.pytorch.measure --write"


def entry(value: NamedTuple) -> str:
    """A named tuple as source text, without the fields that are at their default."""
    defaults = value._field_defaults
    fields = [f"{name}={field!r}" for name, field in value._asdict().items() if field != defaults[name]]
    return f"{type(value).__name__}({', '.join(fields)})".replace("'", '"')


def render(
    table: str, version: str, rows: Mapping[str, tuple[NamedTuple, str]], wrong: Mapping[str, tuple[str, ...]] | None
) -> str:
    """The text of a generated module.

    `table` is its name in the plural ("operations"); a row is the facts and the call they come from; `wrong` names the
    sets of operands for which ORing an entry's masks is wrong (None: the table has no masks).
    """
    facts = f"{table.removesuffix('s')}_facts"
    kind = type(next(iter(rows.values()))[0]).__name__
    lines = [
        f'"""PyTorch\'s {table}, measured on torch {version}. Generated, do not edit: see measure.py.',
        "",
        f"Regenerate with `{COMMAND}`. The fields are explained in {facts}.py.",
        *(["After an entry stands the call that was measured, with its operands."] if wrong is not None else []),
        '"""',
        "",
        *(["# ruff: noqa: E501"] if wrong is not None else []),
        "# fmt: off",
        "",
        "from __future__ import annotations",
        "",
        f"from secondpass.pytorch.{facts} import {kind}",
        "",
        f"{table.upper()}: dict[str, {kind}] = {{",
        *(
            f'    "{name}": {entry(rows[name][0])},{"  # " * bool(rows[name][1])}{rows[name][1]}'
            for name in sorted(rows)
        ),
        "}",
        "",
    ]
    if wrong is not None:
        lines.append("EXCEPTIONS: dict[str, tuple[str, ...]] = {")
        for name in sorted(name for name in wrong if wrong[name]):
            lines += [f'    "{name}": (', *(f'        "{text}",' for text in wrong[name]), "    ),"]
        lines += ["}", '"""Sets of operands that require grad together, for which ORing the masks is wrong."""', ""]
    return "\n".join(lines)
