#!/bin/sh
# Builds the wheel out of build/release, which is up to date already, and installs it into .venv.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m pip --disable-pip-version-check install --no-build-isolation --no-deps --force-reinstall \
  --config-settings=build-dir=build/release .
.venv/bin/trainyard --version
.venv/bin/python -c 'import nki, trainyard'
