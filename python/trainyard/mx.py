"""Products with weights that lie in memory in MX formats, from JAX.

A block is 32 neighbours along the contraction, with one power of two as their scale. `quantize`
makes them once, on the host; `matmul` multiplies with them inside `jax.jit`, where a decode step
reads a quarter (MXFP4) or half (MXFP8) of bfloat16's bytes:

    words, scales = mx.quantize(weights, "mxfp4")
    y = mx.matmul(x, words, scales)

x is quantised to MXFP8 on the machine. On other platforms `matmul` computes the same values in
float32.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

__all__ = ["FORMATS", "dequantize", "matmul", "quantize"]

BLOCK, PACK = 32, 4
FORMATS: dict[str, Any] = {"mxfp4": ml_dtypes.float4_e2m1fn, "mxfp8": ml_dtypes.float8_e4m3fn}
_WORDS = {"mxfp4": np.dtype(np.uint16), "mxfp8": np.dtype(np.uint32)}
_BIAS = 127  # of scales


def quantize(weights: np.ndarray, format: str = "mxfp4") -> tuple[np.ndarray, np.ndarray]:
    """A matrix [K, columns] as words [K / 4, columns] and scales [K / 32, columns] of uint8.

    A word has four neighbours of a column, the first in its lowest bits: uint16 of MXFP4, uint32 of
    MXFP8. Scales are OCP's: of the largest magnitude the exponent, less the format's largest one;
    elements beyond the largest number become it. Raises ValueError for other formats, for K that is
    no multiple of 32, and for values that are not finite.
    """
    element = _element(format)
    wide = np.asarray(weights).astype(np.float32)
    if wide.ndim != 2 or wide.shape[0] % BLOCK != 0:
        raise ValueError(f"weights are [K, columns], with K in blocks of {BLOCK}, not {wide.shape}")
    if not np.isfinite(wide).all():
        raise ValueError("weights are finite")
    blocks = wide.reshape(-1, BLOCK, wide.shape[1])
    largest = np.maximum(np.abs(blocks).max(1), np.float32(2.0**-100))
    most = float(ml_dtypes.finfo(element).max)
    exponents = np.floor(np.log2(largest)) - np.floor(np.log2(most))
    scaled = np.clip(blocks / np.exp2(exponents)[:, None], -most, most).astype(element)
    patterns = scaled.view(np.uint8).reshape(-1, PACK, wide.shape[1]).astype(np.uint32)
    shifts = (8 * _WORDS[format].itemsize // PACK * np.arange(PACK)).astype(np.uint32)
    words = np.bitwise_or.reduce(patterns << shifts[:, None], axis=1)
    return words.astype(_WORDS[format]), (exponents + _BIAS).astype(np.uint8)


def dequantize(words: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The float32 matrix [K, columns] that they stand for."""
    words = np.asarray(words)
    element = FORMATS[_format_of(words)]
    width = 8 * words.dtype.itemsize // PACK
    shifts = (width * np.arange(PACK)).astype(np.uint32)
    patterns = (words.astype(np.uint32)[:, None, :] >> shifts[:, None]) & (2**width - 1)
    elements = patterns.astype(np.uint8).view(element).astype(np.float32)
    wide = np.repeat(np.exp2(scales.astype(np.float32) - _BIAS), BLOCK, axis=0)
    return elements.reshape(-1, words.shape[1]) * wide


def matmul(x: Any, words: Any, scales: Any) -> Any:
    """x @ w of quantised w: [..., K] by [K, columns], summed in float32, in x's dtype.

    Raises ValueError for shapes and types that do not fit.
    """
    import jax
    import jax.numpy as jnp

    x, words, scales = jnp.asarray(x), jnp.asarray(words), jnp.asarray(scales)
    format = _format_of(words)
    depth, columns = x.shape[-1], words.shape[-1]
    if not jnp.issubdtype(x.dtype, jnp.floating) or depth % BLOCK != 0:
        raise ValueError(f"x is of floats, [..., K] in blocks of {BLOCK}, not {x.dtype} {x.shape}")
    for name, array, wanted in (
        ("words", words, (depth // PACK, columns)),
        ("scales", scales, (depth // BLOCK, columns)),
    ):
        if array.shape != wanted:
            raise ValueError(f"{name} are {list(wanted)} for K = {depth}, not {list(array.shape)}")
    if scales.dtype != jnp.uint8:
        raise ValueError(f"scales are uint8, not {scales.dtype}")
    composite = jax.lax.composite(_expanded, f"trainyard.{format}_weights")
    return composite(x, words, scales)


def _expanded(x: Any, words: Any, scales: Any) -> Any:
    """The product in float32, of the same quantised values."""
    import jax.numpy as jnp

    weights = _decoded(words).reshape(-1, words.shape[1])
    blocks = weights.reshape(-1, BLOCK, words.shape[1]) * _power(scales.astype(jnp.int32))[:, None]
    sums = jnp.matmul(
        _rounded(x), blocks.reshape(-1, words.shape[1]), preferred_element_type=jnp.float32
    )
    return sums.astype(x.dtype)


def _power(biased: Any) -> Any:
    """Two to an exponent with float32's bias."""
    import jax
    import jax.numpy as jnp

    return jax.lax.bitcast_convert_type(biased << 23, jnp.float32)


def _rounded(x: Any) -> Any:
    """x as quantize_mx has it, in float32: elements of E4M3, scales that leave a bit of room."""
    import jax
    import jax.numpy as jnp

    blocks = x.astype(jnp.bfloat16).astype(jnp.float32).reshape(*x.shape[:-1], -1, BLOCK)
    bits = jax.lax.bitcast_convert_type(jnp.abs(blocks).max(-1, keepdims=True), jnp.int32)
    scale = _power(jnp.maximum((bits >> 23) - 7, 1))
    return ((blocks / scale).astype(jnp.float8_e4m3fn).astype(jnp.float32) * scale).reshape(x.shape)


def _decoded(words: Any) -> Any:
    """[K / 4, 4, columns] in float32: sign, exponent and mantissa of each element."""
    import jax.numpy as jnp

    width, mantissa, bias = (4, 1, 1) if words.dtype == jnp.uint16 else (8, 3, 7)
    patterns = words.astype(jnp.int32)[:, None, :] >> (width * jnp.arange(PACK))[:, None]
    exponent = (patterns >> mantissa) & (2 ** (width - 1 - mantissa) - 1)
    fraction = (patterns & (2**mantissa - 1)) + jnp.where(exponent > 0, 2**mantissa, 0)
    value = fraction * _power(jnp.maximum(exponent, 1) - bias - mantissa + _BIAS)
    return jnp.where((patterns >> (width - 1)) & 1 == 1, -value, value)


def _element(format: str) -> Any:
    if format not in FORMATS:
        raise ValueError(f"{format} is no format of weights: {', '.join(FORMATS)}")
    return FORMATS[format]


def _format_of(words: Any) -> str:
    found = [name for name, dtype in _WORDS.items() if dtype == words.dtype]
    if not found or words.ndim != 2:
        raise ValueError(
            f"words are [K / 4, columns], uint16 of MXFP4 or uint32 of MXFP8, not {words.dtype} "
            f"{words.shape}"
        )
    return found[0]
