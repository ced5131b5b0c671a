"""What jupyterlab-lsp finds of us by itself (entry point `jupyter_lsp_spec_v1`)."""

from __future__ import annotations

from typing import Any

from .link import child


def spec(app: Any) -> dict[str, Any]:
    """Our server, run by the interpreter this is installed in; `app` is Jupyter's server, which we need nothing of.

    It is started in the folder of the notebooks, of which nothing must be imported: see `child`.
    """
    return {
        "secondpass": {
            "version": 2,
            "argv": child("secondpass_server:main", "--stdio"),
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/x-ipython"],
            "display_name": "secondpass",
        }
    }
