"""Programs that do what programs do: end themselves, replace hooks, fork, delete their own file, run as notebooks."""

from __future__ import annotations

import json
from pathlib import Path

from tests.trace.warm import Ended, Warm

CARRY = """\
import torch
cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
for step in range(3):
    h = cell(torch.randn(2, 3), h)
    h.sum().backward()
"""


def traced(warm: Warm, folder: Path, text: str, *arguments: str) -> Ended:
    (folder / "program.py").write_text(text)
    ended = warm.run(folder, *(arguments or ("program.py",)))
    assert ended.report is not None, ended.stderr
    return ended


def lines(ended: Ended) -> tuple[int, int, int]:
    """Where it raised, was built, was consumed."""
    assert ended.report and ended.report["raised"]
    raised = ended.report["raised"]
    return raised["line"], raised["built"][0]["line"], raised["consumed"][0]["line"]


def test_it_stops_after_n_backward_calls_and_runs_nothing_more(warm: Warm, tmp_path: Path) -> None:
    text = """\
import atexit, torch
atexit.register(print, "at exit")
w = torch.rand(3, requires_grad=True)
try:
    while True:
        w.exp().sum().backward()
        print("one")
except BaseException:
    print("caught")
finally:
    print("finally")
"""
    ended = traced(warm, tmp_path, text, "--turns", "4", "program.py")
    assert ended.report
    assert ended.stdout == "one\n" * 3
    assert ended.report["backward_count"] == 4
    assert ended.report["outcome"]["reason"] == "turns"
    assert ended.status == 0


def test_it_stops_when_the_time_is_over_with_a_report(warm: Warm, tmp_path: Path) -> None:
    ended = traced(warm, tmp_path, "import time\nwhile True:\n    time.sleep(9)\n", "--seconds", "0.3", "program.py")
    assert ended.report
    assert ended.report["outcome"]["reason"] == "timeout"
    assert ended.report["outcome"]["note"] == "stopped after 0.3 s, at program.py:3"


def test_its_own_excepthook_and_settrace(warm: Warm, tmp_path: Path) -> None:
    text = """\
import sys
sys.excepthook = lambda kind, error, trace: print("mine:", kind.__name__, trace.tb_lineno)
seen = []
sys.settrace(lambda frame, event, argument: seen.append(event))
"""
    ended = traced(warm, tmp_path, text + CARRY)
    assert ended.stdout == "mine: RuntimeError 9\n"
    assert lines(ended) == (9, 8, 9)


def test_it_deletes_its_own_file(warm: Warm, tmp_path: Path) -> None:
    ended = traced(warm, tmp_path, "import os\nos.unlink(__file__)\n" + CARRY)
    assert lines(ended) == (7, 6, 7)
    assert ended.report and ended.report["raised"]["text"] == "h.sum().backward()"


def test_it_ends_itself(warm: Warm, tmp_path: Path) -> None:
    text = CARRY.replace("    h.sum", "    if step:\n        import os\n        os._exit(7)\n    h.sum")
    ended = traced(warm, tmp_path, text)
    assert ended.report
    assert (ended.status, ended.report["outcome"]["exit_code"], ended.report["backward_count"]) == (7, 7, 1)


def test_exit_statuses(warm: Warm, tmp_path: Path) -> None:
    for text, status in [("raise SystemExit(5)", 5), ("import sys; sys.exit()", 0), ("exit('sorry')", 1), ("1/0", 1)]:
        ended = traced(warm, tmp_path, text)
        assert ended.report
        assert (ended.status, ended.report["outcome"]["exit_code"]) == (status, status)
    assert "ZeroDivisionError" in ended.stderr
    assert "recorder" not in ended.stderr


def test_standard_input_is_empty(warm: Warm, tmp_path: Path) -> None:
    ended = traced(warm, tmp_path, "print(input('? '))")
    assert "EOFError" in ended.stderr


def test_a_program_that_is_not_python(warm: Warm, tmp_path: Path) -> None:
    ended = traced(warm, tmp_path, "def (:\n")
    assert ended.report
    assert "SyntaxError" in ended.report["outcome"]["note"]
    assert ended.stderr.rstrip().endswith("SyntaxError: invalid syntax")


def test_data_loader_workers_are_left_alone(warm: Warm, tmp_path: Path) -> None:
    text = """\
import torch
from torch.utils.data import DataLoader, Dataset
class Numbers(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, index):
        value = torch.full((3,), float(index))
        return value * 2
cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
for x in DataLoader(Numbers(), batch_size=2, num_workers=2):
    h = cell(x, h)
    h.sum().backward()
"""
    ended = traced(warm, tmp_path, text)
    assert lines(ended) == (12, 11, 12)
    assert ended.report and any("child processes" in note for note in ended.report["notes"])


def test_multiprocessing_pool(warm: Warm, tmp_path: Path) -> None:
    text = """\
from multiprocessing import get_context
def square(x):
    return x * x
if __name__ == "__main__":
    with get_context("fork").Pool(2) as pool:
        print(pool.map(square, range(5)))
"""
    assert traced(warm, tmp_path, text).stdout == "[0, 1, 4, 9, 16]\n"


def test_modules_of_the_project_are_read_too(warm: Warm, tmp_path: Path) -> None:
    package = tmp_path / "net"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "core.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.cell, self.h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)\n\n    def forward(self, x):\n"
        "        self.h = self.cell(x, self.h)\n        return self.h\n"
    )
    (package / "__main__.py").write_text(
        "import sys\nimport torch\nfrom .core import Net\nnet = Net()\nprint(sys.argv[1:], __name__, __package__)\n"
        "for step in range(2):\n    net(torch.randn(2, 3)).sum().backward()\n"
    )
    ended = warm.run(tmp_path, "-m", "net", "--lr", "3")
    assert ended.report
    raised = ended.report["raised"]
    assert ended.stdout == "['--lr', '3'] __main__ net\n"
    assert (raised["path"], raised["line"]) == ("net/__main__.py", 7)
    assert (raised["built"][0]["path"], raised["built"][0]["line"]) == ("net/core.py", 10)
    assert not list(tmp_path.rglob("*.pyc"))


def test_one_function_is_called(warm: Warm, tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in CARRY.splitlines()[1:])
    text = f"import torch\nprint(__name__)\ndef train():\n{body}if __name__ == '__main__':\n    print('as a script')\n"
    ended = traced(warm, tmp_path, text, "--call", "train", "program.py")
    assert ended.stdout == "program\n"
    assert lines(ended) == (7, 6, 7)


def test_wrong_use_is_one_line(warm: Warm, tmp_path: Path) -> None:
    (tmp_path / "text.ipynb").write_text("no notebook")
    (tmp_path / "program.py").write_text("x = 1\n")
    for arguments, said in [
        (["gone.py"], "gone.py is not a file"),
        (["-m", "gone.module"], "no module named gone.module with a source file can be run"),
        (["--call", "train", "program.py"], "program.py has no function train"),
        (["text.ipynb"], "text.ipynb is not a notebook"),
    ]:
        ended = warm.run(tmp_path, *arguments)
        assert ended.report
        assert (ended.status, ended.stderr) == (3, f"secondpass: {said}\n")
        assert (ended.report["outcome"]["reason"], ended.report["outcome"]["note"]) == ("refused", said)


def notebook(folder: Path, *cells: str) -> None:
    rows = [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]
    rows.insert(1, {"cell_type": "markdown", "source": ["# text"]})
    (folder / "book.ipynb").write_text(json.dumps({"cells": rows, "nbformat": 4}))


def test_a_notebook_from_top_to_bottom_and_in_another_order(warm: Warm, tmp_path: Path) -> None:
    notebook(
        tmp_path,
        "%matplotlib inline\nimport torch\nw = torch.rand(3, requires_grad=True)",
        "!pip list\nloss = (w * 2).pow(2).sum()\nloss",
        "%%bash\nexit 1",
        "%%time\nloss.backward()\nprint('walked')",
    )
    straight = warm.run(tmp_path, "book.ipynb")
    assert straight.report, straight.stderr
    assert straight.report["raised"] is None
    assert straight.stdout == "walked\n"
    again = warm.run(tmp_path, "--cells", "0,2,4,4", "book.ipynb")
    assert again.report
    raised = again.report["raised"]
    assert (raised["path"], raised["cell"], raised["line"], raised["turn"]) == ("book.ipynb", 4, 2, 2)
    assert (raised["built"][0]["cell"], raised["built"][0]["line"]) == (2, 2)
    assert (raised["consumed"][0]["cell"], raised["consumed"][0]["line"]) == (4, 2)
    wrong = warm.run(tmp_path, "--cells", "0,1", "book.ipynb")
    assert wrong.stderr == "secondpass: book.ipynb has no code cell 1; its code cells are 0, 2, 3, 4\n"


def test_a_cell_that_awaits(warm: Warm, tmp_path: Path) -> None:
    notebook(tmp_path, "import asyncio", "await asyncio.sleep(0)\nprint('awaited')")
    assert warm.run(tmp_path, "book.ipynb").stdout == "awaited\n"


def test_a_long_log_is_folded_and_stays_right(warm: Warm, tmp_path: Path) -> None:
    """Statements by the million before and between the iterations: the log is cut, lines and iterations are still
    known."""
    text = CARRY.replace(
        "    h = cell",
        "    for i in range(800_000):\n        j = i\n        k = j\n    h = cell",
    )
    ended = traced(warm, tmp_path, text)
    assert lines(ended) == (8, 7, 8)
    assert ended.report
    assert ended.report["raised"]["turn"] == 2
    assert {row["line"]: row["turns"] for row in ended.report["turns"]} == {3: 2, 4: 1_600_000}


def test_other_errors_of_backward_are_told(warm: Warm, tmp_path: Path) -> None:
    ended = traced(warm, tmp_path, "import torch\nw = torch.rand(3, requires_grad=True)\nw.exp().backward()\n")
    assert ended.report and ended.report["raised"] is None
    (other,) = ended.report["other_errors"] or [{"line": 0, "message": ""}]
    assert other["line"] in (0, 3)


def test_a_thread_pool(warm: Warm, tmp_path: Path) -> None:
    text = """\
import torch
from concurrent.futures import ThreadPoolExecutor
w = torch.rand(3, requires_grad=True)
def work(i):
    y = w * i
    for _ in range(3):
        y = y.exp()
    y.sum().backward()
    try:
        y.sum().backward()
    except RuntimeError:
        return "raised"
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(work, range(12))))
"""
    ended = traced(warm, tmp_path, text)
    assert ended.report
    assert ended.stdout == str(["raised"] * 12) + "\n"
    assert {error["line"] for error in ended.report["errors"]} == {10}
    assert {error["built"][0]["line"] for error in ended.report["errors"]} == {7}
    assert {error["consumed"][0]["line"] for error in ended.report["errors"]} == {8}
    assert len(ended.report["errors"]) == 12


def test_paths_are_told_as_the_program_was_named(warm: Warm, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/program.py").write_text(CARRY)
    for given in ("inner/program.py", "./inner/program.py", str(tmp_path / "inner/program.py")):
        ended = warm.run(tmp_path, given)
        assert ended.report
        assert ended.report["raised"]["path"] == given.removeprefix("./")
    (tmp_path / "inner/program.py").write_text("import os\nos.chdir('/')\n" + CARRY)
    moved = warm.run(tmp_path, "inner/program.py")
    assert moved.report and moved.report["raised"]["path"] == "inner/program.py"
    outside = warm.run(tmp_path / "inner", "../inner/program.py")
    assert outside.report and outside.report["raised"]["path"] == "program.py"


def test_what_locals_returned_stays_as_it_was(warm: Warm, tmp_path: Path) -> None:
    """Counting what variables hold reads frames, whose dictionaries a program may hold too."""
    text = """\
import torch
def train(steps, lr=0.5):
    kept = locals()
    w = torch.rand(3, requires_grad=True)
    for step in range(steps):
        other = w.exp()
        other.sum().backward()
        print(sorted(kept), "other" in kept)
train(4)
"""
    (tmp_path / "program.py").write_text(text)
    traced, plain = (warm.run(tmp_path, "program.py", mode=mode) for mode in ("traced", "plain"))
    assert traced.stdout == plain.stdout
    assert traced.report and traced.report["notes"] == []


def test_counting_keeps_nothing_alive(warm: Warm, tmp_path: Path) -> None:
    text = """\
import gc, torch, weakref
def train():
    seen = []
    w = torch.rand(3, requires_grad=True)
    for step in range(5):
        big = w.exp()
        seen.append(weakref.ref(big))
        big.sum().backward()
        del big
    gc.collect()
    return [ref() is None for ref in seen]
print(train())
"""
    ended = traced(warm, tmp_path, text)
    assert ended.stdout == str([True] * 5) + "\n"
