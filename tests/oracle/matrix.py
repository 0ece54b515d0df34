"""Matrix products, their MX forms, and transposes.

A product's sum runs down the partitions in order; every step is one fused multiply-add in float32.
Then the old value of PSUM is added with one more rounding (DEVIATIONS.md).
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from oracle.values import F32

PACK = {
    "float8_e4m3fn_x4": (ml_dtypes.float8_e4m3fn, np.uint8, 8, 448.0),
    "float8_e5m2_x4": (ml_dtypes.float8_e5m2, np.uint8, 15, 57344.0),
}


def _odd(total: np.ndarray, error: np.ndarray) -> np.ndarray:
    """float64 sums rounded to odd, given what rounding to nearest lost: a second rounding, to
    float32, then sees on which side the exact sum lies."""
    bits = total.view(np.int64)
    even = (bits & 1) == 0
    toward_zero = np.signbit(error) != np.signbit(total)
    moved = np.where(toward_zero, bits - 1, bits + 1)
    lost = (error != 0) & np.isfinite(total) & even
    return np.where(lost, moved, bits).view(np.float64)


def _sum64(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b in float64 and the exact error of that."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _fused(sums: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """sums + left * right with one rounding: the product is exact in float64."""
    total, error = _sum64(left.astype(np.float64) * right, sums.astype(np.float64))
    return _odd(total, np.where(np.isnan(error), 0, error)).astype(F32)


def _exact_in_float32(*operands: np.ndarray) -> bool:
    """Whether all products are: few digits, and far from the ends of the range."""
    for x in operands:
        size = np.abs(x[np.isfinite(x) & (x != 0)])
        digits = (x.view(np.uint32) & np.uint32(0xFFF)) == 0
        if not digits.all() or (size.size and (size.min() < 2.0**-60 or size.max() > 2.0**60)):
            return False
    return True


def product(stationary: np.ndarray, moving: np.ndarray) -> np.ndarray:
    """transpose(stationary [K, M]) x moving [K, N], float32."""
    sums = np.zeros((stationary.shape[1], moving.shape[1]), F32)
    exact = _exact_in_float32(stationary, moving)
    with np.errstate(all="ignore"):
        for left, right in zip(stationary, moving, strict=True):
            if exact:
                sums += left[:, None] * right
            else:
                sums = _fused(sums, left[:, None], right)
    return sums


def _chain(terms) -> np.ndarray:
    sums = None
    with np.errstate(all="ignore"):
        for term in terms:
            sums = F32(0) + term if sums is None else sums + term
    return sums


def double_row_product(stationary: np.ndarray, moving: np.ndarray) -> np.ndarray:
    """[K, 2, M] and [K, 2, N]: the two products of a partition are added exactly and rounded."""

    def terms():
        for left, right in zip(stationary.astype(np.float64), moving, strict=True):
            total, error = _sum64(left[0][:, None] * right[0], left[1][:, None] * right[1])
            yield _odd(total, np.where(np.isnan(error), 0, error)).astype(F32)

    return _chain(terms())


def selected(moving: np.ndarray) -> np.ndarray:
    """For each column of an identity-like matrix [K, N] the row that holds its 1."""
    assert ((moving == 0) | (moving == 1)).all() and (moving.sum(axis=0) == 1).all()
    return moving.argmax(axis=0)


# --- MX: blocks of 8 partitions x the 4 values of one packed element share a scale


def unpacked(data: np.ndarray, dtype: str) -> np.ndarray:
    """[P, F] packed elements as float64 [P, F, 4], the first value in the low bits."""
    if dtype == "float4_e2m1fn_x4":
        four_bits = data[..., None] >> np.arange(0, 16, 4).astype(data.dtype) & 15
        return four_bits.astype(np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)
    element = PACK[dtype][0]
    whole = np.ascontiguousarray(data).view(np.uint8).reshape(*data.shape, 4)
    return whole.view(element).astype(np.float64)


def scale_rows(partitions: int) -> np.ndarray:
    """Where the scales of each group of 8 partitions lie in a scale tile."""
    group = np.arange(partitions // 8)
    return group if partitions <= 32 else 32 * (group // 4) + group % 4


def scales_of(rows: np.ndarray, partitions: int) -> np.ndarray:
    """Scale bytes [groups, F] as powers of two, [P, F]; 255 is NaN."""
    powers = np.where(rows == 255, np.nan, np.ldexp(1.0, rows.astype(np.int64) - 127))
    return np.repeat(powers, 8, axis=0)[:partitions]


def mx_product(left, left_scale, right, right_scale) -> np.ndarray:
    """float64 [K, M, 4] and [K, N, 4] with scales [K, M] and [K, N]: the four products of a
    partition are added and scaled exactly, then rounded to float32."""

    def terms():
        for a, b, p, q in zip(left, right, left_scale, right_scale, strict=True):
            products = a[:, None, :] * b[None]
            low, lost_low = _sum64(products[..., 0], products[..., 1])
            high, lost_high = _sum64(products[..., 2], products[..., 3])
            total, lost = _sum64(low, high)
            lost = lost_low + lost_high + lost
            total, error = _sum64(total, np.where(np.isfinite(lost), lost, 0))
            exact = _odd(total, np.where(np.isnan(error), 0, error))
            yield (exact * (p[:, None] * q[None])).astype(F32)

    return _chain(terms())


def quantize_mx(src: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """[P, F] to packed elements [P, F / 4] and scale bytes [P / 8, F / 4].

    The scale is 2^(floor(log2 of the largest magnitude) - Emax + 1), the rule since NKI 0.5.
    """
    element, _, largest_exponent, largest = PACK[dtype]
    partitions, columns = src.shape
    blocks = src.astype(np.float64).reshape(partitions // 8, 8, columns // 4, 4)
    size = np.abs(blocks).max(axis=(1, 3))
    finite = np.isfinite(size)
    exponent = np.frexp(np.where(finite & (size > 0), size, 1))[1] - 1
    byte = np.clip(exponent - largest_exponent + 1 + 127, 0, 254)
    byte = np.where(finite, np.where(size == 0, 0, byte), 254)
    quotients = np.ldexp(blocks, (127 - byte)[:, None, :, None])
    quotients = np.where(np.isinf(quotients), np.nan, np.clip(quotients, -largest, largest))
    values = quotients.astype(F32).astype(element).reshape(partitions, columns)
    return values.view(np.uint32).reshape(partitions, columns // 4), byte.astype(np.uint8)
