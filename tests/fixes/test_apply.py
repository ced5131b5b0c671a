"""`fix_paths` on real files: what is written and how, what is left, and when nothing is written."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
from secondpass.cli.main import main
from secondpass.fixes.apply import fix_paths
from secondpass.settings import Settings

from .helpers import raises, text

CUT = text("""
    import torch
    cell = torch.nn.GRUCell(2, 4)
    h = torch.zeros(1, 4)
    for x in torch.randn(3, 1, 2):
        h = cell(x, h)
        h.sum().backward()
""")
SUM = text("""
    import torch
    model = torch.nn.Linear(2, 2)
    out = model(torch.randn(1, 2)).exp()
    a, b = out.sum(), out.mean()
    a.backward()
    b.backward()
""")
BOTH = CUT + SUM.partition("\n")[2]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("train.py")


def test_one_fix_reveals_the_next_until_none_is_left(file: Path) -> None:
    file.write_text(BOTH)
    outcome = fix_paths([file], Settings(), unsafe=True)
    (done,) = outcome.fixed
    assert [fix.id for _, fix in done.applied] == ["detach-at-end", "sum-losses"]
    assert (done.before, done.after, outcome.left) == (BOTH, file.read_text(), [])
    assert raises(done.after) is None
    again = fix_paths([file], Settings(), unsafe=True)
    assert (again.fixed, again.left, file.read_text()) == ([], [], done.after)


def test_only_safe_fixes_without_unsafe(file: Path) -> None:
    file.write_text(SUM + CUT.partition("\n")[2])
    outcome = fix_paths([file], Settings())
    assert [fix.id for _, fix in outcome.fixed[0].applied] == ["sum-losses"]
    (left,) = outcome.left
    assert left.rule == "SP101" and left.fixes[0].preferred and left.fixes[0].safety == "changes-gradients"
    assert "h.detach()" not in file.read_text()


def test_only_asked_rules(file: Path) -> None:
    file.write_text(BOTH)
    outcome = fix_paths([file], Settings(), rules=("SP105",), unsafe=True)
    assert (outcome.fixed, outcome.left) == ([], []), "the second fault only shows when the first is gone"


def test_nothing_is_written_for_a_difference(file: Path) -> None:
    file.write_text(CUT)
    outcome = fix_paths([file], Settings(), unsafe=True, write=False)
    assert outcome.fixed[0].after != CUT and file.read_text() == CUT


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_the_mode_stays(mode: int, file: Path) -> None:
    file.write_text(CUT)
    file.chmod(mode)
    fix_paths([file], Settings(), unsafe=True)
    assert stat.S_IMODE(file.stat().st_mode) == mode and "h.detach()" in file.read_text()


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-8"])
def test_encoding_and_line_endings_stay(encoding: str, file: Path) -> None:
    program = (f"# -*- coding: {encoding} -*-\n" if encoding == "latin-1" else "") + f"# größe\n{CUT}"
    file.write_bytes(program.replace("\n", "\r\n").encode(encoding))
    fix_paths([file], Settings(), unsafe=True)
    after = file.read_bytes()
    assert after == f"{program}    h = h.detach()\n".replace("\n", "\r\n").encode(encoding)


def test_a_link_stays_a_link(file: Path) -> None:
    Path("real.py").write_text(CUT)
    file.symlink_to("real.py")
    fix_paths([file], Settings(), unsafe=True)
    assert file.is_symlink() and "h.detach()" in Path("real.py").read_text()


def test_a_file_that_changed_meanwhile_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(CUT)
    real = os.fsync

    def meanwhile(handle: int) -> None:
        file.write_text(CUT + "# somebody else\n")
        real(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    outcome = fix_paths([file], Settings(), unsafe=True)
    (error,) = outcome.errors
    assert error.message == "has changed while it was being fixed; nothing written, run the fix again"
    assert outcome.fixed == [] and len(outcome.left) == 1
    assert file.read_text() == CUT + "# somebody else\n"
    assert list(Path().iterdir()) == [file], "no temporary file stays behind"


def test_a_folder_that_takes_no_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(CUT)

    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refused)
    (error,) = fix_paths([file], Settings(), unsafe=True).errors
    assert (error.message, file.read_text()) == ("cannot be written: permission denied", CUT)


def test_what_cannot_be_read_is_one_line_and_the_rest_is_fixed(file: Path) -> None:
    file.write_text(CUT)
    Path("binary.py").write_bytes(b"\0\1")
    outcome = fix_paths(["binary.py", "gone.py", "train.py"], Settings(), unsafe=True)
    assert sorted(error.path for error in outcome.errors) == ["binary.py", "gone.py"]
    assert [done.path for done in outcome.fixed] == ["train.py"]


def test_the_command_says_what_it_did(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SUM + CUT.partition("\n")[2])
    assert main(["fix", "train.py"]) == 1
    assert capsys.readouterr().out == (
        "fixed train.py:4:19 SP105: Walk once over `a + b` (the same gradients in one pass)\n"
        "left train.py:9:9 SP101: Detach `h` at the end of each step (gradients stop at the step's start): "
        "--unsafe applies it\n"
    )
    assert main(["fix", "train.py", "--unsafe"]) == 0
    assert raises(file.read_text()) is None


def test_a_state_of_another_file_is_cut_in_the_loop(file: Path) -> None:
    Path("net.py").write_text(
        text("""
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cell, self.h = torch.nn.GRUCell(2, 4), torch.zeros(1, 4)
            def forward(self, x):
                self.h = self.cell(x, self.h)
                return self.h
    """)
    )
    file.write_text(
        text("""
        import torch
        from net import Net
        net = Net()
        for x in torch.randn(3, 1, 2):
            net(x).sum().backward()
    """)
    )
    fix_paths([file], Settings(), unsafe=True)
    assert file.read_text().endswith("    net(x).sum().backward()\n    net.h = net.h.detach()\n")


def test_a_fix_may_stand_in_another_file(file: Path) -> None:
    Path("meters.py").write_text(
        text("""
        class Meter:
            def __init__(self):
                self.sum = 0
            def update(self, loss):
                self.sum += loss
    """)
    )
    program = text("""
        import torch
        from meters import Meter
        model, meter = torch.nn.Linear(2, 1), Meter()
        for x in torch.randn(3, 1, 2):
            loss = model(x).pow(2).sum()
            loss.backward()
            meter.update(loss)
    """)
    file.write_text(program)
    shown = fix_paths([file], Settings(), write=False)
    assert [done.path for done in shown.fixed] == ["meters.py"] and "item" not in Path("meters.py").read_text()
    outcome = fix_paths([file], Settings())
    assert file.read_text() == program
    assert Path("meters.py").read_text().endswith("        self.sum += loss.item()\n")
    assert [(done.path, len(done.applied)) for done in outcome.fixed] == [("meters.py", 1)]
    assert outcome.left == []
