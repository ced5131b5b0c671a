"""Broken syntax costs the broken statement alone."""

from __future__ import annotations

import ast
import random
import textwrap

import pytest
from secondpass.findings import FileError
from secondpass.source import SourceError, parse

PROGRAM = '''\
"""Train a small
model.
"""
import torch
from torch import nn


class Net(nn.Module):
    """A net."""

    def __init__(self, size: int = 4) -> None:
        super().__init__()
        self.cell = nn.GRUCell(size, size)
        self.sizes = {
            "hidden": size,
            "out": [1, 2,
                    3],
        }

    @torch.no_grad()
    def start(self, x):
        """One that spans
        lines.
        """
        return torch.zeros(x.shape[0], self.sizes["hidden"])

    def forward(self, x, h):
        h = self.cell(x, h)
        return h.sum(), h


def train(net, data,
          steps=3):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    h = None
    for step, x in enumerate(data):
        if h is None:
            h = net.start(x)
        elif step % 2:
            h = h.detach()
        else:
            h = h * 1.0
        loss, h = net(x, h)
        try:
            loss.backward()
        except RuntimeError as error:
            print(f"step {step}: {error}")
            raise
        finally:
            optimizer.zero_grad()
        with torch.no_grad():
            print("loss", loss.item(), """
  text at the margin
""")
        while loss > 10:
            loss = loss / 2
            break
    return h


if __name__ == "__main__":
    train(Net(), [torch.randn(2, 4)
                  for _ in range(3)])
'''


def statements(tree: ast.AST) -> set[tuple[int, int, str]]:
    return {(n.lineno, n.col_offset, type(n).__name__) for n in ast.walk(tree) if isinstance(n, ast.stmt)}


def missing(before: str, after: str, line: int) -> set[tuple[int, int, str]]:
    """Statements of the good text that do not touch the broken `line` and are gone from the broken text's tree."""
    good = ast.parse(before)
    around = [n for n in ast.walk(good) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)]
    broken = max(around, key=lambda n: (n.lineno, n.col_offset), default=None)
    kept = {(at, kind) for at, _, kind in statements(parse(after, "f.py").tree)}
    return {
        one
        for one in statements(good)
        if one[0] != line
        and (broken is None or one[:2] != (broken.lineno, broken.col_offset))
        and (one[0], one[2]) not in kept
    }


def broken(line: str, rng: random.Random) -> str:
    """The line as it might look half typed."""
    end = line.rstrip()
    start = len(end) - len(end.lstrip())
    ways = [
        end[: rng.randrange(start + 1, len(end) + 1)],
        end + ".",
        end + "(",
        end.replace(")", "", 1),
        end.replace("(", "", 1),
        end + ' "',
        end + ' """',
        "   " + line,
        line[:start] + "for",
    ]
    return rng.choice(ways)


def test_a_broken_line_of_a_good_program_costs_no_other_statement() -> None:
    rng = random.Random(20)
    lines = PROGRAM.split("\n")
    inside_string = {2, 3, 21, 22, 53, 54}
    tried = 0
    for _ in range(1500):
        number = rng.randrange(1, len(lines) + 1)
        if not lines[number - 1].strip() or number in inside_string:
            continue
        changed = [*lines[: number - 1], broken(lines[number - 1], rng), *lines[number:]]
        text = "\n".join(changed)
        try:
            ast.parse(text)
        except SyntaxError:
            tried += 1
            lost = missing(PROGRAM, text, number)
            # what depends on its neighbours (one line of several, `except` between `try` and `finally`) may cost more
            assert len(lost) <= (0 if _stands_alone(number) else 4), (number, changed[number - 1], lost)
    assert tried > 700


def _stands_alone(number: int) -> bool:
    """Whether the line is a statement of its own, or a header of its own."""
    if PROGRAM.split("\n")[number - 1].strip().startswith(("try", "except", "finally", "elif", "else", "@")):
        return False
    simple = (ast.Assign, ast.Expr, ast.Return, ast.Import, ast.ImportFrom)
    for node in ast.walk(ast.parse(PROGRAM)):
        if (
            isinstance(node, simple)
            and node.lineno <= number <= (node.end_lineno or 0)
            and node.end_lineno != node.lineno
        ):
            return False
    return number not in (31, 32)


BODY = """\
    def train(model, xs, h):
        total = 0.0
        for x in xs:
            out, h = model(x, h)
            {}
            loss = out.sum()
            loss.backward()
        return h


    def other(a):
        '''A doc
        string.'''
        return a
    """
HALF_TYPED = [
    "h = h.", "loss.backward(", "out = model(x, ", "x = [1, 2", "if x", "if x:", "elif x:", "else:", "for a in",
    "for a", "while h.", "def f(", "def g(a):", "class A", "class A(", "with torch.no_grad(", "with", "try:", "except:",
    "finally", "print('abc", 's = """abc', "s = '''abc", "d = {", "d = {'a': ", "    stray = 1", "  stray = 1", "@",
    "@property", "lambda", "import a.", "from torch import", "return h.", "raise", "x y", "a = b = c.", "h += ", "]",
    "x = 1)", "x = f'{a", "$", "del", "assert", "not", "a +", "x = (", "h.detach(", "x: int = ", "x == ", "if x ==",
    "match x", "async def f(", "yield", "global", "x = foo(1,\n                2,\n                3",
    "f(a b,\n              c)", "x = [\n                1,\n                2 3,\n            ]",
]  # fmt: skip


@pytest.mark.parametrize("typed", HALF_TYPED)
def test_half_typed_statements_in_a_loop(typed: str) -> None:
    good = textwrap.dedent(BODY.format("pass"))
    text = textwrap.dedent(BODY).format(typed.replace("\n    ", "\n"))
    shift = typed.count("\n")
    source = parse(text, "f.py")
    kept = statements(source.tree)
    wanted = {
        (line + shift * (line > 5), column, kind) for line, column, kind in statements(ast.parse(good)) if line != 5
    }
    assert wanted - kept == set()
    try:
        ast.parse(text)
        assert source.problems == ()
    except SyntaxError:
        assert len(source.problems) == 1
        problem = source.problems[0]
        assert 5 <= problem.line <= 5 + shift and problem.path == "f.py" and "\n" not in problem.message
        assert all(5 <= first <= last <= 5 + shift for first, last in source.lost)


def line_five(typed: str) -> str:
    """What is made of a half-typed line 5, as code."""
    source = parse(textwrap.dedent(BODY).format(typed), "f.py")
    return "\n".join(ast.unparse(n) for n in ast.walk(source.tree) if isinstance(n, ast.stmt) and n.lineno == 5)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("h = h.", "h = ..."),
        ("a, self.b = h.", "a, self.b = ..."),
        ("a = b = c(", "a = b = ..."),
        ("x: Tensor = f(", "x: Tensor = ..."),
        ("h = f(x, y=", "h = ..."),
        ("if x: h = h.", "if x:\n    h = ...\nh = ..."),
        ("return h.", "return ..."),
        ("loss.backward(", "pass"),
        ("x == ", "pass"),
    ],
)
def test_names_a_lost_statement_binds_lose_what_they_held(typed: str, read: str) -> None:
    assert line_five(typed) == "\n".join(ast.unparse(node) for node in ast.parse(read).body)


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("for x in xs", "for x in xs:"),
        ("for x in", "for x in ...:"),
        ("for x", "for x in ...:"),
        ("if x.", "if x:"),
        ("if x ==", "if x == ...:"),
        ("while f(x", "while f(x):"),
        ("with torch.no_grad(", "with torch.no_grad():"),
        ("with torch.no_grad() as", "with torch.no_grad() as ():"),
        ("def f(", "def f():"),
        ("def f", "def f():"),
        ("def f(a, b=, c):", "def f(*_):"),
        ("def", "def _(*_):"),
        ("async def f(a", "async def f(a):"),
        ("class A(nn.Module", "class A(nn.Module):"),
        ("class", "class _:"),
        ("for x in xs  # all", "for x in xs:"),
    ],
)
def test_a_half_typed_header_keeps_its_block(header: str, read: str) -> None:
    source = parse(f"a = 1\n{header}\n    b = 2\n    c = 3\nd = 4\n", "f.py")
    assert ast.unparse(source.tree.body[1]) == f"{read}\n    b = 2\n    c = 3"
    assert len(source.tree.body) == 3
    assert "is read as far as it goes" in source.problems[0].message


def test_try_without_except_loses_nothing() -> None:
    source = parse("def f():\n    try:\n        a = 1\n        b = 2\n    c = 3\n", "f.py")
    assert [ast.unparse(n) for n in ast.walk(source.tree) if isinstance(n, ast.Assign)] == ["c = 3", "a = 1", "b = 2"]


def test_a_stray_indent_is_kept_at_its_true_column() -> None:
    source = parse("def f(x):\n    a = 1\n      b = x.y\n    c = 3\n", "f.py")
    node = next(n for n in ast.walk(source.tree) if isinstance(n, ast.Assign) and n.lineno == 3)
    assert source.segment(node) == "b = x.y"
    assert source.segment(node.value) == "x.y"
    assert source.span(node).column == 7


def test_columns_of_the_rest_stay() -> None:
    source = parse("é = 1\nx = é.\ny = 'é'; z = é\n", "f.py")
    names = {n.id: source.span(n) for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.lineno == 3}
    assert (names["z"].column, names["é"].column) == (10, 14)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings(ending: str) -> None:
    source = parse(ending.join(["a = 1", "b = a.", "c = 3", ""]), "f.py")
    assert source.lost == ((2, 2),) and [n.lineno for n in source.tree.body] == [1, 2, 3]


def test_several_faults_are_each_told() -> None:
    text = "\n".join(["a = 1", "b = (", "c = 3", "def f(x)", "    return x.", "d = 'abc", "e = 5"])
    source = parse(text, "f.py")
    assert [problem.line for problem in source.problems] == [2, 4, 5, 6]
    assert {n.lineno for n in ast.walk(source.tree) if isinstance(n, ast.stmt)} == {1, 2, 3, 4, 5, 6, 7}


def test_the_problem_is_one_clear_line() -> None:
    source = parse("x = 1\nloss.backward(\ny = 2\n", "f.py")
    assert [p.message for p in source.problems] == [
        "syntax error in `loss.backward(`: '(' was never closed; it is left out"
    ]


@pytest.mark.parametrize("text", [")" * 500, "a b c\n" * 50, "\x01\x02", "{[(\n" * 9, "'''", "\\", "?", "\t\n \tx"])
def test_what_is_no_python_at_all(text: str) -> None:
    source = parse(text, "f.py")
    assert source.problems
    assert all(1 <= problem.line <= text.count("\n") + 1 for problem in source.problems)


def test_a_file_in_another_language_is_one_line() -> None:
    with pytest.raises(SourceError) as caught:
        parse('#include <stdio.h>\nint main(void) {\n  printf("%d\\n", 3);\n}\n' * 500, "f.py")
    assert caught.value.error == FileError(
        "f.py", 2, "does not look like Python: more than 60 syntax errors, the first in `int main(void) {`"
    )


def test_no_text_stops_it() -> None:
    """Any prefix of a program, and any soup of its characters, is read."""
    rng = random.Random(4)
    for size in range(0, len(PROGRAM), 17):
        parse(PROGRAM[:size], "f.py")
    pieces = [
        "(",
        ")",
        "[",
        "{",
        "}",
        '"',
        '"""',
        "'",
        "\\",
        "\n",
        "    ",
        "\t",
        ":",
        "=",
        "x",
        "def f",
        "if",
        "@",
        "#",
        "é",
    ]
    for _ in range(300):
        parse("".join(rng.choice(pieces) for _ in range(40)), "f.py")
