#!/bin/sh
# Builds the wheel out of build/release, which is up to date already, and installs it into .venv.
set -eu
cd "$(dirname "$0")/.."
# What is imported is compiled to byte code then.
.venv/bin/python -m pip --disable-pip-version-check install --no-compile --no-build-isolation --no-deps --force-reinstall \
  --config-settings=build-dir=build/release .
.venv/bin/trainyard --version
.venv/bin/python -c 'import nki, trainyard'
