"""Lines and columns in every way they are counted."""

from __future__ import annotations

import ast
import random

import pytest
from secondpass.source.positions import LineTable, Units, characters_before, split_lines, units_before

UNITS: tuple[Units, ...] = ("utf-8", "utf-16", "utf-32")
ENCODINGS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\r\r\n\n", ["", "", "", ""]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\fb\vc\x1cd\x85e\u2028f\u2029g", ["a\fb\vc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_lines_end_where_python_and_editors_end_them(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines
    table = LineTable(text)
    assert [table.line(number) for number in range(1, len(lines) + 1)] == lines
    assert table.line(0) == table.line(len(lines) + 1) == ""


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_numbers_agree_with_ast(ending: str) -> None:
    text = ending.join(["a = 1", "", "b = '''x", "y'''", "\fc = 3", "d = 'é\u2028'; e = 5", ""])
    table = LineTable(text)
    for statement in ast.parse(text).body:
        assert isinstance(statement, ast.Assign)
        target = statement.targets[0]
        assert isinstance(target, ast.Name)
        offset = table.offset(target.lineno, table.column(target.lineno, target.col_offset))
        assert text[offset : offset + 1] == target.id


def test_offsets_and_positions_are_inverse() -> None:
    table = LineTable("ab\r\n\rçd\n\U0001f525x")
    for offset in range(len(table.text) + 1):
        line, column = table.position(offset)
        if offset != 3:  # between \r and \n there is no column
            assert table.offset(line, column) == offset
    assert table.starts == [0, 4, 5, 8]
    assert table.offset(1, 99) == 2
    assert table.offset(99, 1) == len(table.text)


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("line", ["", "plain", "\tx", "çé", "a\U0001f525b\U0001f600", "漢字\u0301x", "\U0001f525"])
def test_units_agree_with_the_codec(line: str, units: Units) -> None:
    encoding, size = ENCODINGS[units]
    for characters in range(len(line) + 1):
        count = len(line[:characters].encode(encoding)) // size
        assert units_before(line, characters, units) == count
        assert characters_before(line, count, units) == characters
    assert characters_before(line, 1000, units) == len(line)


def test_a_place_inside_a_character_is_its_start() -> None:
    assert characters_before("a\U0001f525b", 2, "utf-16") == 1
    assert characters_before("a\U0001f525b", 3, "utf-16") == 2
    assert characters_before("aéb", 2, "utf-8") == 1


@pytest.mark.parametrize("units", UNITS)
def test_protocol_positions_both_ways(units: Units) -> None:
    rng = random.Random(3)
    text = "".join(rng.choice("ab\té漢\U0001f525\n") for _ in range(300))
    table = LineTable(text)
    for line in range(1, len(table.lines) + 1):
        for column in range(1, len(table.line(line)) + 2):
            assert table.from_protocol(*table.to_protocol(line, column, units), units) == (line, column)
    assert table.from_protocol(0, 10_000, units) == (1, len(table.line(1)) + 1)
    assert table.from_protocol(10_000, 0, units) == (len(table.lines), len(table.lines[-1]) + 1)


def test_ascii_columns_need_no_lines() -> None:
    table = LineTable("x = 1\n" * 3)
    assert table.column(2, 4) == 5
    assert table.to_protocol(2, 5, "utf-16") == (1, 4)
    assert "lines" not in table.__dict__
