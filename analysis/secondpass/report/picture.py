"""`secondpass graph` as SVG and as an HTML page: light and dark by the reader's preference, usable by keyboard.

Every node links to its line (`href="train.py#L7"`, with `data-path`, `data-line` and `data-column` for whoever embeds
the picture), can be focused, and says itself to a screen reader. The page carries the same story as a list, runs no
script and loads nothing.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from urllib.parse import quote

from .graph_model import Edge, GraphPicture, Node, place
from .picture_layout import Column, Layout, layout, shortened

_NODE_HEIGHT = 46
_RANK_PITCH = 104
_BETWEEN_NODES = 28
_BETWEEN_ITERATIONS = 150
_MARGIN = 36
_HEAD = 84
_CHARACTER = 7.9
"""Width of a character of the 13-pixel monospaced font, with some air."""
_LONGEST = 36

_STYLE = """
.sp { --page: #ffffff; --ink: #1b2430; --soft: #5b6472; --faint: #9aa3b0; --box: #ffffff; --line: #5b6472;
  --spent: #f1f2f4; --spentline: #b5bbc5; --spentink: #78818e; --bad: #c8352b; --leaf: #f7f8fa; --focus: #1f6feb;
  font-family: ui-sans-serif, system-ui, sans-serif; font-size: 13px }
@media (prefers-color-scheme: dark) { .sp { --page: #1e2329; --ink: #e6e9ee; --soft: #aab3bf; --faint: #76808d;
  --box: #2a313a; --line: #8a93a1; --spent: #242a31; --spentline: #59626f; --spentink: #8b95a3; --bad: #ff7b72;
  --leaf: #242a31; --focus: #6cb2ff } }
.sp .page { fill: var(--page) } .sp .iteration { fill: var(--soft); font-weight: 600; font-size: 14px }
.sp .note { fill: var(--soft); font-size: 12px } .sp .border { stroke: var(--faint); stroke-dasharray: 2 5 }
.sp a { cursor: pointer; text-decoration: none } .sp a:focus { outline: none }
.sp a:focus rect, .sp a:hover rect { stroke: var(--focus); stroke-width: 2.6 }
.sp rect.box { fill: var(--box); stroke: var(--line); stroke-width: 1.4 }
.sp text.code { fill: var(--ink); font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.sp text.line { fill: var(--soft); font-size: 11px }
.sp .walk rect.box { stroke-width: 2 } .sp .walk text.code { font-weight: 600 }
.sp .leaf rect.box { fill: var(--leaf); stroke: var(--faint) }
.sp .consumed rect.box { fill: var(--spent); stroke: var(--spentline); stroke-dasharray: 4 3 }
.sp .consumed text { fill: var(--spentink) } .sp .consumed text.code { text-decoration: line-through }
.sp .cross { stroke: var(--bad); stroke-width: 2; stroke-linecap: round }
.sp .edge { fill: none; stroke: var(--faint); stroke-width: 1.4 } .sp .walked { stroke: var(--bad); stroke-width: 2.2 }
.sp .carried { stroke-dasharray: 7 4; stroke-width: 1.8 } .sp .carried.walked { stroke-width: 2.6 }
.sp .tip { fill: var(--faint) } .sp .badtip { fill: var(--bad) } .sp .bad { fill: var(--bad); font-weight: 600 }
.sp .over { stroke: var(--page); stroke-width: 6; paint-order: stroke; stroke-linejoin: round }
""".strip()

_PAGE_STYLE = """
:root { color-scheme: light dark } body { margin: 2rem auto; padding: 0 1.5rem; max-width: 72rem; background: #ffffff;
  color: #1b2430; font: 15px/1.5 ui-sans-serif, system-ui, sans-serif }
h1 { font-size: 1.15rem; font-weight: 600 } h2 { font-size: 1rem } code { font-family: ui-monospace, Menlo, monospace }
.picture { overflow-x: auto } .picture svg { max-width: none } a { color: #0b57d0 } s { color: #6b7480 }
@media (prefers-color-scheme: dark) { body { background: #1e2329; color: #e6e9ee } a { color: #8ab4f8 }
  s { color: #98a2af } }
""".strip()


def svg(picture: GraphPicture) -> str:
    """A standalone SVG document."""
    return _Drawing(picture).svg()


def html(picture: GraphPicture) -> str:
    """A standalone page: the picture and the same story as a list."""
    items = []
    for iteration in picture.iterations:
        rows = "".join(f"<li>{_told(node)}</li>" for node in picture.nodes if node.iteration == iteration.number)
        note = f": {escape(iteration.note)}" if iteration.note else ""
        items.append(f"<h2>{escape(iteration.title)}{note}</h2>\n<ul>{rows}</ul>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(picture.title)}</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{_code(picture.title)}</h1>\n"
        f'<div class="picture">\n{svg(picture)}</div>\n' + "\n".join(items) + "\n</main>\n</body>\n</html>\n"
    )


def _code(text: str) -> str:
    """Prose with `code` in backticks, as HTML."""
    parts = [escape(part) for part in text.split("`")]
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


def _told(node: Node) -> str:
    text = f"<code>{escape(node.text)}</code>"
    if node.consumed_by:
        text = f"<s>{text}</s> (consumed by {escape(node.consumed_by)})"
    if node.span is None:
        return text
    return f'{text} <a href="{_href(node)}">{escape(f"{node.span.path}:{node.span.line}")}</a>'


def _href(node: Node) -> str:
    assert node.span is not None
    path = Path(node.span.path)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return escape(f"{uri}#L{node.span.line}", quote=True)


class _Drawing:
    def __init__(self, picture: GraphPicture) -> None:
        self.picture = picture
        self.plan: Layout = layout(picture)
        self.boxes: dict[str, tuple[float, float, float]] = {}
        """Left, top and width of each node's box."""
        self.out: list[str] = []

    def svg(self) -> str:
        left = float(_MARGIN)
        borders: list[float] = []
        for index, column in enumerate(self.plan.columns):
            if index:
                borders.append(left + _BETWEEN_ITERATIONS / 2)
                left += _BETWEEN_ITERATIONS
            left += self._column(column, left)
        floor = _HEAD + self.plan.ranks * _RANK_PITCH - (_RANK_PITCH - _NODE_HEIGHT) + 34
        said = [text for text in (self.picture.verdict, self.picture.advice) if text]
        width = max(left + _MARGIN, *(len(text) * 6.3 + 2 * _MARGIN for text in ["", *said]))
        for border in borders:
            self.out.append(f'<line class="border" x1="{border:g}" y1="24" x2="{border:g}" y2="{floor - 8:g}"/>')
        for edge in self.plan.edges:
            self._edge(edge)
        for column in self.plan.columns:
            for node in (node for rank in column.ranks for node in rank if node.kind != "gap"):
                self._node(node)
        for index, text in enumerate(said):
            self._said(text, floor + 20 + 22 * index, index == 0 and bool(self.picture.verdict))
        height = floor + 20 + 22 * len(said) + 8
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sp" role="group" aria-labelledby="sp-title sp-desc" '
            f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n'
            f'<title id="sp-title">{escape(self.picture.title)}</title>\n'
            f'<desc id="sp-desc">{escape(self._description())}</desc>\n<style>{_STYLE}</style>\n'
            f"<defs>{_tip('tip')}{_tip('badtip')}</defs>\n"
            f'<rect class="page" width="100%" height="100%"/>\n' + "\n".join(self.out) + "\n</svg>\n"
        )

    def _column(self, column: Column, left: float) -> float:
        """Place an iteration's nodes; its width."""
        widths = [[_width(node) for node in rank] for rank in column.ranks]
        across = [sum(rank) + _BETWEEN_NODES * (len(rank) - 1) for rank in widths if rank]
        whole = max([150.0, len(column.iteration.note) * 6.2, *across])
        title = f'<text class="iteration" x="{left:g}" y="36">{escape(column.iteration.title)}</text>'
        note = (
            f'<text class="note" x="{left:g}" y="56">{escape(column.iteration.note)}</text>'
            if column.iteration.note
            else ""
        )
        self.out.append(title + note)
        for number, (rank, row) in enumerate(zip(column.ranks, widths, strict=True)):
            x = left + (whole - sum(row) - _BETWEEN_NODES * (len(row) - 1)) / 2
            for node, width in zip(rank, row, strict=True):
                self.boxes[node.id] = (x, float(_HEAD + number * _RANK_PITCH), width)
                x += width + _BETWEEN_NODES
        return whole

    def _node(self, node: Node) -> None:
        x, y, width = self.boxes[node.id]
        kinds = node.kind + (" consumed" if node.consumed_by else "")
        radius = 15 if node.kind == "leaf" else 7
        where = place(node.span) if node.span else ""
        told = " · ".join(part for part in (where, "freed" if node.consumed_by else "") if part)
        spoken = f"{node.text}, {where or 'leaf'}, iteration {node.iteration}"
        spoken += f", consumed by {node.consumed_by}" if node.consumed_by else ""
        text_y = y + (20 if told else 28)
        body = [
            f"<title>{escape(spoken)}</title>",
            f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{_NODE_HEIGHT}" rx="{radius}"/>',
            f'<text class="code" x="{x + 14:g}" y="{text_y:g}">{escape(shortened(node.text, _LONGEST))}</text>',
        ]
        if told:
            body.append(f'<text class="line" x="{x + 14:g}" y="{y + 36:g}">{escape(told)}</text>')
        if node.consumed_by:
            a, b, c, d = x + width - 5, y - 5, x + width + 5, y + 5
            body.append(f'<path class="cross" d="M{a:g} {b:g} L{c:g} {d:g} M{a:g} {d:g} L{c:g} {b:g}"/>')
        inside = "".join(body)
        if node.span is None:
            self.out.append(f'<g class="{kinds}">{inside}</g>')
            return
        span = node.span
        data = f'data-path="{escape(span.path)}" data-line="{span.line}" data-column="{span.column}"'
        if span.cell is not None:
            data += f' data-cell="{span.cell}"'
        label = escape(spoken)
        self.out.append(
            f'<a class="{kinds}" id="{escape(node.id)}" href="{_href(node)}" tabindex="0" aria-label="{label}" {data}>'
            f"{inside}</a>"
        )

    def _edge(self, edge: Edge) -> None:
        x, y, width = self.boxes[edge.source]
        to_x, to_y, to_width = self.boxes[edge.target]
        tip = "badtip" if edge.walked else "tip"
        kinds = "edge" + " carried" * edge.carried + " walked" * edge.walked
        if edge.carried:
            leftwards = to_x < x
            start_x = x if leftwards else x + width
            end_x = to_x + to_width + 8 if leftwards else to_x - 8
            start_y, end_y = y + _NODE_HEIGHT / 2, to_y + _NODE_HEIGHT / 2
            bend = abs(end_x - start_x) / 2 * (-1 if leftwards else 1)
            bends = ((start_x + bend, start_y), (end_x - bend, end_y), (end_x, end_y))
            path = f"M{start_x:g} {start_y:g} C" + " ".join(f"{a:g} {b:g}" for a, b in bends)
            if edge.label:
                middle, above = (start_x + end_x) / 2, (start_y + end_y) / 2 - 12
                told = escape(f"{shortened(edge.label, 20)}, carried")
                self.out.append(
                    f'<text class="bad over" text-anchor="middle" x="{middle:g}" y="{above:g}">{told}</text>'
                )
        else:
            inside = [other for other in self.plan.edges if not other.carried]
            leaving = [self._x(other.target) for other in inside if other.source == edge.source]
            arriving = [self._x(other.source) for other in inside if other.target == edge.target]
            start_x, start_y = x + width * _share(to_x, leaving), y + _NODE_HEIGHT
            end_x, end_y = to_x + to_width * _share(x, arriving), to_y - 4
            path = f"M{start_x:g} {start_y:g}"
            for gap in self.plan.gaps.get((edge.source, edge.target), ()):
                gap_x, gap_y, gap_width = self.boxes[gap]
                gap_x += gap_width / 2
                path += _down(start_x, start_y, gap_x, gap_y) + f" L{gap_x:g} {gap_y + _NODE_HEIGHT:g}"
                start_x, start_y = gap_x, gap_y + _NODE_HEIGHT
            path += _down(start_x, start_y, end_x, end_y)
        self.out.append(f'<path class="{kinds}" d="{path}" marker-end="url(#{tip})"/>')

    def _x(self, node: str) -> float:
        return self.boxes[node][0]

    def _said(self, text: str, y: float, bad: bool) -> None:
        text = text.replace("`", "")
        head, colon, rest = text.partition(": ") if bad else ("", "", text)
        first = f'<tspan class="bad">✕ {escape(head + colon)}</tspan>' if bad else ""
        self.out.append(f'<text class="note" x="{_MARGIN}" y="{y:g}">{first}{escape(rest)}</text>')

    def _description(self) -> str:
        told = []
        for iteration in self.picture.iterations:
            nodes = [node for node in self.picture.nodes if node.iteration == iteration.number]
            names = [f"{node.text}{' (consumed)' if node.consumed_by else ''}" for node in nodes]
            told.append(f"{iteration.title}: {'; '.join(names)}.")
        return " ".join([*told, self.picture.verdict]).strip()


def _share(x: float, others: list[float]) -> float:
    """Where along a side an edge meets it: in the order of the edges' other ends."""
    return (sorted(others).index(x) + 1) / (len(others) + 1)


def _down(x: float, y: float, to_x: float, to_y: float) -> str:
    """A curve that leaves and arrives upright."""
    middle = (y + to_y) / 2
    return f" C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}"


def _width(node: Node) -> float:
    if node.kind == "gap":
        return 12.0
    where = f"{place(node.span)} · freed" if node.span else ""
    return max(112.0, len(shortened(node.text, _LONGEST)) * _CHARACTER + 28, len(where) * 6.2 + 28)


def _tip(name: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="11" '
        f'markerHeight="11" orient="auto"><path class="{name}" d="M0 0 8 4 0 8z"/></marker>'
    )
