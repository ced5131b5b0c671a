"""The rules' pages: in docs/ as the rules say now, whole, and their prose fit for a terminal and a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

import pytest
import secondpass
from secondpass.cli.main import main as command
from secondpass.docs import FOLDER, main, pages
from secondpass.report.page import render
from secondpass.report.text import plain
from secondpass.rules import RULES

ROOT = Path(__file__).parents[2]
PROSE = ("why", "choosing", "limits", "fix_safety")


def test_the_pages_are_up_to_date() -> None:
    written = {file.name: file.read_text("utf-8") for file in (ROOT / FOLDER).glob("*.md")}
    assert written == pages(), "make docs writes them again"


@pytest.mark.parametrize("code", RULES)
def test_a_rule_has_all_its_words(code: str) -> None:
    rule = RULES[code]
    assert rule.code == code and re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert rule.summary[0] in f"`{rule.summary[0].lower()}" and not rule.summary.endswith(".")
    for name in PROSE:
        text = cleandoc(getattr(rule, name))
        assert len(text.split()) >= 5, name
        for paragraph in text.split("\n\n"):
            assert paragraph.count("`") % 2 == 0, paragraph
            assert paragraph.rstrip()[-1] in ".:?)", paragraph
        assert set(re.findall(r"\bSP\d{3}\b", text)) <= set(RULES), name


@pytest.mark.parametrize("code", RULES)
@pytest.mark.parametrize("width", [60, 80, None])
def test_the_page_fits_the_terminal(code: str, width: int | None) -> None:
    lines = plain(render(RULES[code], width)).split("\n")
    assert lines[0].startswith(f"{code} {RULES[code].name}")
    prose = [line for line in lines[1:] if not line.startswith("    ")]
    assert all(len(line) <= (width or 100) for line in prose)
    assert "# want" not in "\n".join(lines)


def test_explain_gives_markdown_by_code_and_name() -> None:
    text = secondpass.explain("SP101")
    assert text == secondpass.explain("carried-state") == secondpass.explain("sp101")
    assert text.startswith("# SP101 carried-state\n") and "## Which fix is right" in text and "# want" not in text
    with pytest.raises(LookupError, match="unknown rule `SP999`"):
        secondpass.explain("SP999")


def test_importing_the_api_reads_no_pages() -> None:
    script = "import sys, secondpass; print([m for m in sys.modules if m.startswith('secondpass.report')])"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_writing_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "SP000.md").write_text("gone")
    (tmp_path / "notes.md").write_text("kept")
    assert main([str(tmp_path)]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {*pages(), "notes.md"}
    assert main([str(tmp_path / "nowhere")]) == 2 and main(["--help"]) == 2
    assert "no folder" in capsys.readouterr().err


def test_explain_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["explain", "stale-graph"]) == 0
    assert capsys.readouterr().out == plain(render(RULES["SP103"], None))


def test_explain_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["explain", "--all"]) == 0
    rows = [re.split(r" {2,}", row) for row in capsys.readouterr().out.splitlines()]
    assert rows == [[rule.code, rule.name, rule.summary] for rule in RULES.values()]
