"""Sums, extremes, norms, scans and sorts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from trainyard.torch.writer import (
    INT32_MAX,
    Value,
    Writer,
    axes_of,
    compare_kind,
    highest,
    lowest,
)


def _wide(w: Writer, x: Value) -> Value:
    """What sums are accumulated in."""
    return w.cast(x, torch.float32) if x.is_float and x.dtype.itemsize < 4 else x


def total(w: Writer, x: Value, axes: Sequence[int]) -> Value:
    """A sum, of integers in the width that it needs."""
    count = math.prod(x.shape[axis] for axis in axes)
    bound = None
    if not x.is_float:
        bound = None if x.bound is None else x.bound * max(count, 1)
        if bound is not None and bound > INT32_MAX:
            bound = None
        if x.dtype == torch.int64:
            x = w.with_element(x, "i32" if bound is not None else "i64")
    return w.reduce("add", x, axes, 0, bound)


def sum_(
    w: Writer,
    out: Any,
    x: Value,
    dims: Any = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    **_: Any,
) -> Value:
    x = _wide(w, w.cast(x, out.dtype))
    return w.cast(w.reshape(total(w, x, axes_of(x, dims)), out.shape), out.dtype)


def prod(
    w: Writer,
    out: Any,
    x: Value,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    **_: Any,
) -> Value:
    x = _wide(w, w.cast(x, out.dtype))
    if x.dtype == torch.int64:
        x = w.with_element(x, "i64")
    made = w.reduce("multiply", x, axes_of(x, dim), 1)
    return w.cast(w.reshape(made, out.shape), out.dtype)


def extreme(name: str) -> Callable[..., Value]:
    """amax and amin: NaN wins."""

    def lower(w: Writer, out: Any, x: Value, dims: Any = None, *_: Any, **__: Any) -> Value:
        if x.dtype == torch.bool:
            made = w.reduce(
                "or" if name == "maximum" else "and", x, axes_of(x, dims), name != "maximum", 1
            )
            return w.reshape(made, out.shape)
        start = (lowest if name == "maximum" else highest)(
            torch.int32 if x.element == "i32" else x.dtype
        )
        return w.reshape(w.reduce(name, x, axes_of(x, dims), start, x.bound), out.shape)

    return lower


def truth(name: str) -> Callable[..., Value]:
    """any and all."""

    def lower(w: Writer, out: Any, x: Value, dims: Any = None, *_: Any, **__: Any) -> Value:
        made = w.reduce(name, w.cast(x, torch.bool), axes_of(x, dims), name == "and", 1)
        return w.cast(w.reshape(made, out.shape), out.dtype)

    return lower


def mean(w: Writer, out: Any, x: Value, dims: Any = None, *_: Any, **__: Any) -> Value:
    x = _wide(w, w.cast(x, out.dtype))
    axes = axes_of(x, dims)
    count = math.prod(x.shape[axis] for axis in axes)
    made = w.reduce("add", x, axes, 0)
    made = w.binary("divide", made, w.like(count, made))
    return w.cast(w.reshape(made, out.shape), out.dtype)


def variance(w: Writer, x: Value, axes: Sequence[int], correction: float) -> tuple[Value, Value]:
    """The variance and the mean over axes, without them."""
    count = math.prod(x.shape[axis] for axis in axes)
    kept = [i for i in range(x.rank) if i not in axes]
    sums = w.reduce("add", x, axes, 0)
    middle = w.binary("divide", sums, w.like(count, sums))
    away = w.binary("subtract", x, w.broadcast(middle, x.shape, kept))
    squares = w.reduce("add", w.binary("multiply", away, away), axes, 0)
    return w.binary("divide", squares, w.like(max(count - correction, 0), squares)), middle


def var(
    w: Writer, out: Any, x: Value, dims: Any = None, correction: Any = 1, *_: Any, **named: Any
) -> Value:
    correction = named.get("correction", correction)
    x = _wide(w, x)
    made, _ = variance(w, x, axes_of(x, dims), 1 if correction is None else correction)
    return w.cast(w.reshape(made, out.shape), out.dtype)


def var_mean(
    w: Writer, out: Any, x: Value, dims: Any = None, *_: Any, correction: Any = 1, **__: Any
) -> list[Value]:
    x = _wide(w, x)
    made = variance(w, x, axes_of(x, dims), 1 if correction is None else correction)
    return [w.cast(w.reshape(each, o.shape), o.dtype) for each, o in zip(made, out, strict=True)]


def with_places(w: Writer, x: Value, dim: int, before: str) -> tuple[Value, Value]:
    """The extreme along a dimension and its first place; NaN comes before all. before: GT, LT."""
    if x.dtype == torch.bool:
        x = w.cast(x, torch.int32)
    start = w.constant(
        (lowest if before == "GT" else highest)(torch.int32 if x.element == "i32" else x.dtype),
        (),
        x.dtype,
        x.element,
    )
    places = w.iota(x.shape, dim)
    zero = w.constant(0, (), torch.int64, "i32")
    kept = [extent for i, extent in enumerate(x.shape) if i != dim]
    k, one, two, bit = w.fresh(), f"tensor<{x.element}>", "tensor<i32>", "tensor<i1>"
    kind, pair = compare_kind(x), f"({one}, {one}) -> {bit}"
    leads = (
        f"%n{k} = stablehlo.compare NE, %a{k}, %a{k}, {kind} : {pair}\n"
        f"      %m{k} = stablehlo.compare NE, %b{k}, %b{k}, {kind} : {pair}\n"
        f"      %w{k} = stablehlo.compare {before}, %a{k}, %b{k}, {kind} : {pair}\n"
        f"      %l{k} = stablehlo.or %w{k}, %n{k} : {bit}\n"
        f"      %e{k} = stablehlo.compare EQ, %a{k}, %b{k}, {kind} : {pair}\n"
        f"      %g{k} = stablehlo.and %n{k}, %m{k} : {bit}\n"
        f"      %q{k} = stablehlo.or %e{k}, %g{k} : {bit}\n"
        f"      %f{k} = stablehlo.compare LT, %i{k}, %j{k}, SIGNED : ({two}, {two}) -> {bit}\n"
        f"      %nq{k} = stablehlo.not %q{k} : {bit}\n"
        f"      %x{k} = stablehlo.and %l{k}, %nq{k} : {bit}\n"
        f"      %y{k} = stablehlo.and %q{k}, %f{k} : {bit}\n"
        f"      %p{k} = stablehlo.or %x{k}, %y{k} : {bit}\n"
        f"      %v{k} = stablehlo.select %p{k}, %a{k}, %b{k} : {bit}, {one}\n"
        f"      %r{k} = stablehlo.select %p{k}, %i{k}, %j{k} : {bit}, {two}\n"
    )
    text = (
        f"stablehlo.reduce({x.name} init: {start.name}), ({places.name} init: {zero.name}) across "
        f"dimensions = [{dim}] : ({x.type}, {places.type}, {one}, {two}) -> "
        f"(tensor<{''.join(f'{e}x' for e in kept)}{x.element}>, "
        f"tensor<{''.join(f'{e}x' for e in kept)}i32>)\n"
        f"     reducer(%a{k}: {one}, %b{k}: {one}) (%i{k}: {two}, %j{k}: {two}) {{\n"
        f"      {leads}      stablehlo.return %v{k}, %r{k} : {one}, {two}\n    }}"
    )
    value, place = w.put_several(
        text,
        [(kept, x.dtype, x.element, x.bound), (kept, torch.int64, "i32", x.shape[dim])],
    )
    return value, place


def place_of_extreme(before: str) -> Callable[..., Value]:
    """argmax and argmin."""

    def lower(
        w: Writer, out: Any, x: Value, dim: int | None = None, keepdim: bool = False
    ) -> Value:
        if x.rank == 0:
            return w.constant(0, out.shape, torch.int64)
        if dim is None:
            x, dim = w.reshape(x, (math.prod(x.shape),)), 0
        return w.reshape(with_places(w, x, dim % x.rank, before)[1], out.shape)

    return lower


def extreme_with_place(before: str) -> Callable[..., list[Value]]:
    """max.dim and min.dim."""

    def lower(w: Writer, out: Any, x: Value, dim: int, keepdim: bool = False) -> list[Value]:
        if x.rank == 0:
            return [x, w.constant(0, (), torch.int64)]
        value, place = with_places(w, x, dim % x.rank, before)
        value = w.cast(value, x.dtype)
        return [w.reshape(value, out[0].shape), w.reshape(place, out[1].shape)]

    return lower


def scan(name: str, start: float) -> Callable[..., Value]:
    """cumsum and cumprod: a window that ends at each element."""

    def lower(
        w: Writer, out: Any, x: Value, dim: int, *, dtype: torch.dtype | None = None, **_: Any
    ) -> Value:
        x = _wide(w, w.cast(x, out.dtype))
        if x.rank == 0 or 0 in x.shape:
            return w.cast(x, out.dtype)
        dim %= x.rank
        bound = None
        if x.dtype == torch.int64:
            bound = None if x.bound is None or name != "add" else x.bound * max(x.shape[dim], 1)
            bound = bound if bound is not None and bound <= INT32_MAX else None
            x = w.with_element(x, "i64" if bound is None else "i32")
        return w.cast(window_scan(w, x, dim, name, start, bound), out.dtype)

    return lower


def window_scan(w: Writer, x: Value, dim: int, name: str, start: float, bound: int | None) -> Value:
    """Of each element, the operation on it and all before it."""
    size = x.shape[dim]
    begin = w.constant(start, (), x.dtype, x.element)
    window = ", ".join(str(size) if i == dim else "1" for i in range(x.rank))
    padding = ", ".join(f"[{size - 1}, 0]" if i == dim else "[0, 0]" for i in range(x.rank))
    text = (
        f'"stablehlo.reduce_window"({x.name}, {begin.name}) <{{window_dimensions = '
        f"array<i64: {window}>, padding = dense<[{padding}]> : tensor<{x.rank}x2xi64>}}> "
        f"{w.simple_region(name, x.element)} : ({x.type}, {begin.type}) -> $T"
    )
    return w.put(text, x.shape, x.dtype, x.element, bound)


def sort(
    w: Writer,
    out: Any,
    x: Value,
    *given: Any,
    stable: bool | None = None,
    dim: int = -1,
    descending: bool = False,
) -> list[Value]:
    """Stable always; NaN is the greatest."""
    if given and (given[0] is None or isinstance(given[0], bool)) and len(given) != 1:
        given = given[1:]  # the overload with `stable` first
    dim = given[0] if given else dim
    descending = given[1] if len(given) > 1 else descending
    if x.rank == 0:
        return [x, w.constant(0, (), torch.int64)]
    return list(sorted_with_places(w, x, dim % x.rank, descending))


def sorted_with_places(w: Writer, x: Value, dim: int, descending: bool) -> tuple[Value, Value]:
    was_bool = x.dtype == torch.bool
    if was_bool:
        x = w.cast(x, torch.int32)
    places = w.iota(x.shape, dim)
    k, one, two, bit = w.fresh(), f"tensor<{x.element}>", "tensor<i32>", "tensor<i1>"
    first, second = (f"%b{k}", f"%a{k}") if descending else (f"%a{k}", f"%b{k}")
    kind, pair = compare_kind(x), f"({one}, {one}) -> {bit}"
    text = (
        f'"stablehlo.sort"({x.name}, {places.name}) '
        f"<{{dimension = {dim} : i64, is_stable = true}}> "
        f"({{\n      ^bb0(%a{k}: {one}, %b{k}: {one}, %i{k}: {two}, %j{k}: {two}):\n"
        f"        %l{k} = stablehlo.compare LT, {first}, {second}, {kind} : {pair}\n"
        f"        %n{k} = stablehlo.compare NE, {second}, {second}, {kind} : {pair}\n"
        f"        %e{k} = stablehlo.compare EQ, {first}, {first}, {kind} : {pair}\n"
        f"        %m{k} = stablehlo.and %n{k}, %e{k} : {bit}\n"
        f"        %o{k} = stablehlo.or %l{k}, %m{k} : {bit}\n"
        f"        stablehlo.return %o{k} : {bit}\n      }}) : ({x.type}, {places.type}) -> "
        f"({x.type}, {places.type})"
    )
    value, place = w.put_several(
        text,
        [(x.shape, x.dtype, x.element, x.bound), (x.shape, torch.int64, "i32", x.shape[dim])],
    )
    return (w.cast(value, torch.bool) if was_bool else value), place


def topk(
    w: Writer,
    out: Any,
    x: Value,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
) -> list[Value]:
    if x.rank == 0:
        return [x, w.constant(0, (), torch.int64)]
    dim %= x.rank
    if not largest or not x.is_float or k == 0:
        both = sorted_with_places(w, x, dim, largest)
        return [w.slice_dim(each, dim, 0, k) for each in both]
    order = [i for i in range(x.rank) if i != dim] + [dim]
    turned = w.transpose(x, order)
    shape = (*turned.shape[:-1], k)
    kind = "x".join(map(str, shape))
    made = w.put_several(
        f"chlo.top_k({turned.name}, k = {k}) : {turned.type} -> "
        f"(tensor<{kind}x{x.element}>, tensor<{kind}xi32>)",
        [(shape, x.dtype, x.element, x.bound), (shape, torch.int64, "i32", x.shape[dim])],
    )
    back = [order.index(i) for i in range(x.rank)]
    return [w.transpose(each, back) for each in made]
