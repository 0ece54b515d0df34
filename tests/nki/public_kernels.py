"""Public kernels that run unmodified, each with inputs and a NumPy reference of our own.

The kernels stay where they are: clones of aws-neuron-sdk (its folder nki), nki-samples and
nki-library. Their paths are in TRAINYARD_NEURON_SDK, TRAINYARD_NKI_SAMPLES and
TRAINYARD_NKI_LIBRARY, or given on the command line:

    python tests/nki/public_kernels.py SDK/nki SAMPLES LIBRARY

prints a line for every kernel: its relative error, or why it failed. What runs them is here; the
kernels of nki-library are in public_library.py.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from trainyard import settings

SOURCES = {
    "sdk": "TRAINYARD_NEURON_SDK",
    "samples": "TRAINYARD_NKI_SAMPLES",
    "library": "TRAINYARD_NKI_LIBRARY",
}
RNG = np.random.default_rng(11)


@dataclass(frozen=True)
class Case:
    """One kernel: where it is, what it is given, what it should return."""

    source: str
    file: str  # below the source's folder; of "library" the name of a module
    kernel: str
    inputs: Callable[[], tuple]
    reference: Callable[..., Any]
    tolerance: float = 1e-5  # of the largest element of the reference
    keywords: dict[str, Any] = field(default_factory=dict)  # arguments that are not data
    grid: int | None = None
    checks: bool = True  # False where a kernel reads bytes it never wrote and ignores them

    @property
    def name(self) -> str:
        """Source, file and kernel, with what tells its cases apart."""
        words = [f"{key}={value}" for key, value in self.keywords.items()]
        words += [f"[{self.grid}]"] if self.grid else []
        return " ".join([f"{self.source}:{self.file}:{self.kernel}", *words])


def example(file: str, kernel: str, inputs: Any, reference: Any, tolerance: float = 1e-5) -> Case:
    """A kernel of the SDK's folder of examples."""
    return Case("sdk", f"examples/{file}", kernel, inputs, reference, tolerance)


def normal(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """Normally distributed numbers."""
    return RNG.standard_normal(shape, dtype=np.float32).astype(dtype)


def wide(array: np.ndarray) -> np.ndarray:
    """The array in float64."""
    return np.asarray(array).astype(np.float64)


def matmul(k: int, m: int, n: int, dtype: Any = np.float32) -> Callable[[], tuple]:
    """Inputs of the matrix multiplication tutorials."""
    return lambda: (normal(k, m, dtype=dtype), normal(k, n, dtype=dtype))


def matmul_reference(lhs_t: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """lhs_t transposed times rhs."""
    return wide(lhs_t).T @ wide(rhs)


def transposed_rows(rows: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Every row, a flattened matrix of `shape`, transposed."""
    return rows.reshape(-1, *shape).swapaxes(1, 2).reshape(rows.shape)


def windows(x: np.ndarray, size: int) -> np.ndarray:
    """[C, H/size, W/size, size * size]."""
    c, h, w = x.shape
    parts = wide(x).reshape(c, h // size, size, w // size, size)
    return parts.swapaxes(2, 3).reshape(c, h // size, w // size, size * size)


def mamba_inputs() -> tuple:
    """delta, u [batch, channels, length]; A [channels, states]; B, C [batch, states, length]."""
    batch, channels, states, length = 1, 128, 4, 512
    delta, u = normal(batch, channels, length), normal(batch, channels, length)
    a = -np.abs(normal(channels, states))
    b, c = normal(batch, states, length), normal(batch, states, length)
    return np.abs(delta) * np.float32(0.1), u, a, b, c


def mamba_reference(delta, u, a, b, c) -> np.ndarray:
    """The state space recurrence, step by step."""
    delta, u, a, b, c = map(wide, (delta, u, a, b, c))
    out = np.zeros_like(delta)
    for batch in range(delta.shape[0]):
        state = np.zeros_like(a)
        for t in range(delta.shape[2]):
            step = delta[batch, :, t, None]
            state = np.exp(step * a) * state + step * u[batch, :, t, None] * b[batch, None, :, t]
            out[batch, :, t] = state @ c[batch, :, t]
    return out


def quantised(dtype: Any, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MX data as the kernels take it: (numbers [rows, columns], packed words, scale bytes)."""
    steps = 2.0 ** np.arange(-2, 3)
    signs = RNG.choice([-1, 1], (rows, columns))
    elements = (RNG.choice(steps, (rows, columns)) * signs).astype(dtype)
    scales = RNG.integers(120, 128, (rows // 8, columns // 4), np.uint8)
    spread = np.repeat(np.repeat(2.0 ** (scales.astype(float) - 127), 8, 0), 4, 1)
    if dtype == ml_dtypes.float4_e2m1fn:
        nibbles = elements.view(np.uint8) & 15
        packed = nibbles[:, 0::2] | nibbles[:, 1::2] << 4
    else:
        packed = elements.view(np.uint32)
    return wide(elements) * spread, packed, scales


def mx_product(stationary: np.ndarray, moving: np.ndarray) -> np.ndarray:
    """Four numbers of a row belong to one column of the product."""
    k = stationary.shape[0]
    return np.einsum("kiq,kjq->ij", stationary.reshape(k, -1, 4), moving.reshape(k, -1, 4))


def offline_mx(dtype: Any, name: str) -> Case:
    """A product of matrices that were quantised before."""
    stationary, stationary_words, stationary_scales = quantised(dtype, 128, 512)
    moving, moving_words, moving_scales = quantised(dtype, 128, 2048)
    return Case(
        "sdk",
        "deep-dives/src/mxfp-matmul/mx_kernels.py",
        "kernel_offline_quantized_mx_matmul",
        lambda: (stationary_words, stationary_scales, moving_words, moving_scales, name),
        lambda *_: mx_product(stationary, moving),
        tolerance=1e-2,
    )


def on_device_mx(dtype: Any, name: str, moving_name: str) -> Case:
    """A product of a matrix that was quantised before with one quantised by the kernel."""
    stationary, words, scales = quantised(dtype, 128, 512)
    exact, _, _ = quantised(ml_dtypes.float8_e4m3fn, 128, 2048)
    return Case(
        "sdk",
        "deep-dives/src/mxfp-matmul/mx_kernels.py",
        "kernel_on_device_quantize_matmul_mx",
        lambda: (words, scales, exact.astype(ml_dtypes.bfloat16), name, moving_name),
        lambda *_: mx_product(stationary, exact),
        tolerance=1e-2,
    )


def strided_mx(kernel: str, use_tensor_copy: bool) -> Case:
    """Both matrices are quantised by the kernel."""
    return Case(
        "sdk",
        "deep-dives/src/mxfp-matmul/mx_kernels.py",
        kernel,
        lambda: (
            normal(512, 128, dtype=ml_dtypes.bfloat16),
            normal(512, 512, dtype=ml_dtypes.bfloat16),
            "float8_e4m3fn_x4",
            use_tensor_copy,
        ),
        lambda stationary, moving, *_: matmul_reference(stationary, moving),
        tolerance=0.05,
    )


BF16 = ml_dtypes.bfloat16
MATMUL = "matrix_multiplication/matrix_multiplication_nki_kernels.py"
MATMULS = [
    ("nki_matmul_basic_", matmul(128, 64, 512)),
    ("nki_matmul_tiled_", matmul(256, 256, 1024)),
    ("nki_matmul_hoist_load_", matmul(256, 256, 1024)),
    ("nki_matmul_block_free_dimension_", matmul(256, 512, 1024)),
    ("nki_matmul_fully_optimized_", matmul(1024, 2048, 1024, BF16)),
]
ADD = (lambda: (normal(256, 1024), normal(256, 1024)), lambda a, b: wide(a) + b)
SMALL_ADD = (lambda: (normal(4, 3, dtype=np.float16),) * 2, lambda a, b: wide(a) + b)
TRANSPOSE = (lambda: (normal(128, 12), (3, 4)), transposed_rows)
POOL = (lambda: (normal(32, 12, 12), 3), lambda x, size: windows(x, size).mean(-1))
MAX_POOL = (lambda: (normal(32, 12, 12), 3), lambda x, size: windows(x, size).max(-1))
EXP = (lambda: (normal(128, 512),), lambda x: np.exp(wide(x)))
SPLIT = (lambda: (normal(4, 5),), lambda x: (x[:, 0::2], x[:, 1::2]))
MAMBA = (mamba_inputs, mamba_reference)
PACKED = "kernel_copy_strided_quantize_matmul_mx_packed_scale"
SAMPLES = "src/nki_samples/tutorials/"

CASES = [
    *(example(MATMUL, k, i, matmul_reference, 5e-3) for k, i in MATMULS),
    example("transpose2d/transpose2d_nki_kernels.py", "tensor_transpose2D_kernel_", *TRANSPOSE),
    example("average_pool2d/average_pool2d_nki_kernels.py", "tensor_avgpool_kernel", *POOL),
    example("tensor_addition/tensor_addition_nki_kernels.py", "nki_tensor_add", *ADD),
    *(
        example(f"getting_started_{how}.py", "nki_tensor_add_kernel", *SMALL_ADD, tolerance=1e-3)
        for how in ("baremetal", "jax", "torch")
    ),
    example("index-case-1.py", "tensor_split_kernel_", *SPLIT),
    example("index-case-3.py", "tensor_maxpool_kernel_", *MAX_POOL),
    example("layout-pass.py", "tensor_exp_kernel_", *EXP),
    *(
        example("fused_mamba/mamba_nki_kernels.py", f"mamba_v{v}", *MAMBA, tolerance=1e-4)
        for v in (1, 2, 3)
    ),
    offline_mx(ml_dtypes.float8_e5m2, "float8_e5m2_x4"),
    offline_mx(ml_dtypes.float8_e4m3fn, "float8_e4m3fn_x4"),
    offline_mx(ml_dtypes.float4_e2m1fn, "float4_e2m1fn_x4"),
    on_device_mx(ml_dtypes.float4_e2m1fn, "float4_e2m1fn_x4", "float8_e4m3fn_x4"),
    on_device_mx(ml_dtypes.float8_e5m2, "float8_e5m2_x4", "float8_e4m3fn_x4"),
    strided_mx("kernel_copy_strided_quantize_matmul_mx", True),
    strided_mx("kernel_copy_strided_quantize_matmul_mx", False),
    strided_mx(PACKED, True),
    strided_mx(PACKED, False),
    # The other kernels of nki-samples are written for generation 1 of NKI (neuronxcc.nki).
    *(Case("samples", SAMPLES + MATMUL, k, i, matmul_reference, 5e-3) for k, i in MATMULS[3:]),
]

# Whole files whose __main__ block checks itself with NumPy.
SCRIPTS = [
    ("sdk", "examples/getting_started_baremetal.py"),
    ("sdk", "examples/transpose2d/transpose2d_nki_kernels.py"),
    ("sdk", "examples/average_pool2d/average_pool2d_nki_kernels.py"),
    ("sdk", "examples/simulate/nki_simulate_example.py"),
]


def load(case: Case, root: Path) -> Any:
    """The kernel's module; the files beside it can be imported by it."""
    if case.source == "library":
        package = str(root / "src/nkilib_src")
        if package not in sys.path:
            sys.path.append(package)
        return importlib.import_module(case.file)
    path = root / case.file
    sys.path.insert(0, str(path.parent))
    try:
        spec = importlib.util.spec_from_file_location(path.stem.replace("-", "_"), path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def run(case: Case, root: Path) -> float:
    """The largest error of the kernel, relative to the largest element of the reference."""
    kernel = getattr(load(case, root), case.kernel)
    if case.grid:
        kernel = kernel[case.grid]
    inputs = case.inputs()
    with settings.using(checks=case.checks):
        found, wanted = kernel(*inputs, **case.keywords), case.reference(*inputs)
    if not isinstance(wanted, tuple):
        found, wanted = (found,), (wanted,)
    worst = 0.0
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours.shape == theirs.shape, f"shape {ours.shape} instead of {theirs.shape}"
        difference = np.abs(wide(ours) - wide(theirs)).max() / np.abs(theirs).max()
        assert not np.isnan(difference), "the result holds NaN"
        worst = max(worst, float(difference))
    return worst


def main(roots: dict[str, Path]) -> int:
    """Runs everything and prints a line each; the number of failures."""
    failed = 0
    from public_library import CASES as LIBRARY

    for case in (*CASES, *LIBRARY):
        os.environ.pop("NEURON_PLATFORM_TARGET_OVERRIDE", None)  # one of the files sets it
        begin = time.process_time()
        try:
            worst = run(case, roots[case.source])
            said = f"error {worst:.1e}, {time.process_time() - begin:.2f} CPU s"
            good = worst <= case.tolerance
        except Exception as error:
            good, said = False, "".join(traceback.format_exception_only(error)).strip()
        failed += not good
        print("pass" if good else "FAIL", case.name, said, flush=True)
    for source, file in SCRIPTS:
        os.environ.pop("NEURON_PLATFORM_TARGET_OVERRIDE", None)
        try:
            runpy.run_path(str(roots[source] / file), run_name="__main__")
            print("pass", source, file)
        except Exception as error:
            failed += 1
            print("FAIL", source, file, repr(error))
    return failed


if __name__ == "__main__":
    sys.exit(main(dict(zip(SOURCES, map(Path, sys.argv[1:]), strict=True))) != 0)
