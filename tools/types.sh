#!/bin/sh
# Checks the types of the public Python packages with pyright (basedpyright, which brings its own Node), as pyproject.toml says.
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/basedpyright --level error "$@"
