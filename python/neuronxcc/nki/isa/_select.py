"""nisa functions that choose, search and number elements. Source: NKI 0.1."""

from __future__ import annotations

from typing import Any

import nki.isa as nisa
import nki.language as nl
import numpy as np
from nki import _context

from neuronxcc.nki import _state
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._index import Index, affine, is_empty
from neuronxcc.nki._operands import column, common_box, in_sbuf, result_dtype, used, written
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, defer

LOWEST = float(np.finfo(np.float32).min)


def _pattern(steps: tuple[int, ...], shape: tuple[int, ...]) -> list[list[int]]:
    return [[step, size] for step, size in zip(steps[1:], shape[1:], strict=True)]


def iota(expr: Any, dtype: Any, *, mask: Any = None, **_: Any) -> Tensor:
    """The values of an index expression as a tile."""
    values = expr.spread() if isinstance(expr, Index) else np.asarray(expr)
    shape = values.shape if values.ndim > 1 else (1, values.size)
    offset, steps = affine(values.reshape(shape), len(shape))

    def emit(dst: Any) -> None:
        nisa.iota(
            dst=dst, pattern=_pattern(steps, shape), offset=offset, channel_multiplier=steps[0]
        )

    return defer(Operation(shape, dtype_of(dtype), emit, spaces=("sbuf",)))


def affine_select(
    pred: Any,
    on_true_tile: Tensor,
    on_false_value: float,
    *,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> Tensor:
    """The tile where a comparison of index expressions holds, else a number.

    Conditions joined by & are chosen by one after the other.
    """
    made = in_sbuf(tile(on_true_tile, "affine_select"))
    atoms = getattr(pred, "atoms", ())
    if not atoms:
        _context.refuse(
            "affine_select.pred",
            "pred is a comparison of index expressions, or several joined by &",
            repr(pred)[:80],
            "write it with nl.arange or nl.mgrid and one of < <= > >= ==",
        )
    for difference, comparison in atoms:
        made = _selected(made, difference, comparison, on_false_value, dtype)
    return made


def _selected(
    data: Tensor, difference: np.ndarray, comparison: str, otherwise: float, dtype: Any
) -> Tensor:
    shape, rank = data.shape, data.ndim
    offset, steps = affine(difference, rank)
    box = data.valid()
    first = box or tuple((0, n) for n in shape)
    start = offset + sum(step * at[0] for step, at in zip(steps, first, strict=True))
    pattern = [[s, b - a] for s, (a, b) in zip(steps[1:], first[1:], strict=True)]
    source = data.read(box)

    def emit(dst: Any) -> None:
        nisa.affine_select(
            dst=dst,
            pattern=pattern,
            channel_multiplier=steps[0],
            on_true_tile=source,
            on_false_value=otherwise,
            cmp_op=getattr(nl, comparison),
            offset=start,
        )

    return defer(Operation(shape, result_dtype(dtype, data.dtype), emit, box, spaces=("sbuf",)))


def range_select(
    *,
    on_true_tile: Tensor,
    comp_op0: Any,
    comp_op1: Any,
    bound0: Tensor,
    bound1: Tensor,
    reduce_cmd: Any = nisa.reduce_cmd.idle,
    reduce_res: Tensor | None = None,
    reduce_op: Any = None,
    range_start: Any = 0,
    on_false_value: float = LOWEST,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> Tensor:
    """The tile where the element's number compares with both bounds, else a number."""
    data = tile(on_true_tile, "range_select")
    box, source = used(data, mask)
    bounds = column(bound0, box), column(bound1, box)
    reduced = written(reduce_res, box)

    def emit(dst: Any) -> None:
        nisa.range_select(
            dst=dst,
            on_true_tile=source,
            comp_op0=comp_op0,
            comp_op1=comp_op1,
            bound0=bounds[0],
            bound1=bounds[1],
            reduce_cmd=reduce_cmd,
            reduce_res=reduced,
            reduce_op=reduce_op or nl.maximum,
            range_start=range_start,
            on_false_value=on_false_value,
        )

    return defer(Operation(data.shape, result_dtype(dtype, data.dtype), emit, box))


def select_reduce(
    *,
    dst: Tensor,
    predicate: Tensor,
    on_true: Tensor,
    on_false: Any,
    reduce_res: Tensor | None = None,
    reduce_cmd: Any = nisa.reduce_cmd.idle,
    reduce_op: Any = nl.maximum,
    reverse_pred: bool = False,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> None:
    """dst = on_true where the predicate holds, else on_false; and a reduction of it."""
    _state.flush()
    box = common_box(dst.shape, mask, predicate, on_true)
    if is_empty(box):
        return
    part = dst.boxed(box)
    nisa.select_reduce(
        dst=part.target(),
        predicate=predicate.read(box),
        on_true=on_true.read(box),
        on_false=column(on_false, box),
        reduce_res=written(reduce_res, box),
        reduce_cmd=reduce_cmd,
        reduce_op=reduce_op,
        reverse_pred=reverse_pred,
    )
    part.wrote(box is not None)


def tensor_copy_predicated(
    *,
    src: Any,
    dst: Tensor,
    predicate: Tensor,
    mask: Any = None,
    dtype: Any = None,
    reverse_pred: bool = False,
    **_: Any,
) -> None:
    """dst = src where the predicate holds."""
    box = common_box(dst.shape, mask, dst, predicate)
    if is_empty(box):
        return
    source = src.read(box) if isinstance(src, Tensor) else src
    chosen = predicate.read(box)
    _state.flush()
    part = dst.boxed(box)
    target = part.target(keeps=True)
    nisa.tensor_copy_predicated(dst=target, src=source, predicate=chosen, reverse_pred=reverse_pred)
    part.wrote(box is not None)


def nc_find_index8(
    *, data: Tensor, vals: Tensor, mask: Any = None, dtype: Any = None, **_: Any
) -> Tensor:
    """Where eight values first stand in each partition."""
    _, source = used(data, mask)
    wanted = vals.nki()
    return defer(
        Operation(
            tuple(vals.shape),
            result_dtype(dtype, "uint32"),
            lambda dst: nisa.nc_find_index8(dst=dst, data=source, vals=wanted),
        )
    )


def nc_match_replace8(
    *,
    data: Tensor,
    vals: Tensor,
    imm: float,
    dst_idx: Tensor | None = None,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> Tensor:
    """data with the first occurrence of eight values replaced, and where they stood."""
    box, source = used(data, mask)
    wanted = vals.read(None if box is None else (box[0], (0, 8)))
    found = None if dst_idx is None else written(dst_idx, box)

    def emit(dst: Any) -> None:
        nisa.nc_match_replace8(dst=dst, data=source, vals=wanted, imm=float(imm), dst_idx=found)

    return defer(Operation(data.shape, result_dtype(dtype, data.dtype), emit, box))


def sequence_bounds(*, segment_ids: Tensor, dtype: Any = None, **_: Any) -> Tensor:
    """The first and the end of the segment that each element belongs to."""
    source = segment_ids.nki()
    partitions, n = segment_ids.shape
    return defer(
        Operation(
            (partitions, 2, n),
            result_dtype(dtype, segment_ids.dtype),
            lambda dst: nisa.sequence_bounds(dst=dst, segment_ids=source),
        )
    )
