"""A notebook in JupyterLab with jupyterlab-lsp, in Chromium: see, read, fix by typing, save."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from .setup import FIXED, HERE, Desk, blocks, editor, write

pytestmark = pytest.mark.editors

PYTHON = Path.home() / ".cache" / "secondpass-editors" / "jupyter/bin/python"
PICTURES = HERE.parents[2] / "build" / "pictures"
CELLS = (
    ("markdown", "# Training"),
    ("code", "import torch\n\nrnn = torch.nn.RNN(3, 3)\nh = torch.zeros(1, 3)"),
    (
        "code",
        "for step in range(3):\n    inp = torch.randn(1, 3)\n"
        '    note = "😀é漢"; out, h = rnn(inp, h)\n    loss = out.sum()\n    loss.backward()',
    ),
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    cells = [
        {
            "cell_type": kind,
            "id": f"cell{number}",
            "metadata": {},
            "source": source,
            **({"outputs": [], "execution_count": None} if kind == "code" else {}),
        }
        for number, (kind, source) in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}
    write(desk.project / "train.ipynb", json.dumps(notebook))
    return desk


def served(desk: Desk, python: str, options: Sequence[str]) -> Iterator[str]:
    """JupyterLab over the project's folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{kind}_DIR": str(desk.home / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    fixed = (
        f"--port={port}",
        f"--ServerApp.root_dir={desk.project}",
        "--no-browser",
        "--ip=127.0.0.1",
        "--allow-root",
        "--IdentityProvider.token=",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    )
    environment = {**desk.environment, **own, "IPYTHONDIR": str(desk.home / "ipython")}
    log = (desk.folder / "jupyter.log").open("wb")
    server = subprocess.Popen([python, "-m", "jupyterlab", *fixed, *options], env=environment, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while not answers(f"http://127.0.0.1:{port}/api"):
            assert server.poll() is None and time.monotonic() < end, (desk.folder / "jupyter.log").read_text()
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("way", ["entry point", "configuration"])
def test_a_notebook(desk: Desk, way: str) -> None:
    python = editor("jupyter-python", str(PYTHON))
    options: list[str] = []
    if way == "configuration":
        options = ["--LanguageServerManager.autodetect=False"]
        write(desk.home / "CONFIG/jupyter_server_config.json", blocks("jupyterlab.md", "json")[0])
    PICTURES.mkdir(parents=True, exist_ok=True)
    for address in served(desk, python, options):
        command = [python, str(HERE / "jupyterlab.py"), f"{address}/lab/tree/train.ipynb", str(PICTURES)]
        ran = subprocess.run(command, env=desk.environment, capture_output=True, text=True, timeout=200, check=False)
        assert ran.returncode == 0, ran.stderr[-3000:] + (desk.folder / "jupyter.log").read_text()[-3000:]
    saved = json.loads((desk.project / "train.ipynb").read_text("utf-8"))
    assert FIXED in "".join(saved["cells"][2]["source"])
