"""Kernels of nki-library that run unmodified, with inputs and NumPy references of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import scipy.special
from public_kernels import RNG, Case, normal, wide

BF16 = ml_dtypes.bfloat16


def library(module: str, kernel: str, inputs: Any, reference: Any, **options: Any) -> Case:
    """A kernel of nki-library."""
    return Case("library", f"nkilib.{module}", kernel, inputs, reference, **options)


def cumsum(*shape: int, dtype: Any) -> tuple[Any, Any]:
    """Inputs of the shape, and their sums along the last dimension."""
    return lambda: (normal(*shape, dtype=dtype),), lambda x: np.cumsum(wide(x), -1)


def rotated(x: np.ndarray) -> np.ndarray:
    """The two halves of the last dimension exchanged, the first one negative."""
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], -1)


def rope_hf_inputs() -> tuple:
    """q, k, room for both results, cos and sin."""
    q, k = normal(1, 2, 256, 128), normal(1, 1, 256, 128)
    return q, k, np.zeros_like(q), np.zeros_like(k), normal(256, 128), normal(256, 128)


def rope_hf(q, k, _q_out, _k_out, cos, sin) -> tuple:
    """Rotary embeddings of q and k."""
    return tuple(wide(x) * cos + rotated(wide(x)) * sin for x in (q, k))


def rope_inputs() -> tuple:
    """x [head, batch, heads, length], cos and sin [head / 2, batch, length]."""
    return normal(128, 1, 2, 256), normal(64, 1, 256), normal(64, 1, 256)


def rope(parts: Callable[[np.ndarray], tuple]) -> Callable[..., np.ndarray]:
    """Rotary embeddings where parts(x) are the views of x that are turned against each other."""

    def reference(x, cos, sin):
        cos, sin = wide(cos)[:, :, None], wide(sin)[:, :, None]
        result = np.empty_like(wide(x))
        (a, b), (to_a, to_b) = parts(wide(x)), parts(result)
        to_a[...], to_b[...] = a * cos - b * sin, b * cos + a * sin
        return result

    return reference


def largest(x: np.ndarray) -> tuple:
    """Values and places of the largest elements of rows."""
    return x.max(1, keepdims=True), x.argmax(1)[:, None]


def attention(length: int, size: int = 128, batch: int = 1) -> Callable[[], tuple]:
    """q [batch, length, size], k [batch, size, length], v [batch, length, size]."""
    q, v = (batch, length, size), (batch, length, size)
    k = (batch, size, length)
    return lambda: tuple(normal(*shape, dtype=BF16) for shape in (q, k, v))


def attention_where(allowed: Callable[[np.ndarray, np.ndarray], Any], scale: float) -> Any:
    """Attention where allowed(query index, key index) holds."""

    def reference(q, k, v):
        at = np.arange(q.shape[1])
        scores = np.where(allowed(at[:, None], at[None]), wide(q) @ wide(k) * scale, -np.inf)
        return scipy.special.softmax(scores, -1) @ wide(v)

    return reference


SCALE = 128**-0.5
CAUSAL = attention_where(lambda i, j: j <= i, SCALE)
FULL = attention_where(lambda i, j: j >= 0, SCALE)
WINDOW = attention_where(lambda i, j: (j <= i) & (j > i - 256), 1.0)


def projected(attended: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """[batch, heads, size, length] with weight [heads * size, hidden]."""
    _, heads, size, _ = attended.shape
    return np.einsum("bnds,ndh->bsh", wide(attended), wide(weight).reshape(heads, size, -1))


def nonzero_inputs() -> tuple:
    """A matrix with one element of five not zero."""
    return ((RNG.random((512, 16)) < 0.2).astype(np.float32),)


def nonzero(x: np.ndarray) -> tuple:
    """For each column the rows that are not zero, then -1; and how many there are."""
    places = np.full(x.shape[::-1], -1.0)
    for column, row in enumerate(x.T):
        found = np.nonzero(row)[0]
        places[column, : len(found)] = found
    return places, (x != 0).sum(0)


def cross_entropy(logits: np.ndarray, targets: np.ndarray) -> tuple:
    """Loss of every row, and the logarithm of its sum of exponentials."""
    total = scipy.special.logsumexp(wide(logits), 1)
    return total - wide(logits)[np.arange(len(targets)), targets], total


def convolved_by_channel(x: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """[1, channels, 1, width] with [channels, 1, 1, size]."""
    rows = zip(wide(x)[0, :, 0], wide(filters)[:, 0, 0], strict=True)
    return np.stack([np.correlate(row, f, "valid") for row, f in rows])[None, :, None]


def convolved(x: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """[batch, channels, length] with [size, channels, outputs]."""
    length = x.shape[2] - len(filters) + 1
    windows = [wide(x)[:, :, i : i + length] for i in range(len(filters))]
    return sum(
        np.einsum("bcl,co->bol", window, wide(f))
        for window, f in zip(windows, filters, strict=True)
    )


ATTENTION = "core.attention.attention_cte"
CASES = [
    *(
        library("core.cumsum.cumsum", "cumsum", *cumsum(*shape, dtype=dtype), tolerance=tolerance)
        for shape, dtype, tolerance in (
            ((200, 3000), np.float32, 1e-5),
            ((2, 3, 500), BF16, 1e-2),
        )
    ),
    *(
        library("core.embeddings.rope_hf", "rope_hf", rope_hf_inputs, rope_hf, grid=grid)
        for grid in (None, 2)
    ),
    library("core.embeddings.rope", "RoPE", rope_inputs, rope(lambda x: (x[:64], x[64:]))),
    library(
        "core.embeddings.rope",
        "RoPE",
        rope_inputs,
        rope(lambda x: (x[0::2], x[1::2])),
        keywords={"contiguous_layout": False},
    ),
    *(
        library(
            "core.max.cascaded_max", "cascaded_max", lambda: (normal(8, 4096),), largest, grid=g
        )
        for g in (None, 2)
    ),
    *(
        library(
            ATTENTION, "attention_cte", inputs, reference, tolerance=1e-2, keywords=k, grid=grid
        )
        for inputs, reference, k, grid in (
            (attention(512), CAUSAL, {"scale": SCALE}, None),
            (attention(2048), CAUSAL, {"scale": SCALE}, None),
            (attention(512, batch=2), CAUSAL, {"scale": SCALE}, 2),
            (attention(512), FULL, {"scale": SCALE, "causal_mask": False}, None),
            (attention(2048), WINDOW, {"sliding_window": 256}, None),
        )
    ),
    *(
        library(
            "core.output_projection.output_projection_cte.output_projection_cte",
            "output_projection_cte",
            lambda: (normal(1, 2, 128, 512, dtype=BF16), normal(256, 1024, dtype=BF16)),
            projected,
            tolerance=1e-2,
            grid=grid,
        )
        for grid in (None, 2)
    ),
    *(
        library(
            "core.qkv.qkv",
            "qkv",
            lambda rows=rows: (normal(1, rows, 1024, dtype=BF16), normal(1024, 768, dtype=BF16)),
            lambda x, weight: wide(x) @ wide(weight),
            tolerance=1e-2,
        )
        for rows in (4, 256)  # one kernel for few rows, another for many
    ),
    library(
        "core.subkernels.find_nonzero_indices",
        "find_nonzero_indices",
        nonzero_inputs,
        nonzero,
        grid=2,
        checks=False,
    ),
    library(
        "experimental.loss.cross_entropy",
        "cross_entropy_forward",
        lambda: (normal(64, 4096), RNG.integers(0, 4096, 64).astype(np.int32)),
        cross_entropy,
        keywords={"chunk_size": 2048, "dtype": "float32"},
        grid=2,
    ),
    library(
        "experimental.conv.depthwise_conv1d",
        "depthwise_conv1d_implicit_gemm",
        lambda: (normal(1, 8, 1, 300), normal(8, 1, 1, 5)),
        convolved_by_channel,
        keywords={"feature_group_count": 8},
        grid=2,
    ),
    library(
        "experimental.conv.conv1d",
        "conv1d",
        lambda: (normal(2, 64, 300), normal(3, 64, 32)),
        convolved,
    ),
    library(
        "experimental.dynamic_shapes.dynamic_elementwise_add",
        "dynamic_elementwise_add",
        lambda: (
            normal(384, 1024, dtype=BF16),
            normal(384, 1024, dtype=BF16),
            np.array([[3]], np.int32),
        ),
        lambda a, b, _: wide(a) + wide(b),
        tolerance=1e-2,
    ),
]
