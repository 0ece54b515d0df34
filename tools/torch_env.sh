#!/bin/sh
# Makes build/torch/venv with PyTorch (tools/torch-requirements.txt) and this checkout's Trainyard; does nothing when it
# holds these already.
set -eu
cd "$(dirname "$0")/.."
venv=build/torch/venv
if ! $venv/bin/python -c '' 2>/dev/null; then
  rm -rf $venv
  /usr/bin/python3 -m venv $venv
fi
pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet"
$pip --no-deps -r tools/build-requirements.txt
$pip --no-build-isolation --no-deps --no-compile --force-reinstall --config-settings=build-dir=build/release .
want=$(sha256sum <tools/torch-requirements.txt | cut -d ' ' -f 1)
if [ "$(cat $venv/torch.sha256 2>/dev/null)" != "$want" ]; then
  $venv/bin/trainyard setup torch
  echo "$want" >$venv/torch.sha256
fi
