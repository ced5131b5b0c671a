"""What the README shows is what the commands print; `make snapshots` writes it again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from secondpass.cli.main import main

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ secondpass (?P<arguments>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)


def test_console_blocks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(ROOT)

    def printed(block: re.Match[str]) -> str:
        main(shlex.split(block["arguments"]))
        return f"```console\n$ secondpass {block['arguments']}\n{capsys.readouterr().out.rstrip()}\n```"

    told = README.read_text("utf-8")
    fresh, count = BLOCK.subn(printed, told)
    if request.config.getoption("--update-snapshots"):
        README.write_text(fresh, "utf-8")
        told = fresh
    assert count == 4
    assert told == fresh
