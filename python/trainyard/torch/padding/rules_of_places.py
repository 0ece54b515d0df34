"""Rules of reads and writes at places that tensors name: what does not count is written nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import fx

from trainyard.torch.padding.factors import (
    Dims,
    Unpadded,
    any_padded,
    broadcast,
    extent_of,
    is_padded,
    same,
)
from trainyard.torch.padding.interpreter import Interpreter, Padded

_A = torch.ops.aten


def _embedding(
    run: Interpreter, node: fx.Node, table: Padded, places: Padded, *_: Any, **__: Any
) -> Padded:
    made = _A.embedding.default(table.tensor, places.tensor)
    return Padded(made, (*places.dims, *table.dims[1:]))


def _index_select(run: Interpreter, node: fx.Node, x: Padded, dim: int, places: Padded) -> Padded:
    dim %= max(x.rank, 1)
    new = places.dims[0] if places.rank else ()
    made = x.tensor.index_select(dim, places.tensor)
    return Padded(made, (*x.dims[:dim], new, *x.dims[dim + 1 :]))


def _gather(
    run: Interpreter, node: fx.Node, x: Padded, dim: int, places: Padded, **_: Any
) -> Padded:
    _check_beside(x, dim % max(x.rank, 1), places)
    return Padded(torch.gather(x.tensor, dim, places.tensor), places.dims)


def _check_beside(x: Padded, dim: int, places: Padded) -> None:
    """Along other dimensions an element is at its own place: padded ones must be the same."""
    for i in range(x.rank):
        if i != dim and (is_padded(x.dims[i]) or is_padded(places.dims[i])):
            same(x.dims[i], places.dims[i], "gather or scatter")


def _index(run: Interpreter, node: fx.Node, x: Padded, where: Sequence[Padded | None]) -> Padded:
    dims, _ = _indexed(x, where)
    made = _A.index.Tensor(x.tensor, [None if e is None else e.tensor for e in where])
    return Padded(made, dims)


def _indexed(x: Padded, where: Sequence[Padded | None]) -> tuple[Dims, Dims]:
    """The dimensions of x[where], and those of the places."""
    given = [each for each in where if each is not None]
    if any(each.tensor.dtype in (torch.bool, torch.uint8) for each in given):
        raise Unpadded("a mask as an index")
    places = broadcast([each.dims for each in given])
    at = [i for i, each in enumerate(where) if each is not None]
    rest = [dim for i, dim in enumerate(x.dims) if i not in at]
    lead = at[0] if at == list(range(at[0], at[-1] + 1)) else 0
    return (*rest[:lead], *places, *rest[lead:]), places


def _index_put(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    where: Sequence[Padded | None],
    values: Padded,
    accumulate: bool = False,
    *_: Any,
) -> Padded:
    dims, places = _indexed(x, where)
    full = broadcast([dims, values.dims])
    written = values.tensor
    given = [None if each is None else each.tensor for each in where]
    if any_padded(places):
        at = next(i for i, each in enumerate(given) if each is not None)
        given[at] = _outside(run, given[at], places, x.tensor.shape[at])
        # Zeros, as a write may be computed as a product with what is not a number.
        shape = [1 if dim is None else extent_of(dim) for dim in full]
        axes = [i for i, dim in enumerate(full) if is_padded(dim)]
        written = run.masked(Padded(written.expand(shape), full), axes, 0)
    return Padded(node.target(x.tensor, given, written, accumulate), x.dims)


def _outside(run: Interpreter, places: Any, dims: Dims, extent: int) -> torch.Tensor:
    """The places, those that do not count behind the end of what is written."""
    shape = [1] * (len(dims) - places.dim()) + list(places.shape)
    made = places.reshape(shape)
    for i, dim in enumerate(dims):
        if is_padded(dim):
            inside = run.mask(dim).reshape([-1 if j == i else 1 for j in range(len(dims))])
            made = torch.where(inside, made, torch.full((), extent, dtype=made.dtype))
    return made


def _scatter(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dim: int,
    places: Padded,
    source: Any,
    *rest: Any,
    **named: Any,
) -> Padded:
    dim %= max(x.rank, 1)
    _check_beside(x, dim, places)
    given = places.tensor
    if places.rank and is_padded(places.dims[dim]):
        only = tuple(each if i == dim else () for i, each in enumerate(places.dims))
        given = _outside(run, given, only, x.tensor.shape[dim])
    if isinstance(source, Padded):
        if source.dims != places.dims:
            raise Unpadded("scatter of a part of its source")
        padded = [i for i, each in enumerate(source.dims) if is_padded(each)]
        source = run.masked(source, padded, 0)
    elif isinstance(source, (torch.SymInt, torch.SymFloat)):
        raise Unpadded("scatter of a size")
    return Padded(node.target(x.tensor, dim, given, source, *rest, **named), x.dims)


def _index_add(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dim: int,
    places: Padded,
    source: Padded,
    **named: Any,
) -> Padded:
    dim %= max(x.rank, 1)
    if x.rank != source.rank:
        raise Unpadded("index_add of another rank")
    for i in range(x.rank):
        if i != dim and (is_padded(x.dims[i]) or is_padded(source.dims[i])):
            same(x.dims[i], source.dims[i], "index_add")
    given = places.tensor
    if any_padded(places.dims):
        given = _outside(run, given, places.dims, x.tensor.shape[dim])
    written = run.masked(source, [i for i, d in enumerate(source.dims) if is_padded(d)], 0)
    return Padded(node.target(x.tensor, dim, given, written, **named), x.dims)


def _grouped_mm(
    run: Interpreter, node: fx.Node, a: Padded, b: Padded, ends: Any = None, *rest: Any
) -> Padded:
    """Rows behind the last group count nowhere."""
    if ends is None or ends.padded or a.rank != 2 or b.rank != 3 or is_padded(a.dims[1]):
        raise Unpadded("a grouped product along a padded dimension")
    made = node.target(a.tensor, b.tensor, ends.tensor, *rest)
    return Padded(made, (a.dims[0], b.dims[2]))


RULES: dict[Any, Any] = {
    _A.embedding.default: _embedding,
    _A.index_select.default: _index_select,
    _A.gather.default: _gather,
    _A.index.Tensor: _index,
    _A._unsafe_index.Tensor: _index,
    _A.index_put.default: _index_put,
    _A._unsafe_index_put.default: _index_put,
    _A.scatter.value: _scatter,
    _A.scatter.src: _scatter,
    _A.scatter_add.default: _scatter,
    _A.scatter_reduce.two: _scatter,
    _A.index_add.default: _index_add,
    _A._grouped_mm.default: _grouped_mm,
}
