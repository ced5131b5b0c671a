"""One file a feature of the protocol; each has `register(ls)`, called once when the client is known."""

from __future__ import annotations

from ..server import Server
from . import (
    code_actions,
    code_lens,
    commands,
    configuration,
    diagnostics,
    highlight,
    hover,
    inlay_hints,
    lifecycle,
    synchronisation,
    try_fix,
    watching,
)


def register(ls: Server) -> None:
    """Register what does not depend on the client; `lifecycle` adds the rest once the client has introduced itself."""
    for feature in (
        lifecycle,
        synchronisation,
        configuration,
        watching,
        diagnostics,
        hover,
        code_actions,
        inlay_hints,
        code_lens,
        highlight,
        commands,
        try_fix,
    ):
        feature.register(ls)
