"""The harnesses of primitives in JAX's own wheel, on the platform `neuron`, beside the CPU.

pytest runs this file; JAX_CASES_EVERY takes every n-th harness.
"""

from __future__ import annotations

import os

import jax
import numpy as np
import pytest
from jax._src import test_util as jtu
from jax._src.internal_test_util import test_harnesses

EVERY = int(os.environ.get("JAX_CASES_EVERY", "1"))
DEVICE = jax.devices(os.environ.get("JAX_PLATFORMS", "neuron").split(",")[0])[0]
CPU = jax.devices("cpu")[0]


def runs(harness: test_harnesses.Harness) -> bool:
    """Whether JAX has it for CPUs: what it is compared with."""
    return not any(
        each.filter(device="cpu", dtype=harness.dtype) for each in harness.jax_unimplemented
    )


ALL = [harness for harness in test_harnesses.all_harnesses if runs(harness)]


@pytest.mark.parametrize("harness", ALL[::EVERY], ids=lambda harness: harness.fullname)
def test_primitive(harness: test_harnesses.Harness) -> None:
    arguments = harness.dyn_args_maker(np.random.RandomState(0))
    with jax.default_device(CPU):
        wanted = jax.jit(harness.dyn_fun)(*jax.device_put(arguments, CPU))
    found = jax.jit(harness.dyn_fun)(*jax.device_put(arguments, DEVICE))
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if jax.dtypes.issubdtype(one.dtype, jax.dtypes.prng_key):
            one, other = jax.random.key_data(one), jax.random.key_data(other)
        tolerance = tolerance_of(harness, other.dtype)
        jtu._assert_numpy_allclose(
            np.asarray(one), np.asarray(other), atol=tolerance, rtol=tolerance
        )


def tolerance_of(harness: test_harnesses.Harness, dtype: np.dtype) -> float:
    """As JAX's tests of the same harnesses have it."""
    sums = "conv_general_dilated" in harness.fullname and dtype == np.float32
    return max(jtu.default_tolerance()[np.dtype(dtype)], 1e-4 if sums else 0)
