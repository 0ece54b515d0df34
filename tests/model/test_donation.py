"""Donated arguments: are they written in place, and are all values as on the CPU?"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(5)
CACHE = RANDOM.normal(size=(64, 1024)).astype(np.float32)
ROW = RANDOM.normal(size=1024).astype(np.float32)
AT = np.int32(7)


def slice_set(x, i, u):
    return jax.lax.dynamic_update_slice(x, u[None], (i, 0))


def scatter_set(x, i, u):
    return x.at[i[None]].set(u[None])


def read_afterwards(x, i, u):
    return scatter_set(x, i, u), x.sum(0)


def read_before(x, i, u):
    y = x * 2
    return scatter_set(x, i, u), y


def moved_within(x, i, u):
    return scatter_set(x, i, x[3] + u)


def twice(x, i, u):
    return scatter_set(slice_set(x, i, u), i + 1, u)


def kept_beside(x, i, u):
    return scatter_set(x, i, u), scatter_set(x, i, -u)


def in_a_loop(x, i, u):
    return jax.lax.fori_loop(0, 3, lambda k, y: slice_set(y, i + k, u), x)


def read_in_a_routine(x, i, u):
    y = scatter_set(x, i, u)
    return y, jnp.cbrt(y)


def bytes_written(compiled, *arguments):
    (report,) = compiled.run(*arguments, timed=True, values=False).reports
    return next(each for each in report["traffic"] if each["memory"] == "hbm")["bytes"]["written"]


@pytest.mark.parametrize(
    "function",
    [
        slice_set,
        scatter_set,
        read_afterwards,
        read_before,
        moved_within,
        twice,
        kept_beside,
        in_a_loop,
        read_in_a_routine,
    ],
)
def test_values_are_those_of_the_cpu_in_every_run(function):
    compiled = model.compile(jax.jit(function, donate_argnums=0), CACHE, AT, ROW)
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(CACHE, AT, ROW))
    for _ in range(2):
        for ours, theirs in zip(jax.tree.leaves(compiled(CACHE, AT, ROW)), wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", [slice_set, scatter_set, twice])
def test_a_donated_argument_is_not_copied(function):
    copied = model.compile(function, CACHE, AT, ROW)
    donated = model.compile(jax.jit(function, donate_argnums=0), CACHE, AT, ROW)
    assert bytes_written(copied, CACHE, AT, ROW) > CACHE.nbytes
    assert bytes_written(donated, CACHE, AT, ROW) < CACHE.nbytes / 4
