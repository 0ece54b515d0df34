"""Do arrays stay in the device's memory between programs, and change there only for those who were
given them?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import InputError, device_memory, graph, model

SHAPE = (6, 8, 32)  # blocks, tokens, width


def append(cache, row, place):
    flat = cache.reshape(-1, cache.shape[-1])
    return flat.at[place].set(row, mode="drop").reshape(cache.shape)


def compiled(donates=True, kind=np.float32):
    jitted = jax.jit(append, donate_argnums=(0,) if donates else ())
    given = np.zeros(SHAPE, kind), np.zeros(SHAPE[-1], kind), np.int32(0)
    return model.compile(jitted, *given)


@pytest.mark.parametrize("kind", [np.float32, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3, np.int8])
def test_a_donated_cache_grows_where_it_is(kind):
    step, cache = compiled(kind=kind), device_memory.zeros(SHAPE, kind)
    wanted = np.zeros(SHAPE, kind)
    address = in_use = None
    random = np.random.default_rng(5)
    for place in random.permutation(SHAPE[0] * SHAPE[1])[:20]:
        row = random.integers(-9, 9, SHAPE[-1]).astype(kind)
        wanted.reshape(-1, SHAPE[-1])[place] = row
        cache = step.run(cache, row, np.int32(place), on_device=True).results
        assert address in (None, cache.address)
        assert in_use in (None, cache.devices.bytes_in_use)
        address, in_use = cache.address, cache.devices.bytes_in_use
    np.testing.assert_array_equal(np.asarray(cache), wanted)


def test_what_is_donated_is_gone_and_says_so():
    step, cache = compiled(), device_memory.zeros(SHAPE, np.float32)
    after = step.run(cache, np.ones(SHAPE[-1], np.float32), np.int32(3), on_device=True).results
    assert cache.is_gone and not after.is_gone and "gone" in repr(cache)
    with pytest.raises(InputError, match=r"model\.donated"):
        np.asarray(cache)
    with pytest.raises(InputError, match=r"model\.donated"):
        step.run(cache, np.ones(SHAPE[-1], np.float32), np.int32(3))


@pytest.mark.parametrize("donates", [False, True])
def test_arrays_that_are_not_donated_keep_their_values(donates):
    """Those of NumPy never are: they are the caller's."""
    step, row = compiled(donates), np.full(SHAPE[-1], 2, np.float32)
    cache = np.zeros(SHAPE, np.float32)
    for _ in range(2):
        assert step.run(cache, row, np.int32(3)).results[0, 3, 0] == 2
        assert not cache.any()
    if not donates:
        held = device_memory.put(cache)
        assert step.run(held, row, np.int32(3)).results[0, 3, 0] == 2
        assert not np.asarray(held).any()


def test_an_array_that_is_given_twice_is_copied():
    jitted = jax.jit(lambda a, b: (a.at[0].set(7.0), b + 1), donate_argnums=0)
    twice = model.compile(jitted, np.zeros(256, np.float32), np.zeros(256, np.float32))
    held = device_memory.put(np.arange(256, dtype=np.float32))
    first, second = twice.run(held, held).results
    assert first[0] == 7 and list(second[:3]) == [1, 2, 3]


def test_programs_of_other_shapes_read_one_array_of_weights():
    weights = device_memory.put(np.ones((64, 32), np.float32))
    products = [
        model.compile(jax.jit(jnp.matmul), np.zeros((rows, 64), np.float32), weights)
        for rows in (1, 5, 33)
    ]
    for rows, product in zip((1, 5, 33), products, strict=True):
        made = product.run(np.full((rows, 64), 2, np.float32), weights).results
        np.testing.assert_array_equal(made, np.full((rows, 32), 128))
        address = weights.address
    assert weights.address == address


def test_pages_are_read_and_written_one_by_one():
    values = np.arange(np.prod(SHAPE), dtype=np.float32).reshape(SHAPE)
    cache = device_memory.put(values)
    for axis, pages in ((0, [4, 1]), (1, [7, 0, 3]), (2, [31])):
        found = cache.read_pages(pages, axis)
        np.testing.assert_array_equal(found, values.take(pages, axis))
        cache.write_pages(pages[::-1], found, axis)
        np.put_along_axis(
            values, np.expand_dims(pages[::-1], tuple({0, 1, 2} - {axis})), found, axis
        )
        np.testing.assert_array_equal(np.asarray(cache), values)


@pytest.mark.parametrize(
    ("pages", "axis", "found"), [([6], 0, "page 6 of 6"), ([-1], 1, "page -1"), ([0], 3, "3 of")]
)
def test_pages_that_are_not_there_are_refused(pages, axis, found):
    with pytest.raises(InputError, match=found):
        device_memory.zeros(SHAPE, np.float32).read_pages(pages, axis)


def test_pages_of_another_size_are_refused():
    with pytest.raises(InputError, match=r"model\.pages"):
        device_memory.zeros(SHAPE, np.float32).write_pages([0], np.zeros((2, 8, 32), np.float32))


def test_element_types_have_the_names_that_they_are_found_by():
    for name in ("i1", "i4", "ui8", "i64", "f16", "bf16", "f32", "f8E4M3FN", "f8E5M2", "f4E2M1FN"):
        assert graph.element_of(graph.dtype_of(name)) == name
