"""What a file reaches through its imports, told from the lines of texts: whether one of the project walks a graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secondpass.project.modules import Project

MOST = 60
"""Most files that are followed from one."""
IMPORTS = re.compile(
    r"(?:^|;)[ \t]*(?:import[ \t]+([^#;\n]+)|from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^;\n]*))", re.M
)


def reaches_a_walk(text: str, path: str, project: Project) -> bool:
    """Whether a file imports one of the project that walks a graph, or that imports such a one."""
    todo = [(path, imported_names(text))]
    seen: set[str] = set()
    while todo and len(seen) < MOST:
        importer, names = todo.pop(0)
        for name, level in names:
            file = project.find(name, level, importer)
            if file is None or file in seen:
                continue
            seen.add(file)
            asked = project.summary(file)
            if asked.walks:
                return True
            todo.append((file, asked.imports))
    return False


def imported_names(text: str) -> list[tuple[str, int]]:
    """The modules that a text imports, with their dots, as far as a look at its lines can say."""
    found: list[tuple[str, int]] = []
    for plain, dots, module, members in IMPORTS.findall(text):
        if plain:
            found += [(name.split(" as ")[0].strip(), 0) for name in plain.split(",")]
            continue
        found.append((module, len(dots)))
        for member in re.split(r"[,()\s\\]+", re.sub(r"#.*| as \w+", "", members)):
            if member.isidentifier():
                found.append((f"{module}.{member}" if module else member, len(dots)))
    return found
