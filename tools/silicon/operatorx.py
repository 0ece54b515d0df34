"""The matrix product of SemiAnalysisAI/InferenceX (experimental/operatorx) on two cores of Trn3."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import ml_dtypes
import numpy as np
from suite.source import module_of

from silicon.case import LAUNCH_US, Case, NotReproducibleError
from silicon.rows import Row

BACKEND = "experimental/operatorx/runners/trainium/backends/nkilib.py"
# What launches kernels on hardware; the kernel does without.
LAUNCHERS = (
    *("torch", "torch_neuronx", "torch_xla", "torch_xla.core", "torch_xla.core.xla_model"),
    *("operatorx", "operatorx.core", "nkilib", "nkilib.core", "nkilib.core.attention"),
    "nkilib.core.attention.attention_cte",
)
_WORKLOAD = re.compile(r"GEMM bf16 M=(\d+) N=(\d+) K=(\d+), kernel _matmul_lnc2\[2\]")


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    absent = {name: mock.MagicMock() for name in LAUNCHERS}
    with mock.patch.dict(sys.modules, absent):
        kernel = module_of(checkout / BACKEND)._matmul_lnc2

    def case_of(row: Row) -> Case:
        found = _WORKLOAD.fullmatch(row.workload)
        if found is None or row.metric != "device_time":
            raise NotReproducibleError("no builder for this row of operatorx")
        m, n, k = map(int, found.groups())
        arrays = [np.zeros(shape, ml_dtypes.bfloat16) for shape in ((k, m), (k, n))]
        # The rows are total times of profiles, which hold the launch as well.
        ladder = "GEMM of operatorx, two cores"
        return Case(kernel, positional=arrays, grid=2, launch_us=LAUNCH_US, ladder=ladder)

    return case_of
