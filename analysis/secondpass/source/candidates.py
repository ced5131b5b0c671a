"""What a broken statement could be replaced by, cheapest loss first.

A header (`for x in`, `def f(`) is completed, so that its block is kept; of a simple statement the targets stay bound to
something that carries no graph (`h = h.` becomes `h = ...`): were the line left out, `h` would keep an old value and
a finding could rest on it. Everything else becomes `pass`, or an empty line where `pass` may not stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .lexing import Reader, closers, indentation
from .source import quiet_parse

WINDOW = 4
"""Lines before and after a fault that are tried as a stretch when nothing more precise helps."""

STRING_LINES = 12
"""Lines of a string without an end that are given up at most, below the one it starts on."""

_HEADER = re.compile(
    r"[ \t\f]*(?:async[ \t]+)?(?P<word>for|while|if|elif|else|try|except|finally|with|def|class|match|case)\b"
)
_NAME = re.compile(r"[ \t\f]*(?:async[ \t]+)?(?:def|class)[ \t]+(?P<name>\w+)")
_ASSIGN = re.compile(r"(?:\*\*|//|[-+*/@%&|^])?(?<![=!<>:])=(?!=)")
_ON_LINE = re.compile(r"on line (\d+)")
_COMMENT = re.compile(r"""(?:[^#'"]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*?(?P<comment>[ \t]*\#.*)?\Z""", re.DOTALL)
_CONTEXT = {"elif": "if _:\n pass\n", "else": "if _:\n pass\n", "except": "try:\n pass\n", "finally": "try:\n pass\n"}


@dataclass(frozen=True, slots=True)
class Patch:
    """Replace lines `first` to `last` by as many `lines`."""

    first: int
    last: int
    lines: list[str]
    keeps: bool = False
    """The statement is completed, not lost."""
    shift: int = 0
    """By how many columns the original stands further right than `lines`, which differ from it in indentation alone."""


def shorten(line: str) -> str:
    """A line as it is quoted in a message."""
    line = line.strip()
    return line if len(line) <= 60 else line[:57] + "..."


def leave_out(lines: list[str], first: int, last: int) -> Patch:
    """Lines `first` to `last` replaced by `pass` where the first of them stands."""
    code = next((line for line in lines[first - 1 : last] if line.strip()), "")
    return Patch(first, last, [indentation(code) + "pass", *[""] * (last - first)])


def blank(first: int, last: int) -> Patch:
    """Lines `first` to `last` replaced by nothing, as is right for whole top-level blocks."""
    return Patch(first, last, [""] * (last - first + 1))


def precise(lines: list[str], top: int, bottom: int, line: int, message: str) -> Iterator[Patch]:
    """Patches for the fault Python reports at `line` with `message`, somewhere in lines `top` to `bottom`: completed
    headers, single lines, and the brackets that are open at the fault."""
    before = _code_before(lines, line)
    opener, outer, closer = _brackets(lines, top, bottom, line)
    yield from _missing_parts(lines, line, before, message)
    if "indent" in message:
        yield from _indented(lines, line, before)
    singles = list(dict.fromkeys([line, *opener, before]))
    for number in singles:
        yield from _headers(lines, number)
    for number in singles:
        yield from _wide_header(lines, number, bottom)
    for number in singles:
        yield from replacements(lines, number, number)
    if outer:
        if closer:
            yield from replacements(lines, outer, closer)
        yield from replacements(lines, outer, _deeper_end(lines, outer))
        yield from replacements(lines, outer, max(outer, line))
    if not _HEADER.match(lines[line - 1]):
        yield from replacements(lines, line, _deeper_end(lines, line))


def coarse(lines: list[str], top: int, bottom: int, line: int) -> Iterator[Patch]:
    """Patches that lose more: stretches of lines around the fault, short ones first."""
    before = _code_before(lines, line)
    yield from replacements(lines, before, line)
    for size in range(1, 2 * WINDOW + 1):
        for first in range(max(top, line - size), min(line, line - size + WINDOW) + 1):
            if first + size <= bottom:
                yield from replacements(lines, first, first + size)
    yield from replacements(lines, line, _deeper_end(lines, line))


def _missing_parts(lines: list[str], line: int, before: int, message: str) -> Iterator[Patch]:
    """Headers without a block and `try` without `except`, which only need to be completed."""
    if message.startswith("expected an indented block"):
        for number in dict.fromkeys([before, int(found[1]) if (found := _ON_LINE.search(message)) else before]):
            code, comment = _split_comment(lines[number - 1])
            yield Patch(number, number, [f"{code} pass{comment}"], keeps=True)
    elif message.startswith("expected 'except' or 'finally'"):
        for number in range(line - 1, 0, -1):
            text = lines[number - 1]
            if text.lstrip().startswith("try") and _width(text) >= _width(lines[line - 1]):
                yield Patch(number, number, [text.replace("try", "if 1", 1)], keeps=True)
                return


def _indented(lines: list[str], line: int, before: int) -> Iterator[Patch]:
    """Lines that stand too far right or left, put where their neighbours stand."""
    text = lines[line - 1]
    width = _width(text)
    if before < line and _width(lines[before - 1]) < width and re.fullmatch(r"[ \t\f]*[a-z]+", lines[before - 1]):
        # the start of `def`, `for`, ... with its block below
        start = lines[before - 1]
        header = "def _(*_):" if "def".startswith(start.strip()) else "if ...:"
        yield Patch(before, before, [indentation(start) + header], keeps=True)
    levels: list[str] = []
    above = line
    for number in range(line - 1, 0, -1):
        other = indentation(lines[number - 1])
        if not _is_code(lines[number - 1]) or (levels and len(other) >= len(levels[-1])):
            continue
        if _width(lines[number - 1]) > width and not levels:
            above = number  # the start of a block too far right, which this line ends
            continue
        levels.append(other)
        if not other:
            break
    else:
        levels.append("")
    for number, moved in [(line, level) for level in levels] + [(above, indentation(text))]:
        old = lines[number - 1]
        new = moved + old.lstrip(" \t\f")
        if new != old:
            yield Patch(number, number, [new], keeps=True, shift=len(old) - len(new))


def _headers(lines: list[str], number: int) -> Iterator[Patch]:
    """The header on this line completed, its block kept; a plain `if ...:` in its place if it cannot be."""
    text = lines[number - 1]
    match = _HEADER.match(text)
    if match is None:
        return
    word, indent = match["word"], indentation(text)
    code, _ = _split_comment(text)
    kept = _neutral(text)
    if kept != "pass":  # `if x: h = h.`
        yield Patch(number, number, [indent + kept])
    following = next((one for one in lines[number:] if _is_code(one)), "")
    block = "" if _width(following) > _width(text) else " pass"
    bare = code.rstrip(" \t.,:=([{")
    attempts = [code + closers([code]) + ":", code + " ..." + closers([code]) + ":"]
    attempts += [bare + closers([bare]) + ":", bare + " in ...:", bare + "():"]
    if word in ("def", "class"):
        attempts.append(_plain_header(text) + ":")
    for attempt in attempts:
        if _parses(_CONTEXT.get(word, ""), attempt.strip() + " pass" + ("\nfinally: pass" if word == "try" else "")):
            yield Patch(number, number, [attempt + block], keeps=True)
            return
    if word in ("for", "while", "if", "with", "match"):
        yield Patch(number, number, [f"{indent}if ...:{block}"], keeps=True)
    elif word in ("elif", "except"):
        yield Patch(number, number, [f"{indent}{word}{' ...' if word == 'elif' else ''}:{block}"], keeps=True)
    if block == "" and word not in ("def", "class"):
        yield Patch(number, number, [f"{indent}if ...:"])


def _wide_header(lines: list[str], number: int, bottom: int) -> Iterator[Patch]:
    """A header over several lines (from `number` to one that ends in a colon) as a header that says nothing."""
    match = _HEADER.match(lines[number - 1])
    if match is None or match["word"] not in ("def", "class", "for", "while", "if", "with"):
        return
    if _split_comment(lines[number - 1])[0].endswith(":"):
        return
    end = next((n for n in range(number + 1, bottom + 1) if _split_comment(lines[n - 1])[0].endswith(":")), None)
    if end is not None:
        yield Patch(number, end, [_plain_header(lines[number - 1]) + ":", *[""] * (end - number)], keeps=True)


def _plain_header(text: str) -> str:
    """A header of the same kind without what may be wrong in it, up to its colon."""
    match = _HEADER.match(text)
    assert match is not None
    word = match["word"]
    if word not in ("def", "class"):
        return f"{indentation(text)}if ..."
    named = _NAME.match(text)
    return f"{text[: named.end()] if named else f'{match.group()} _'}{'(*_)' if word == 'def' else ''}"


def replacements(lines: list[str], first: int, last: int) -> Iterator[Patch]:
    """What a statement on lines `first` to `last` can be replaced by."""
    text = lines[first - 1]
    rest = [""] * (last - first)
    indent = indentation(text)
    neutral = _neutral(text)
    yield Patch(first, last, [indent + neutral, *rest])
    around = [_code_before(lines, first), _code_after(lines, last)]
    for number in around:
        other = indentation(lines[number - 1])
        if other != indent:
            yield Patch(first, last, [other + neutral, *rest])
    yield Patch(first, last, ["", *rest])


def _neutral(text: str) -> str:
    """A statement that does to control flow and names what the broken one would, with values that carry no graph."""
    text = text.strip()
    for match in reversed(list(_ASSIGN.finditer(text))):
        kept = text[: match.start()] + "= ..."
        if _parses("", kept):
            return kept
    word = re.match(r"(?:return|raise)\b", text)
    return f"{word.group()} ..." if word else "pass"


def _parses(context: str, code: str) -> bool:
    try:
        quiet_parse(context + code)
    except (SyntaxError, ValueError):
        return False
    return True


def _brackets(lines: list[str], top: int, bottom: int, line: int) -> tuple[list[int], int | None, int | None]:
    """Lines of the brackets open where `line` starts (innermost and outermost), the latter again, and its closer's."""
    reader = Reader()
    opener: list[int] = []
    for number in range(top, bottom + 1):
        if number == line:
            opener = [place for _, place in reader.brackets]
            if reader.string:
                opener.append(reader.string_line)
            if reader.continued:
                opener.append(number - 1)
        elif number > line and opener and reader.between_statements:
            return [opener[-1], opener[0]], opener[0], number - 1
        elif number > line and not opener:
            break
        reader.feed(lines[number - 1], number)
    if not opener:
        return [], None, None
    return [opener[-1], opener[0]], opener[0], bottom if reader.between_statements else None


def of_stray_quotes(lines: list[str], top: int, bottom: int) -> Iterator[Patch]:
    """Patches for triple quotes in lines `top` to `bottom` that open a string by mistake, or whose string lost its end.

    The quotes are taken off the line if what stands before them will do; else the line goes, else some lines below too.
    """
    odd = _odd_quotes(lines, top, bottom)
    for number in odd:
        text = lines[number - 1]
        before = text[: max(text.rfind('"""'), text.rfind("'''"))].rstrip()
        yield Patch(number, number, [before], keeps=bool(before))
        yield from replacements(lines, number, number)
    for number in odd:
        for last in range(number + 1, min(number + STRING_LINES, len(lines)) + 1):
            yield leave_out(lines, number, last)


def _odd_quotes(lines: list[str], top: int, bottom: int) -> list[int]:
    """Lines with an odd number of triple quotes; first those that start with code, as few docstrings do."""
    odd = [
        number
        for number in range(top, bottom + 1)
        if lines[number - 1].count('"""') % 2 or lines[number - 1].count("'''") % 2
    ]
    return sorted(odd, key=lambda number: lines[number - 1].strip()[:3] in ('"""', "'''"))


def _deeper_end(lines: list[str], line: int) -> int:
    """The last line of what is indented deeper than `line` below it, with closing brackets at its own indentation."""
    width = _width(lines[line - 1])
    end = line
    for number in range(line + 1, len(lines) + 1):
        text = lines[number - 1]
        if not text.strip():
            continue
        if _width(text) < width or (_width(text) == width and text.lstrip()[0] not in ")]}"):
            break
        end = number
    return end


def _split_comment(text: str) -> tuple[str, str]:
    """A line's code without white space at its end, and its comment with the white space before it."""
    match = _COMMENT.match(text)
    if match is None or match["comment"] is None:
        return text.rstrip(), ""
    return text[: match.start("comment")].rstrip(), match["comment"]


def _code_before(lines: list[str], line: int) -> int:
    return next((number for number in range(line - 1, 0, -1) if _is_code(lines[number - 1])), line)


def _code_after(lines: list[str], line: int) -> int:
    return next((number for number in range(line + 1, len(lines) + 1) if _is_code(lines[number - 1])), line)


def _is_code(text: str) -> bool:
    text = text.strip()
    return bool(text) and not text.startswith("#")


def _width(text: str) -> int:
    return len(indentation(text).expandtabs(8))
