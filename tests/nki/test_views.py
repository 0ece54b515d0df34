"""Do views address the elements that NumPy's views of the same storage address?

The storage is a NumPy array whose values are byte addresses. Random chains of operations are
applied to it and to a tensor; the tensor's addresses, offset + sum(stride * index), are the values.
"""

import nki.language as nl
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nki import _context, _target
from trainyard import InputError

ITEM = {"uint8": 1, "bfloat16": 2, "float32": 4}
given_chains = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)


class Model:
    """A tensor and the byte addresses it should have."""

    def __init__(self, shape: tuple[int, ...], dtype: str, buffer: nl.MemoryRegion) -> None:
        self.tensor = nl.ndarray(shape, dtype, buffer=buffer)
        self.on_chip = nl.is_on_chip(buffer)
        size = ITEM[dtype]
        self.addresses = np.arange(0, np.prod(shape) * size, size).reshape(shape)
        self.dtype = dtype
        self.recast = False  # the model's own strides no longer say what can be reshaped

    def check(self) -> None:
        tensor, size = self.tensor, ITEM[self.tensor.dtype]
        assert tensor.shape == self.addresses.shape
        assert tensor.ndim == self.addresses.ndim
        assert tensor.size == self.addresses.size
        found = np.full(tensor.shape, tensor.offset * size)
        for dim, (stride, count) in enumerate(tensor.get_pattern()):
            assert (stride, count) == (tensor.strides[dim], tensor.shape[dim])
            steps = np.arange(count) * stride * size
            found = found + steps.reshape([-1 if d == dim else 1 for d in range(tensor.ndim)])
        np.testing.assert_array_equal(found, self.addresses)

    def keep_two_dims(self, wanted: np.ndarray, partition_indexed: bool) -> np.ndarray:
        """NumPy's result of an index with what NKI keeps."""
        if partition_indexed and self.on_chip:
            wanted = wanted[None]
        least = 2 if self.on_chip else 1
        return wanted.reshape(wanted.shape + (1,) * (least - wanted.ndim))


def reshaped(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    """The array in another shape, or None where that needs a copy."""
    view = array.view()
    try:
        view.shape = shape
    except AttributeError:
        return None
    return view


def factors(data: st.DataObject, n: int) -> tuple[int, ...]:
    result = []
    while n > 1 and len(result) < 2:
        divisor = data.draw(st.sampled_from([d for d in range(1, n + 1) if n % d == 0]))
        result.append(divisor)
        n //= divisor
    return (*result, n)


def do_index(model: Model, data: st.DataObject) -> None:
    key = []
    for dim, size in enumerate(model.addresses.shape):
        kind = data.draw(st.sampled_from(["all", "slice", "ds", "integer", "negative"]))
        start = data.draw(st.integers(0, size - 1))
        if kind == "all":
            key.append(slice(None))
        elif kind == "slice":
            stop = data.draw(st.integers(start + 1, size))
            key.append(slice(start, stop, data.draw(st.integers(1, 3))))
        elif kind == "ds":
            key.append(nl.ds(start, data.draw(st.integers(1, size - start))))
        else:
            key.append(start if kind == "integer" else start - size)
        if dim + 1 < model.addresses.ndim and data.draw(st.booleans()) and Ellipsis not in key:
            key.append(Ellipsis)
            break
    plain = tuple(slice(k.start, k.start + k.size) if isinstance(k, nl.ds) else k for k in key)
    wanted = model.keep_two_dims(model.addresses[plain], isinstance(key[0], int))
    model.tensor, model.addresses = model.tensor[tuple(key)], wanted


def do_slice(model: Model, data: st.DataObject) -> None:
    dim = data.draw(st.integers(0, model.addresses.ndim - 1))
    size = model.addresses.shape[dim]
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    step = data.draw(st.integers(1, 3))
    key = (slice(None),) * dim + (slice(start, end, step),)
    model.tensor = model.tensor.slice(dim=dim, start=start, end=end, step=step)
    model.addresses = model.addresses[key]


def do_select(model: Model, data: st.DataObject) -> None:
    dim = data.draw(st.integers(0, model.addresses.ndim - 1))
    at = data.draw(st.integers(0, model.addresses.shape[dim] - 1))
    wanted = model.addresses[(slice(None),) * dim + (at,)]
    model.tensor = model.tensor.select(dim, at)
    model.addresses = model.keep_two_dims(wanted, dim == 0)


def do_permute(model: Model, data: st.DataObject) -> None:
    first = 1 if model.on_chip else 0
    rest = data.draw(st.permutations(range(first, model.addresses.ndim)))
    order = (*range(first), *rest)
    model.tensor, model.addresses = model.tensor.permute(order), model.addresses.transpose(order)


def do_expand(model: Model, data: st.DataObject) -> None:
    dim = data.draw(st.integers(1 if model.on_chip else 0, model.addresses.ndim))
    model.tensor = model.tensor.expand_dim(dim)
    model.addresses = np.expand_dims(model.addresses, dim)


def single(model: Model, data: st.DataObject) -> int:
    first = 1 if model.on_chip else 0
    dims = [d for d in range(first, model.addresses.ndim) if model.addresses.shape[d] == 1]
    assume(dims)
    return data.draw(st.sampled_from(dims))


def do_squeeze(model: Model, data: st.DataObject) -> None:
    assume(model.addresses.ndim > (2 if model.on_chip else 1))
    dim = single(model, data)
    model.tensor = model.tensor.squeeze_dim(dim)
    model.addresses = model.addresses.squeeze(dim)


def do_broadcast(model: Model, data: st.DataObject) -> None:
    dim = single(model, data)
    size = data.draw(st.integers(1, 4))
    shape = list(model.addresses.shape)
    shape[dim] = size
    model.tensor = model.tensor.broadcast(dim, size)
    model.addresses = np.broadcast_to(model.addresses, shape)


def do_reshape_dim(model: Model, data: st.DataObject) -> None:
    dim = data.draw(st.integers(1 if model.on_chip else 0, model.addresses.ndim - 1))
    split = factors(data, model.addresses.shape[dim])
    shape = model.addresses.shape
    wanted = model.addresses.reshape(shape[:dim] + split + shape[dim + 1 :])
    open_at = data.draw(st.integers(-1, len(split) - 1))
    asked = tuple(-1 if d == open_at else n for d, n in enumerate(split))
    model.tensor, model.addresses = model.tensor.reshape_dim(dim, asked), wanted


def accept_alike(model: Model, shape: tuple[int, ...], make: object) -> None:
    """Applies a merging operation; it is refused exactly where NumPy would have to copy."""
    wanted = reshaped(model.addresses, shape)
    try:
        tensor = make()
    except InputError:
        assert wanted is None or model.recast
        return
    if not model.recast:
        assert wanted is not None
    model.tensor, model.addresses = tensor, model.addresses.reshape(shape)


def do_flatten(model: Model, data: st.DataObject) -> None:
    first = data.draw(st.integers(1 if model.on_chip else 0, model.addresses.ndim - 1))
    last = data.draw(st.integers(first, model.addresses.ndim - 1))
    shape = model.addresses.shape
    merged = int(np.prod(shape[first : last + 1]))
    accept_alike(
        model,
        (*shape[:first], merged, *shape[last + 1 :]),
        lambda: model.tensor.flatten_dims(first, last),
    )


def do_reshape(model: Model, data: st.DataObject) -> None:
    kept = model.addresses.shape[:1] if model.on_chip else ()
    shape = kept + factors(data, int(np.prod(model.addresses.shape[len(kept) :])))
    accept_alike(model, shape, lambda: model.tensor.reshape(shape))


def do_view(model: Model, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(list(ITEM)))
    old, new = ITEM[model.tensor.dtype], ITEM[dtype]
    try:
        tensor = model.tensor.view(dtype)
    except InputError:
        return
    if new < old:
        parts = np.arange(0, old, new)
        wanted = (model.addresses[..., None] + parts).reshape(*model.addresses.shape[:-1], -1)
    else:
        wanted = model.addresses[..., :: new // old]
    model.recast = model.recast or new != old
    model.tensor, model.addresses = tensor, wanted


OPERATIONS = [
    do_index,
    do_slice,
    do_select,
    do_permute,
    do_expand,
    do_squeeze,
    do_broadcast,
    do_reshape_dim,
    do_flatten,
    do_reshape,
    do_view,
]


@pytest.mark.parametrize("buffer", [nl.sbuf, nl.shared_hbm], ids=["sbuf", "hbm"])
@given(data=st.data())
@given_chains
def test_chains_of_views_address_what_numpy_addresses(buffer, data):
    with _context.tracing(_context.new_context(_target.machine(), "test")):
        shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4)))
        model = Model(shape, data.draw(st.sampled_from(list(ITEM))), buffer)
        for operation in data.draw(st.lists(st.sampled_from(OPERATIONS), min_size=1, max_size=6)):
            operation(model, data)
            model.check()
            if model.addresses.ndim > 7:
                break


def test_a_reshape_keeps_its_elements_in_order(trace):
    tile = nl.ndarray((128, 4, 6), nl.float32)
    assert tile.reshape((128, 24)).get_pattern() == [[24, 128], [1, 24]]
    assert tile.reshape((128, 2, -1)).shape == (128, 2, 12)


def test_rearrange_splits_orders_and_merges_by_name(trace):
    tile = nl.ndarray((128, 24), nl.float32)
    view = tile.rearrange(("b", ("h", "w")), ("b", "w", "h"), {"h": 4})
    assert view.get_pattern() == [[24, 128], [1, 6], [6, 4]]
    both = nl.ndarray((4, 6, 8), nl.float32, buffer=nl.shared_hbm)
    merged = both.rearrange((("x", "y"), "b", "c"), ("y", ("x",), ("b", "c")), {"x": 2})
    assert merged.get_pattern() == [[48, 2], [96, 2], [1, 48]]


def test_a_view_made_of_a_view_ends_where_the_guide_says(trace):
    tile = nl.ndarray((128, 4, 16), nl.float32)
    view = tile[0:64, :, :].permute((0, 2, 1))[:, 0, :]
    assert view.shape == (64, 4)
    assert view.get_pattern() == [[64, 64], [16, 4]]


def test_on_chip_tensors_keep_two_dimensions(trace):
    tile = nl.ndarray((64, 64, 64), nl.float32)
    assert tile[0, 0, 10].shape == (1, 1)
    assert tile[:, 0].shape == (64, 64)
    assert tile[:, 0, 10].shape == (64, 1)
    assert tile[0, ..., :].shape == (1, 64, 64)
    assert tile[-1, -2:, 3].shape == (1, 2)


def test_hbm_tensors_drop_an_indexed_dimension(trace):
    tensor = nl.ndarray((4, 128, 32), nl.float32, buffer=nl.shared_hbm)
    assert tensor[0, :, :].shape == (128, 32)
    assert tensor[0, 1].shape == (32,)
    assert tensor[0, 1, 2].shape == (1,)


class TestAccessPattern:
    def test_is_a_pattern_on_the_storage(self, trace):
        tile = nl.ndarray((128, 64), nl.float32)
        view = tile.slice(dim=1, start=8, end=24)
        assert (view.get_pattern(), view.offset) == ([[64, 128], [1, 16]], 8)
        raw = tile.ap(pattern=[[64, 128], [1, 16]], offset=8)
        assert (raw.get_pattern(), raw.offset) == (view.get_pattern(), view.offset)

    def test_starts_where_its_view_starts(self, trace):
        """The reading of the stub: an explicit offset is added to the view's own."""
        view = nl.ndarray((128, 64), nl.float32)[:, 8:24]
        assert view.ap([[64, 128], [1, 4]]).offset == 8
        assert view.ap([[64, 128], [1, 4]], offset=0).offset == 8
        assert view.ap([[64, 128], [1, 4]], offset=3).offset == 11

    def test_counts_in_elements_of_its_dtype(self, trace):
        tile = nl.ndarray((128, 256), nl.int32)
        cast = tile.ap(pattern=[[512, 128], [1, 512]], offset=0, dtype=nl.bfloat16)
        assert (cast.shape, cast.dtype) == ((128, 512), nl.bfloat16)
        assert tile[:, 8:].ap([[512, 128], [1, 4]], dtype=nl.bfloat16).offset == 16

    def test_accepts_tuples_and_its_own_pattern(self, trace):
        tile = nl.ndarray((128, 1024), nl.float16)
        assert tile.ap(pattern=[(1024, 128), (2, 512)]).shape == (128, 512)
        pattern = tile.get_pattern()
        pattern[0][1] = 64
        assert tile.ap(pattern=pattern).shape == (64, 1024)


def test_the_base_of_a_view_is_the_whole_tensor(trace):
    words = nl.ndarray((128, 64), nl.uint16)
    view = words[:, 8:24].view(nl.float4_e2m1fn_x4)
    assert (view.base_tensor.shape, view.base_tensor.dtype) == ((128, 64), nl.uint16)
    assert words.base_tensor.shape == words.shape


def test_a_tensor_is_true(trace):
    assert nl.ndarray((4, 1), nl.float32) and nl.ndarray((4, 1), nl.int32)[0:1]


def test_a_pattern_may_count_partitions_by_the_size_of_the_view(trace):
    view = nl.ndarray((128, 64), nl.float32)[0:4, 8:24]
    part = view.ap([[16, 4], [1, 8]], offset=2)
    assert (part.shape, part.offset, part.get_pattern()[0][0]) == ((4, 8), 10, 64)
