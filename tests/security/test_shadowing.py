"""However we are started, nothing of the folder we are started in is imported.

The folder holds a file for every module that we could import: one that is imported leaves its name behind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from secondpass_server.jupyter import spec

OURS = ("secondpass", "secondpass_server")
THIRD = ("pygls", "lsprotocol", "libcst", "pathspec", "platformdirs", "rich", "attrs", "attr", "cattrs", "tomli")
PYTHON = subprocess.run(
    [sys.executable, "-c", "import sys, runpy; print(*{name.partition('.')[0] for name in sys.modules})"],
    capture_output=True,
    text=True,
    check=True,
).stdout.split()
"""What Python itself imports to begin, and for `-m`, before any code of ours."""
TEXT = "import torch\nloss = torch.nn.Linear(2, 1)(torch.randn(3, 2)).exp().sum()\nloss.backward()\nloss.backward()\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An untrusted folder, with enough files for several processes."""
    names = {*sys.stdlib_module_names, *THIRD} - {*PYTHON, *OURS} - set(sys.builtin_module_names)
    for name in names:
        said = (
            f"open({str(tmp_path / 'ran')!r}, 'a').write({name + chr(10)!r})\nraise SystemExit('{name} was imported')\n"
        )
        (tmp_path / f"{name}.py").write_text(said)
    (tmp_path / "train.py").write_text(TEXT)
    for number in range(80):
        (tmp_path / f"part_{number}.py").write_text(TEXT)
    return tmp_path


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONSAFEPATH")}


def ended(folder: Path, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    ran = subprocess.run(command, cwd=folder, capture_output=True, env=environment())
    imported = folder / "ran"
    assert not imported.exists(), imported.read_text()
    return ran


def framed(*messages: dict[str, object]) -> bytes:
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


def opened(folder: Path) -> bytes:
    """Open a file that raises."""
    document = {"uri": (folder / "train.py").as_uri(), "languageId": "python", "version": 1, "text": TEXT}
    initialize = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
    return framed(
        {"id": 1, "method": "initialize", "params": initialize},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    )


SCRIPT = Path(sysconfig.get_path("scripts")) / "secondpass"


@pytest.mark.parametrize("start", [[sys.executable, "-m", "secondpass"], [str(SCRIPT)]], ids=["module", "script"])
@pytest.mark.parametrize("arguments", [["check", "train.py"], ["check", "--no-cache", "--jobs", "2", "."]])
def test_the_command_line(folder: Path, start: list[str], arguments: list[str]) -> None:
    ran = ended(folder, [*start, *arguments, "--output-format", "concise"])
    assert ran.returncode == 1 and b"train.py:4:1: SP102" in ran.stdout, ran.stderr


@pytest.mark.parametrize(
    "start",
    [
        [sys.executable, "-m", "secondpass_server", "--stdio"],
        [sys.executable, "-m", "secondpass", "server"],
        spec(None)["secondpass"]["argv"],
    ],
    ids=["module", "command", "jupyter"],
)
def test_the_server_and_its_worker(folder: Path, start: list[str]) -> None:
    with subprocess.Popen(
        start, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(opened(folder))
        server.stdin.flush()
        said = b""
        while b"SP102" not in said and (more := server.stdout.read1()):
            said += more
        server.kill()
    assert not (folder / "ran").exists(), (folder / "ran").read_text()
    assert b"SP102" in said


def test_the_public_interface_is_what_is_exported() -> None:
    import secondpass

    assert all(getattr(secondpass, name) is not None for name in secondpass.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        secondpass.nothing  # noqa: B018
