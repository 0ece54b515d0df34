"""nisa.nc_matmul and nisa.nc_transpose. Source: NKI 0.1."""

from __future__ import annotations

from typing import Any

import nki.isa as nisa

from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import copy, tile
from neuronxcc.nki._index import Box, box_of
from neuronxcc.nki._operands import in_sbuf
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, defer

_MODES = {"double_row_gen3": "double_row", "double_row": "double_row", "none": "none"}


def _part(operand: Tensor, rows: tuple[int, int] | None) -> Box | None:
    """The part of a matmul's operand that has been written and stands in the common rows."""
    box = operand.valid()
    if rows is None:
        return box
    return (rows, *(box[1:] if box else ((0, n) for n in operand.shape[1:])))


def nc_matmul(
    stationary: Tensor,
    moving: Tensor,
    *,
    is_stationary_onezero: bool = False,
    is_moving_onezero: bool = False,
    is_transpose: bool = False,
    tile_position: tuple[int, ...] = (),
    tile_size: tuple[int, ...] = (),
    perf_mode: Any = None,
    mask: Any = None,
    **_: Any,
) -> Tensor:
    """stationary.T @ moving, in float32; `psum += nc_matmul(...)` adds in PSUM.

    Rows that a mask has left unwritten in an operand do not take part.
    """
    stationary = in_sbuf(tile(stationary, "nc_matmul"))
    moving = in_sbuf(tile(moving, "nc_matmul"))
    mode = getattr(perf_mode, "name", perf_mode) or "none"
    doubled = _MODES.get(str(mode), str(mode)) == "double_row"
    skip = 2 if doubled else 1
    shape = (stationary.shape[-1], *moving.shape[skip:])
    boxes = [t.valid() for t in (stationary, moving)]
    rows = None
    if any(boxes):
        spans = [b[0] for b in boxes if b]
        rows = (max(s[0] for s in spans), min(s[1] for s in spans))
    left, right = _part(stationary, rows), _part(moving, rows)
    box = box_of(mask, shape)
    if left or right:
        limits = (
            left[-1] if left else (0, shape[0]),
            *(right[skip:] if right else ((0, n) for n in shape[1:])),
        )
        box = (
            limits
            if box is None
            else tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, limits, strict=True))
        )
        box = None if box == tuple((0, n) for n in shape) else box
    # Before NeuronCore-v3 a transpose is a multiplication, whose sums are float32.
    moves_bits = is_transpose and nisa.get_nc_version() >= nisa.nc_version.gen3
    options = {
        "stationary": stationary.read(left),
        "moving": moving.read(right),
        "is_stationary_onezero": is_stationary_onezero,
        "is_moving_onezero": is_moving_onezero,
        "is_transpose": is_transpose,
        "tile_position": tile_position,
        "tile_size": tile_size,
        "perf_mode": nisa.matmul_perf_mode["double_row" if doubled else "none"],
    }
    return defer(
        Operation(
            shape,
            dtype_of(stationary.dtype if moves_bits else "float32"),
            lambda dst: nisa.nc_matmul(dst=dst, accumulate=False, **options),
            box,
            space="psum",
            spaces=("psum",),
            step=_step(stationary.dtype) if moves_bits else 1,
            accumulate=lambda dst: nisa.nc_matmul(dst=dst, **options),
        )
    )


def _step(dtype: Any) -> int:
    """Elements from one to the next that the Tensor engine transposes: it writes 16-bit cells."""
    return 2 if dtype_of(dtype).itemsize == 1 else 1


def nc_transpose(
    data: Tensor,
    *,
    mask: Any = None,
    dtype: Any = None,
    engine: Any = nisa.engine.unknown,
    **_: Any,
) -> Tensor:
    """A [P, F] tile as [F, P]: in PSUM by the Tensor engine, in SBUF by the Vector engine."""
    data = tile(data, "nc_transpose")
    box = data.valid()
    source = data.read(box)
    by_vector = engine is nisa.engine.vector
    chosen = nisa.engine.vector if by_vector else nisa.engine.tensor
    made = defer(
        Operation(
            (data.shape[-1], data.shape[0])
            if data.ndim == 2
            else (data.size // data.shape[0], data.shape[0]),
            data.dtype,
            lambda dst: nisa.nc_transpose(dst=dst, data=source, engine=chosen),
            None if box is None else (box[1], box[0]),
            space="sbuf" if by_vector else "psum",
            spaces=("sbuf", "psum") if by_vector else ("psum",),
            cast=False,
            step=1 if by_vector else _step(data.dtype),
        )
    )
    if dtype is None or dtype_of(dtype) == data.dtype:
        return made
    return copy(made, dtype)
