"""What a variable, a call or a flag is, at each place of a program: the texts of hovers.

One more run of the file watches all its expressions (`machine/sighting`) and gives the hovers of the whole text at
once (`Hovers`), so that an editor can have them ready before it is asked for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from secondpass.hovers.table import NOTHING, Hover, Hovers
from secondpass.settings import Settings

if TYPE_CHECKING:
    from secondpass.fixes.proof import Ran

__all__ = ["Hover", "Hovers", "hover", "hovers", "hovers_in", "seen_in"]


def hover(
    text: str,
    path: str,
    line: int,
    column: int,
    cell: int | None = None,
    settings: Settings | None = None,
    texts: Mapping[str, str] | None = None,
) -> Hover | None:
    """What stands at a place (from 1, in characters; in a notebook within its cell), or None.

    `texts` is the unsaved text of other files, as in `check_text`.
    """
    return hovers(text, path, settings, texts).at(line, column, cell)


def hovers(text: str, path: str, settings: Settings | None = None, texts: Mapping[str, str] | None = None) -> Hovers:
    """The hovers of a text, all of them."""
    ran = seen_in(text, path, settings or Settings(), texts)
    return hovers_in(ran) if ran is not None else NOTHING


def seen_in(text: str, path: str, settings: Settings, texts: Mapping[str, str] | None = None) -> Ran | None:
    """Check a text and keep its run, with what was seen of its expressions; None if there is nothing to see in it."""
    from secondpass.engine import concerned, project_of
    from secondpass.fixes.proof import run

    if not concerned(text, path, lambda: project_of(path, texts)):
        return None
    return run(text, path, settings, texts=texts, seeing=True)


def hovers_in(ran: Ran) -> Hovers:
    """The hovers of a run in which the expressions were seen."""
    from secondpass.hovers.places import places
    from secondpass.hovers.words import Teller

    tell = Teller(ran.source, ran.outcome, ran.findings).tell
    return Hovers.of(hover for place in places(ran.source) if (hover := tell(place)) is not None)
