"""A file that is checked while it is typed gets the findings that a check of its text gives."""

from __future__ import annotations

import gc
import random
import re
import statistics
import time
from pathlib import Path

import pytest
from secondpass.engine import check_text
from secondpass.findings import Report
from secondpass.live import Live

from benchmarks.training_file import training_file
from tests.source.test_changing import edited

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").rglob("*.py"))
TURNED = (
    ("h.detach()", "h"),
    ("retain_graph=True", "retain_graph=False"),
    (".backward()", ".backward(retain_graph=True)"),
    ("loss = ", "loss = 1 * "),
    ("optimizer.zero_grad()", "optimizer.zero_grad(); pass"),
    ("return ", "return 0, "),
    ("with torch.no_grad():", "if True:"),
    ("for ", "for _ in range(2):\n        pass\n    for "),
    ("self.", "other."),
    ("+=", "="),
)


def assert_same(given: Report, expected: Report, text: str, what: str) -> None:
    assert given.findings == expected.findings, f"{what}\n{text}"
    assert given.errors == expected.errors, f"{what}\n{text}"
    assert given.notes == expected.notes, f"{what}\n{text}"
    assert given.walked == expected.walked, f"{what}\n{text}"


def meant(text: str, chance: random.Random) -> str:
    """A text with one thing in it that matters written otherwise."""
    fitting = [(old, new) for old, new in TURNED if old in text]
    if not fitting:
        return edited(text, chance)
    old, new = chance.choice(fitting)
    at = chance.choice([found.start() for found in re.finditer(re.escape(old), text)])
    return text[:at] + new + text[at + len(old) :]


@pytest.mark.parametrize("seed", range(6))
def test_the_findings_are_those_of_a_check(seed: int) -> None:
    chance = random.Random(seed)
    live = Live()
    for program in chance.sample(PROGRAMS, 14):
        text = program.read_text()
        history = [text]
        for _ in range(10):
            assert_same(live.check(text, "a.py"), check_text(text, "a.py"), text, f"seed {seed}, {program.name}")
            back = len(history) > 1 and chance.random() < 0.25
            text = history[-2] if back else (meant if chance.random() < 0.7 else edited)(text, chance)
            history.append(text)


LIBRARY = """import torch

def fit(model, h, xs):
    for x in xs:
        h = torch.tanh(model(x) + h)
        loss = h.sum()
        loss.backward()
        h = h.detach()
"""
MAIN = """import torch
from library import fit

model = torch.nn.Linear(3, 3)
loss = torch.tanh(model(torch.randn(2, 3))).sum()
loss.backward()
loss.backward()  # secondpass: ignore
fit(model, torch.zeros(2, 3), [torch.randn(2, 3) for _ in range(4)])
"""


def test_other_files_are_read_again_when_they_change(tmp_path: Path) -> None:
    main, library = tmp_path / "main.py", tmp_path / "library.py"
    main.write_text(MAIN)
    live, path = Live(), str(main)
    raising = LIBRARY.replace("        h = h.detach()\n", "")

    def found(texts: dict[str, str] | None = None) -> list[str]:
        report = live.check(MAIN, path, texts=texts)
        assert_same(report, check_text(MAIN, path, texts=texts), MAIN, str(texts))
        return [finding.rule for finding in report.findings]

    assert found() == []  # there is no such file yet
    library.write_text(LIBRARY)
    assert found() == []
    assert found({str(library): raising}) == ["SP101"]
    assert found({str(library): raising, str(tmp_path / "other.py"): "x = 1\n"}) == ["SP101"]
    assert found() == []
    library.write_text(raising)
    assert found() == ["SP101"]
    library.unlink()
    assert found() == []


def test_a_check_that_is_broken_off_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from secondpass.machine import run

    text = LIBRARY + "\nfit(torch.nn.Linear(3, 3), torch.zeros(2, 3), [torch.randn(2, 3) for _ in range(4)])\n"
    live = Live()
    live.check(text, "a.py")
    raising = text.replace("        h = h.detach()\n", "")
    with monkeypatch.context() as patched:
        patched.setattr(run, "_run", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            live.check(raising, "a.py")
    assert [finding.rule for finding in live.check(raising, "a.py").findings] == ["SP101"]
    assert live.check(text, "a.py").findings == []


def typed_and_checked(live: Live, text: str) -> list[float]:
    """Seconds of the processor that the checks take as `+ 0 * step` is typed at the end of a line of a function."""
    at = text.index("running += loss.item()", len(text) // 2) + len("running += loss.item()")
    taken = []
    for size in range(1, 12):
        begun = time.process_time()
        live.check(f"{text[:at]}{' + 0 * step'[:size]}{text[at:]}", "train.py")
        taken.append(time.process_time() - begun)
    return taken


def test_what_is_typed_inside_a_function_costs_a_fraction_of_a_check() -> None:
    live, text = Live(), training_file()
    begun = time.process_time()
    for _ in range(3):
        check_text(text, "train.py")
    whole = (time.process_time() - begun) / 3
    live.check(text, "train.py")
    typed = statistics.median(typed_and_checked(live, text))
    assert typed < whole / 5, f"{1e3 * typed:.0f} ms, a whole check takes {1e3 * whole:.0f} ms"


def test_nothing_is_left_behind_by_texts_that_are_no_more() -> None:
    live, text = Live(), training_file(pieces=6)
    lines = text.split("\n")
    broken = [number for number, line in enumerate(lines) if "with torch.no_grad():" in line]
    sizes = []
    for number in broken * 2:
        live.check("\n".join([*lines[:number], "#" + lines[number], *lines[number + 1 :]]), "train.py")
        live.check(text, "train.py")
        gc.collect()
        sizes.append(len(gc.get_objects()))
    assert sizes[-1] < 1.05 * sizes[2]
