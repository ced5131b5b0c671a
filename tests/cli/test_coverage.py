"""A check says how much it followed: no "nothing found" where nothing was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from secondpass.cli.main import main

FOLLOWED = """\
import torch
from torch.autograd import grad as derivative

net = torch.nn.Linear(2, 1)
for x in torch.randn(3, 4, 2):
    net(x).sum().backward()
derivative(net(x).sum(), list(net.parameters()))
"""
LOST = """\
import torch
from elsewhere import unwell


def train(loader):
    '''calls loss.backward()'''
    for batch in loader:
        loss = unwell(batch)
        loss.backward()


class Step:
    def never(self, a, b):
        if False:
            a.backward()
"""


def coverage(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    main(["check", "--no-cache", "--output-format", "json", *arguments])
    found = json.loads(capsys.readouterr().out)["coverage"]
    assert isinstance(found, dict)
    return found


def test_what_was_followed_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("followed.py").write_text(FOLLOWED)
    assert coverage(capsys, "followed.py") == {"backward_calls": 2, "followed": 2, "lost": []}
    assert main(["check", "--no-cache", "followed.py"]) == 0
    assert "nothing found\nfollowed 2 of 2 backward calls\n" in capsys.readouterr().out


def test_what_was_not_followed_is_named_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lost.py").write_text(LOST)
    found = coverage(capsys, "lost.py")
    assert (found["backward_calls"], found["followed"]) == (2, 0)
    assert found["lost"] == [
        {"path": "lost.py", "line": 9, "cell": None, "why": "`elsewhere.unwell` is not seen"},
        {
            "path": "lost.py",
            "line": 15,
            "cell": None,
            "why": "no run came to it; who calls `never`, and with what, is not in sight",
        },
    ]
    main(["check", "--no-cache", "lost.py"])
    told = capsys.readouterr().out
    assert "followed 0 of 2 backward calls\n  lost.py:9: `elsewhere.unwell` is not seen\n" in told
    assert "`secondpass trace SCRIPT` would show" in told


def test_what_another_program_follows_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("work.py").write_text("def step(state):\n    state['made'].backward()\n")
    Path("start.py").write_text(
        "import torch\nfrom work import step\nstep({'made': torch.nn.Linear(2, 1)(torch.randn(3, 2)).sum()})\n"
    )
    assert coverage(capsys, "work.py")["followed"] == 0
    assert coverage(capsys, ".")["followed"] == 1
