"""What other rooms ask of a file of the project, told from its text once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from secondpass.project.reach import imported_names
from secondpass.project.roots import put_on_path
from secondpass.source.relevance import walks_a_graph

ACTS = re.compile(
    r"^(?:@(?!dataclass|functools\b|torch\b|pytest\b|contextlib\b|contextmanager|typing\b|wraps|lru_cache|no_grad)\w"
    r"|class \w+\((?!nn\.|torch\.|object\b|ABC\b|Enum\b|NamedTuple\b|\w*Exception\b|\w*Error\b)\w"
    r"|\w[\w.]*(?:\[[^\]\n]*\])?\.(?:append|add|update|register\w*|setdefault|extend|insert)\("
    r"|[\w.]+\[[^\]\n]+\][ \t]*=(?!=)"
    r"|(?!print\b|super\b)\w+\(|\w+\.\w+[ \t]*=(?!=))",
    re.M,
)
"""A file whose import may do something: decorators that register, classes of a base that counts them, top-level calls
and stores."""
SCRIPT = re.compile(r"^(?:if[ \t(]+__name__|for\b|while\b|with\b|\w[\w.]*\()", re.M)
"""A file that does something when it is run, and does not only define: what its imports do counts for it."""


@dataclass(frozen=True)
class Summary:
    """Each part is computed when it is first asked for, and kept with the text."""

    text: str
    path: str

    @cached_property
    def walks(self) -> bool:
        return walks_a_graph(self.text)

    @cached_property
    def imports(self) -> list[tuple[str, int]]:
        """The modules that it imports, with their dots."""
        return imported_names(self.text)

    @cached_property
    def acts(self) -> bool:
        return ACTS.search(self.text) is not None

    @cached_property
    def is_script(self) -> bool:
        return SCRIPT.search(self.text) is not None

    @cached_property
    def puts(self) -> list[str]:
        """The folders that it puts on `sys.path`."""
        return put_on_path(self.text, self.path) if "sys.path" in self.text else []
