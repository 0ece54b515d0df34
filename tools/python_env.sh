#!/bin/sh
# Makes .venv from Debian's Python with the pinned packages of tools/*requirements.txt; does nothing when .venv already holds
# exactly these. --build: only those that the build asks for; --run: what the examples need, too, but no tests or linters.
set -eu
cd "$(dirname "$0")/.."
build=tools/build-requirements.txt
run="$build tools/requirements.txt tools/model-requirements.txt"
case ${1:-} in
  --build) lists=$build ;;
  --run) lists=$run ;;
  *) lists="$run tools/serving-requirements.txt tools/test-requirements.txt" ;;
esac
stamp=.venv/requirements${1:-}.sha256
# shellcheck disable=SC2086  # word splitting is wanted
want=$({ /usr/bin/python3 --version; cat $lists; } | sha256sum | cut -d ' ' -f 1)
[ "$(cat "$stamp" 2>/dev/null)" != "$want" ] || exit 0

if ! .venv/bin/python -c '' 2>/dev/null; then
  rm -rf .venv
  /usr/bin/python3 -m venv .venv
fi
# What is imported is compiled then; all of it would take as long as the rest.
# shellcheck disable=SC2046  # likewise
.venv/bin/python -m pip --disable-pip-version-check install --no-compile --no-deps --retries 5 $(printf -- '-r %s ' $lists)
# Whatever is missing, the packages of models aside: they ask for more than their files.
models=$(sed -n 's/^\([A-Za-z0-9-]*\)==.*/\1/p' tools/model-requirements.txt | paste -sd '|')
if .venv/bin/python -m pip --disable-pip-version-check check | grep -avE "^($models|No broken requirements) "; then
  echo "pins of $lists do not fit each other" >&2
  exit 1
fi
echo "$want" >"$stamp"
