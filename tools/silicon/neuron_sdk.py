"""The matrix products of AWS's tutorial, timed on Trn1 and Trn2, from its documentation."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
from suite.source import module_of

from silicon.case import Case, NotReproducibleError
from silicon.rows import Row

KERNELS = "examples/matrix_multiplication/matrix_multiplication_nki_kernels.py"
DTYPES = {"fp32": np.float32, "bf16": ml_dtypes.bfloat16}

# The kernel of a step, by the last words of the workload.
STEPS = {
    "tiled": "nki_matmul_tiled_",
    "hoisted loads": "nki_matmul_hoist_load_",
    "blocked free dims": "nki_matmul_block_free_dimension_",
    "fully optimised": "nki_matmul_fully_optimized_",
    "blocked M,N,K (16,2,8)": "nki_matmul_fully_optimized_",
}


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout (or its folder `nki`)."""
    folder = checkout / "nki" if (checkout / "nki" / KERNELS).exists() else checkout
    if not (folder / KERNELS).exists():
        raise NotReproducibleError(f"{KERNELS} is missing")

    def case_of(row: Row) -> Case:
        found = re.match(r"(bf16|fp32) matmul \[(\d+),(\d+)\]x\[\d+,(\d+)\]", row.workload)
        step = next((name for name in STEPS if row.workload.endswith(name)), None)
        if found is None or step is None or row.metric not in ("latency", "total_time"):
            raise NotReproducibleError("no builder for this row of aws-neuron-sdk")
        module = module_of(folder / KERNELS)
        dtype = DTYPES[found.group(1)]
        m, k, n = (int(size) for size in found.groups()[1:])
        tensors = {"lhsT": np.zeros((k, m), dtype), "rhs": np.zeros((k, n), dtype)}
        ladder = f"matrix product {found.group(1)}"
        return Case(getattr(module, STEPS[step]), tensors, ladder=ladder)

    return case_of
