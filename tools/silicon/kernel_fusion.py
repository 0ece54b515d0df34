"""The kernels of allenkchau/trainium-kernel-fusion on Trn2: attention and GEMM+GELU, separate and
fused.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from silicon.case import LAUNCH_US, Case, NotReproducibleError
from silicon.rows import Row

# The benchmark's latency leaves out a part of what a profile counts: 96 us against 102.7 us for the
# same kernel and size (T2FUSE-011, T2TRACEK-001).
LATENCY_LAUNCH_US = LAUNCH_US - 6.7
DTYPES = {"fp32": np.float32, "bf16": ml_dtypes.bfloat16}


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    sys.path.insert(0, str(checkout))

    def case_of(row: Row) -> Case:
        for form in (_attention_latency, _attention_profile, _product, _sweep):
            if case := form(row):
                return case
        raise NotReproducibleError("no builder for this row of trainium-kernel-fusion")

    return case_of


def _attention_latency(row: Row) -> Case | None:
    found = re.fullmatch(r"attention (baseline|fused) (fp32|bf16) seq (\d+) d (\d+)", row.workload)
    if found is None or row.metric != "p50_latency":
        return None
    kind, dtype, length = found.groups()[:3]
    return _attention(kind, dtype, int(length), LATENCY_LAUNCH_US)


def _attention_profile(row: Row) -> Case | None:
    if row.metric != "total_time":
        return None
    if (found := re.match(r"(baseline|fused)_(bf16|fp32)_s(\d+): attention", row.workload)) or (
        found := re.match(r"(baseline|fused)_attention: attention (fp32) s(\d+)", row.workload)
    ):
        kind, dtype, length = found.groups()
    else:
        return None
    return _attention(kind, dtype, int(length), LAUNCH_US)


def _attention(kind: str, dtype: str, length: int, launch_us: float) -> Case:
    module = importlib.import_module(f"kernels.{kind}.attention")
    tensors = {f"{name}_ref": np.zeros((128, length), DTYPES[dtype]) for name in "qkv"}
    kernel = getattr(module, f"{kind}_attention")
    return Case(kernel, tensors, launch_us=launch_us, ladder="attention, separate and fused")


def _product(row: Row) -> Case | None:
    found = re.fullmatch(
        r"GEMM\+GELU (baseline|fused_pwl|fused_taylor) (fp32|bf16) M(\d+) K(\d+) N(\d+)",
        row.workload,
    )
    if found is None or row.metric != "p50_latency":
        return None
    kind, dtype = found.groups()[:2]
    sizes = [int(size) for size in found.groups()[2:]]
    return _gemm_gelu(kind, dtype, sizes, f"GEMM+GELU {dtype}, sizes")


def _sweep(row: Row) -> Case | None:
    found = re.fullmatch(r"SBUF sweep GEMM\+GELU (fp32|bf16) M(\d+) K(\d+) N(\d+)", row.workload)
    if found is None or not row.metric.endswith("_p50_latency"):
        return None
    kind = {"baseline": "baseline", "fused": "fused_pwl"}[row.metric.split("_")[0]]
    dtype, *sizes = found.groups()
    return _gemm_gelu(kind, dtype, [int(size) for size in sizes], f"GEMM+GELU {dtype}, rows")


def _gemm_gelu(kind: str, dtype: str, sizes: list[int], ladder: str) -> Case:
    """One fused kernel, or the product and behind it the activation of what it stored."""
    m, k, n = sizes
    tensors: dict[str, Any] = {
        "lhsT": np.zeros((k, m), DTYPES[dtype]),
        "rhs": np.zeros((k, n), DTYPES[dtype]),
        "bias": np.zeros((1, n), DTYPES[dtype]),
    }
    if kind != "baseline":
        fused = importlib.import_module("kernels.fused.mlp")
        kernel = getattr(fused, f"fused_mlp_{kind.removeprefix('fused_')}")
        return Case(kernel, tensors, launch_us=LATENCY_LAUNCH_US, ladder=ladder)
    separate = importlib.import_module("kernels.baseline.mlp_gemm")
    second = Case(
        separate.gelu_kernel, {"y": np.zeros((m, n), DTYPES[dtype])}, launch_us=LATENCY_LAUNCH_US
    )
    return Case(
        separate.gemm_kernel, tensors, launch_us=LATENCY_LAUNCH_US, ladder=ladder, then=second
    )
