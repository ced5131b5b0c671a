"""The outer edge of every command: the one place where a fault of ours, an interrupt or a closed pipe is met.

Exit statuses: 0 nothing at warning or above, 1 findings, 2 wrong use, nothing could be read, or a fault of ours;
130 and 141 are what a shell expects of a program ended by Ctrl-C or by a reader that went away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from ..fault import REPORT_AT, describe

NOTHING, FINDINGS, WRONG_USE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141


class UsageError(Exception):
    """Wrong use: one line that says what, where and what to do."""


def run(command: Callable[[], int]) -> int:
    """Run a command to its exit status; nothing it raises goes further."""
    try:
        status = command()
        if not sys.stdout.closed:
            # A language server closes it at its end.
            sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"secondpass: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        print("secondpass: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes stdout once more as it ends; with the pipe gone that must have somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as fault:
        if os.environ.get("SECONDPASS_DEBUG"):
            raise
        print(
            f"secondpass: internal fault, not your program's: {describe(fault)}\n"
            f"  please report it at {REPORT_AT} (SECONDPASS_DEBUG=1 shows the traceback)",
            file=sys.stderr,
        )
        return WRONG_USE
