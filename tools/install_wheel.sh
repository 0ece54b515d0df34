#!/bin/sh
# Builds the wheel out of build/release, which is up to date already, into build/wheel, and installs it into .venv.
set -eu
cd "$(dirname "$0")/.."
pip=".venv/bin/python -m pip --disable-pip-version-check"
rm -rf build/wheel
$pip wheel --no-build-isolation --no-deps --config-settings=build-dir=build/release --wheel-dir build/wheel .
# What is imported is compiled to byte code then.
$pip install --no-compile --no-deps --force-reinstall build/wheel/trainyard-*.whl
.venv/bin/trainyard --version
.venv/bin/python -c 'import nki, trainyard'
