"""What people can set for the server. The analysis' own keys (select, ignore, ...) pass through to it untouched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OWN: Mapping[str, type] = {
    "enable": bool,
    "inlayHints": bool,
    "codeLens": bool,
    "workspaceDiagnostics": bool,
    "diagnostics": str,
    "python": str,
}
"""The server's own keys under `secondpass.`; everything else belongs to the analysis."""

CLIENTS_OWN = ("trace", "interpreter", "path", "server")
"""Keys that editors' extensions keep for themselves under the same prefix."""


@dataclass(frozen=True)
class Settings:
    enable: bool = True
    inlay_hints: bool = True
    code_lens: bool = True
    workspace_diagnostics: bool = False
    python: str = ""
    """The interpreter that runs a script for validation; empty means the server's own."""
    analysis: Mapping[str, Any] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    """One line for each key whose value could not be used."""


def read(value: Any) -> Settings:
    """Settings from the value of the client's section `secondpass`, or from its initialization options."""
    if not isinstance(value, Mapping):
        return Settings()
    own: dict[str, Any] = {}
    complaints = []
    for key, kind in OWN.items():
        if value.get(key) is None:
            continue
        if isinstance(value[key], kind):
            own[key] = value[key]
        else:
            complaints.append(f"secondpass.{key}: expected {kind.__name__}, got {value[key]!r}")
    return Settings(
        enable=own.get("enable", True),
        inlay_hints=own.get("inlayHints", True),
        code_lens=own.get("codeLens", True),
        workspace_diagnostics=own.get("workspaceDiagnostics", False),
        python=own.get("python", ""),
        analysis={k: v for k, v in value.items() if k not in OWN and k not in CLIENTS_OWN and v is not None},
        complaints=tuple(complaints),
    )
