#!/bin/sh
# Makes .venv from Debian's Python with the pinned packages of tools/requirements.txt; does nothing when .venv already
# holds exactly these.
set -eu
cd "$(dirname "$0")/.."
want=$({ /usr/bin/python3 --version; cat tools/requirements.txt; } | sha256sum | cut -d ' ' -f 1)
stamp=.venv/requirements.sha256
[ "$(cat "$stamp" 2>/dev/null)" != "$want" ] || exit 0

if ! .venv/bin/python -c '' 2>/dev/null; then
  rm -rf .venv
  /usr/bin/python3 -m venv .venv
fi
.venv/bin/python -m pip --disable-pip-version-check install --no-deps --retries 5 -r tools/requirements.txt
.venv/bin/python -m pip --disable-pip-version-check check
echo "$want" >"$stamp"
