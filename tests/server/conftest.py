"""Servers for the tests: one shared by a module where nothing is broken on purpose, a fresh one elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .lsp_client import BARE, VSCODE, Client

CARRIED = """import torch
rnn = torch.nn.RNN(3, 3)
h = torch.zeros(1, 3)
for step in range(3):
    inp = torch.randn(1, 3)
    s = "😀é漢"; out, h = rnn(inp, h)
    loss = out.sum()
    loss.backward()
"""
"""The finding is `rnn(inp, h)` on the sixth line, behind characters of one, two and two UTF-16 units."""

_numbers = itertools.count()


@pytest.fixture
def uri() -> str:
    """A file that no other test has open."""
    return f"file:///tmp/nowhere/train{next(_numbers)}.py"


@pytest.fixture(scope="module")
def pushed() -> Iterator[Client]:
    """A client like VS Code, without pulling."""
    with Client() as client:
        client.initialize(folders=["file:///tmp/nowhere"])
        yield client


@pytest.fixture(scope="module")
def pulling() -> Iterator[Client]:
    with Client() as client:
        client.initialize(VSCODE, {"workspaceDiagnostics": True}, ["file:///tmp/nowhere"])
        yield client


@pytest.fixture(scope="module")
def bare() -> Iterator[Client]:
    """A client that can nearly nothing."""
    with Client() as client:
        client.initialize(BARE)
        yield client


@pytest.fixture
def started() -> Iterator[Callable[..., Client]]:
    """Starts servers of the test's own; they end with it."""
    running: list[Client] = []

    def start(*arguments: Any, settings: Any = None, **named: Any) -> Client:
        client = Client(settings=settings)
        running.append(client)
        client.initialize(*arguments, **named)
        return client

    yield start
    for client in running:
        client.__exit__()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "editors: drives a real editor; needs .ci/editors.sh, chosen by -m editors")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Real editors run where they are asked for; elsewhere they are deselected, and pytest says how many."""
    if "editors" in (config.option.markexpr or ""):
        return
    left = [item for item in items if item.get_closest_marker("editors")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
