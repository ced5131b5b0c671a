"""The same messages with the analysis that people get: from a text to its proved fix and back to silence."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import CARRIED
from .lsp_client import PUSHED, REAL, VSCODE, Client
from .test_code_actions import applied
from .test_notebooks import cell, opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with Client(REAL) as client:
        client.initialize(PUSHED, folders=[folder.as_uri()])
        yield client
        assert client.logged == []
        assert client.leave() == 0
        assert client.stderr == b""


def test_find_fix_and_find_no_more(client: Client, folder: Path) -> None:
    uri = (folder / "train.py").as_uri()
    client.open(uri, CARRIED)
    (diagnostic,) = client.diagnostics(uri, 1)
    assert (diagnostic["code"], diagnostic["severity"]) == ("SP101", 1)
    assert diagnostic["range"] == {"start": {"line": 5, "character": 25}, "end": {"line": 5, "character": 36}}
    assert diagnostic["message"].startswith("`h` carries the graph of the previous iteration into `rnn(inp, h)`")
    assert len(diagnostic["relatedInformation"]) >= 4

    action = client.actions(uri, 5, 26)[0]
    assert action["isPreferred"] is True
    (change,) = client.request("codeAction/resolve", action)["edit"]["documentChanges"]
    fixed = applied(CARRIED, change["edits"])
    assert "h.detach()" in fixed
    client.change(uri, 2, {"text": fixed})
    assert client.diagnostics(uri, 2) == []
    assert client.actions(uri, 5, 26) == []


def test_hover_says_what_a_name_holds(client: Client, folder: Path) -> None:
    uri = (folder / "hover.py").as_uri()
    client.open(uri, CARRIED)
    found = client.at("textDocument/hover", uri, 6, 6)
    assert found["contents"]["value"].splitlines()[0].startswith("`loss`: ")
    assert found["range"]["start"] == {"line": 6, "character": 4}
    both = client.at("textDocument/hover", uri, 5, 30)["contents"]["value"]
    assert both.splitlines()[0].startswith("**SP101** `h` carries")
    assert both.count("carries the graph of the previous iteration into") == 1
    assert client.at("textDocument/hover", uri, 0, 2) is None


def test_code_that_could_as_well_not_be_there_is_greyed_out(client: Client, folder: Path) -> None:
    uri = (folder / "grey.py").as_uri()
    client.open(uri, CARRIED.replace("backward()", "backward(retain_graph=True)").replace("rnn(inp, h)", "rnn(inp)"))
    (diagnostic,) = client.diagnostics(uri, 1)
    assert (diagnostic["code"], diagnostic["tags"], diagnostic["severity"]) == ("SP202", [1], 3)
    assert diagnostic["range"]["start"] == {"line": 7, "character": 18}
    (action,) = [one for one in client.actions(uri, 7, 20) if one.get("isPreferred")]
    (change,) = client.request("codeAction/resolve", action)["edit"]["documentChanges"]
    assert "retain_graph" not in applied(CARRIED.replace("backward()", "backward(retain_graph=True)"), change["edits"])


def test_graph_and_explanation(client: Client, folder: Path) -> None:
    uri = (folder / "graph.py").as_uri()
    client.open(uri, CARRIED)
    shown = client.command("secondpass.showGraph", uri, 8)
    assert "<svg" in Path(shown.removeprefix("file://")).read_text("utf-8")
    assert "SP101" in client.command("secondpass.explain", "SP101")
    unknown = client.error("workspace/executeCommand", {"command": "secondpass.explain", "arguments": ["SP000"]})
    assert "unknown rule" in unknown["message"]


def test_a_notebook_is_one_program(client: Client) -> None:
    notebook = "file:///tmp/nowhere/real.ipynb"
    lines = CARRIED.splitlines(keepends=True)
    opened(
        client,
        notebook,
        ("r-text", 1, "# title"),
        ("r-setup", 2, "%matplotlib inline\n" + "".join(lines[:3])),
        ("r-loop", 2, "".join(lines[3:])),
    )
    assert client.diagnostics(cell("r-setup"), 1) == []
    found = client.diagnostics(cell("r-loop"), 1)
    (carried,) = [one for one in found if one["code"] == "SP101"]
    assert carried["range"]["start"] == {"line": 2, "character": 25}
    hover = client.at("textDocument/hover", cell("r-loop"), 3, 6)
    assert hover["range"] == {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 8}}
    assert (
        "it reaches an earlier iteration's graph of cell 3, line 3, consumed at cell 3, line 5"
        in hover["contents"]["value"]
    )
    action = client.request("codeAction/resolve", client.actions(cell("r-loop"), 2, 26)[0])
    assert action["edit"]["documentChanges"][0]["textDocument"]["uri"] == cell("r-loop")


def test_the_unsaved_text_of_an_imported_file_counts(client: Client, folder: Path) -> None:
    step, main = folder / "stepping.py", folder / "main.py"
    step.write_text("def advance(rnn, x, h):\n    out, h = rnn(x, h)\n    return out, h\n")
    text = CARRIED.replace("import torch\n", "import torch\nfrom stepping import advance\n").replace(
        "rnn(inp, h)", "advance(rnn, inp, h)"
    )
    main.write_text(text, "utf-8")
    client.open(main.as_uri(), text)
    assert [one["code"] for one in client.diagnostics(main.as_uri(), 1)] == ["SP101"]
    client.open(step.as_uri(), step.read_text())
    client.change(step.as_uri(), 2, {"text": step.read_text().replace("return out, h", "return out, h.detach()")})
    client.wait("textDocument/publishDiagnostics", lambda p: p["uri"] == main.as_uri() and not p["diagnostics"])
    client.shut(step.as_uri())
    client.wait("textDocument/publishDiagnostics", lambda p: p["uri"] == main.as_uri() and p["diagnostics"])


def test_hover_and_fixes_are_those_of_the_unsaved_text(client: Client, folder: Path) -> None:
    step, main = folder / "cutting.py", folder / "uses_cutting.py"
    step.write_text("def advance(rnn, x, h):\n    out, h = rnn(x, h)\n    return out, h.detach()\n")
    text = CARRIED.replace("import torch\n", "import torch\nfrom cutting import advance\n").replace(
        "rnn(inp, h)", "advance(rnn, inp, h)"
    )
    main.write_text(text, "utf-8")
    client.open(step.as_uri(), step.read_text().replace("h.detach()", "h"))
    client.open(main.as_uri(), text)
    (diagnostic,) = client.diagnostics(main.as_uri(), 1)
    start = diagnostic["range"]["start"]
    assert any(action.get("isPreferred") for action in client.actions(main.as_uri(), start["line"], start["character"]))
    line = next(number for number, line in enumerate(text.splitlines()) if "out.sum()" in line)
    told = client.at("textDocument/hover", main.as_uri(), line, 12)["contents"]["value"]
    assert "reaches an earlier iteration's graph of line 2 of cutting.py, consumed at line 9" in told


def test_broken_syntax_hides_nothing_else(client: Client, folder: Path) -> None:
    uri = (folder / "broken.py").as_uri()
    client.open(uri, CARRIED + "\ndef unfinished(:\n")
    assert [one["code"] for one in client.diagnostics(uri, 1)] == ["SP101"]


def test_nothing_is_found_in_other_python(client: Client, folder: Path) -> None:
    uri = (folder / "web.py").as_uri()
    client.open(uri, "import flask\napp = flask.Flask(__name__)\n")
    assert client.diagnostics(uri, 1) == []


def test_configuration_of_the_project_and_the_editor(tmp_path: Path) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text('[tool.secondpass]\nseverity = { SP101 = "warning" }\nexclude = ["old/"]\nselct = ["SP1"]\n')
    uri, old = (tmp_path / "train.py").as_uri(), (tmp_path / "old" / "train.py").as_uri()
    with Client(REAL, settings={"ignore": ["SP301"]}) as client:
        client.initialize(PUSHED, folders=[tmp_path.as_uri()])
        client.open(uri, CARRIED)
        assert client.diagnostics(uri, 1)[0]["severity"] == 2
        client.open(old, CARRIED)
        assert client.diagnostics(old, 1) == []
        assert client.at("textDocument/hover", old, 7, 6) is None
        assert [line for line in client.logged if "selct" in line] != []
        assert len(client.logged) == 1
        config.write_text('[tool.secondpass]\nignore = ["SP101"]\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert client.diagnostics(uri, 1) == []
        config.write_text("")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert client.diagnostics(uri, 1)[0]["severity"] == 1
        client.settings = {"ignore": ["SP101"], "select": [], "severity": {}}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and not p["diagnostics"])


def test_validation_by_a_traced_run(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(CARRIED, "utf-8")
    with Client(REAL) as client:
        client.initialize(PUSHED, folders=[tmp_path.as_uri()])
        client.open(file.as_uri(), CARRIED)
        client.diagnostics(file.as_uri(), 1)
        verdicts = client.request(
            "workspace/executeCommand", {"command": "secondpass.validate", "arguments": [file.as_uri()]}, timeout=60
        )
        assert [(one["rule"], one["verdict"]) for one in verdicts] == [("SP101", "confirmed")]
        notes = client.quiet(0.2)
        (shown,) = [m["params"] for m in notes if m["method"] == "textDocument/publishDiagnostics"]
        assert "a traced run says: confirmed" in shown["diagnostics"][0]["message"]
        kinds = [m["params"]["value"]["kind"] for m in notes if m["method"] == "$/progress"]
        assert kinds == ["begin", "end"]
        (begin,) = [m["params"]["value"] for m in notes if m["method"] == "$/progress"][:1]
        assert begin["message"].startswith(f"train.py with {Path(sys.executable).parent}")
        client.change(file.as_uri(), 2, {"text": CARRIED + "\n"})
        error = client.error(
            "workspace/executeCommand", {"command": "secondpass.validate", "arguments": [file.as_uri()]}
        )
        assert error["message"] == "train.py has changes that are not saved; save it before it is run"


def test_the_interpreter_that_was_set_must_be_there(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(CARRIED, "utf-8")
    settings = {"python": "/no/such/python"}
    with Client(REAL, settings=settings) as client:
        client.initialize(PUSHED, settings, [tmp_path.as_uri()])
        client.open(file.as_uri(), CARRIED)
        client.diagnostics(file.as_uri(), 1)
        error = client.error(
            "workspace/executeCommand", {"command": "secondpass.validate", "arguments": [file.as_uri()]}
        )
        assert error["message"] == "there is no Python interpreter at /no/such/python"


def test_a_traced_run_can_be_cancelled_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    text = "import pathlib, time\npathlib.Path('started').touch()\ntime.sleep(60)\n"
    file.write_text(text)
    with Client(REAL) as client:
        client.initialize(PUSHED, folders=[tmp_path.as_uri()])
        client.open(file.as_uri(), text)
        client.diagnostics(file.as_uri(), 1)
        number = client.begin(
            "workspace/executeCommand", {"command": "secondpass.validate", "arguments": [file.as_uri()]}
        )
        token = client.wait("$/progress", lambda p: p["value"]["kind"] == "begin")["token"]
        end = time.monotonic() + 20
        while not (tmp_path / "started").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        client.notify("window/workDoneProgress/cancel", {"token": token})
        assert client.reply(number, 20)["error"]["message"] == "the traced run was cancelled"
        running = subprocess.run(["ps", "-eo", "args="], capture_output=True, text=True, check=True).stdout
        assert str(file) not in running


def test_pulled_too(tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    with Client(REAL) as client:
        client.initialize(VSCODE, folders=[tmp_path.as_uri()])
        client.open(uri, CARRIED)
        report: Any = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert [one["code"] for one in report["items"]] == ["SP101"]
        assert json.dumps(report).count(uri) >= 4
