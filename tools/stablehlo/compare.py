"""What the checks of StableHLO's test programs compare, on arrays."""

from __future__ import annotations

import ml_dtypes
import numpy as np

ULPS_MAX = 3  # of expect_close, where the program says nothing else
MACHINE_ULPS_MAX = 64  # of engines' floats: reciprocals, activation functions, other orders of sums


def holds(rule: str, tolerance: float, actual: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether the check of that name passes."""
    if rule == "expect_eq":
        return bool(np.all(_equal(actual, wanted)))
    if rule == "expect_almost_eq":
        wide = np.complex128 if actual.dtype.kind == "c" else np.float64
        a, b = actual.astype(wide), wanted.astype(wide)
        with np.errstate(all="ignore"):
            near = np.abs(a - b) <= tolerance
        return bool(np.all(near | _equal(a, b)))
    if rule == "expect_close":
        return bool(np.all(_equal(actual, wanted) | (_ulps(actual, wanted) <= ULPS_MAX)))
    raise ValueError(f"no check is called {rule}")


def near(actual: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether floats are what engines give: within some units of their format, each in its own
    size or, where sums cancel, in that of the largest."""
    if "float" not in wanted.dtype.name or wanted.size == 0:
        return False
    with np.errstate(all="ignore"):
        a, b = actual.astype(np.float64), wanted.astype(np.float64)
        finite = np.abs(b[np.isfinite(b)])
        info = ml_dtypes.finfo(wanted.dtype)
        unit = float(info.eps) * float(finite.max(initial=0.0))
        close = np.abs(a - b) <= MACHINE_ULPS_MAX * unit / 16
    return bool(np.all(close | _equal(actual, wanted) | (_ulps(actual, wanted) <= _limit(info))))


def _limit(info: ml_dtypes.finfo) -> int:
    """Units that a result may be off: of float32 MACHINE_ULPS_MAX, of half formats 1."""
    return MACHINE_ULPS_MAX if info.bits == 32 else 1


def _equal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return (a == b) | ((a != a) & (b != b))


def _ulps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind == "c":
        part = np.float32 if a.dtype == np.complex64 else np.float64
        pairs = [np.stack([x.real, x.imag]).astype(part) for x in (a, b)]
        return _ulps(*pairs).max(axis=0)
    bits = np.dtype(f"int{8 * a.dtype.itemsize}")
    ordered = []
    for x in (a, b):
        pattern = np.ascontiguousarray(x).reshape(-1).view(bits).astype(object)
        least = int(np.iinfo(bits).min)
        ordered.append(np.array([p if p >= 0 else least - p for p in pattern], object))
    return np.abs(ordered[0] - ordered[1]).astype(np.float64).reshape(a.shape)
