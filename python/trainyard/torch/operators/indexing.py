"""Reads and writes at places that tensors name.

Places outside of a dimension are an error on a CPU; here, as on the chip, reads take the nearest
element and writes have no effect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.operators.elementwise import arithmetic
from trainyard.torch.operators.promotion import as_type
from trainyard.torch.writer import Value, Writer, highest, lowest


def places32(w: Writer, x: Value, extent: int, wraps: bool = True) -> Value:
    """Places in 32 bits; those under 0 count from the end."""
    if x.dtype == torch.bool:
        raise Refusal("a mask as an index", "use torch.where, or masked_fill: shapes are static")
    if wraps:
        negative = w.compare("LT", x, w.like(0, x))
        x = w.select(negative, w.binary("add", x, w.like(extent, x), x.bound), x)
    if x.element == "i32":
        return x
    text = f"stablehlo.convert {x.name} : ({x.type}) -> $T"
    return w.put(text, x.shape, torch.int64, "i32", extent)


def take_rows(w: Writer, x: Value, places: Value) -> Value:
    """x[places] of the first dimension."""
    return _gather(w, x, places, [0], places.rank, (*places.shape, *x.shape[1:]), [])


def put_rows(w: Writer, x: Value, places: Value, rows: Value) -> Value:
    """x with x[places] of the first dimension replaced."""
    windows = list(range(places.rank, rows.rank))
    return _scatter(w, x, places, rows, [0], places.rank, windows, "second")


def _gather(
    w: Writer,
    x: Value,
    places: Value,
    dims: Sequence[int],
    vector: int,
    shape: Sequence[int],
    offsets: Sequence[int] | None = None,
    batch: Sequence[int] = (),
) -> Value:
    """dims: those that places name; vector: which dimension of places holds their parts."""
    if 0 in shape:
        return w.constant(0, shape, x.dtype, x.element)
    if not offsets:
        offsets = list(range(places.rank - int(vector < places.rank), len(shape)))
    sizes = [1 if i in dims or i in batch else extent for i, extent in enumerate(x.shape)]
    batching = (
        f"operand_batching_dims = {list(batch)}, start_indices_batching_dims = {list(batch)}, "
        if batch
        else ""
    )
    size_text = f"array<i64: {', '.join(map(str, sizes))}>" if sizes else "array<i64>"
    text = (
        f'"stablehlo.gather"({x.name}, {places.name}) <{{dimension_numbers = '
        f"#stablehlo.gather<offset_dims = {list(offsets)}, collapsed_slice_dims = {list(dims)}, "
        f"{batching}start_index_map = {list(dims)}, index_vector_dim = {vector}>, "
        f"indices_are_sorted = false, slice_sizes = {size_text}}}> : "
        f"({x.type}, {places.type}) -> $T"
    )
    return w.put(text, shape, x.dtype, x.element, x.bound)


def _scatter(
    w: Writer,
    x: Value,
    places: Value,
    updates: Value,
    dims: Sequence[int],
    vector: int,
    windows: Sequence[int],
    how: str,
    batch: Sequence[int] = (),
) -> Value:
    batching = (
        f"input_batching_dims = {list(batch)}, scatter_indices_batching_dims = {list(batch)}, "
        if batch
        else ""
    )
    if 0 in updates.shape:
        return x
    x, updates = w.same_width(x, updates)
    if how != "second" and x.dtype == torch.int64:
        x, updates = w.with_element(x, "i64"), w.with_element(updates, "i64")
    bound = None
    if how == "second" and x.bound is not None and updates.bound is not None:
        bound = max(x.bound, updates.bound)
    text = (
        f'"stablehlo.scatter"({x.name}, {places.name}, {updates.name}) <{{indices_are_sorted = '
        f"false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
        f"{list(windows)}, inserted_window_dims = {list(dims)}, {batching}"
        f"scatter_dims_to_operand_dims = {list(dims)}, index_vector_dim = {vector}>, "
        f"unique_indices = false}}> {w.simple_region(how, x.element)} : "
        f"({x.type}, {places.type}, {updates.type}) -> $T"
    )
    return w.put(text, x.shape, x.dtype, x.element, bound)


def embedding(w: Writer, out: Any, table: Value, places: Value, *_: Any, **__: Any) -> Value:
    return take_rows(w, table, places32(w, places, table.shape[0], wraps=False))


def index_select(w: Writer, out: Any, x: Value, dim: int, places: Value) -> Value:
    if x.rank == 0:
        return w.expand(x, out.shape)
    if places.rank == 0:
        places = w.reshape(places, (1,))
    dim %= x.rank
    offsets = [i for i in range(x.rank) if i != dim]
    narrow = places32(w, places, x.shape[dim], wraps=False)
    return _gather(w, x, narrow, [dim], 1, out.shape, offsets or None)


def _indexed(
    w: Writer, x: Value, where: Sequence[Value | None]
) -> tuple[list[int], tuple[int, ...], Value, int]:
    """Which dimensions are indexed, the shape of the places, they themselves with their parts in
    the last dimension, and where they stand in the result."""
    dims = [i for i, each in enumerate(where) if each is not None]
    given = [each for each in where if each is not None]
    shape = tuple(torch.broadcast_shapes(*[each.shape for each in given]))
    parts = []
    for dim, each in zip(dims, given, strict=True):
        narrow = places32(w, each, x.shape[dim])
        parts.append(w.reshape(w.expand(narrow, shape), (*shape, 1)))
    joined = w.concatenate(parts, len(shape))
    adjacent = dims == list(range(dims[0], dims[-1] + 1))
    return dims, shape, joined, dims[0] if adjacent else 0


def index(w: Writer, out: Any, x: Value, where: Sequence[Value | None]) -> Value:
    dims, shape, places, first = _indexed(w, x, where)
    rest = x.rank - len(dims)
    offsets = [i if i < first else i + len(shape) for i in range(rest)]
    return _gather(w, x, places, dims, len(shape), out.shape, offsets or None)


def index_put(
    w: Writer,
    out: Any,
    x: Value,
    where: Sequence[Value | None],
    values: Value,
    accumulate: bool = False,
    *_: Any,
) -> Value:
    values = w.cast(values, x.dtype)
    masks = [each for each in where if each is not None and each.dtype == torch.bool]
    if masks:
        return _masked_put(w, x, where, values, accumulate)
    dims, shape, places, first = _indexed(w, x, where)
    kept = [x.shape[i] for i in range(x.rank) if i not in dims]
    wanted = [*kept[:first], *shape, *kept[first:]]
    windows = [i if i < first else i + len(shape) for i in range(len(kept))]
    how = "add" if accumulate and x.dtype != torch.bool else "or" if accumulate else "second"
    return _scatter(w, x, places, w.expand(values, wanted), dims, len(shape), windows, how)


def _masked_put(
    w: Writer, x: Value, where: Sequence[Value | None], values: Value, accumulate: bool
) -> Value:
    """One mask, and a value for all that it marks."""
    first = next(i for i, each in enumerate(where) if each is not None)
    mask = where[first]
    if mask is None or sum(each is not None for each in where) > 1 or math.prod(values.shape) != 1:
        raise Refusal("values for the elements of a mask", "use torch.where: shapes are static")
    wide = w.broadcast(mask, x.shape, range(first, first + mask.rank))
    value = w.expand(w.reshape(values, ()), x.shape)
    if accumulate:
        value = arithmetic(w, "add", *w.same_width(x, value))
    return w.select(wide, value, x)


def _trimmed(w: Writer, x: Value, like: Value, dim: int) -> Value:
    """x, but no more of the other dimensions than `like` has."""
    limits = [x.shape[i] if i == dim else like.shape[i] for i in range(x.rank)]
    return w.slice(x, [0] * x.rank, limits, [1] * x.rank)


def gather(w: Writer, out: Any, x: Value, dim: int, places: Value, **_: Any) -> Value:
    """An element for each place along a dimension."""
    if x.rank == 0:
        return w.expand(x, out.shape)
    dim %= x.rank
    if 0 in out.shape:
        return w.constant(0, out.shape, out.dtype, x.element)
    narrow = places32(w, places, x.shape[dim], wraps=False)
    trimmed = _trimmed(w, x, places, dim)
    batch = [i for i in range(x.rank) if i != dim]
    column = w.reshape(narrow, (*narrow.shape, 1))
    return _gather(w, trimmed, column, [dim], x.rank, out.shape, None, batch)


def _at_places(w: Writer, x: Value, dim: int, places: Value, source: Any, how: str) -> Value:
    if x.rank == 0:
        x1 = w.reshape(x, (1,))
        p1 = w.reshape(places, (1,))
        s1 = w.reshape(source, (1,)) if isinstance(source, Value) else source
        return w.reshape(_at_places(w, x1, 0, p1, s1, how), ())
    dim %= x.rank
    if 0 in places.shape:
        return x
    if isinstance(source, Value):
        source = w.slice(source, [0] * x.rank, places.shape, [1] * x.rank)
    updates = as_type(w, source, places.shape, x.dtype)
    narrow = places32(w, places, x.shape[dim], wraps=False)
    parts = [
        w.reshape(narrow if i == dim else w.iota(places.shape, i), (*places.shape, 1))
        for i in range(x.rank)
    ]
    joined = w.concatenate([w.with_element(part, "i32") for part in parts], x.rank)
    return _scatter(w, x, joined, updates, list(range(x.rank)), x.rank, [], how)


def scatter(
    w: Writer,
    out: Any,
    x: Value,
    dim: int,
    places: Value,
    source: Any,
    *,
    reduce: str | None = None,
) -> Value:
    """Of a value or a tensor."""
    how = {None: "second", "add": "add", "multiply": "multiply"}[reduce]
    return _at_places(w, x, dim, places, source, how)


def scatter_add(w: Writer, out: Any, x: Value, dim: int, places: Value, source: Any) -> Value:
    if x.is_float and x.dtype.itemsize < 4:
        wide = w.cast(x, torch.float32)
        return w.cast(_at_places(w, wide, dim, places, source, "add"), x.dtype)
    return _at_places(w, x, dim, places, source, "or" if x.dtype == torch.bool else "add")


_REDUCTIONS: dict[str, tuple[str, Callable[[torch.dtype], float]]] = {
    "sum": ("add", lambda _: 0),
    "mean": ("add", lambda _: 0),
    "prod": ("multiply", lambda _: 1),
    "amax": ("maximum", lowest),
    "amin": ("minimum", highest),
}


def scatter_reduce(
    w: Writer,
    out: Any,
    x: Value,
    dim: int,
    places: Value,
    source: Value,
    reduce: str,
    *,
    include_self: bool = True,
) -> Value:
    how, start = _REDUCTIONS[reduce]
    kind = x.dtype
    if x.is_float and x.dtype.itemsize < 4:
        x, source = w.cast(x, torch.float32), w.cast(source, torch.float32)
    before = x
    ones = w.constant(1, source.shape, torch.int32)
    counts = _at_places(w, w.constant(0, x.shape, torch.int32), dim, places, ones, "add")
    touched = w.compare("GT", counts, w.like(0, counts))
    if not include_self:
        limits = torch.int32 if x.element == "i32" else x.dtype
        x = w.select(touched, w.like(start(limits), x), x)
    made = _at_places(w, x, dim, places, source, how)
    if reduce == "mean":
        if include_self:
            counts = w.binary("add", counts, w.like(1, counts))
        counts = w.binary("maximum", counts, w.like(1, counts))
        counts = w.cast(counts, made.dtype)
        if made.is_float:
            made = w.binary("divide", made, counts)
        else:
            from trainyard.torch.operators.elementwise import _whole_quotient

            made = _whole_quotient(w, *w.same_width(made, counts), "floor")
    return w.cast(w.select(touched, made, before), kind)


def index_add(
    w: Writer, out: Any, x: Value, dim: int, places: Value, source: Value, *, alpha: float = 1
) -> Value:
    if alpha != 1:
        source = arithmetic(w, "multiply", source, w.like(alpha, source))
    if x.rank == 0:
        return arithmetic(w, "add", *w.same_width(x, w.reshape(source, ())))
    if places.rank == 0:
        places = w.reshape(places, (1,))
    dim %= x.rank
    narrow = places32(w, places, x.shape[dim])
    windows = [i for i in range(x.rank) if i != dim]
    return _scatter(w, x, narrow, w.cast(source, x.dtype), [dim], 1, windows, "add")


def masked_scatter(w: Writer, out: Any, x: Value, mask: Value, source: Value) -> Value:
    """Element n of the source where the mask holds for the n-th time."""
    from trainyard.torch.operators.reductions import scan

    if 0 in x.shape or 0 in source.shape:
        return x
    flat_mask = w.reshape(w.expand(mask, x.shape), (math.prod(x.shape),))
    counted = w.cast(flat_mask, torch.int64)
    meta = torch.empty(flat_mask.shape, dtype=torch.int64, device="meta")
    order = scan("add", 0)(w, meta, counted, 0)
    places = w.binary("subtract", order, w.like(1, order), order.bound)
    places = w.binary("maximum", places, w.like(0, places), places.bound)
    taken = take_rows(
        w, w.reshape(source, (math.prod(source.shape),)), places32(w, places, 0, False)
    )
    flat = w.select(flat_mask, w.cast(taken, x.dtype), w.reshape(x, flat_mask.shape))
    return w.reshape(flat, x.shape)
