"""The picture of the graph across iterations: in characters, as SVG, as a page."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from secondpass.report import picture, picture_text
from secondpass.report.graph_model import Edge, GraphPicture, Iteration, Node, picture_of
from secondpass.report.lines import lines_of
from secondpass.report.text import plain

from . import samples

Snapshot = Callable[[str, str], None]
LINES = lines_of(samples.TEXTS)
CARRIED = picture_of(samples.CARRIED_STATE, LINES)
SVG = "{http://www.w3.org/2000/svg}"

WHOLE = GraphPicture(
    title="SP101 carried-state: `h` carries the graph of the step before",
    iterations=(
        Iteration(0, "before the loop"),
        Iteration(1, "iteration 1", "backward consumed this graph"),
        Iteration(2, "iteration 2"),
    ),
    nodes=(
        Node("z", "torch.zeros(1, 1, 4)", samples.span(4, 5, 25), 0, "leaf"),
        Node("b1", "loss.backward()", samples.span(10, 5, 20), 1, "walk"),
        Node("l1", "out.sum()", samples.span(8, 12, 21), 1, consumed_by="line 10 in iteration 1"),
        Node(
            "r1",
            "rnn(inp, h)",
            samples.span(7, 14, 25),
            1,
            consumed_by="line 10 in iteration 1",
            parameters=("w", "b", "c"),
        ),
        Node("b2", "loss.backward()", samples.span(10, 5, 20), 2, "walk"),
        Node("l2", "out.sum()", samples.span(8, 12, 21), 2),
        Node("r2", "rnn(inp, h)", samples.span(7, 14, 25), 2, parameters=("w", "b", "c")),
    ),
    edges=(
        Edge("b1", "l1"),
        Edge("l1", "r1"),
        Edge("r1", "z", carried=True),
        Edge("b2", "l2", walked=True),
        Edge("l2", "r2", walked=True),
        Edge("r2", "r1", carried=True, walked=True, label="h"),
    ),
    verdict="raises on line 10 in iteration 2: `h` still points into iteration 1's graph",
    advice="cut it once the step is done: h = h.detach()",
)


def test_a_witness_is_a_picture() -> None:
    texts = {(node.iteration, node.text): node for node in CARRIED.nodes}
    assert set(texts) == {(1, "h"), (1, "loss.backward()"), (2, "rnn(inp, h)"), (2, "loss.backward()")}
    assert texts[(1, "h")].consumed_by == "line 10 in iteration 1"
    names = {node.id: (node.iteration, node.text) for node in CARRIED.nodes}
    carried = [(names[edge.source], names[edge.target], edge.label) for edge in CARRIED.edges if edge.carried]
    assert carried == [((2, "rnn(inp, h)"), (1, "h"), "h")]


def test_text(snapshot: Snapshot) -> None:
    snapshot("picture.txt", plain(picture_text.draw(CARRIED)) + "\n" + plain(picture_text.draw(WHOLE, 100)))


def test_svg_is_well_formed_and_usable_by_keyboard() -> None:
    root = ElementTree.fromstring(picture.svg(WHOLE))
    assert root.find(f"{SVG}title") is not None and root.find(f"{SVG}desc") is not None
    links = root.findall(f".//{SVG}a")
    assert [(link.get("href"), link.get("tabindex")) for link in links][:2] == [
        ("train.py#L4", "0"),
        ("train.py#L10", "0"),
    ]
    assert all(link.get("aria-label") for link in links)
    consumed = [link.get("aria-label") for link in links if "consumed" in (link.get("class") or "")]
    assert consumed == [
        "out.sum(), line 8, iteration 1, consumed by line 10 in iteration 1",
        "rnn(inp, h), line 7, iteration 1, consumed by line 10 in iteration 1",
    ]
    carried = [path for path in root.findall(f".//{SVG}path") if "carried" in (path.get("class") or "")]
    assert len(carried) == 2
    assert "prefers-color-scheme: dark" in picture.svg(WHOLE)


def test_svg_and_page_are_as_they_were(snapshot: Snapshot) -> None:
    snapshot("picture.svg", picture.svg(CARRIED))
    snapshot("picture.html", picture.html(CARRIED))


def test_hostile_text_stays_text() -> None:
    hostile = replace(
        WHOLE, title="<script>alert(1)</script>", nodes=(replace(WHOLE.nodes[0], text='"><script>'),), edges=()
    )
    assert "<script" not in picture.html(hostile) and "<script" not in picture.svg(hostile)


def test_nodes_do_not_overlap() -> None:
    wide = tuple(Node(str(number), f"f({'x' * number})", None, 1) for number in range(6))
    root = ElementTree.fromstring(picture.svg(GraphPicture("t", (Iteration(1, "iteration 1"),), wide, ())))
    boxes = sorted(
        (float(box.get("x", 0)), float(box.get("width", 0)))
        for box in root.findall(f".//{SVG}rect")
        if box.get("class") == "box"
    )
    assert len(boxes) == 6
    assert all(x + width < other for (x, width), (other, _) in pairwise(boxes))
