"""Programs over real frameworks run where they are asked for (`-m frameworks`); elsewhere they are deselected."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "frameworks: runs a real framework; needs `make frameworks`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "frameworks" in (config.option.markexpr or ""):
        return
    left = [item for item in items if item.get_closest_marker("frameworks")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
