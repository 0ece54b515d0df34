#!/bin/sh
# Runs the C++ tests, the Python tests, the small demonstration and the published measurements beside simulated ones, all
# of them even when one fails; the last lines are the closing lines of the runners. --fast: the C++ tests of build/dev and
# the structure checks only.
set -u
cd "$(dirname "$0")/.." || exit 1
preset=release
python_tests=tests
if [ "${1:-}" = --fast ]; then
  preset=dev
  python_tests=tests/structure
fi
jobs=$(nproc)
status=0

tools/step ctest ctest --preset "$preset" -j "$jobs" --no-tests=error || status=1
tools/step pytest .venv/bin/python -m pytest -q -n "$jobs" --durations=5 "$python_tests" || status=1
if [ "$preset" = release ] && [ -f examples/demo.py ]; then
  tools/step demo .venv/bin/python examples/demo.py --small || status=1
  tools/step embed .venv/bin/python examples/embed.py --small || status=1
fi
if [ "$preset" = release ]; then
  { tools/step build-fidelity cmake --build --preset release --target fidelity &&
    tools/step fidelity .venv/bin/python tests/fidelity/run.py; } || status=1
fi

grep -E '^[0-9]+% tests passed|^Total Test time|No tests were found' build/logs/ctest.log
tail -n 1 build/logs/pytest.log
exit "$status"
