"""What all tests share: snapshots, exact texts kept beside the tests, rewritten by `pytest --update-snapshots`."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    # what the command line keeps for its next run is no business of the tests' own next run
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="secondpass-tests-")
    parser.addoption("--update-snapshots", action="store_true", help="write what is printed now into the snapshots")


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with `snapshots/NAME` beside the test; one that is missing is a failure."""
    folder = Path(request.path).parent / "snapshots"

    def compare(name: str, text: str) -> None:
        file = folder / name
        if request.config.getoption("--update-snapshots"):
            folder.mkdir(exist_ok=True)
            file.write_bytes(text.encode())
        assert file.exists(), f"no snapshot {file}: make snapshots writes it"
        assert text == file.read_bytes().decode()

    return compare
