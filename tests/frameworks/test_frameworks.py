"""Programs over real frameworks, judged twice: by the framework, which runs them, and by secondpass, which reads them.

Their marks are those of all programs (judge/marks.py). The frameworks are installed by `make frameworks` into an
environment of their own, beside the PyTorch of the project; only what runs there needs them (`pytest -m frameworks`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from secondpass import check_text

from tests.judge.forkserver import ForkServer
from tests.judge.marks import marks

HERE = Path(__file__).parent
PYTHON = os.environ.get("SECONDPASS_FRAMEWORKS", HERE.parents[1] / ".venv-frameworks" / "bin" / "python")
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
programs = pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
LOADED = (
    "accelerate fastai.learner gpytorch ignite.engine lightning skorch snntorch spikingjelly.activation_based "
    "torch_geometric.nn transformers.trainer"
).split()
FRAMEWORKS = "accelerate fabric fastai geometric gpytorch ignite lightning skorch snntorch spikingjelly transformers"


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    """A process that has loaded every framework."""
    with ForkServer(str(PYTHON), 60, LOADED) as started:
        yield started


@pytest.mark.frameworks
@programs
def test_the_framework_ends_as_marked(server: ForkServer, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected, found = marks(text), server.truth(text)
    assert (found.exception, found.line) == (expected.exception, expected.line), found.message


@programs
def test_secondpass_finds_what_is_marked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    report = check_text(text, path.name)
    assert not report.errors
    assert Counter((f.span.line, f.rule) for f in report.findings) == marks(text).findings


@pytest.mark.parametrize("framework", FRAMEWORKS.split())
def test_each_framework_is_shown_from_both_sides(framework: str) -> None:
    told = {bool(marks(p.read_text(encoding="utf-8")).findings) for p in PROGRAMS if p.stem.startswith(framework)}
    assert told == {True, False}
