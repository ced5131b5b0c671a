"""A rule's page, and the list of all rules, in Markdown: for docs/rules, and for editors that show Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from .page import Rule, parts

_GROUPS = (
    ("SP1", "A graph is walked a second time", "PyTorch raises: `Trying to backward through the graph a second time`."),
    (
        "SP2",
        "A graph is kept, or what it saved has changed",
        "Around `retain_graph=True` and in-place changes: another error, a wrong gradient, or time and memory.",
    ),
    ("SP3", "Nothing raises, and something is wrong", "Memory that grows, values that grow old."),
    ("SP4", "Seen in a recorded run only", "Told by `secondpass trace`, and by `check --trace FILE`."),
    ("SP9", "About secondpass itself", ""),
)


def page(rule: Rule) -> str:
    """One rule's page."""
    out = [f"# {rule.code} {rule.name}", f"*{rule.severity.value}*: {rule.summary}."]
    for part in parts(rule):
        out.append(f"## {part.title}")
        if part.text:
            out.append(part.text)
        for note, program in part.examples:
            out += [*([f"{note[:1].upper()}{note[1:]}:"] if note else []), f"```python\n{program}\n```"]
    return "\n\n".join(out) + "\n"


def index(rules: Iterable[Rule]) -> str:
    """The list of all rules, each linked to its page in the same folder."""
    every = list(rules)
    out = [
        "# The rules",
        "Each finding is told with its story: where the graph was built, where the *first* walk consumed it, what"
        "\ncarried it on, and where it is walked again. The level is that of a certain finding. One that rests on an"
        "\nassumption (a branch, a function that is not at hand) says so and is told one level lower.",
        "In a terminal: `secondpass explain SP101`. Codes are stable; [configuration](../configuration.md) says how to"
        "\nchoose rules, change their level and silence a finding.",
    ]
    for prefix, title, text in _GROUPS:
        rows = [rule for rule in every if rule.code.startswith(prefix)]
        if rows:
            out += [f"## {title}", *([text] if text else [])]
            table = ["| rule | level | tells |", "|---|---|---|"]
            table += [f"| [{r.code} {r.name}]({r.code}.md) | {r.severity.value} | {r.summary} |" for r in rows]
            out.append("\n".join(table))
    return "\n\n".join(out) + "\n"
