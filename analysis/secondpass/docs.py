"""The rules' pages in Markdown. `python -m secondpass.docs [FOLDER]` writes them into a folder (docs/rules).

The pages come out of the rules alone: who changes a rule changes its page by running this again (`make docs`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from secondpass.report.markdown import index, page
from secondpass.rules import RULES

FOLDER = "docs/rules"
_HEAD = (
    "<!-- Written by `python -m secondpass.docs` from the rules (analysis/secondpass/rules): change them there. -->\n\n"
)
_FOOT = "\n---\n\n[All rules](README.md) · to silence it on one line: `# secondpass: ignore[{code}] reason`\n"


def explain(code: str) -> str:
    """A rule's page in Markdown, by its code or name; LookupError if there is no such rule."""
    wanted = {rule.name: rule for rule in RULES.values()}.get(code.lower()) or RULES.get(code.upper())
    if wanted is None:
        raise LookupError(f"unknown rule `{code}`")
    return page(wanted)


def pages() -> dict[str, str]:
    """Every file of the folder, by its name."""
    found = {f"{code}.md": _HEAD + page(rule) + _FOOT.format(code=code) for code, rule in RULES.items()}
    return {"README.md": _HEAD + index(RULES.values()), **found}


def main(arguments: Sequence[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(f"usage: python -m secondpass.docs [FOLDER]   writes the rules' pages (into {FOLDER})", file=sys.stderr)
        return 2
    folder = Path(arguments[0] if arguments else FOLDER)
    if not folder.is_dir():
        print(f"no folder {folder}: run it from the project's root, or name the folder", file=sys.stderr)
        return 2
    written = pages()
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    for old in set(folder.glob("SP*.md")) - {folder / name for name in written}:
        old.unlink()
    print(f"{len(written)} pages in {folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
