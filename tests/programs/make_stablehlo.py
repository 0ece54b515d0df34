"""Writes tests/programs/stablehlo again: python tests/programs/make_stablehlo.py [NAME ...].

Each file gets its module, its inputs, and the outputs that XLA's CPU compiler computes of them.
What compiled code takes is kept; TRAINYARD_WRITE_COSTS=1 makes the C++ tests write it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if __name__ == "__main__":  # JAX writes other modules for other platforms
    os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, str(Path(__file__).parent))
import stablehlo_file
from stablehlo_cases import (
    attention,
    casts,
    control,
    elementwise,
    images,
    indexing,
    long_rows,
    loops,
    networks,
    products,
    rows,
)
from stablehlo_cases.case import CASES, Case

FAMILIES = (
    attention,
    casts,
    control,
    elementwise,
    images,
    indexing,
    long_rows,
    loops,
    networks,
    products,
    rows,
)


def path_of(name: str) -> Path:
    family, _, stem = name.partition("_")
    return stablehlo_file.FOLDER / family / f"{stem}.mlir"


def write(case: Case) -> None:
    file, path = case.file(), path_of(case.name)
    if path.exists() and "cost" in (keys := stablehlo_file.read(path).keys):
        file.keys["cost"] = keys["cost"]
    made = stablehlo_file.run(file)
    file.outputs = [stablehlo_file.line_of(array, file.tolerance) for array in made]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file.text())


def main(names: list[str]) -> int:
    failed = 0
    for case in CASES:
        if names and case.name not in names:
            continue
        try:
            write(case)
        except Exception as error:  # of any kind: all failures are told at once
            failed += 1
            print(f"{case.name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    known = {path_of(case.name) for case in CASES}
    if not names:
        for path in sorted(set(stablehlo_file.FOLDER.rglob("*.mlir")) - known):
            path.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
