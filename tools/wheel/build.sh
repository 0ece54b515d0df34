#!/bin/sh
# Builds a wheel of Trainyard for each CPython that is asked for (default: 3.11 3.12 3.13) into dist/, repairs it to the
# platform of Amazon Linux 2023, checks what is in it, and uses it in a fresh virtual environment; the newest also with the
# newest JAX.
set -eu
cd "$(dirname "$0")/../.."
platform=manylinux_2_34_x86_64
wheels=$PWD/build/wheels
export CXX=/usr/bin/c++  # as in the other builds, so that ccache has most of it already

venv() {  # PYTHON FOLDER
  [ -x "$2/bin/python" ] || "$1" -m venv "$2"
  "$2/bin/python" -m pip --disable-pip-version-check install -q --no-deps -r tools/wheel/requirements.txt
}

mkdir -p "$wheels" dist
venv /usr/bin/python3 "$wheels/tools"
for version in ${*:-3.11 3.12 3.13}; do
  python=$(tools/wheel/pythons.sh "$version")
  venv "$python" "$wheels/venv-$version"
  rm -rf "$wheels/raw-$version"
  "$wheels/venv-$version/bin/python" -m pip --disable-pip-version-check wheel -v --no-color \
    --no-build-isolation --no-deps "--config-settings=build-dir=build/wheel-$version" -w "$wheels/raw-$version" .
  PATH="$wheels/tools/bin:$PATH" "$wheels/tools/bin/auditwheel" repair --plat "$platform" --only-plat \
    -w dist "$wheels/raw-$version"/*.whl
  tag=cp$(echo "$version" | tr -d .)
  wheel=$(ls -t dist/trainyard-*-"$tag"-*.whl | head -n 1)
  "$wheels/tools/bin/python" tools/wheel/inspect_wheel.py "$wheel"
  rm -rf "$wheels/fresh-$version"
  "$python" -m venv "$wheels/fresh-$version"
  "$wheels/fresh-$version/bin/python" -m pip --disable-pip-version-check install -q "$wheel"
  tools/wheel/try_wheel.sh "$wheels/fresh-$version"
  if [ "$version" = 3.13 ]; then tools/wheel/try_jax.sh "$wheels/fresh-$version"; fi
  echo "built and tried $wheel"
done
