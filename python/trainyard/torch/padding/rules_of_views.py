"""Rules of operators that move elements: views, slices, pieces put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch import fx

from trainyard.torch import memory_order
from trainyard.torch.padding.factors import (
    Dim,
    Factor,
    Unpadded,
    any_padded,
    broadcast,
    extent_of,
    is_padded,
    normal,
    plain,
    plain_dims,
    regroup,
    single,
)
from trainyard.torch.padding.interpreter import Interpreter, Padded

_A = torch.ops.aten
_END = 2**31  # slices that name no end have a larger one


def _view(run: Interpreter, node: fx.Node, x: Padded, *args: Any, **_: Any) -> Padded:
    """Any view that keeps every element in its order."""
    sizes = node.meta["val"].shape
    shape = [run.extent(size) for size in sizes]
    dims = regroup(x.dims, shape, [run.expression(size) for size in sizes])
    return Padded(x.tensor.reshape(shape), dims)


def _as_strided(
    run: Interpreter, node: fx.Node, x: Padded, size: Any, stride: Any, offset: Any = None
) -> Padded:
    """Where it is a view of the same elements in the same order, or nothing is padded."""
    source = node.args[0].meta["val"]  # type: ignore[union-attr]
    is_whole = sympy.expand(_number_of(run, source.shape) - _number_of(run, size)) == 0
    if is_whole and all(
        _is_contiguous(run, *pair)
        for pair in ((source.shape, source.stride()), (list(size), list(stride)))
    ):
        return _view(run, node, x)
    if any_padded(x.dims) or any(map(run.is_variable, (*source.shape, *size, *stride))):
        raise Unpadded("as_strided of other elements")
    strides = [run.extent(each) for each in source.stride()]
    first = source.storage_offset()
    asked = [run.extent(n) for n in size], [run.extent(n) for n in stride]
    place = run.extent(first if offset is None else offset) - run.extent(first)
    if not memory_order.holds(x.tensor.shape, strides, *asked, place):
        memory_order.refuse(node, x.tensor.shape, strides)
    order = memory_order.order_of(x.tensor.shape, strides)
    made = x.tensor.permute(order).contiguous().as_strided(*asked, place)
    return Padded(made, plain_dims(made.shape))


def _as_strided_scatter(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    rows: Padded,
    size: Any,
    stride: Any,
    offset: Any = None,
) -> Padded:
    """Of memory that is in the order of the dimensions."""
    target = node.args[0].meta["val"]  # type: ignore[union-attr]
    if any_padded((*x.dims, *rows.dims)):
        raise Unpadded("as_strided_scatter of padded elements")
    first = run.extent(target.storage_offset())
    if first or not _is_contiguous(run, target.shape, target.stride()):
        memory_order.refuse(node, x.tensor.shape, [run.extent(n) for n in target.stride()])
    asked = run.sizes(size), run.sizes(stride), run.extent(offset or 0)
    return Padded(_A.as_strided_scatter.default(x.tensor, rows.tensor, *asked), x.dims)


def _number_of(run: Interpreter, shape: Sequence[Any]) -> sympy.Expr:
    return sympy.Mul(*map(run.expression, shape))


def _is_contiguous(run: Interpreter, shape: Sequence[Any], strides: Sequence[Any]) -> bool:
    wanted = sympy.Integer(1)
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        size = run.expression(size)
        if size != 1 and sympy.expand(run.expression(stride) - wanted) != 0:
            return False
        wanted = wanted * size
    return True


def _expand(run: Interpreter, node: fx.Node, x: Padded, *args: Any, **_: Any) -> Padded:
    sizes = node.meta["val"].shape
    made = x.tensor.expand([run.extent(size) for size in sizes])
    lead = len(sizes) - x.rank
    dims = []
    for i, size in enumerate(sizes):
        old: Dim = x.dims[i - lead] if i >= lead else ()
        dims.append(run.dim_of(size) if old == () else old)
    return Padded(made, tuple(dims))


def _permute(run: Interpreter, node: fx.Node, x: Padded, order: Sequence[int]) -> Padded:
    places = [place % x.rank for place in order]
    return Padded(x.tensor.permute(places), tuple(x.dims[place] for place in places))


def _transpose(run: Interpreter, node: fx.Node, x: Padded, a: int, b: int) -> Padded:
    order = list(range(x.rank))
    if order:
        a, b = a % x.rank, b % x.rank
        order[a], order[b] = order[b], order[a]
    return _permute(run, node, x, order)


def _t(run: Interpreter, node: fx.Node, x: Padded) -> Padded:
    return _permute(run, node, x, list(range(x.rank))[::-1])


def _variable(run: Interpreter, size: Any) -> bool:
    return size is not None and run.is_variable(size)


def _number(run: Interpreter, size: Any) -> int:
    return run.extent(size)


def _slice(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: Any = 1,
) -> Padded:
    dim %= x.rank
    old = x.dims[dim]
    size = node.meta["val"].shape[dim]
    whole = (start is None or (not _variable(run, start) and _number(run, start) == 0)) and (
        end is None or (not _variable(run, end) and _number(run, end) >= _END)
    )
    if whole and step == 1:
        return x
    if not is_padded(old) and not run.is_variable(size) and not _variable(run, start):
        stop = None if end is None else _number(run, end)
        begin = None if start is None else _number(run, start)
        made = _A.slice.Tensor(x.tensor, dim, begin, stop, step)
        return Padded(made, (*x.dims[:dim], plain(made.shape[dim]), *x.dims[dim + 1 :]))
    if is_padded(old) and single(old) is None:
        raise Unpadded("a slice of a merged dimension")
    return _slice_of_padded(run, x, dim, start, end, step, size)


def _slice_of_padded(
    run: Interpreter, x: Padded, dim: int, start: Any, end: Any, step: Any, size: Any
) -> Padded:
    """Where the dimension, or the end of the slice, is a size."""
    old = x.dims[dim]
    factor = single(old)
    is_negative = start is not None and not _variable(run, start) and _number(run, start) < 0
    if _variable(run, start) or (is_negative and is_padded(old)):
        if step != 1 or factor is None:
            raise Unpadded("a slice with steps from a size on")
        begin = run.count(start) if _variable(run, start) else None
        if begin is None:
            begin = run.count(factor.count) + _number(run, start)
        count = run.extent(size)
        places = torch.arange(count, dtype=torch.int32) + begin
        made = _taken(x.tensor, dim, places)
        new: Dim = (Factor(count, run.expression(size)),) if run.is_variable(size) else plain(count)
        return Padded(made, (*x.dims[:dim], new, *x.dims[dim + 1 :]))
    begin = 0 if start is None else _number(run, start)
    stop = None if end is None else _number(run, end)
    if stop is not None and stop >= _END:
        stop = None
    made = _A.slice.Tensor(x.tensor, dim, begin, stop, step)
    new = plain(run.extent(size))
    if run.is_variable(size):
        new = (Factor(run.extent(size), run.expression(size)),)
    return Padded(made, (*x.dims[:dim], new, *x.dims[dim + 1 :]))


def _taken(x: torch.Tensor, dim: int, places: torch.Tensor) -> torch.Tensor:
    """The elements at these places (int32), the nearest ones where there are none."""
    inside = torch.clamp(places, 0, x.shape[dim] - 1)
    return x.index_select(dim, inside.to(torch.int64))


def _select(run: Interpreter, node: fx.Node, x: Padded, dim: int, index: Any) -> Padded:
    dim %= x.rank
    dims = (*x.dims[:dim], *x.dims[dim + 1 :])
    place = _place(run, x.dims[dim], index)
    if isinstance(place, int):
        return Padded(x.tensor.select(dim, place), dims)
    made = x.tensor.index_select(dim, place.to(torch.int64).reshape(1))
    return Padded(made.squeeze(dim), dims)


def _place(run: Interpreter, dim: Dim, index: Any) -> Any:
    """A place along a dimension: a number, or one of the running program."""
    if _variable(run, index):
        return run.count(index)
    number = _number(run, index)
    if number >= 0 or not is_padded(dim):
        return number
    factor = single(dim)
    if factor is None:
        raise Unpadded("the last elements of a merged dimension")
    return run.count(factor.count) + number


def _select_scatter(
    run: Interpreter, node: fx.Node, x: Padded, source: Padded, dim: int, index: Any
) -> Padded:
    dim %= x.rank
    dims = broadcast([(*x.dims[:dim], *x.dims[dim + 1 :]), source.dims])
    place = _place(run, x.dims[dim], index)
    full = (*dims[:dim], x.dims[dim], *dims[dim:])
    if isinstance(place, int):
        return Padded(_A.select_scatter.default(x.tensor, source.tensor, dim, place), full)
    here = torch.arange(x.tensor.shape[dim], dtype=torch.int32) == place
    here = here.reshape([-1 if i == dim else 1 for i in range(x.rank)])
    return Padded(torch.where(here, source.tensor.unsqueeze(dim), x.tensor), full)


def _slice_scatter(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    source: Padded,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: Any = 1,
) -> Padded:
    dim %= x.rank
    rest = broadcast([_without(x.dims, dim), _without(source.dims, dim)])
    full = (*rest[:dim], x.dims[dim], *rest[dim:])
    begin = 0 if start is None else start
    if step != 1 or _variable(run, begin) or _number(run, begin) < 0:
        raise Unpadded("slice_scatter from a size on")
    begin = _number(run, begin)
    count = source.tensor.shape[dim]
    if is_padded(source.dims[dim]):
        old = x.tensor.narrow(dim, begin, min(count, x.tensor.shape[dim] - begin))
        if old.shape[dim] != count:
            raise Unpadded("slice_scatter of a bucket that is larger than the tensor")
        inside = run.mask(source.dims[dim])
        inside = inside.reshape([-1 if i == dim else 1 for i in range(x.rank)])
        made = torch.where(inside, source.tensor, old)
    else:
        made = source.tensor
    result = _A.slice_scatter.default(x.tensor, made, dim, begin, begin + count)
    return Padded(result, full)


def _without(dims: Sequence[Dim], dim: int) -> tuple[Dim, ...]:
    return (*dims[:dim], *dims[dim + 1 :])


def _cat(run: Interpreter, node: fx.Node, parts: Sequence[Padded], dim: int = 0) -> Padded:
    parts = [x for x in parts if x.tensor.shape != (0,)]
    dim %= parts[0].rank
    rest = broadcast([_without(x.dims, dim) for x in parts])
    if not any_padded([x.dims[dim] for x in parts]):
        made = torch.cat([x.tensor for x in parts], dim)
        return Padded(made, (*rest[:dim], plain(made.shape[dim]), *rest[dim:]))
    size = node.meta["val"].shape[dim]
    new: Dim = (Factor(run.extent(size), run.expression(size)),)
    if any(single(x.dims[dim]) is None for x in parts if is_padded(x.dims[dim])):
        raise Unpadded("cat of a merged dimension")
    made = parts[0].tensor
    for i, part in enumerate(parts[1:], 1):
        if any_padded([x.dims[dim] for x in parts[:i]]):
            made = _behind(run, made, [x.dims[dim] for x in parts[:i]], part.tensor, dim)
        else:
            made = torch.cat([made, part.tensor], dim)
    return Padded(made, (*rest[:dim], new, *rest[dim:]))


def _behind(
    run: Interpreter, first: torch.Tensor, before: Sequence[Dim], second: torch.Tensor, dim: int
) -> torch.Tensor:
    """The second behind the real end of the first."""
    count = sum(
        (run.count(f.count) if f.count is not None else f.extent) for d in before for f in d or ()
    )
    extent = first.shape[dim] + second.shape[dim]
    numbers = torch.arange(extent, dtype=torch.int32)
    moved = _taken(second, dim, numbers - count)
    shape = list(first.shape)
    shape[dim] = second.shape[dim]
    wide = torch.cat([first, torch.zeros(shape, dtype=first.dtype)], dim)
    inside = (numbers < count).reshape([-1 if i == dim else 1 for i in range(first.dim())])
    return torch.where(inside, wide, moved)


def _pad(run: Interpreter, node: fx.Node, x: Padded, pads: Sequence[Any], value: Any = 0) -> Padded:
    sizes = node.meta["val"].shape
    changed = [
        x.rank - 1 - i // 2 for i, each in enumerate(pads) if run.is_variable(each) or each != 0
    ]
    made = run.masked(x, sorted(set(changed)), value)
    numbers = [run.extent(each) for each in pads]
    dims = list(x.dims)
    for dim in set(changed):
        if is_padded(x.dims[dim]) and single(x.dims[dim]) is None:
            raise Unpadded("padding of a merged dimension")
        low, high = numbers[2 * (x.rank - 1 - dim) : 2 * (x.rank - 1 - dim) + 2]
        if any(run.is_variable(each) for each in pads[2 * (x.rank - 1 - dim) :][:2]) or (
            is_padded(x.dims[dim]) and (low < 0 or high < 0)
        ):
            raise Unpadded("padding by a size")
        count = run.expression(sizes[dim])
        extent = extent_of(x.dims[dim]) + low + high
        dims[dim] = plain(extent) if count.is_number else (Factor(extent, count),)
    return Padded(_A.constant_pad_nd.default(made, numbers, value), tuple(dims))


def _parts(run: Interpreter, node: fx.Node, x: Padded, sizes: Any, dim: int = 0) -> list[Padded]:
    dim %= x.rank
    if is_padded(x.dims[dim]):
        raise Unpadded("split along a padded dimension")
    given = (
        run.extent(sizes) if not isinstance(sizes, (list, tuple)) else list(map(run.extent, sizes))
    )
    made = torch.split(x.tensor, given, dim)
    return [
        Padded(each, (*x.dims[:dim], plain(each.shape[dim]), *x.dims[dim + 1 :])) for each in made
    ]


def _unbind(run: Interpreter, node: fx.Node, x: Padded, dim: int = 0) -> list[Padded]:
    dim %= x.rank
    if is_padded(x.dims[dim]):
        raise Unpadded("unbind along a padded dimension")
    return [Padded(each, _without(x.dims, dim)) for each in x.tensor.unbind(dim)]


def _flip(run: Interpreter, node: fx.Node, x: Padded, dims: Sequence[int]) -> Padded:
    made = x.tensor
    for dim in (each % x.rank for each in dims):
        factor = single(x.dims[dim])
        if not is_padded(x.dims[dim]):
            made = made.flip([dim])
        elif factor is None:
            raise Unpadded("flip of a merged dimension")
        else:
            numbers = torch.arange(factor.extent, dtype=torch.int32)
            made = _taken(made, dim, run.count(factor.count) - 1 - numbers)
    return Padded(made, x.dims)


def _repeat(run: Interpreter, node: fx.Node, x: Padded, times: Sequence[Any]) -> Padded:
    lead = len(times) - x.rank
    old = [*[()] * lead, *x.dims]
    made = x.tensor.repeat([run.extent(each) for each in times])
    dims: list[Dim] = []
    for i, each in enumerate(times):
        if not run.is_variable(each) and run.extent(each) == 1:
            dims.append(old[i])
        elif old[i] == ():
            dims.append(run.dim_of(each))
        elif run.is_variable(each) or old[i] is None:
            raise Unpadded("repeat as often as a size says")
        else:
            dims.append(normal((Factor(run.extent(each)), *old[i])))
    return Padded(made, tuple(dims))


RULES: dict[Any, Any] = {
    **{
        each: _view
        for each in (
            _A.view.default,
            _A._unsafe_view.default,
            _A.reshape.default,
            _A.unsqueeze.default,
            _A.squeeze.default,
            _A.squeeze.dim,
            _A.squeeze.dims,
        )
    },
    _A.as_strided.default: _as_strided,
    _A.as_strided_scatter.default: _as_strided_scatter,
    _A.expand.default: _expand,
    _A.permute.default: _permute,
    _A.transpose.int: _transpose,
    _A.t.default: _t,
    _A.slice.Tensor: _slice,
    _A.select.int: _select,
    _A.select_scatter.default: _select_scatter,
    _A.slice_scatter.default: _slice_scatter,
    _A.cat.default: _cat,
    _A.constant_pad_nd.default: _pad,
    _A.split_with_sizes.default: _parts,
    _A.split.Tensor: _parts,
    _A.unbind.int: _unbind,
    _A.flip.default: _flip,
    _A.repeat.default: _repeat,
}
