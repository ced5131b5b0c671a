"""An analysis for the server's own tests: it reads marks, so that a test says exactly what is found and how fast.

A call `rnn(..., h)` is a finding until the text says `h.detach()`; `SLOW:x` takes x seconds and cannot be interrupted,
`BUSY:x` can; `PROVE:x` makes the fixes take so long, `LOOK:x` the hovers; `GROW:x` keeps x MiB; `FAULT` raises, `DIE`
ends the process; `import NAME` adds the other open file's first line to the message.
"""

from __future__ import annotations

import json
import os
import re
import time

from secondpass.fixes.suppress import suppression
from secondpass.source.source import parse
from secondpass_server.analysis import (
    Edit,
    FileError,
    Finding,
    Fix,
    Hover,
    Hovers,
    Inlay,
    LineTable,
    Outcome,
    RaisesAt,
    Report,
    Severity,
    Span,
    Step,
    TraceVerdict,
    Unit,
)


class Fake:
    def __init__(self) -> None:
        self.checks = 0
        self.kept = bytearray()

    def check(self, unit: Unit) -> Outcome:
        self.checks += 1
        findings: list[Finding] = []
        inlays: list[Inlay] = []
        for cell, text in cells(unit):
            if slow := re.search(r"SLOW:([\d.]+)", text):
                time.sleep(float(slow[1]))
            busy("BUSY", text)
            if grow := re.search(r"GROW:(\d+)", text):
                self.kept = bytearray(b"x") * (int(grow[1]) * 2**20)
            if "FAULT" in text:
                raise ValueError("asked to fail\nwith a second line")
            if "DIE" in text:
                os._exit(3)
            found = [] if "h.detach()" in text else self._find(unit, text, cell)
            findings += found
            inlays += [Inlay(f.span.line, f.span.column, "h ⟲", "crosses the iteration", cell) for f in found]
        return Outcome(Report(1, findings, [FileError(unit.path, 1, "nothing")]), tuple(inlays))

    def _find(self, unit: Unit, text: str, cell: int | None) -> list[Finding]:
        lines = LineTable(text).lines
        found = []
        for number, line in enumerate(lines, 1):
            if (call := re.search(r"rnn\(\w+, h\)", line)) is None:
                continue
            span = Span(unit.path, number, call.start() + 1, number, call.end() + 1, cell)
            walk = next((i for i, other in enumerate(lines, 1) if ".backward()" in other), number)
            walked = lines[walk - 1]
            back = Span(unit.path, walk, len(walked) - len(walked.lstrip()) + 1, walk, len(walked) + 1, cell)
            loop = next((i for i, other in enumerate(lines, 1) if other.startswith("for ")), None)
            imported = re.search(r"^import (\w+)", text, re.MULTILINE)
            seen = [t for p, t in unit.open_texts.items() if imported and p.endswith(f"/{imported[1]}.py")]
            found.append(
                Finding(
                    rule="SP101",
                    name="carried-state",
                    severity=Severity(unit.client.get("severity", {}).get("SP101", "error")),
                    span=span,
                    message="`h` carries the graph of the previous iteration"
                    + "".join(s.splitlines()[0] for s in seen),
                    assumptions=("assuming `rnn` has parameters",) if "assume" in text else (),
                    raises_at=RaisesAt(unit.path, walk, 2, cell),
                    witness=(
                        Step("built", span, 1, "iteration 1 builds `h` here"),
                        Step("consumed", back, 1, "iteration 1 consumes that graph here"),
                        Step("walked-again", back, 2, "iteration 2 walks into it and raises"),
                    ),
                    loop=Span(unit.path, loop, 1, loop, len(lines[loop - 1]) + 1, cell) if loop else None,
                    subject="h",
                )
            )
        return found

    def fixes(self, unit: Unit, finding: Finding) -> tuple[Fix, ...]:
        busy("PROVE", unit.text)
        span = finding.span
        line = LineTable(dict(cells(unit))[span.cell]).lines[span.line - 1]
        indent = line[: len(line) - len(line.lstrip())]
        before = Span(unit.path, span.line, 1, span.line, 1, span.cell)
        safety = "safe" if "safe" in unit.text else "changes-gradients"
        return (
            Fix("detach", "Keep the graph", "costs-memory", False, (Edit(before, f"{indent}pass  # other\n"),)),
            Fix("detach", "Detach `h` before it is used", safety, True, (Edit(before, f"{indent}h = h.detach()\n"),)),
        )

    def silencing(self, unit: Unit, finding: Finding) -> Fix | None:
        return suppression(parse(unit.text, unit.path), finding)

    def fixed(self, unit: Unit, fix: Fix) -> dict[str, str]:
        lines = unit.text.splitlines(keepends=True)
        lines.insert(fix.edits[0].span.line - 1, fix.edits[0].text)
        return {unit.path: "".join(lines)}

    def hovers(self, unit: Unit) -> Hovers:
        busy("LOOK", unit.text)
        found = []
        for cell, text in cells(unit):
            for number, line in enumerate(LineTable(text).lines, 1):
                for name in re.finditer(r"\b(h|loss)\b", line):
                    span = Span(unit.path, number, name.start() + 1, number, name.end() + 1, cell)
                    told = f"`{name[0]}`: live graph of this iteration\n\nreaches 2 parameters; `detach` cuts it"
                    found.append(Hover(told, span, span))
        return Hovers.of(found)

    def graph(self, unit: Unit, line: int | None, cell: int | None) -> str:
        return f"<!doctype html><title>{line} {cell}</title>"

    def explain(self, code: str) -> str:
        return f"# {code}\n\nwhy it raises"

    def traced(self, unit: Unit, trace: str) -> Outcome:
        outcome = self.check(unit)
        outcome.report.findings[:] = [f.with_trace(TraceVerdict("confirmed", 2)) for f in outcome.report.findings]
        return outcome


def busy(word: str, text: str) -> None:
    """Be in Python code for as long as the text says."""
    if asked := re.search(rf"{word}:([\d.]+)", text):
        end = time.monotonic() + float(asked[1])
        while time.monotonic() < end:
            pass


def cells(unit: Unit) -> list[tuple[int | None, str]]:
    if not unit.path.endswith(".ipynb") or not unit.text.startswith("{"):
        return [(None, unit.text)]
    read = json.loads(unit.text)["cells"]
    return [(index, cell["source"]) for index, cell in enumerate(read) if cell["cell_type"] == "code"]
