#!/bin/sh
# Makes build/torch/venv with PyTorch (tools/torch-requirements.txt) and the wheel that `make install` built; does nothing
# when it holds these already. Building from here would compile the core again, for another Python's folders.
set -eu
cd "$(dirname "$0")/.."
venv=build/torch/venv
if ! $venv/bin/python -c '' 2>/dev/null; then
  rm -rf $venv
  /usr/bin/python3 -m venv $venv
fi
pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --no-compile"
$pip -r tools/build-requirements.txt
$pip --force-reinstall build/wheel/trainyard-*.whl
want=$(sha256sum <tools/torch-requirements.txt | cut -d ' ' -f 1)
if [ "$(cat $venv/torch.sha256 2>/dev/null)" != "$want" ]; then
  $venv/bin/trainyard setup torch
  echo "$want" >$venv/torch.sha256
fi
