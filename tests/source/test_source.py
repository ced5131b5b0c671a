"""Texts to trees, and files from disk."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from secondpass.findings import Span
from secondpass.source import Source, SourceError, parse, read
from secondpass.source.source import MAX_SIZE


def name(source: Source, wanted: str) -> ast.Name:
    return next(node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == wanted)


def refusal(text: str) -> tuple[int, str]:
    with pytest.raises(SourceError) as caught:
        parse(text, "f.py")
    assert caught.value.error.path == "f.py"
    assert "\n" not in caught.value.error.message
    return caught.value.error.line, caught.value.error.message


def test_spans_count_characters_from_one() -> None:
    source = parse("x = 1\ns = '\U0001f525é'; y = x\n", "f.py")
    assert source.span(name(source, "x")) == Span("f.py", 1, 1, 1, 2)
    assert source.span(name(source, "y")) == Span("f.py", 2, 11, 2, 12)
    assert source.span(source.tree.body[1]) == Span("f.py", 2, 1, 2, 9)
    assert source.segment(source.tree.body[1]) == "s = '\U0001f525é'"
    assert source.line(2) == "s = '\U0001f525é'; y = x"
    assert source.problems == () and source.lost == ()


def test_a_tab_is_one_column_and_a_form_feed_is_one() -> None:
    source = parse("if 1:\n\tx = 1\n\f\ny = 2\n", "f.py")
    assert source.span(name(source, "x")).column == 2
    assert source.span(name(source, "y")) == Span("f.py", 4, 1, 4, 2)


def test_a_byte_order_mark_is_no_column() -> None:
    source = parse("\ufeffx = 1", "f.py")
    assert source.text == "x = 1" and source.encoding == "utf-8-sig"
    assert source.span(name(source, "x")) == Span("f.py", 1, 1, 1, 2)


def test_lone_surrogates_are_read() -> None:
    source = parse("s = '\ud83d'; x = 1", "f.py")
    assert source.span(name(source, "x")) == Span("f.py", 1, 10, 1, 11)


def test_warnings_about_the_users_code_are_not_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = parse("s = '\\d'\nx = 1 is 1\n", "f.py")
    assert len(source.tree.body) == 2


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "\ufeff", "\f"])
def test_texts_without_statements(text: str) -> None:
    assert parse(text, "f.py").tree.body == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('import os\nprint "hello"\n', 2),
        ("print x\n", 1),
        ("print >>f, 'x' % y, z\nprint\nprint 'x'\n", 3),
        ("try:\n    f()\nexcept ValueError, e:\n    print(e)\n    raise E, 'x'\n", 3),
        ("def f():\n    raise ValueError, 'bad'\n", 2),
        ("exec 'x = 1'\n", 1),
        ("super().f()\nprint 'a'\nprint 'b'\n", 2),
    ],
)
def test_python_2_is_named(text: str, line: int) -> None:
    if sys.version_info >= (3, 14) and "except ValueError, e" in text:
        line = 5
    at, message = refusal(text)
    assert at == line
    assert message.startswith("looks like Python 2 (`")


def test_one_print_statement_in_python_3_is_half_typed() -> None:
    source = parse("print(f'{x}')\nprint x\ny = 1\n", "f.py")
    assert source.lost == ((2, 2),) and len(source.tree.body) == 3


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 300 + ")" * 300,
        "x = " + "-" * 100_000 + "1",
        "x = " + "not " * 50_000 + "1",
        "x = " + "[" * 100_000,
        "if a: pass\n" + "elif b: pass\n" * 20_000,
        "\n".join(" " * depth + "if 1:" for depth in range(150)) + "\n" + " " * 150 + "pass",
    ],
    ids=["brackets", "minus", "not", "open", "elif", "indentation"],
)
def test_deep_nesting_is_one_line(text: str) -> None:
    assert refusal(text)[1] == "nested too deep for Python's parser; not checked"


def test_nul_characters() -> None:
    assert refusal("x = 1\ny = '\0'\n") == (2, "contains a NUL character; it is not text")


def test_generated_texts() -> None:
    assert refusal("x = 1\n" * (MAX_SIZE // 6 + 1))[1] == "file is larger than 10 MB and looks generated; not checked"


def file_refusal(path: Path) -> tuple[int, str]:
    with pytest.raises(SourceError) as caught:
        read(path)
    assert caught.value.error.path == str(path)
    return caught.value.error.line, caught.value.error.message


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"x = 1\r\n", "x = 1\r\n", "utf-8"),
        ("s = 'é'".encode(), "s = 'é'", "utf-8"),
        (b"\xef\xbb\xbfs = '\xc3\xa9'", "s = 'é'", "utf-8-sig"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'", "# -*- coding: latin-1 -*-\ns = 'é'", "iso-8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\x80'", None, "cp1252"),
        (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n", "utf-8-sig"),
        (b"x = 1\ny = 2\n# coding: latin-1\n", None, "utf-8"),
    ],
)
def test_files_decode_as_python_decodes_them(tmp_path: Path, data: bytes, text: str | None, encoding: str) -> None:
    path = tmp_path / "f.py"
    path.write_bytes(data)
    source = read(path)
    assert source.encoding == encoding
    assert source.text == (text if text is not None else data.decode(encoding))
    assert source.text.encode(source.encoding) == data


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"x = 1\ns = '\xe9'\n", 2, "is not UTF-8 text (byte 0xe9); save it as UTF-8, or name its encoding"),
        (b"s = '\xe9'\n# coding\n", 1, "is not UTF-8 text (byte 0xe9)"),
        (b"# coding: utf-8\n\n\ns = '\xff'\n", 4, "is not UTF-8 text (byte 0xff)"),
        (b"# coding: ascii\ns = '\xff'\n", 2, "is not ascii text, as its first lines say (byte 0xff)"),
        (b"# coding: klingon\n", 1, "unknown encoding: klingon, named in its first two lines"),
        (b"# coding: base64\n", 1, "base64, named in its first two lines, is not a text encoding"),
        (b"\x7fELF\n\0\0", 2, "is a binary file (it contains a NUL byte)"),
        ("x = 1".encode("utf-16"), 1, "is UTF-16 text, which Python does not read; save it as UTF-8"),
    ],
)
def test_files_that_cannot_be_read_as_text(tmp_path: Path, data: bytes, line: int, message: str) -> None:
    path = tmp_path / "f.py"
    path.write_bytes(data)
    at, told = file_refusal(path)
    assert (at, told[: len(message)]) == (line, message)


def test_files_that_cannot_be_read_at_all(tmp_path: Path) -> None:
    assert file_refusal(tmp_path / "missing.py") == (1, "no such file")
    assert file_refusal(tmp_path) == (1, "is a folder, not a file")
    assert file_refusal(tmp_path / "x\0y.py") == (1, "is not a possible file name")
    os.mkfifo(tmp_path / "pipe.py")
    assert file_refusal(tmp_path / "pipe.py") == (1, "is not a regular file; not checked")
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert file_refusal(tmp_path / "loop.py")[1].startswith("cannot be read: ")
    with (tmp_path / "large.py").open("wb") as large:
        large.truncate(50_000_000)
    assert file_refusal(tmp_path / "large.py") == (1, "file of 50 MB looks generated (limit 10 MB); not checked")


def test_unreadable_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.py"
    path.write_text("x = 1")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert file_refusal(path) == (1, "cannot be read: permission denied")


def test_a_valid_file_needs_nothing_but_ast() -> None:
    code = (
        "import sys; from secondpass.source import parse; s = parse('x = 1', 'f.py'); s.span(s.tree.body[0]);"
        "bad = {'parso', 'jedi', 'secondpass.source.recovery', 'tokenize_rt'} & set(sys.modules);"
        "assert not bad, bad; assert set(vars(s)) & {'table', 'suppressions'} == set(), vars(s)"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
