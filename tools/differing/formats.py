"""Rounding to a number format: to nearest, or as an implementation with small errors may round."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

UNIT = 2.0**-24  # half of float32's last place: what machines compute narrow formats in


def is_float(dtype: np.dtype) -> bool:
    return jnp.issubdtype(dtype, jnp.floating)


def is_complex(dtype: np.dtype) -> bool:
    return np.issubdtype(dtype, np.complexfloating)


def hold(array: np.ndarray) -> np.ndarray:
    """As it is computed with: floats in float64."""
    if is_float(array.dtype):
        return array.astype(np.float64)
    return array.astype(np.complex128) if is_complex(array.dtype) else array


def nearest(y: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The format's numbers, still held in float64."""
    with np.errstate(all="ignore"):
        if is_complex(dtype):
            return y.astype(np.complex64).astype(np.complex128)
        if dtype == np.float32:
            return y.astype(np.float32).astype(np.float64)
        return y.astype(np.float32).astype(dtype).astype(np.float64)


def last_place(dtype: np.dtype) -> tuple[float, float]:
    """Half of it as a part of the number, and the least distance of two numbers."""
    limits = jnp.finfo(dtype)
    return float(limits.eps) / 2, float(limits.smallest_subnormal)


class Rounding:
    """Of run 0: to nearest. Of others: results that are not exact, by about their largest errors:
    of runs 1 and 2 all up and all down, of others by chance."""

    def __init__(self, run: int) -> None:
        self.run = run
        self._random = np.random.default_rng([run, 7])

    @property
    def is_exact(self) -> bool:
        return self.run == 0

    def __call__(
        self,
        y: np.ndarray,
        dtype: np.dtype,
        error: np.ndarray | float | None = None,
        units: np.ndarray | float = 2.0,
    ) -> np.ndarray:
        """error: absolute, of the computation before the rounding, infinite where the result may be
        NaN (-infinite: zero) as well; units: the same in halves of
        float32's last place of the result."""
        y = np.asarray(y)
        if not (is_float(dtype) or is_complex(dtype)):
            return y
        rounded = nearest(y, dtype)
        if self.is_exact:
            return rounded
        if is_complex(dtype):
            return self(y.real, np.dtype(np.float32), error, units) + 1j * self(
                y.imag, np.dtype(np.float32), error, units
            )
        unit, least = last_place(dtype)
        with np.errstate(all="ignore"):
            width = units * UNIT * np.abs(y) + unit * np.abs(y) + least / 2
            inexact = rounded != y
            if error is not None:
                width = width + error
                inexact = inexact | (np.asarray(error) > 0)
            move = np.where(np.isfinite(width) & inexact, width, 0)
            moved = nearest(y + move * self._turns(y.shape), dtype)
            moved = np.where(np.isfinite(y), moved, rounded)
            if error is not None and self.run % 2:  # NaN or not, as where a partial sum overflows
                moved = np.where(np.equal(error, np.inf), np.nan, moved)
                moved = np.where(np.equal(error, -np.inf), 0, moved)
        return moved

    def _turns(self, shape: tuple[int, ...]) -> np.ndarray | float:
        if self.run <= 2:
            return 1.0 if self.run == 1 else -1.0
        signs = self._random.choice((-1.0, 1.0), shape)
        return signs * self._random.uniform(0.5, 1, shape)

    def shaken(self, x: np.ndarray, units: float) -> np.ndarray:
        """Inputs of a computation whose errors are those of changed inputs."""
        if self.is_exact or not np.issubdtype(x.dtype, np.inexact):
            return x
        return x * (1 + units * UNIT * self._random.uniform(-1, 1, x.shape))


def grid(x: np.ndarray) -> int | None:
    """The fewest binary places that hold all numbers; None where there are many."""
    if not np.issubdtype(x.dtype, np.inexact):
        return None
    for places in (0, 2, 4, 8, 12):
        scaled = x * 2.0**places
        with np.errstate(all="ignore"):
            if np.all(scaled == np.round(scaled)):
                return places
    return None
