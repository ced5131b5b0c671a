"""SP106 stored-graph: tensors with history are kept in a buffer and walked again later."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Rule
from secondpass.rules.story import Story, text_of
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    if story.kind != "second-time" or story.fresh is None or story.loop is None or not story.built_inside():
        return None
    holder = story.holder
    if not (
        story.stale.op in ("CopySlices", "IndexPutBackward0")
        or (holder is not None and holder.kind in ("append", "element"))
    ):
        return None
    return finding(
        story,
        "SP106",
        "stored-graph",
        Severity.ERROR,
        f"{story.named} keeps tensors with the graphs of earlier turns, and `{text_of(story.fresh.site)}` builds on them again",
        "store the detached value, or clear the store once its graphs are walked",
    )


RULE = Rule(
    code="SP106",
    name="stored-graph",
    severity=Severity.ERROR,
    summary="tensors with history are kept in a buffer and walked again later",
    why="",
    choosing="",
    limits="",
    fix_safety="",
    failure=tell,
)
