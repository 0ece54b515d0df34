"""Tensors of first-generation kernels: views with index expressions, operators and assignment."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import nki.isa as nisa
import nki.language as nl
import numpy as np
from nki import _context, _dtypes
from nki.language import NkiTensor

from neuronxcc.nki import _access, _operators, _spill, _state, _storage, _strict
from neuronxcc.nki._access import Access
from neuronxcc.nki._dtypes import DType
from neuronxcc.nki._index import Box, box_of, intersection, is_empty
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._storage import Cell, Storage


class Tensor:
    """A view of a tensor, or the result of an instruction that has not been emitted yet.

    The pending instruction is emitted when the view it is assigned to is known, or into a tile of
    its own as soon as anything else is emitted.
    """

    __array_ufunc__ = None  # NumPy scalars on the left leave operators to us
    __hash__ = object.__hash__

    __add__, __radd__, __iadd__ = _operators.operators(nl.add)
    __sub__, __rsub__, __isub__ = _operators.operators(nl.subtract)
    __mul__, __rmul__, __imul__ = _operators.operators(nl.multiply)
    __and__, __rand__, __iand__ = _operators.operators(nl.bitwise_and)
    __or__, __ror__, __ior__ = _operators.operators(nl.bitwise_or)
    __xor__, __rxor__, __ixor__ = _operators.operators(nl.bitwise_xor)
    __pow__, __rpow__, __ipow__ = _operators.operators(nl.power)
    __lt__, __le__ = _operators.operator(nl.less), _operators.operator(nl.less_equal)
    __gt__, __ge__ = _operators.operator(nl.greater), _operators.operator(nl.greater_equal)
    __eq__, __ne__ = _operators.operator(nl.equal), _operators.operator(nl.not_equal)

    def __truediv__(self, other: Any) -> Tensor:
        return _operators.arithmetic().divide(self, other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return _operators.arithmetic().divide(other, self)

    def __neg__(self) -> Tensor:
        return _operators.arithmetic().binary(nl.multiply, self, -1.0, dtype=self.dtype)

    def astype(self, dtype: object) -> Tensor:
        """A copy in another dtype."""
        return _operators.arithmetic().copy(self, dtype)

    def __init__(
        self, storage: Storage | None, access: Access | None, operation: Operation | None = None
    ) -> None:
        self._made, self._seen, self._operation = storage, access, operation
        self._limit: Box | None = None  # of tile[mask]: the part that may be read

    @property
    def _storage(self) -> Storage:
        if self._made is None:
            self.settle()
        return self._made

    @property
    def _access(self) -> Access:
        if self._seen is None:
            self.settle()
        return self._seen

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions, block dimensions included."""
        return self._operation.shape if self._operation is not None else self._seen.shape

    @property
    def dtype(self) -> DType:
        """The dtype, equal to NumPy's of the same name."""
        return self._operation.dtype if self._operation is not None else self._made.dtype

    @property
    def ndim(self) -> int:
        """How many dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def buffer(self) -> Any:
        """The memory it lies in."""
        if not self._storage.on_chip:
            return self._cell().tensor.buffer
        return nl.psum if self.space == "psum" else nl.sbuf

    @property
    def space(self) -> str:
        """sbuf, psum or hbm."""
        return self._storage.space

    def settle(self) -> None:
        """Emits the pending instruction of this tensor into a tile of its own."""
        operation = self._operation
        if operation is None:
            return
        if operation.loop is not None and not operation.loop[0]:
            kept = _state.state().accumulators[operation.loop[2]]
        else:
            kept = fresh(operation.shape, operation.dtype, operation.space, operation.step)
        if operation.loop is not None:
            _state.state().accumulators[operation.loop[2]] = kept
        self._write_to(kept)

    def _write_to(self, target: Tensor, accumulate: bool = False) -> None:
        """Emits the pending instruction into a view, which this tensor then is."""
        operation = self._operation
        _state.state().pending = None
        self._operation = None
        self._made, self._seen = target._storage, target._access
        if is_empty(operation.box):
            target._cell().wrote_nothing()
            return
        part = target.boxed(operation.box)
        emit = operation.accumulate if accumulate else operation.emit
        goes_on = operation.loop is not None and not operation.loop[0]
        if goes_on:
            emit = operation.loop[1]
        emit(part.target(operation.accumulate is not None, keeps=goes_on))
        part.wrote(operation.box is not None, operation.iterations)

    def _cell(self) -> Cell:
        storage, access = self._storage, self._access
        for row in access.steps[: len(storage.blocks)]:
            if any(row) and any(s and n > 1 for s, n in zip(row, access.shape, strict=True)):
                _context.refuse(
                    "view.block",
                    "a block dimension, one before nl.par_dim, is indexed by one number",
                    f"shape {access.shape} of a tensor with block dimensions {storage.blocks}",
                    "loop over the block dimension",
                )
        return storage.cell(access.base[: len(storage.blocks)])

    def _tile_access(self) -> Access:
        """The access within a cell, its dimension 0 the partitions on chip."""
        access, blocks = self._access, len(self._storage.blocks)
        if not blocks:
            return access
        gather = access.gather
        if gather is not None and gather.dim < blocks:
            _context.refuse(
                "view.block",
                "a block dimension, one before nl.par_dim, is indexed by a number",
                "a tile of indices",
                "put the dimension behind nl.par_dim, or keep the tensor in HBM",
            )
        gather = gather and replace(gather, dim=gather.dim - blocks)
        return Access(access.shape, access.base[blocks:], access.steps[blocks:], gather)

    def _region(self) -> Box:
        access = self._tile_access()
        return tuple(_access.interval(access, k) for k in range(len(access.base)))

    def nki(self) -> NkiTensor:
        """The view as nki has it, to be read whole."""
        return self.read()

    def read(self, box: Box | None = None) -> Any:
        """The part of the view inside a box as nki has it, to be read; None of an empty box."""
        if is_empty(box):
            return None
        view = self.boxed(box)
        cell, region = view._cell(), view._region()
        _strict.check_read(cell, region)
        tensor = cell.to_read(region)
        return _access.resolved(tensor, view._tile_access())

    def target(self, by_matmul: bool = False, keeps: bool = False) -> NkiTensor:
        """The view as nki has it, to be written; `keeps`: some of it stays or is read."""
        _strict.check_target(self._storage.argument)
        tensor = self._cell().to_write(self._region(), by_matmul, keeps)
        return _access.resolved(tensor, self._tile_access())

    def wrote(self, masked: bool = False, iterations: _strict.Iterations | None = None) -> None:
        """Notes that the whole view has been written; `masked`: a mask made it so small.

        `iterations`: those of the instruction, by default the present ones.
        """
        if self._storage.on_chip:
            cell, region = self._cell(), self._region()
            cell.wrote(region, masked)
            _strict.note_write(cell, region, iterations)

    def boxed(self, box: Box | None) -> Tensor:
        """The part of the view inside a box."""
        return self if box is None else Tensor(self._storage, _access.boxed(self._access, box))

    def valid(self) -> Box | None:
        """The part of the view to read, where masks left some out; None: all."""
        if not self._storage.on_chip or (written := self._cell().valid) is None:
            return self._limit
        access = self._tile_access()
        if is_empty(written):
            return ((0, 0),) * len(access.shape)
        box = self._limit
        for k, (low, end) in enumerate(written):
            first, last = _access.interval(access, k)
            if low <= first and last <= end:
                continue
            moved = [d for d, s in enumerate(access.steps[k]) if s and access.shape[d] > 1]
            if len(moved) != 1 or access.steps[k][moved[0]] < 0:
                _context.refuse(
                    "mask.view",
                    "a tile loaded under a mask is read along its own dimensions",
                    f"a view of shape {access.shape}",
                    "read only the part where the mask is true",
                )
            step = access.steps[k][moved[0]]
            ends = (-(-(low - access.base[k]) // step), -(-(end - access.base[k]) // step))
            limits = [(0, size) for size in access.shape]
            limits[moved[0]] = ends
            box = intersection(box, tuple(limits))
        full = tuple((0, size) for size in access.shape)
        return None if box is None else intersection(box, full)

    def aligned(self) -> bool:
        """Whether engines can access the view: on chip, from a partition that tiles start at."""
        if not self._storage.on_chip:
            return False
        first, end = self._region()[0]
        size = end - first
        return first == 0 or first % (32 if size <= 32 else 64 if size <= 64 else 128) == 0

    def stretched(self, shape: tuple[int, ...]) -> Tensor | None:
        """The view with dimensions of size 1 repeated; None where sizes differ otherwise."""
        access = _access.stretched(self._access, shape)
        if access is None or access.shape == self.shape:
            return None if access is None else self
        return Tensor(self._storage, access)

    def permuted(self, order: tuple[int, ...]) -> Tensor:
        """The view with its dimensions in another order."""
        return Tensor(self._storage, _access.permuted(self._access, order))

    def masked(self, mask: Any) -> Tensor:
        """The view of which later instructions use the part where a mask holds: tile[mask]."""
        made = Tensor(self._storage, self._access)
        made._limit = intersection(self._limit, box_of(mask, self.shape))
        return made

    def __getitem__(self, key: Any) -> Tensor:
        if isinstance(key, (bool, np.bool_)) or getattr(key, "dtype", None) == np.bool_:
            return self.masked(key)
        access = _access.indexed(self._access, key)
        storage = self._storage
        if storage.on_chip and not _has_blocks_left(storage, access):
            access = _with_partitions(access, len(storage.blocks))
        return Tensor(storage, access)

    def __setitem__(self, key: Any, value: Any) -> None:
        assign(self[key], value)

    def reshape(self, shape: tuple[int, ...]) -> Tensor:
        """The same elements in another shape, without copying."""
        return wrap(self.nki().reshape(tuple(int(n) for n in shape)))

    def view(self, dtype: object) -> Tensor:
        """The same bits as another dtype; the last dimension is rescaled."""
        return wrap(self.nki().view(_dtypes.name_of(dtype)))

    def broadcast_to(self, shape: tuple[int, ...]) -> Tensor:
        """Dimensions of size 1 repeated: a view where they are free ones, else a new tile."""
        shape = tuple(int(n) for n in shape)
        if self.shape[0] == shape[0] and (made := self.stretched(shape)) is not None:
            return made
        narrow = (shape[0], *((1,) * (len(shape) - self.ndim)), *self.shape[1:])
        source = self.reshape((1, *narrow[1:])) if len(shape) != self.ndim else self
        _state.flush()
        made = wrap(nl.broadcast_to(source.nki(), narrow))
        return made if narrow == shape else made.broadcast_to(shape)

    def __repr__(self) -> str:
        return f"Tensor(shape={self.shape}, dtype={self.dtype})"

    def __bool__(self) -> bool:
        return True  # kernels ask `if tensor` for one that may be None

    def __iter__(self) -> Any:
        return (self[i] for i in range(self.shape[0]))

    def __len__(self) -> int:
        return self.shape[0]


def _has_blocks_left(storage: Storage, access: Access) -> bool:
    return any(any(access.steps[k]) for k in range(len(storage.blocks)))


def _with_partitions(access: Access, partition: int) -> Access:
    """On chip a view has the partitions first and a second dimension."""
    row = access.steps[partition]
    others = [r for k, r in enumerate(access.steps) if k != partition]
    kept = access.shape and (access.shape[0] == 1 or row[0])
    if kept and any(r[0] for r in others) and access.shape[0] > 1:
        kept = False
    if any(s and n > 1 for s, n in zip(row[1:], access.shape[1:], strict=True)) or (
        not kept and access.shape and row[0]
    ):
        _context.refuse(
            "view.partition",
            "the first dimension of a view on chip is the partition dimension, and only it",
            f"a view of shape {access.shape}",
            "put the index of the partitions first",
        )
    if not kept:
        entries = [(0, {d + 1: 1}) for d in range(len(access.shape))]
        access = _access.composed(access, (1, *access.shape), entries)
    if len(access.shape) == 1:
        access = _access.composed(access, (*access.shape, 1), [(0, {0: 1})])
    return access


def wrap(tensor: NkiTensor) -> Tensor:
    """A tensor of nki as one of this package."""
    return Tensor(_storage.of_tensor(tensor), _access.whole(tuple(tensor.shape)))


def defer(operation: Operation) -> Tensor:
    """The tensor of an operation that becomes the pending one."""
    _state.flush()
    operation.iterations = _state.state().iterations
    made = Tensor(None, None, operation)
    _state.state().pending = made
    return made


def fresh(shape: tuple[int, ...], dtype: object, space: str = "sbuf", step: int = 1) -> Tensor:
    """A new tile that nothing has been written to; `step`: between elements of a row."""
    if step > 1:
        return fresh((*shape, step), dtype, space)[..., 0]
    sizes = shape if len(shape) > 1 else (*shape, 1)
    state = _state.state()
    may_spill = state.effort.results and space == "sbuf"
    spilled = may_spill and len(state.declared) in state.spills
    made = _spill.made_cell(sizes, dtype, nl.psum if space == "psum" else nl.sbuf, spilled)
    storage = Storage(lambda: made, (), sizes, dtype, space)
    storage.cell(())
    if may_spill:
        state.declared.append(storage)
    tile = Tensor(storage, _access.whole(sizes))
    return tile if sizes == shape else Tensor(storage, _access.conformed(tile._access, shape))


def copied(source: Tensor, box: Box | None, target: Tensor) -> None:
    """Copies the part of a view inside a box to that of another one."""
    _state.flush()
    if is_empty(box):
        target._cell().wrote_nothing()
        return
    part, origin = target.boxed(box), source.boxed(box)
    dst, src = part.target(), origin.read()
    if "hbm" in (target.space, source.space) or not (part.aligned() and origin.aligned()):
        nisa.dma_copy(dst=dst, src=src)
    else:
        nisa.tensor_copy(dst=dst, src=src)
    part.wrote(box is not None)


def assign(target: Tensor, value: Any) -> None:
    """target[...] = value: where an instruction is pending, it writes to the target."""
    if not isinstance(value, Tensor):
        _fill(target, value)
        return
    operation = value._operation
    if operation is not None:
        access = _access.conformed(target._access, operation.shape)
        fits = target.space in operation.spaces and access is not None and target.aligned()
        if fits and operation.step == 1 and (operation.cast or operation.dtype == target.dtype):
            value._write_to(Tensor(target._storage, access))
            return
    if value._storage is target._storage and value._access == target._access:
        return  # what an augmented assignment has already done
    source = conformed(value, target.shape)
    copied(source, source.valid(), target)


def conformed(value: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A view of `shape` for a value with other dimensions of size 1. Raises "language.shape"."""
    access = _access.conformed(value._access, shape) or _access.stretched(value._access, shape)
    if access is None and value.size == math.prod(shape) and value.valid() is None:
        return value.reshape(shape)
    if access is None:
        _context.refuse(
            "language.shape",
            "what is assigned has the shape of its target",
            f"{value.shape} to {shape}",
        )
    return Tensor(value._storage, access)


def _fill(target: Tensor, value: float) -> None:
    _state.flush()
    if target.aligned():
        nisa.memset(dst=target.target(), value=value)
        target.wrote()
        return
    tile = fresh(target.shape, target.dtype)
    nisa.memset(dst=tile.target(), value=value)
    nisa.dma_copy(dst=target.target(), src=tile.read())


def conformed_target(target: Tensor, shape: tuple[int, ...]) -> Tensor | None:
    """A view of `shape` for a target with other dimensions of size 1; None where sizes differ."""
    access = _access.conformed(target._access, shape)
    return None if access is None else Tensor(target._storage, access)
