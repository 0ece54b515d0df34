#!/bin/sh
# Checks (or, with --fix, repairs) the formatting of C++ with clang-format and of Python with ruff.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --fix ]; then
  git ls-files '*.cpp' '*.h' | xargs -P "$(nproc)" -n 20 .venv/bin/clang-format -i
  .venv/bin/ruff check -q --fix .
  .venv/bin/ruff format -q .
else
  git ls-files '*.cpp' '*.h' | xargs -P "$(nproc)" -n 20 .venv/bin/clang-format --dry-run -Werror
  .venv/bin/ruff check -q .
  .venv/bin/ruff format -q --check .
fi
