"""Whether a function of integers gives XLA's numbers on the machine, without a routine."""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")


def same(function, *arguments):
    compiled = model.compile(function, *arguments)
    assert compiled.routines == []
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for ours, theirs in zip(jax.tree.leaves(compiled(*arguments)), wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)
