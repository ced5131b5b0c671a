"""Edits leave everything alone that is not theirs: comments, quotes, line endings, indentation, one-line suites."""

from __future__ import annotations

import json

import pytest
from secondpass.fixes.change import Change, Conflict, applied, edits
from secondpass.fixes.offer import fixes_in
from secondpass.source.source import parse

from .helpers import SETTINGS, added, fixed, fixed_by, offered, raises, ran, text

CARRIED = """
import torch
from torch import nn

cell, head = nn.GRUCell(2, 4), nn.Linear(4, 1)
h = torch.zeros(1, 4)
for x in torch.randn(3, 1, 2):
    h = cell(x, h)  # the state
    head(h).sum().backward()  # one walk an iteration
    # a comment that closes the iteration
print('done')
"""


def test_a_line_is_added_and_nothing_else_changes() -> None:
    before = text(CARRIED)
    after = fixed(before)
    assert added(before, after) == ["    h = h.detach()"]
    assert after.replace("    h = h.detach()\n", "") == before
    assert raises(before) == "second-time" and raises(after) is None


def test_an_edit_is_no_larger_than_it_must_be() -> None:
    _, fixes = offered(text(CARRIED))
    (edit,) = fixes[0].edits
    assert (edit.span.line, edit.span.column, edit.span.end_line, edit.span.end_column) == (8, 54, 8, 54)
    assert edit.text == "\n    h = h.detach()"


@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"])
def test_line_endings_stay(ending: str) -> None:
    before = text(CARRIED).replace("\n", ending)
    after = fixed(before)
    assert f"{ending}    h = h.detach(){ending}" in after
    assert after.replace(f"    h = h.detach(){ending}", "") == before


def test_a_file_may_end_without_a_line_end() -> None:
    before = text(CARRIED).partition("    # a comment")[0].rstrip()
    assert fixed(before) == before + "\n    h = h.detach()"


@pytest.mark.parametrize("indent", ["\t", "  ", "        "])
def test_indentation_is_the_files_own(indent: str) -> None:
    before = text(CARRIED).replace("    ", indent)
    assert added(before, fixed(before)) == [f"{indent}h = h.detach()"]


def test_a_one_line_suite_stays_one_line() -> None:
    before = text("""
        import torch
        cell = torch.nn.GRUCell(2, 4)
        h = torch.zeros(1, 4)
        for x in torch.randn(3, 1, 2): h = cell(x, h); h.sum().backward()  # short
    """)
    after = fixed(before)
    assert after.splitlines()[3] == (
        "for x in torch.randn(3, 1, 2): h = cell(x, h); h.sum().backward(); h = h.detach()  # short"
    )
    assert raises(after) is None


def test_a_one_line_suite_is_opened_for_a_block() -> None:
    before = text("""
        import torch
        from torch import nn

        class Leaky(nn.Module):
            def __init__(self):
                super().__init__()
                self.memory = 0.0

            def forward(self, x):
                self.memory = 0.5 * self.memory + x.exp()
                return self.memory

        net = nn.Sequential(nn.Linear(2, 4), Leaky())
        # every batch
        for x in torch.randn(3, 1, 2): net(x).sum().backward()  # short
    """)
    after = fixed(before)
    assert after.endswith(
        "# every batch\n"
        "for x in torch.randn(3, 1, 2):\n"
        "    net(x).sum().backward()  # short\n"
        "    for module in net.modules():\n"
        "        if isinstance(module, Leaky):\n"
        "            module.memory = module.memory.detach()\n"
    )
    assert raises(before) == "second-time" and raises(after) is None


def test_a_statement_behind_a_semicolon_is_taken_out_alone() -> None:
    before = text("""
        import torch
        model = torch.nn.Linear(2, 2)
        out = model(torch.randn(1, 2)).exp()
        a, b = out.sum(), out.mean()
        a.backward(); b.backward()  # both
    """)
    after = fixed(before)
    assert after.splitlines()[-1] == "(a + b).backward()  # both"
    assert raises(after) is None


def test_continuation_lines_and_brackets() -> None:
    before = text("""
        import torch
        model = torch.nn.Linear(2, 2)
        out = model(torch.randn(1, 2)).exp()
        a, b = out.sum(), \\
            out.mean()
        a.backward(
            retain_graph=False,  # the default
        )
        of_a = model.weight.grad.clone()
        b \\
            .backward()
    """)
    after = fixed_by(before, "retain-graph")
    assert "    retain_graph=True,  # the default\n" in after
    assert raises(after) is None


def test_a_slice_moves_with_its_comments() -> None:
    before = text("""
        import torch
        from torch import nn

        encoder, head = nn.Linear(2, 4), nn.Linear(4, 1)
        optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.1)
        x = torch.randn(8, 2)
        # the features
        # of all inputs
        features = encoder(
            x,
        ).relu()  # once
        scaled = 2 * features
        for step in range(3):
            optimizer.zero_grad()
            head(scaled).sum().backward()
            optimizer.step()
    """)
    after = fixed(before)
    assert after.endswith(
        text("""
        for step in range(3):
            # the features
            # of all inputs
            features = encoder(
                x,
            ).relu()
            scaled = 2 * features
            optimizer.zero_grad()
            head(scaled).sum().backward()
            optimizer.step()
    """)
    )
    assert raises(before) == "second-time" and raises(after) is None


def test_characters_outside_ascii_before_the_place() -> None:
    before = text("""
        import torch
        größe = torch.nn.Linear(2, 2); 损失 = größe(torch.randn(1, 2)).exp()
        名前 = "ü" * 3; a, b = 损失.sum(), 损失.mean(); a.backward(); b.backward()
    """)
    after = fixed(before)
    assert after.splitlines()[-1] == '名前 = "ü" * 3; a, b = 损失.sum(), 损失.mean(); (a + b).backward()'


def test_a_script_with_cell_marks_keeps_them() -> None:
    before = text("""
        # %%
        import torch
        cell = torch.nn.GRUCell(2, 4)
        h = torch.zeros(1, 4)
        # %% train
        for x in torch.randn(3, 1, 2):
            h = cell(x, h)
            h.sum().backward()
        # %% done
        print(h)
    """)
    assert fixed(before) == before.replace(".backward()\n", ".backward()\n    h = h.detach()\n")


def notebook(*cells: str) -> str:
    listed = [{"cell_type": "markdown", "metadata": {}, "source": ["# title"]}]
    for cell in cells:
        listed.append({"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(keepends=True)})
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def test_a_notebook_is_edited_in_its_cell() -> None:
    first = "import torch\ncell = torch.nn.GRUCell(2, 4)\nh = torch.zeros(1, 4)"
    loop = "for x in torch.randn(3, 1, 2):\n    h = cell(x, h)\n    h.sum().backward()"
    before = notebook(first, "%matplotlib inline\n" + loop)
    run = ran(before, "train.ipynb")
    fix = fixes_in(run, run.findings[0], SETTINGS)[0]
    (edit,) = fix.edits
    assert (edit.span.cell, edit.span.line, edit.span.column, edit.text) == (2, 4, 23, "\n    h = h.detach()")
    assert fixed(before, "train.ipynb") == notebook(first, "%matplotlib inline\n" + loop + "\n    h = h.detach()")


def test_a_title_counts_lines_within_a_notebooks_cell() -> None:
    first = "import torch\nenc, head = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)\nx = torch.randn(3, 2)"
    second = "z = enc(x).tanh()\nopt = torch.optim.SGD(head.parameters(), 0.1)"
    third = "for _ in range(3):\n    opt.zero_grad()\n    (head(x) - z).pow(2).sum().backward()\n    opt.step()"
    run = ran(notebook(first, second, third), "train.ipynb")
    titles = [fix.title for fix in fixes_in(run, run.findings[0], SETTINGS)]
    assert "Detach `z` on line 3 of cell 4 (that loss no longer trains what made it)" in titles


def test_a_strings_inside_is_never_indented() -> None:
    before = text('''
        import torch
        w = torch.ones(2, requires_grad=True)

        class Meter:
            def __init__(self):
                self.mean = torch.zeros(2)

            def update(self, x):
                self.mean = 0.9 * self.mean + 0.1 * x * len("""two
        lines""")  # kept

        meter = Meter()
        for _ in range(3):
            y = w.exp()
            meter.update(y)
            y.sum().backward()
    ''')
    after = fixed_by(before, "no-grad")
    assert "        with torch.no_grad():\n            self.mean = 0.9 * self.mean" in after
    assert '"""two\nlines""")  # kept\n' in after


def test_changes_that_meet_are_refused() -> None:
    with pytest.raises(Conflict):
        applied("abcdef", [Change(0, 3, "x"), Change(2, 4, "y")])
    assert applied("abc", [Change(1, 1, "1"), Change(1, 1, "2")]) == "a12bc"


def test_an_edit_keeps_what_both_texts_share() -> None:
    source = parse("first = 1\nsecond = 2\n", "x.py")
    (edit,) = edits(source, [Change(0, 20, "first = 1\nsecond = 3")])
    assert (edit.span.line, edit.span.column, edit.span.end_column, edit.text) == (2, 10, 11, "3")


@pytest.mark.parametrize("there", [True, False])
def test_an_import_is_added_when_it_is_needed_and_only_then(there: bool) -> None:
    line = "from spikingjelly.activation_based import functional\n"
    before = text("""
        import torch
        from spikingjelly.activation_based import neuron
        IMPORT

        net = torch.nn.Sequential(torch.nn.Linear(2, 2), neuron.LIFNode())
        for x in torch.randn(3, 1, 2):
            net(x).sum().backward()
    """).replace("IMPORT\n", line if there else "")
    after = fixed(before)
    assert after.count(line) == 1
    assert after.endswith("    net(x).sum().backward()\n    functional.reset_net(net)\n")


def test_a_line_goes_in_above_the_comments_of_the_statement_that_follows() -> None:
    before = text("""
        import torch
        encoder, head = torch.nn.Linear(2, 4), torch.nn.Linear(4, 1)
        optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.1)
        x = torch.randn(8, 2)
        z = encoder(x).tanh()
        for step in range(3):
            # forget the gradients
            # of the step before
            optimizer.zero_grad()
            head(z).sum().backward()
            optimizer.step()
    """)
    assert "for step in range(3):\n    z = encoder(x).tanh()\n    # forget the gradients\n" in fixed(before)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_one_line_under_a_header_keeps_the_line_ending(ending: str, mark: str) -> None:
    before = mark + text("""
        import torch
        policy = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(policy.parameters(), 0.1)
        x = torch.randn(3, 2)
        old_score = policy(x).exp(); advantage = policy(x).sum()  # given
        for step in range(3):
            optimizer.zero_grad()
            (policy(x).exp() / old_score * advantage).mean().backward()
            optimizer.step()
    """).replace("\n", ending)
    wanted = (
        f"with torch.no_grad():{ending}    old_score = policy(x).exp(); advantage = policy(x).sum()  # given{ending}"
    )
    after = fixed(before)
    assert wanted in after and after.startswith(mark + "import torch")
    assert after.count(ending) == len(after.splitlines())


def test_a_function_takes_no_name_of_a_comprehension() -> None:
    before = text("""
        import torch
        from torch import nn
        trunk, a, b = nn.Linear(2, 4), nn.Linear(4, 1), nn.Linear(4, 1)
        of_a = torch.optim.SGD([*trunk.parameters(), *a.parameters()], 0.1)
        of_b = torch.optim.SGD(b.parameters(), 0.1)
        for x in torch.randn(3, 5, 2):
            z = trunk(x).tanh()
            outs = [head(f) for head, f in ((a, z), (b, z))]
            of_b.zero_grad()
            outs[1].mean().backward()
            of_b.step()
            of_a.zero_grad()
            outs[0].mean().backward()
            of_a.step()
    """)
    after = fixed_by(before, "extract-function")
    assert "def compute_outs(x):" in after and raises(after) is None
