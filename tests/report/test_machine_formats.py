"""JSON (a contract, key by key), SARIF (against the standard's schema), GitHub's commands, concise lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
from secondpass.findings import Finding, Report, Severity
from secondpass.report import concise, github, sarif
from secondpass.report import json as json_report
from secondpass.report.lines import lines_of

from . import samples

Snapshot = Callable[[str, str], None]
LINES = lines_of(samples.TEXTS)
SCHEMA = json.loads((Path(__file__).parent / "schema/sarif-2.1.0-rtm.5.json").read_text())
RULE: Any = SimpleNamespace(
    code="SP101", name="carried-state", severity=Severity.ERROR, summary="a carried graph", why="Because."
)


def test_json_keys_are_the_contract() -> None:
    document = json.loads(json_report.render(samples.REPORT))
    assert list(document) == ["version", "files", "errors", "findings", "coverage"]
    assert document["version"] == 1 and document["files"] == 5
    assert document["errors"][0] == {
        "path": "old.py",
        "line": 3,
        "message": "Python 2 syntax: `print` needs parentheses",
    }
    carried = document["findings"][0]
    assert {key: carried[key] for key in ("rule", "name", "severity", "path", "cell", "assumptions", "trace")} == {
        "rule": "SP101",
        "name": "carried-state",
        "severity": "error",
        "path": "train.py",
        "cell": None,
        "assumptions": [],
        "trace": None,
    }
    assert carried["range"] == {"start": {"line": 7, "column": 14}, "end": {"line": 7, "column": 25}}
    assert carried["raises_at"] == {"path": "train.py", "line": 10, "turn": 2, "cell": None}
    assert carried["witness"][1] == {
        "role": "consumed",
        "path": "train.py",
        "cell": None,
        "line": 10,
        "column": 5,
        "end_line": 10,
        "end_column": 20,
        "turn": 1,
        "text": "iteration 1 consumes that graph here",
    }
    assert carried["fixes"][0] == {
        "id": "detach-at-end",
        "title": "Detach `h` at the end of each step (gradients stop at the step's start)",
        "safety": "changes-gradients",
        "preferred": True,
        "edits": [
            {
                "path": "train.py",
                "cell": None,
                "start": {"line": 11, "column": 1},
                "end": {"line": 11, "column": 1},
                "text": "    h = h.detach()\n",
            }
        ],
    }
    notebook = document["findings"][2]
    assert notebook["cell"] == 2 and notebook["raises_at"]["cell"] == 2
    assert [step["cell"] for step in notebook["witness"]] == [1, 2]
    assert notebook["trace"] == {"verdict": "confirmed", "turn": 2, "note": "the second run raised"}
    assert "notes" in json.loads(json_report.render(samples.REPORT, verbose=True))


def test_json_survives_any_path() -> None:
    odd = Finding("SP101", "x", Severity.ERROR, samples.span(1, 1, 2, "a\udc80.py"), "m")
    assert json.loads(json_report.render(Report(1, [odd])).encode("ascii"))["findings"][0]["path"] == "a\udc80.py"


def test_sarif_is_valid(snapshot: Snapshot) -> None:
    text = sarif.render(samples.REPORT, LINES, {"SP101": RULE}, "1.2.3", verbose=True)
    log = json.loads(text)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    run = log["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["SP101", "SP102", "SP107", "SP301"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    flow = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] == [7, 10, 7, 10]
    change = run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["insertedContent"] == {"text": "    h = h.detach()\n"}
    tricky = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert tricky == "%E6%95%B0%E6%8D%AE/tricky.py"
    snapshot("report.sarif", text)


def test_sarif_of_nothing_is_valid() -> None:
    jsonschema.Draft4Validator(SCHEMA).validate(sarif.document(Report(), LINES, {}, "1"))


def test_sarif_schema_is_strict_enough_to_fail() -> None:
    log = sarif.document(samples.REPORT, LINES, {}, "1")
    log["runs"][0]["results"][0]["lines"] = 1
    assert not jsonschema.Draft4Validator(SCHEMA).is_valid(log)


def test_fingerprint_survives_lines_added_above() -> None:
    def fingerprint(text: str, line: int) -> str:
        finding = Finding("SP101", "x", Severity.ERROR, samples.span(line, 1, 2), "m")
        document = sarif.document(Report(1, [finding]), lines_of({"train.py": text}), {}, "1")
        told: str = document["runs"][0]["results"][0]["partialFingerprints"]["secondpass/v1"]
        return told

    assert fingerprint("h = f(h)\n", 1) == fingerprint("\n\nh = f(h)\n", 3) != fingerprint("h = g(h)\n", 1)


def test_github(snapshot: Snapshot) -> None:
    told = github.render(samples.REPORT, verbose=True)
    snapshot("github.txt", told)
    assert told.count("\n") == len(samples.REPORT.findings) + len(samples.REPORT.errors) + len(samples.REPORT.notes)


def test_concise(snapshot: Snapshot) -> None:
    snapshot("concise.txt", concise.render(samples.REPORT, verbose=True))
