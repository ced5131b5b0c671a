"""One warm process for the whole session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.trace.warm import Warm


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    server = Warm()
    yield server
    server.close()
