#!/bin/sh
# Checks (or, with --fix, repairs) the formatting of C++ with clang-format and of Python with ruff.
set -eu
cd "$(dirname "$0")/.."
cpp_files() { git ls-files --cached --others --exclude-standard '*.cpp' '*.h'; }
if [ "${1:-}" = --fix ]; then
  cpp_files | xargs -P "$(nproc)" -n 20 .venv/bin/clang-format -i
  .venv/bin/ruff check -q --fix-only .
  .venv/bin/ruff format -q .
else
  cpp_files | xargs -P "$(nproc)" -n 20 .venv/bin/clang-format --dry-run -Werror
  .venv/bin/ruff check -q .
  .venv/bin/ruff format -q --check .
fi
