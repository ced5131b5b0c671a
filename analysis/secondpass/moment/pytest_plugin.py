"""The pytest plugin: where one of PyTorch's two errors fails a test, its story is a section of the test's report."""

from __future__ import annotations

import shlex
from collections.abc import Generator

import pytest

from .surfaced import surfaced


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    moment = surfaced(call.excinfo.value) if report.failed and call.excinfo is not None else None
    if moment is not None:
        from io import StringIO

        from .story import tell

        told = StringIO()
        tell(moment, shlex.join(["secondpass", "trace", "-m", "pytest", item.nodeid]), told)
        report.sections.append(("secondpass", told.getvalue().lstrip("\n")))
    return report
