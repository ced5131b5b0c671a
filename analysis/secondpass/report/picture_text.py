"""The picture of the graph in characters: a column an iteration, consumed nodes behind a cross, the carrying edge
dashed.

 iteration 1                       ┊        iteration 2
                              ┊
 loss.backward() · line 10    ┊        loss.backward() · line 10
 │                            ┊        │
✕└▶ rnn(inp, h) · line 7 ◀╌╌ h ╌╌╌╌╌╌╌╌└▶ rnn(inp, h) · line 7
"""

from __future__ import annotations

from .cells import cells
from .graph_model import Edge, GraphPicture, Node, place
from .picture_layout import Column, Layout, layout, shortened
from .snippet import Row, Styled, wrap

_WIDEST = 44
"""Characters of a node's text shown at most, whatever the terminal's width."""
_NARROWEST = 12


def draw(picture: GraphPicture, width: int | None = None) -> list[Styled]:
    """The picture as styled lines; `width` in cells limits the columns."""
    plan = layout(picture)
    prose = width or 100
    out: list[Styled] = [[(row, "bold")] for row in wrap(picture.title, prose)]
    if plan.columns:
        out += [[], *_Canvas(plan, width).draw(), []]
    out += [
        [("✕ " if index == 0 else "  ", "error"), (row, "")]
        for index, row in enumerate(wrap(picture.verdict, prose - 2))
    ]
    out += [[("  ", ""), (row, "dim")] for row in wrap(picture.advice, prose - 2)]
    return out


class _Canvas:
    def __init__(self, plan: Layout, width: int | None) -> None:
        self.plan = plan
        labels = [edge.label for edge in plan.edges if edge.carried]
        self.gap = max([10, *(cells(label) + 10 for label in labels)]) if len(plan.columns) > 1 else 0
        room = _WIDEST
        if width is not None:
            each = (width - self.gap * (len(plan.columns) - 1)) // len(plan.columns)
            room = max(_NARROWEST, min(_WIDEST, each - 18))
        self.room = room
        self.rows_of = [
            max(sum(node.kind != "gap" for node in column.ranks[rank]) for column in plan.columns)
            for rank in range(plan.ranks)
        ]
        self.height = 2 + sum(self.rows_of) + max(plan.ranks - 1, 0)
        self.rows = [Row() for _ in range(self.height)]
        self.hanging = {edge.target for edge in plan.edges if not edge.carried}
        self.at: dict[str, tuple[int, int, int]] = {}
        """Row, first and last cell of each node's text."""

    def draw(self) -> list[Styled]:
        left = 1
        borders = []
        for index, column in enumerate(self.plan.columns):
            right = self._column(column, left)
            if index + 1 < len(self.plan.columns):
                borders.append(right + self.gap // 2)
                left = right + self.gap
        for border in borders:
            for row in self.rows:
                row.put(border, "┊", "dim")
        for edge in self.plan.edges:
            if edge.carried:
                self._carry(edge)
        return [list(row.pieces()) for row in self.rows]

    def _column(self, column: Column, left: int) -> int:
        self.rows[0].put(left, column.iteration.title, "bold")
        right = left + len(column.iteration.title)
        top = 2
        for rank, nodes in enumerate(column.ranks):
            for offset, node in enumerate(node for node in nodes if node.kind != "gap"):
                row = top + offset
                hangs = node.id in self.hanging
                lead = "   " * (rank - 1) + "└▶ " if hangs else ""
                if hangs and offset == 0:
                    self.rows[row - 1].put(left + 3 * (rank - 1), "│", "gutter")
                self.rows[row].put(left, lead, "gutter")
                start = left + len(lead)
                text, where, style = self._told(node)
                self.rows[row].put(start, text, style)
                self.rows[row].put(start + len(text), where, "dim")
                end = start + len(text) + len(where)
                self.at[node.id] = (row, start - 3 * hangs, end)
                right = max(right, end)
            top += self.rows_of[rank] + 1
        return right

    def _told(self, node: Node) -> tuple[str, str, str]:
        text = shortened(node.text, self.room)
        where = f" · {place(node.span)}" if node.span else ""
        if node.consumed_by:
            by = f" by {node.consumed_by.partition(' in ')[0]}" if len(self.plan.columns) == 1 else ""
            return f"✕ {text}", f"{where} · freed{by}", "remove"
        return text, where, {"walk": "bold", "leaf": "dim"}.get(node.kind, "")

    def _carry(self, edge: Edge) -> None:
        """A dashed line from the left of the source, through a lane beside the target, to the target's right."""
        row, start, _ = self.at[edge.source]
        to_row, _, end = self.at[edge.target]
        style = "error" if edge.walked else "gutter"
        lane = end + self.gap - 3
        told = f" {edge.label} " if edge.label else ""
        self._across(to_row, end + 1, lane, "◀╌╌" + told, style)
        if row == to_row:
            self._across(row, lane, start, "", style)
            return
        down = row > to_row
        self.rows[to_row].put(lane, "╮" if down else "╯", style)
        for between in range(min(row, to_row) + 1, max(row, to_row)):
            self.rows[between].put(lane, "╎", style)
        self.rows[row].put(lane, "╰" if down else "╭", style)
        self._across(row, lane + 1, start, "", style)

    def _across(self, row: int, start: int, end: int, head: str, style: str) -> None:
        """Dashes from start to end, over blanks and borders only."""
        line = head.ljust(max(end - start, 0), "╌")[: max(end - start, 0)]
        for offset, character in enumerate(line):
            drawn = self.rows[row].cells
            if start + offset >= len(drawn) or drawn[start + offset][0] in " ┊":
                self.rows[row].put(start + offset, character, style)
