"""Comments that silence findings."""

from __future__ import annotations

import textwrap

import pytest
from secondpass.source import Suppressions, parse


def of(text: str) -> Suppressions:
    return parse(textwrap.dedent(text).lstrip("\n"), "f.py").suppressions


def lines(text: str) -> list[int]:
    """The lines silenced for SP101."""
    count = textwrap.dedent(text).lstrip("\n").count("\n") + 1
    return [line for line in range(1, count + 1) if of(text).suppressed("SP101", line)]


def test_a_comment_behind_code_covers_its_line() -> None:
    assert lines("a = 1\nb = 2  # secondpass: ignore\nc = 3\n") == [2]


def test_a_comment_covers_the_whole_of_its_statement() -> None:
    for at in range(2, 6):
        text = ["a = 1", "b = f(", "    1,", "    2,", ")", "c = 3"]
        text[at - 1] += "  # secondpass: ignore"
        assert lines("\n".join(text)) == [2, 3, 4, 5]


def test_of_a_block_the_header_is_covered() -> None:
    assert lines("for x in y:  # secondpass: ignore\n    a = 1\n    b = 2\n") == [1]
    assert lines("for x in f(  # secondpass: ignore\n    1,\n):\n    a = 1\n") == [1, 2, 3]
    assert lines("def f(\n    a,\n):  # secondpass: ignore\n    a = 1\n") == [1, 2, 3]
    assert lines("@g\n@h  # secondpass: ignore\ndef f():\n    a = 1\n") == [1, 2, 3]
    assert lines("if a:\n    b = 1\nelse:  # secondpass: ignore\n    c = 2\n") == [3]
    assert lines("try:\n    b = 1\nexcept (\n    A, B  # secondpass: ignore\n):\n    c = 2\n") == [3, 4, 5]
    assert lines("match a:\n    case 1:  # secondpass: ignore\n        c = 2\n    case 2:\n        d = 3\n") == [2]
    assert lines("match a:  # secondpass: ignore\n    case 1:\n        c = 2\n") == [1]


def test_a_comment_alone_covers_the_next_statement() -> None:
    assert lines("# secondpass: ignore\n\n# more\na = f(\n    1)\nb = 2\n") == [1, 2, 3, 4, 5]
    assert lines("for x in y:\n    # secondpass: ignore\n    a = 1\n    b = 2\n") == [2, 3]
    assert lines("a = 1\n# secondpass: ignore\nfor x in y:\n    b = 2\n") == [2, 3]
    assert lines("if a:\n    b = 1\n    # secondpass: ignore\nc = 2\nd = 3\n") == [3, 4]
    assert lines("a = 1\n# secondpass: ignore\n") == [2]


def test_a_comment_alone_inside_a_statement_covers_that() -> None:
    assert lines("a = f(\n    # secondpass: ignore\n    1,\n)\nb = 2\n") == [1, 2, 3, 4]


def test_one_line_with_several_statements() -> None:
    assert lines("a = 1; b = 2  # secondpass: ignore\nif a: b = f(  # secondpass: ignore\n    1)\nc = 3\n") == [1, 2, 3]


@pytest.mark.parametrize("comment", ["ignore-file", "ignore-file[SP1] generated"])
def test_the_whole_file(comment: str) -> None:
    assert lines(f"a = 1\nb = 2\n# secondpass: {comment}\n") == [1, 2, 3, 4]


def test_codes_prefixes_and_reasons() -> None:
    found = of("a = 1  # secondpass: ignore[SP101, sp2] it is meant\n")
    assert found.all[0].codes == ("SP101", "SP2") and found.all[0].reason == "it is meant"
    assert found.suppressed("SP101", 1) is found.all[0]
    assert found.suppressed("SP203", 1) is found.all[0]
    assert found.suppressed("SP102", 1) is None


def test_a_finding_over_several_lines_meets_any_of_them() -> None:
    found = of("a = 1\nb = 2  # secondpass: ignore\nc = 3\n")
    assert found.suppressed("SP101", 1, 2) and found.suppressed("SP101", 2, 9)
    assert not found.suppressed("SP101", 3, 9)


def test_unused_ones_are_listed() -> None:
    found = of(
        """
        # secondpass: ignore-file[SP301, SP302]
        a = 1  # secondpass: ignore
        b = 2  # secondpass: ignore[SP101, SP2]
        c = 3  # secondpass: ignore
        """
    )
    assert found.suppressed("SP101", 4) and found.suppressed("SP201", 3) and found.suppressed("SP301", 2)
    told = [(unused.suppression.span.line, unused.codes) for unused in found.unused()]
    assert told == [(1, ("SP301", "SP302")), (3, ("SP101",))]


def test_the_nearer_comment_counts_before_the_files() -> None:
    found = of("# secondpass: ignore-file\na = 1  # secondpass: ignore[SP101]\n")
    assert found.suppressed("SP101", 2) is found.all[1]
    assert found.suppressed("SP102", 2) is found.all[0]
    assert found.unused() == ()


def test_only_comments_count() -> None:
    text = '''
        """Doc.
        # secondpass: ignore
        """
        a = "# secondpass: ignore"
        b = f"""{a}
        # secondpass: ignore"""
        c = b"# secondpass: ignore"
        def f(x="# secondpass: ignore"):
            return x
        match a:
            case "# secondpass: ignore":
                pass
    '''
    assert of(text).all == ()


def test_a_comment_between_strings_is_one() -> None:
    found = of('a = ("é"  # secondpass: ignore[SP1]\n     "# secondpass: ignore[SP2]")\n')
    assert [one.codes for one in found.all] == [("SP1",)]
    assert found.suppressed("SP101", 2)


def test_behind_other_comments_and_non_ascii_text() -> None:
    found = of("a = 'é\U0001f525'  # type: ignore  # secondpass: ignore[SP101] ja  # noqa\n")
    span = found.all[0].span
    assert (span.line, span.column, span.end_column) == (1, 27, 57)
    assert found.all[0].reason == "ja"


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("ignroe", "unknown comment `secondpass: ignroe`; did you mean `ignore`?"),
        ("ignore-fil[SP1]", "unknown comment `secondpass: ignore-fil`; did you mean `ignore-file`?"),
        ("off", "unknown comment `secondpass: off`; known are `ignore` and `ignore-file`"),
        ("ignore[SP101", "`secondpass: ignore[` is not closed; nothing is silenced"),
        ("ignore[carried state]", "`secondpass: ignore[...]` names `CARRIED STATE`, which is no rule code"),
        ("ignore[]", "`secondpass: ignore[]` names no rule; leave the brackets out to silence every rule"),
    ],
)
def test_comments_that_cannot_be_understood(comment: str, message: str) -> None:
    found = of(f"a = 1\nb = 2  # secondpass: {comment}\n")
    assert found.all == ()
    assert [(problem.line, problem.message) for problem in found.problems] == [(2, message)]


def test_lost_lines_have_no_say() -> None:
    found = of("a = 1\nb = (  # secondpass: ignore\nc = 2  # secondpass: ignore\n")
    assert [one.span.line for one in found.all] == [3]


def test_a_file_without_the_word_costs_nothing() -> None:
    source = parse("a = 1\n", "f.py")
    assert source.suppressions.suppressed("SP101", 1) is None
    assert "table" not in source.__dict__


def test_comments_far_apart() -> None:
    text = "".join(f"def f{n}():\n    a = {n}{'  # secondpass: ignore' if n % 3 == 0 else ''}\n" for n in range(9))
    text += "# secondpass: ignore\n\nb = 1\nc = 2\n"
    assert lines(text) == [2, 8, 14, 19, 20, 21]
