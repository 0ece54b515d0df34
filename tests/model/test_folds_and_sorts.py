"""Reductions by any region, running sums, pooling and sorts, on engines, beside XLA on the CPU."""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(0)

REAL = RANDOM.normal(size=(6, 20, 37)).astype(np.float32)
TIES = RANDOM.integers(0, 5, (6, 20, 37)).astype(np.float32)
WORDS = RANDOM.integers(-1000, 1000, (40, 70)).astype(np.int32)
NANS = REAL.copy()
NANS[1, 3, 7] = NANS[1, 5, 7] = np.nan
ODD = np.array([3, np.nan, -0.0, 0.0, -np.inf, np.inf, -1, 1, 2, -np.nan, 5], np.float32)


def pooled(x, initial, function, **how):
    windows = {"window_dimensions": (1, 3, 2), "window_strides": (1, 1, 2), "padding": "SAME"}
    return lax.reduce_window(x, initial, function, **(windows | how))


FOLDS = {
    "argmax": (lambda x: jnp.argmax(x, -1), TIES),
    "argmin of the first": (lambda x: jnp.argmin(x, 0), TIES),
    "argmax of all": (lambda x: jnp.argmax(x), TIES),
    "argmax beside nan": (lambda x: jnp.argmax(x, 1), NANS),
    "argmax of words": (lambda x: jnp.argmax(x, -1), WORDS),
    "any and all": (lambda x: ((x > 1).any(1), (x > -1).all(0)), REAL),
    "sum of exponents": (lambda x: lax.reduce(x, np.float32(-1e30), jnp.logaddexp, (1,)), REAL),
    "from an argument": (lambda x: lax.reduce(x, x[0, 0, 0], lax.add, (1,)), REAL),
    "exclusive or": (lambda x: lax.reduce(x, np.int32(0), lax.bitwise_xor, (1,)), WORDS),
}
RUNNING = {
    "sum": (lambda x: jnp.cumsum(x, -1), REAL),
    "sum of columns": (lambda x: jnp.cumsum(x, 1), REAL),
    "sum from behind": (lambda x: lax.cumsum(x, 1, reverse=True), REAL),
    "sum of words": (lambda x: jnp.cumsum(x, 1), WORDS),
    "sum in parts": (lambda x: jnp.cumsum(x, 1), np.abs(REAL.reshape(2, -1))),
    "product": (lambda x: jnp.cumprod(x, 1), REAL),
    "largest": (lambda x: lax.cummax(x, 2), REAL),
    "smallest": (lambda x: lax.cummin(x, 0), REAL),
}
POOLS = {
    "largest": (lambda x: pooled(x, -jnp.inf, lax.max), REAL),
    "sum": (
        lambda x: pooled(
            x,
            0.0,
            lax.add,
            padding=[(0, 0), (1, 2), (0, 1)],
            window_dilation=(1, 2, 1),
            base_dilation=(1, 2, 1),
        ),
        REAL,
    ),
    "words": (
        lambda x: pooled(x, np.int32(0), lax.add, window_dimensions=(3, 2), window_strides=(1, 2)),
        WORDS,
    ),
}
SORTS = {
    "rows": (lambda x: jnp.sort(x, -1), TIES),
    "columns": (lambda x: jnp.sort(x, 1), REAL),
    "downwards": (lambda x: -jnp.sort(-x, 0), REAL),
    "stable": (lambda x: jnp.argsort(x, -1), TIES),
    "a power of two": (lambda x: jnp.argsort(x[:, :16, :32], -1), TIES),
    "nan and zeros": (lambda x: (jnp.sort(x), jnp.argsort(x)), ODD),
    "words": (lambda x: jnp.sort(x, 0), WORDS),
    "the largest five": (lambda x: lax.top_k(x, 5), TIES),
    "two keys": (lambda x: lax.sort((x[0], x[1]), num_keys=2), TIES),
    "half precision": (lambda x: jnp.sort(x.astype(jnp.bfloat16)).astype(jnp.float32), REAL[0]),
}


def check(function, x):
    compiled = model.compile(function, x)
    assert compiled.routines == []
    found = jax.tree.leaves(compiled(x))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(x))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


def mnemonics(function, x) -> set[str]:
    (compiled,) = model.compile(function, x)._core.programs
    program = compiled.program
    return {program.mnemonic(i) for i in range(len(program))}


@pytest.mark.parametrize("name", FOLDS)
def test_fold(name):
    check(*FOLDS[name])


@pytest.mark.parametrize("name", RUNNING)
def test_running(name):
    check(*RUNNING[name])


@pytest.mark.parametrize("name", POOLS)
def test_pool(name):
    check(*POOLS[name])


@pytest.mark.parametrize("name", SORTS)
def test_sort(name):
    check(*SORTS[name])


INFINITE = REAL[0].copy()
INFINITE[2] = -np.inf
INFINITE[3, 5] = INFINITE[3, 9] = np.nan
PLACES = {
    "equal": (lambda x: jnp.argmax(x, -1), TIES),
    "smallest": (lambda x: jnp.argmin(x, -1), TIES),
    "nan and infinity": (lambda x: (jnp.argmax(x, -1), jnp.argmin(x, -1)), INFINITE),
    "of columns": (lambda x: jnp.argmax(x, 0), INFINITE),
    "few columns": (lambda x: jnp.argmin(x[..., :3], -1), TIES),
    "half precision": (lambda x: jnp.argmax(x.astype(jnp.bfloat16), -1), TIES),
    "bytes": (lambda x: jnp.argmin(x, -1), WORDS.astype(np.int8)),
    "bytes without sign": (lambda x: jnp.argmax(x, -1), WORDS.astype(np.uint8)),
    "fused": (lambda x: jnp.argmax(x * 2 - 1, -1), TIES),
    "of a product": (lambda x: jnp.argmax(x[0] @ x[0].T, -1), TIES),
    "in pieces": (lambda x: jnp.argmax(x, -1), RANDOM.integers(0, 900, (2, 6000)).astype("f")),
    "one row in pieces": (lambda x: jnp.argmin(x), RANDOM.normal(size=(60, 200)).astype("f")),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_are_found_by_the_vector_engines_search(name):
    function, x = PLACES[name]
    check(function, x)
    assert {"max8", "nc_find_index8"} <= mnemonics(function, x)


def test_running_sums_are_one_instruction_a_tile():
    assert model.compile(lambda x: jnp.cumsum(x, -1), REAL[0]).instructions < 8


def test_the_sign_of_zero_is_kept():
    found = model.compile(jnp.sort, ODD)(ODD)
    with jax.default_device(CPU):
        wanted = jnp.sort(ODD)
    np.testing.assert_array_equal(np.signbit(found[:8]), np.signbit(np.asarray(wanted)[:8]))


LARGEST = {
    "equal": (lambda x: lax.top_k(x, 5), TIES),
    "more than eight": (lambda x: lax.top_k(x, 20), TIES),
    "all of few": (lambda x: lax.top_k(x[..., :6], 6), REAL),
    "nan and infinity": (lambda x: lax.top_k(x, 12), INFINITE),
    "nan of either sign": (
        lambda x: lax.top_k(x, 12),
        np.where(REAL[0] > 0, INFINITE, -np.float32("nan")),
    ),
    "mostly minus infinity": (lambda x: lax.top_k(jnp.where(x > 1, x, -jnp.inf), 12), REAL),
    "largest number and infinity": (
        lambda x: lax.top_k(jnp.where(x > 1, np.finfo("f").max, jnp.inf), 12),
        REAL,
    ),
    "half precision": (lambda x: lax.top_k(x.astype(jnp.bfloat16), 9)[1], TIES),
    "bytes": (lambda x: lax.top_k(x, 9), WORDS.astype(np.int8)),
    "in pieces": (lambda x: lax.top_k(x, 10), RANDOM.integers(0, 900, (2, 6000)).astype("f")),
    "many rows in pieces": (lambda x: lax.top_k(x, 3), RANDOM.normal(size=(140, 9000)).astype("f")),
}


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_are_found_by_the_vector_engines_search(name):
    function, x = LARGEST[name]
    check(function, x)
    assert "max8" in mnemonics(function, x)
    assert len(mnemonics(function, x)) < 16


LONG = RANDOM.integers(-20, 20, (2, 768))
LONG_ODD = np.where(LONG > 15, np.nan, np.where(LONG < -15, np.inf, LONG / 4)).astype(np.float32)
ROWS = {
    "few long rows": (lambda x: (jnp.sort(x), jnp.argsort(x)), LONG_ODD),
    "few long rows in bfloat16": (lambda x: jnp.argsort(x.astype(jnp.bfloat16)), LONG_ODD),
    "one long row of words": (lambda x: jnp.argsort(x[0] * 2**22), LONG.astype(np.int32)),
    "a long column": (lambda x: lax.sort((x.T, x.T + 1), dimension=0, num_keys=1), LONG_ODD),
    "experts": (lambda x: jnp.argsort(x[0] % 8), np.arange(4096, dtype=np.int32).reshape(2, -1)),
    "equal": (lambda x: jnp.argsort(x, -1), TIES),
    "columns": (lambda x: jnp.argsort(x, 1), TIES),
    "nan, infinity and zeros": (
        lambda x: (jnp.sort(x), jnp.argsort(x)),
        np.where(REAL[0] > 0, INFINITE, -0.0),
    ),
    "half precision": (lambda x: jnp.argsort(x.astype(jnp.bfloat16)), REAL[0]),
    "words": (lambda x: (jnp.sort(x, 1), jnp.argsort(x, 1)), WORDS * 2**20),
    "words without sign": (lambda x: jnp.argsort(x, 0), (WORDS * 2**20).view(np.uint32)),
    "values beside the key": (lambda x: lax.sort((x[0], x[1], x[2]), num_keys=1), TIES),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_are_sorted_on_chip(name):
    function, x = ROWS[name]
    check(function, x)
    (compiled,) = model.compile(function, x)._core.programs
    names = [compiled.program.mnemonic(i) for i in range(len(compiled.program))]
    assert names.count("dma_copy") < 64
