#!/usr/bin/env bash
# Installs what the tests in a real VS Code need, outside of the project: node 24, code-server, playwright-core.
#
#   TILESCOPE_VSCODE   where (default: ~/.cache/tilescope-vscode); about 1 GB
#
# Chromium and what builds code-server's native parts are the system's:
#   apt-get install chromium libkrb5-dev libsecret-1-dev pkg-config build-essential libx11-dev libxkbfile-dev
set -euo pipefail
where=${TILESCOPE_VSCODE:-$HOME/.cache/tilescope-vscode}
mkdir -p "$where"
cd "$where"
if [ ! -x node_modules/.bin/code-server ] || [ ! -d node_modules/playwright-core ]; then
  [ -f package.json ] || echo '{"private": true}' > package.json
  # code-server builds native parts: with node 24, which has to be there before.
  npm install --no-audit --no-fund --silent node@24
  PATH="$where/node_modules/node/bin:$PATH" npm install --no-audit --no-fund --silent code-server@4.139.1 playwright-core@1
fi
echo "$where"
