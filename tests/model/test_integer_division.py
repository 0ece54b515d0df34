"""Are quotients and remainders of whole numbers exact, whatever the divisor?"""

from __future__ import annotations

import numpy as np
import pytest
from exact import same

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
RANDOM = np.random.default_rng(0)


def words(dtype) -> tuple[np.ndarray, np.ndarray]:
    """Dividends and divisors of all sizes, each edge with each other."""
    info = np.iinfo(dtype)
    edges = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 7, 2**16, 2**24 + 1]
    edges += [-each for each in (1, 2, 3, 7)] if info.min < 0 else [2**31, 2**31 - 1]
    pairs = np.array([(a, b) for a in edges for b in edges], dtype)
    sizes = RANDOM.integers(0, 31, (2, 4000))
    random = (RANDOM.integers(info.min, info.max, (2, 4000), np.int64) >> sizes).astype(dtype)
    near = (random[1] * RANDOM.integers(0, 9, 4000).astype(dtype)).astype(dtype)
    a = np.concatenate([pairs[:, 0], random[0], near, near - dtype(1)])
    b = np.concatenate([pairs[:, 1], random[1], random[1], random[1]])
    return a, b


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_quotients_and_remainders_are_exact(dtype):
    same(lambda a, b: (lax.div(a, b), lax.rem(a, b)), *words(dtype))


@pytest.mark.parametrize("divisor", [1, 3, 8, 1000, 2**30, -1, -8, -7])
def test_divisors_that_are_known(divisor):
    same(lambda a: (lax.div(a, np.int32(divisor)), a % divisor, a // divisor), words(np.int32)[0])
    if divisor > 0:
        same(lambda a: (a // np.uint32(divisor), a % np.uint32(divisor)), words(np.uint32)[0])
