"""What jupyterlab-lsp finds of us by itself (entry point `jupyter_lsp_spec_v1`)."""

from __future__ import annotations

import sys
from typing import Any


def spec(app: Any) -> dict[str, Any]:
    """Our server, run by the interpreter this is installed in; `app` is Jupyter's server, which we need nothing of."""
    return {
        "secondpass": {
            "version": 2,
            "argv": [sys.executable, "-m", "secondpass_server", "--stdio"],
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/x-ipython"],
            "display_name": "secondpass",
        }
    }
