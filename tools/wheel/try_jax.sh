#!/bin/sh
# Runs the tests of JAX programs on the wheel that is installed in the virtual environment $1, with the newest JAX.
set -eu
cd "$(dirname "$0")/../.."
unset PYTHONPATH
"$1/bin/python" -m pip --disable-pip-version-check install -q -r tools/wheel/jax-requirements.txt
"$1/bin/python" -m pytest -q -p no:cacheprovider tests/pjrt/test_jax.py tests/pjrt/test_kernels_in_jit.py \
  tests/model/test_jax_programs.py tests/model/test_frameworks.py
