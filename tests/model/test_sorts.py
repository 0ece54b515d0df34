"""Sorts of any size and kind: XLA's order, and one story of what they cost."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
CPU = jax.devices("cpu")[0]


def drawn(shape, dtype, seed=0):
    """Numbers with many equal ones; of real ones some NaN, infinite and minus zero."""
    draw = np.random.default_rng(seed)
    if np.issubdtype(np.dtype(dtype), np.integer):
        ends = np.iinfo(dtype)
        few = draw.integers(ends.min, ends.max, 50, dtype=dtype, endpoint=True)
        return few[draw.integers(0, 50, shape)]
    x = np.round(draw.normal(size=shape) * 4).astype(np.float32)
    for step, value in ((97, np.nan), (101, np.inf), (103, -np.inf), (59, -0.0)):
        x.flat[::step] = value
    return jnp.asarray(x, dtype)


def check(function, *arguments, machine="trn3", cores=1):
    compiled = model.compile(function, *arguments, machine=machine, cores=cores)
    found = jax.tree.leaves(compiled(*arguments))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(
            np.asarray(ours).astype(np.float64), np.asarray(theirs).astype(np.float64)
        )
    return compiled


@pytest.mark.parametrize("length", [2, 129, 1000, 4097, 8192])
def test_one_row_of_any_length(length):
    x = drawn((length,), np.float32)
    compiled = check(lambda x: (jnp.sort(x), jnp.argsort(x)), x)
    assert compiled.routines == []


@pytest.mark.parametrize(
    "dtype", [ml_dtypes.bfloat16, np.float16, np.int32, np.uint32, np.int8, np.uint16]
)
def test_each_format(dtype):
    assert check(lambda x: (jnp.sort(x), jnp.argsort(x)), drawn((5000,), dtype)).routines == []


@pytest.mark.parametrize(
    "shape, dim", [((64, 8), 0), ((1024, 8), 0), ((4096, 2), 0), ((3, 700, 5), 1), ((9, 260, 7), 1)]
)
def test_columns_are_sorted_too(shape, dim):
    x = drawn(shape, np.float32)
    compiled = check(lambda x: (jnp.sort(x, dim), jnp.argsort(x, dim)), x)
    assert compiled.routines == []


@pytest.mark.parametrize("shape, dim", [((3, 5000), 1), ((33, 4100), 1), ((600, 7), 0)])
@pytest.mark.parametrize("cores", [1, 2])
def test_what_belongs_to_keys_moves_with_them(shape, dim, cores):
    values = (
        drawn(shape, np.float32),
        drawn(shape, np.int8, 1),
        drawn(shape, ml_dtypes.bfloat16, 2),
        drawn(shape, np.int32, 3),
    )
    check(lambda *x: lax.sort(x, dimension=dim, num_keys=1), *values, cores=cores)


@pytest.mark.parametrize("keys", [2, 3])
@pytest.mark.parametrize("length", [7, 5000])
def test_several_keys_are_sorts_by_one_each(keys, length):
    values = (drawn((length,), np.int8), drawn((length,), np.float32), drawn((length,), np.int32))
    compiled = check(lambda *x: lax.sort(x, num_keys=keys), *values)
    assert compiled.routines == []


def test_a_row_of_one_element_stays():
    compiled = check(lambda x: lax.sort(x, dimension=1), drawn((9, 1), np.float32))
    assert compiled.instructions == 0 and compiled.routines == []


@pytest.mark.parametrize("shape", [(5000,), (9, 40), (130, 64, 3)])
def test_machines_whose_array_multiplies_to_transpose(shape):
    x, y = drawn(shape, np.float32), drawn(shape, np.int32, 1)
    check(lambda x: (jnp.sort(x, 0), jnp.argsort(x)), x, machine="trn1")
    check(lambda x, y: lax.sort((x, y), dimension=0, num_keys=2), x, y, machine="trn1")


SORTS = {
    "sort": lambda x: jnp.sort(x),
    "argsort": lambda x: jnp.argsort(x),
    "three values": lambda x: lax.sort((x, x + 1, -x), num_keys=1),
    "two keys": lambda x: lax.sort((x, -x), num_keys=2),
}


@pytest.mark.parametrize("name", SORTS)
@pytest.mark.parametrize("machine", ["trn3", "trn1"])
def test_more_numbers_take_longer_and_more_energy(name, machine):
    """From 128 to 4 M numbers: n log(n) squared, whoever does it, and never more than four times
    as long for twice as many, but where GpSimd takes over from engines that hold no more."""
    before, joules_before, was_routine = 0.0, 0.0, False
    for power in range(7, 23):
        x = jax.ShapeDtypeStruct((1 << power,), jnp.float32)
        compiled = model.compile(SORTS[name], x, machine=machine)
        run = compiled.time()
        assert run.seconds > before * 0.85, 1 << power
        assert run.joules[1] > joules_before * 0.6, 1 << power
        is_routine = compiled.routines != []
        if before and is_routine == was_routine:
            assert run.seconds < 4 * before, 1 << power
        before, joules_before, was_routine = run.seconds, run.joules[1], is_routine
    # A comparison a lane and cycle is more than any engine does.
    pairs = (1 << 21) * 22 * 23 / 2
    assert before > pairs / 128 / 1.4e9


def test_a_sampler_sorts_its_vocabulary_on_engines():
    x = jax.ShapeDtypeStruct((4, 128_256), jnp.float32)
    compiled = model.compile(lambda x: jnp.argsort(x, -1), x, cores=2)
    assert compiled.routines == []
    assert 0.5e-3 < compiled.time().seconds < 4e-3
