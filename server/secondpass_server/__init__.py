"""The language server: secondpass in an editor.

It holds no analysis of its own. `documents` keeps the texts as the client has them, `session` decides what has to be
checked and keeps the outcomes, `desk` hands the work to a process of its own (`worker`), `analysis` is the one door to
the analyser, and each file of `features` answers for one part of the protocol from the outcomes at hand.

Nothing is imported here: `python -m secondpass_server` comes through here with the current folder still in front.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run the server (`secondpass server [--stdio | --tcp]`) until its client leaves; the exit status."""
    from .command_line import main as run

    return run(argv)


__all__ = ["main"]
