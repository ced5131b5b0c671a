"""Programs of several files: imports are followed, a place is told once, a main that runs right has the last word."""

from __future__ import annotations

from pathlib import Path

import pytest
from secondpass import check_paths
from secondpass.findings import Report

MODEL = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, x, state):
        state = self.cell(x, state)
        return state.mean(), state
"""
TRAINER = """
import torch


def cut(state):
    return state{cut}


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg

    def fit(self, batches):
        state = torch.zeros(2, 4)
        for x in batches:
            loss, state = self.model(x, state)
            loss.backward()
            if self.cfg.every and self.cfg.every > 0:
                state = cut(state)
"""
MAIN = """
import torch

from {package}model import Net
from {package}trainer import Trainer


class Config:
    every = {every}


if __name__ == "__main__":
    Trainer(Net(), Config()).fit([torch.randn(2, 3) for _ in range(4)])
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def told(report: Report) -> list[tuple[str, str, int]]:
    assert not report.errors
    return [(f.rule, f.span.path, f.span.line) for f in report.findings if f.severity.serious]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("package", ["", "lib.", "lib.deep."])
def test_a_carry_through_three_files_is_told_where_it_is(tmp_path: Path, package: str) -> None:
    home = package.replace(".", "/")
    files = {f"{home}model.py": MODEL, f"{home}trainer.py": TRAINER.format(cut="")}
    write(tmp_path, {**files, "main.py": MAIN.format(package=package, every=1)})
    report = check_paths(["main.py"])
    assert told(report) == [("SP101", f"{home}model.py", 12)]
    assert report.findings[0].raises_at is not None
    assert (report.findings[0].raises_at.path, report.findings[0].raises_at.line) == (f"{home}trainer.py", 17)


@pytest.mark.parametrize(
    "tweak", ["sys.path.append('../../..')", "sys.path.insert(0, os.path.dirname(__file__) + '/../../..')"]
)
def test_an_example_with_requirements_of_its_own_finds_the_repositorys_package(tmp_path: Path, tweak: str) -> None:
    files = {"lib/model.py": MODEL, "lib/trainer.py": TRAINER.format(cut=""), ".git/HEAD": ""}
    main = f"import os, sys\n{tweak}\n" + MAIN.format(package="lib.", every=1)
    write(tmp_path, {**files, "examples/requirements.txt": "", "examples/deep/in/main.py": main})
    assert told(check_paths(["examples/deep/in/main.py"])) == [("SP101", "lib/model.py", 12)]


def test_a_place_that_two_files_import_is_told_once(tmp_path: Path) -> None:
    main = MAIN.format(package="", every=1)
    write(tmp_path, {"model.py": MODEL, "trainer.py": TRAINER.format(cut=""), "main.py": main, "again.py": main})
    assert len(told(check_paths(["main.py", "again.py"]))) == 1


def test_a_main_that_raises_is_told_without_the_guess_about_its_trainer(tmp_path: Path) -> None:
    write(tmp_path, {"model.py": MODEL, "trainer.py": TRAINER.format(cut="")})
    write(tmp_path, {"main.py": MAIN.format(package="", every=1)})
    assert told(check_paths(["."])) == [("SP101", "model.py", 12)]


def test_a_main_that_runs_right_outweighs_a_guess_about_its_trainer(tmp_path: Path) -> None:
    write(tmp_path, {"model.py": MODEL, "trainer.py": TRAINER.format(cut=".detach()")})
    assert [rule for rule, _, _ in told(check_paths(["trainer.py"]))] == ["SP101"]
    write(tmp_path, {"main.py": MAIN.format(package="", every=1)})
    assert told(check_paths(["."])) == []


def test_what_cannot_be_read_does_not_stop_the_rest(tmp_path: Path) -> None:
    circle = "import torch\nfrom main import nothing\nfrom missing import more\nfrom .far import away\n"
    write(tmp_path, {"model.py": circle + MODEL, "trainer.py": TRAINER.format(cut="")})
    write(tmp_path, {"main.py": "from broken import x\n" + MAIN.format(package="", every=1), "broken.py": "def ("})
    assert told(check_paths(["main.py"])) == [("SP101", "model.py", 16)]
