#!/bin/sh
# Makes .venv from Debian's Python with the pinned packages of tools/requirements.txt and tools/model-requirements.txt;
# does nothing when .venv already holds exactly these.
set -eu
cd "$(dirname "$0")/.."
want=$({ /usr/bin/python3 --version; cat tools/requirements.txt tools/model-requirements.txt; } | sha256sum | cut -d ' ' -f 1)
stamp=.venv/requirements.sha256
[ "$(cat "$stamp" 2>/dev/null)" != "$want" ] || exit 0

if ! .venv/bin/python -c '' 2>/dev/null; then
  rm -rf .venv
  /usr/bin/python3 -m venv .venv
fi
.venv/bin/python -m pip --disable-pip-version-check install --no-deps --retries 5 \
  -r tools/requirements.txt -r tools/model-requirements.txt
# Whatever is missing, the packages of models aside: they ask for more than their files.
models=$(sed -n 's/^\([A-Za-z0-9-]*\)==.*/\1/p' tools/model-requirements.txt | paste -sd '|')
if .venv/bin/python -m pip --disable-pip-version-check check | grep -avE "^($models|No broken requirements) "; then
  echo "pins of tools/requirements.txt do not fit each other" >&2
  exit 1
fi
echo "$want" >"$stamp"
