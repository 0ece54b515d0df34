"""Rules of what adds up or compares elements: what does not count is masked before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
import torch
from torch import fx

from trainyard.torch.padding.factors import (
    Dim,
    Dims,
    Unpadded,
    broadcast,
    count_of,
    is_padded,
    plain,
    same,
    single,
)
from trainyard.torch.padding.interpreter import Interpreter, Padded

_A = torch.ops.aten
Rule = Callable[..., Any]


def _axes(x: Padded, dims: Any) -> list[int]:
    if dims is None or (isinstance(dims, (list, tuple)) and not dims):
        return list(range(x.rank))
    given = [dims] if isinstance(dims, int) else dims
    return sorted(dim % max(x.rank, 1) for dim in given)


def _left(x: Padded, axes: Sequence[int], keepdim: bool) -> Dims:
    if keepdim:
        return tuple(() if i in axes else dim for i, dim in enumerate(x.dims))
    return tuple(dim for i, dim in enumerate(x.dims) if i not in axes)


def _has_dims(target: Any) -> bool:
    return any(argument.name in ("dim", "dims") for argument in target._schema.arguments)


def _lowest(dtype: torch.dtype) -> Any:
    if dtype == torch.bool:
        return False
    return float("-inf") if dtype.is_floating_point else torch.iinfo(dtype).min


def _highest(dtype: torch.dtype) -> Any:
    if dtype == torch.bool:
        return True
    return float("inf") if dtype.is_floating_point else torch.iinfo(dtype).max


def _reduction(neutral: Callable[[torch.dtype], Any]) -> Rule:
    """sum, amax and the like: of some dimensions, or of all."""

    def rule(
        run: Interpreter,
        node: fx.Node,
        x: Padded,
        dims: Any = None,
        keepdim: bool = False,
        **named: Any,
    ) -> Any:
        axes = _axes(x, dims)
        given = run.masked(x, axes, neutral(x.tensor.dtype))
        rest = (axes if dims is None else dims, keepdim) if _has_dims(node.target) else ()
        made = node.target(given, *rest, **named)
        left = _left(x, axes, keepdim)
        if isinstance(made, (list, tuple)):
            return [Padded(each, left) for each in made]
        return Padded(made, left)

    return rule


def _place_of_extreme(neutral: Callable[[torch.dtype], Any]) -> Rule:
    def rule(
        run: Interpreter, node: fx.Node, x: Padded, dim: Any = None, keepdim: bool = False
    ) -> Padded:
        if dim is None and any(map(is_padded, x.dims[1:])):
            raise Unpadded(f"{node.target} of all elements")
        axes = _axes(x, dim)
        given = run.masked(x, axes, neutral(x.tensor.dtype))
        return Padded(node.target(given, dim, keepdim), _left(x, axes, keepdim))

    return rule


def _count(run: Interpreter, x: Padded, axes: Sequence[int]) -> Any:
    """How many elements a sum is of: a number, or one of the running program (float32)."""
    count = sympy.Mul(*[count_of(x.dims[axis]) for axis in axes])
    return run.count(count).float() if count.free_symbols else int(count)


def _wide(x: Padded, dtype: torch.dtype | None = None) -> torch.Tensor:
    made = x.tensor.to(dtype) if dtype is not None else x.tensor
    return made.float() if made.dtype in (torch.bfloat16, torch.float16) else made


def _mean(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dims: Any = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Padded:
    axes = _axes(x, dims)
    wide = Padded(_wide(x, dtype), x.dims)
    made = run.masked(wide, axes, 0).sum(axes, keepdim) / _count(run, x, axes)
    return Padded(made.to(node.meta["val"].dtype), _left(x, axes, keepdim))


def _moments(
    run: Interpreter, x: Padded, axes: list[int], correction: Any, keepdim: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Variance and mean."""
    wide = Padded(_wide(x), x.dims)
    count = _count(run, x, axes)
    mean = run.masked(wide, axes, 0).sum(axes, True) / count
    apart = run.masked(Padded(wide.tensor - mean, x.dims), axes, 0)
    total = (apart * apart).sum(axes, keepdim)
    by = 1 if correction is None else correction
    left = torch.clamp(count - by, min=0) if isinstance(count, torch.Tensor) else max(count - by, 0)
    return total / left, mean if keepdim else mean.squeeze(axes)


def _var(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dims: Any = None,
    *,
    correction: Any = 1,
    keepdim: bool = False,
) -> Padded:
    axes = _axes(x, dims)
    made, _ = _moments(run, x, axes, correction, keepdim)
    return Padded(made.to(x.tensor.dtype), _left(x, axes, keepdim))


def _var_mean(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    dims: Any = None,
    *,
    correction: Any = 1,
    keepdim: bool = False,
) -> list[Padded]:
    axes = _axes(x, dims)
    made = _moments(run, x, axes, correction, keepdim)
    return [Padded(each.to(x.tensor.dtype), _left(x, axes, keepdim)) for each in made]


def _unpadded_or(rule: Rule) -> Rule:
    """The operator as it is where the dimensions that it adds up are not padded."""

    def chosen(
        run: Interpreter, node: fx.Node, x: Padded, dims: Any = None, *rest: Any, **named: Any
    ) -> Any:
        axes = _axes(x, dims)
        if any(is_padded(x.dims[axis]) for axis in axes):
            return rule(run, node, x, dims, *rest, **named)
        given = [dims, *rest] if _has_dims(node.target) else []
        made = node.target(x.tensor, *given, **named)
        keepdim = named.get("keepdim", rest[0] if rest else False)
        left = _left(x, axes, keepdim)
        if isinstance(made, (list, tuple)):
            return [Padded(each, left) for each in made]
        return Padded(made, left)

    return chosen


def _scan(run: Interpreter, node: fx.Node, x: Padded, dim: int, **named: Any) -> Padded:
    """Elements behind the end are the last ones."""
    if x.rank and is_padded(x.dims[dim]) and single(x.dims[dim]) is None:
        raise Unpadded(f"{node.target} along a merged dimension")
    return Padded(node.target(x.tensor, dim, **named), x.dims)


def _topk(
    run: Interpreter,
    node: fx.Node,
    x: Padded,
    k: Any,
    dim: int = -1,
    largest: bool = True,
    is_sorted: bool = True,
) -> list[Padded]:
    if run.is_variable(k):
        raise Unpadded("topk of as many as a size says")
    dim %= max(x.rank, 1)
    neutral = _lowest if largest else _highest
    given = run.masked(x, [dim] if x.rank else [], neutral(x.tensor.dtype))
    made = node.target(given, run.extent(k), dim, largest, is_sorted)
    dims = (*x.dims[:dim], plain(run.extent(k)), *x.dims[dim + 1 :]) if x.rank else ()
    return [Padded(each, dims) for each in made]


def _sort(run: Interpreter, node: fx.Node, x: Padded, *args: Any, **named: Any) -> list[Padded]:
    names = [argument.name for argument in node.target._schema.arguments[1:]]
    given = {**dict(zip(names, args, strict=False)), **named}
    if x.rank and is_padded(x.dims[given.get("dim", -1)]):
        raise Unpadded("sort along a padded dimension")
    return [Padded(each, x.dims) for each in node.target(x.tensor, *args, **named)]


# Products


def _contracted(
    run: Interpreter, a: Padded, i: int, b: Padded, j: int
) -> tuple[torch.Tensor, torch.Tensor]:
    same(a.dims[i], b.dims[j], "a product")
    return run.masked(a, [i], 0), run.masked(b, [j], 0)


def _mm(run: Interpreter, node: fx.Node, a: Padded, b: Padded) -> Padded:
    left, right = _contracted(run, a, 1, b, 0)
    return Padded(torch.mm(left, right), (a.dims[0], b.dims[1]))


def _bmm(run: Interpreter, node: fx.Node, a: Padded, b: Padded) -> Padded:
    left, right = _contracted(run, a, 2, b, 1)
    batch = same(a.dims[0], b.dims[0], "a product")
    return Padded(torch.bmm(left, right), (batch, a.dims[1], b.dims[2]))


def _addmm(
    run: Interpreter, node: fx.Node, x: Padded, a: Padded, b: Padded, **named: Any
) -> Padded:
    left, right = _contracted(run, a, a.rank - 1, b, b.rank - 2)
    made: Dims = (a.dims[-2], b.dims[-1])
    if a.rank == 3:
        made = (same(a.dims[0], b.dims[0], "a product"), *made)
    return Padded(node.target(x.tensor, left, right, **named), broadcast([x.dims, made]))


def _convolution(
    run: Interpreter, node: fx.Node, x: Padded, w: Padded, bias: Any, *rest: Any
) -> Padded:
    if w.padded or is_padded(x.dims[1]):
        raise Unpadded("a convolution whose channels are padded")
    spatial = list(range(2, x.rank))
    given = run.masked(x, spatial, 0)
    numbers = run.sizes(rest)
    made = node.target(given, w.tensor, None if bias is None else bias.tensor, *numbers)
    dims: list[Dim] = [x.dims[0], plain(made.shape[1])]
    for i in spatial:
        new = run.dim_of(node.meta["val"].shape[i])
        if is_padded(x.dims[i]) and (new is None or single(x.dims[i]) is None):
            raise Unpadded("a convolution along a merged dimension")
        dims.append(new)
    return Padded(made, tuple(dims))


def _convolution_backward(
    run: Interpreter, node: fx.Node, gradient: Padded, x: Padded, w: Padded, *rest: Any
) -> list[Padded | None]:
    if w.padded or is_padded(x.dims[1]):
        raise Unpadded("a convolution whose channels are padded")
    places = [0, *range(2, x.rank)]
    wide = [run.masked(each, places, 0) for each in (gradient, x)]
    numbers = run.sizes(rest)
    made = node.target(*wide, w.tensor, *numbers)
    bias = None if made[2] is None else Padded(made[2], (plain(made[2].shape[0]),))
    return [
        None if made[0] is None else Padded(made[0], x.dims),
        None if made[1] is None else Padded(made[1], w.dims),
        bias,
    ]


RULES: dict[Any, Any] = {
    _A.sum.dim_IntList: _reduction(lambda _: 0),
    _A.sum.default: _reduction(lambda _: 0),
    _A.prod.default: _reduction(lambda _: 1),
    _A.prod.dim_int: _reduction(lambda _: 1),
    _A.amax.default: _reduction(_lowest),
    _A.amin.default: _reduction(_highest),
    _A.max.default: _reduction(_lowest),
    _A.min.default: _reduction(_highest),
    _A.max.dim: _reduction(_lowest),
    _A.min.dim: _reduction(_highest),
    **{getattr(_A.any, each): _reduction(lambda _: 0) for each in ("default", "dim", "dims")},
    **{getattr(_A.all, each): _reduction(lambda _: 1) for each in ("default", "dim", "dims")},
    _A.argmax.default: _place_of_extreme(_lowest),
    _A.argmin.default: _place_of_extreme(_highest),
    _A.mean.default: _unpadded_or(_mean),
    _A.mean.dim: _unpadded_or(_mean),
    _A.var.correction: _unpadded_or(_var),
    _A.var_mean.correction: _unpadded_or(_var_mean),
    _A.cumsum.default: _scan,
    _A.cumprod.default: _scan,
    _A.topk.default: _topk,
    _A.sort.default: _sort,
    _A.sort.stable: _sort,
    _A.mm.default: _mm,
    _A.bmm.default: _bmm,
    _A.addmm.default: _addmm,
    _A.baddbmm.default: _addmm,
    _A.convolution.default: _convolution,
    _A.convolution_backward.default: _convolution_backward,
}
