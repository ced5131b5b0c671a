"""`python -m secondpass_server`."""

# Python has put the current folder in front of all others, and that may be anybody's: out, before anything is imported.
import sys

if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]

from secondpass_server.command_line import main

if __name__ == "__main__":
    sys.exit(main())
