"""secondpass: finds PyTorch's "Trying to backward through the graph a second time" before the run.

The public interface: `check_text` for one text (an editor's buffer, standard input), `check_paths` for files and
folders, `fixes_for` for a finding's proved fixes, `hover` for what a name holds, `explain` for a rule's page,
`explain_errors` for the moment it raises (in a notebook `%load_ext secondpass`), and the values that they take and
give. Everything else is internal.

Nothing is imported before it is asked for: `python -m secondpass` comes through here with the current folder, which may
be anybody's, still in front of the standard library.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from secondpass.docs import explain
    from secondpass.engine import check_paths, check_text, fixes_for
    from secondpass.findings import Edit, Finding, Fix, RaisesAt, Report, Severity, Span, Step
    from secondpass.hovers import Hover, hover
    from secondpass.moment.hook import explain_errors
    from secondpass.settings import Budget, Settings

__version__ = "0.1.0"
__all__ = [
    "Budget",
    "Edit",
    "Finding",
    "Fix",
    "Hover",
    "RaisesAt",
    "Report",
    "Settings",
    "Severity",
    "Span",
    "Step",
    "__version__",
    "check_paths",
    "check_text",
    "explain",
    "explain_errors",
    "fixes_for",
    "hover",
]
_FROM = {
    "docs": ("explain",),
    "engine": ("check_paths", "check_text", "fixes_for"),
    "findings": ("Edit", "Finding", "Fix", "RaisesAt", "Report", "Severity", "Span", "Step"),
    "hovers": ("Hover", "hover"),
    "moment.hook": ("explain_errors",),
    "moment.notebook": ("load_ipython_extension", "unload_ipython_extension"),
    "settings": ("Budget", "Settings"),
}


def __getattr__(name: str) -> object:
    for module, names in _FROM.items():
        if name in names:
            from importlib import import_module

            value = globals()[name] = getattr(import_module("secondpass." + module), name)
            return value
    raise AttributeError("module 'secondpass' has no attribute " + repr(name))
