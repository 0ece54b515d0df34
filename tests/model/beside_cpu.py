"""What a function takes on the machine, and whether it gives there what the CPU gives."""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")


def seconds(function, *shapes):
    return model.compile(function, *shapes).time().seconds


def assert_as_on_cpu(function, *arguments, tolerance=2e-5):
    got = jax.tree.leaves(model.compile(function, *arguments).run(*arguments, timed=False).results)
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for found, want in zip(got, wanted, strict=True):
        np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance)
