"""What instructions do with their operands: shapes, masks, columns, dtypes."""

from __future__ import annotations

from typing import Any

import nki.isa as nisa
from nki import _context
from nki.language import NkiTensor

from neuronxcc.nki import _state
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._index import Box, box_of, intersection, is_empty
from neuronxcc.nki._tensor import Tensor, fresh


def common_shape(*tensors: Tensor) -> tuple[int, ...]:
    """The shape that tiles are stretched to, missing dimensions behind the partitions."""
    rank = max(t.ndim for t in tensors)
    shapes = [(t.shape[0], *((1,) * (rank - t.ndim)), *t.shape[1:]) for t in tensors]
    made = tuple(max(sizes) for sizes in zip(*shapes, strict=True))
    for shape, tensor in zip(shapes, tensors, strict=True):
        if any(own not in (1, size) for own, size in zip(shape, made, strict=True)):
            _context.refuse(
                "language.shape",
                "the operands of an operation have one shape, but for dimensions of size 1",
                " and ".join(str(t.shape) for t in tensors),
                f"bring {tensor.shape} to the shape of the others",
            )
    return made


def spread(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A tile repeated to a shape: over the partitions by a new tile, else as a view."""
    if tensor.shape[0] == shape[0] and (made := tensor.stretched(shape)) is not None:
        return made
    return tensor.broadcast_to(shape)


def common_box(shape: tuple[int, ...], mask: Any, *tensors: Tensor) -> Box | None:
    """Where a mask holds and every operand, stretched to the shape, has been written."""
    box = box_of(mask, shape)
    if is_empty(box):
        return box  # nothing is read
    for tensor in tensors:
        box = intersection(box, tensor.valid())
    return box


def used(tensor: Tensor, mask: Any) -> tuple[Box | None, Any]:
    """Where a mask holds and a tile has been written, and the tile there."""
    box = common_box(tensor.shape, mask, tensor)
    return box, tensor.read(box)


def rows_of(box: Box | None, tensor: Tensor) -> Box | None:
    """The box of a [P, 1] operand beside a tile of which `box` is used."""
    if box is None:
        return None
    return (box[0], *((0, size) for size in tensor.shape[1:]))


def column(value: Any, box: Box | None, convert: bool = True) -> Any:
    """A number, or a [P, 1] tile as the operand of an instruction: float32 unless not `convert`."""
    if not isinstance(value, Tensor):
        return value
    if is_empty(box):
        return None
    if convert and value.dtype != "float32":
        wide = fresh(value.shape, "float32")
        nisa.tensor_copy(dst=wide.target(), src=value.nki())
        wide.wrote()
        value = wide
    return value.read(rows_of(box, value))


def is_column(tensor: Tensor) -> bool:
    """Whether a tile has one element in each partition."""
    return all(size == 1 for size in tensor.shape[1:])


def in_sbuf(tensor: Tensor) -> Tensor:
    """A tile in SBUF: itself, or a copy of one in PSUM."""
    if tensor.space != "psum":
        return tensor
    _state.flush()
    made = fresh(tensor.shape, tensor.dtype)
    box = tensor.valid()
    part = made.boxed(box)
    nisa.tensor_copy(dst=part.target(), src=tensor.read(box))
    part.wrote(box is not None)
    return made


def written(tensor: Tensor | None, box: Box | None = None) -> NkiTensor | None:
    """A tile that an instruction writes beside its result."""
    if tensor is None or is_empty(box):
        return None
    part = tensor.boxed(rows_of(box, tensor))
    part._storage.pinned = True
    view = part.target()
    part.wrote(box is not None)
    return view


def result_dtype(dtype: Any, default: Any) -> Any:
    """The dtype asked for, or the default."""
    return dtype_of(default if dtype is None else dtype)


def two_dims(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A tile's shape: at least two dimensions."""
    return shape if len(shape) > 1 else (*shape, 1)
