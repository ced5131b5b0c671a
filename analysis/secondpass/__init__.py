"""secondpass: finds PyTorch's "Trying to backward through the graph a second time" before the run.

The public interface: `check_text` for one text (an editor's buffer, standard input), `check_paths` for files and
folders, `fixes_for` for a finding's proved fixes, `explain` for a rule's page. Everything else is internal.
"""

from __future__ import annotations

from secondpass.engine import check_paths, check_text, fixes_for
from secondpass.hover import Hover, hover
from secondpass.settings import Budget, Settings

__version__ = "0.1.0"
__all__ = ["Budget", "Hover", "Settings", "__version__", "check_paths", "check_text", "explain", "fixes_for", "hover"]


def explain(code: str) -> str:
    """A rule's page in Markdown, by its code (`SP101`) or name (`carried-state`); LookupError if there is none."""
    from secondpass.docs import explain as page_of

    return page_of(code)
