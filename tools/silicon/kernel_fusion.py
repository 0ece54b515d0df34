"""The attention kernels of allenkchau/trainium-kernel-fusion on Trn2, separate and fused."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np

from silicon.case import Case, NotReproducibleError
from silicon.nki_library import LAUNCH_US
from silicon.rows import Row

# The benchmark's latency leaves out a part of what a profile counts: 96 us against 102.7 us for the
# same kernel and size (T2FUSE-011, T2TRACEK-001).
LATENCY_LAUNCH_US = LAUNCH_US - 6.7
DTYPES = {"fp32": np.float32, "bf16": ml_dtypes.bfloat16}


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    sys.path.insert(0, str(checkout))

    def case_of(row: Row) -> Case:
        latency = re.fullmatch(
            r"attention (baseline|fused) (fp32|bf16) seq (\d+) d (\d+)", row.workload
        )
        profile = re.match(r"(baseline|fused)_(bf16|fp32)_s(\d+): attention", row.workload)
        if latency and row.metric == "p50_latency":
            kind, dtype, length = latency.groups()[:3]
            launch = LATENCY_LAUNCH_US
        elif profile and row.metric == "total_time":
            kind, dtype, length = profile.groups()
            launch = LAUNCH_US
        else:
            raise NotReproducibleError("no builder for this row of trainium-kernel-fusion")
        module = importlib.import_module(f"kernels.{kind}.attention")
        shape = (128, int(length))
        tensors = {f"{name}_ref": np.zeros(shape, DTYPES[dtype]) for name in "qkv"}
        kernel = getattr(module, f"{kind}_attention")
        return Case(kernel, tensors, launch_us=launch, ladder="attention, separate and fused")

    return case_of
