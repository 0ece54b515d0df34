"""Tensors seen as grids of tiles and of blocks of tiles. Source: nki.language, NKI 0.7.

A grid is a view: it takes no storage and emits nothing. `.data` of a tile is what instructions
take. AWS's pages say that on chip the tiles of an allocation lie in one dense area; that it is
[tile rows, tiles x tile columns], tiles in row-major order and remainders at full width, is ours.
"""

from __future__ import annotations

import math
from typing import Any

from nki import _dtypes
from nki.language._memory import ndarray
from nki.language._tensor import NkiTensor
from nki.language._types import MemoryRegion, is_hbm


class NkiGrid:
    """A grid over a tensor. Index it by integers or slices of positive step to get a part of it.

    `shape` counts tiles (or blocks); an integer index leaves a dimension of one.
    """

    def __init__(self, area: _Area, tiles: tuple[range, ...], units: tuple[range, ...]) -> None:
        self._area = area
        self._tiles = tiles  # by dimension: which tiles of the tensor it is made of
        self._units = units  # by dimension: which of those tiles, or of their blocks, are chosen

    @property
    def shape(self) -> tuple[int, ...]:
        """How many tiles, or blocks, there are in each dimension."""
        return tuple(len(units) for units in self._units)

    @property
    def buffer(self) -> MemoryRegion:
        """The memory that the tensor lies in."""
        return self._area.tensor.buffer

    @property
    def dtype(self) -> str:
        """The dtype of the elements."""
        return self._area.tensor.dtype

    @property
    def tile_shape(self) -> tuple[int, ...]:
        """The elements of a whole tile."""
        return self._area.tile_shape

    @property
    def element_shape(self) -> tuple[int, ...]:
        """The elements in each dimension, without those that slices have left out."""
        return self._area.elements(self._covered())

    @property
    def is_remainder(self) -> bool:
        """Whether a tile of it is smaller than tile_shape."""
        sizes = zip(self._covered(), self._area.extents(), self._area.sizes, strict=True)
        return any((tiles[-1] + 1) * tile > extent for tiles, extent, tile in sizes if tiles)

    @property
    def is_data_representable(self) -> bool:
        """Whether `.data` exists: the elements are one block of the tensor, without gaps."""
        return self._area.view(self._covered()) is not None

    @property
    def data(self) -> NkiTensor:
        """The elements as a tensor. Raises ValueError where no tensor has just these."""
        view = self._area.view(self._covered())
        if view is None:
            raise ValueError(
                f"a grid of shape {self.shape} in {self.buffer.name} is no single tensor: index "
                "one tile of it"
            )
        return view

    def _covered(self) -> tuple[range, ...]:
        """The tiles of the tensor that the grid is made of, by dimension."""
        return tuple(t[u.start : u.stop : u.step] for t, u in self._pairs())

    def _pairs(self) -> list[tuple[range, range]]:
        return list(zip(self._tiles, self._units, strict=True))

    def _chosen(self, key: Any) -> tuple[range, ...]:
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > len(self._units):
            raise IndexError(f"{len(keys)} indices for a grid of shape {self.shape}")
        keys = (*keys, *(slice(None),) * (len(self._units) - len(keys)))
        return tuple(_part(units, one) for units, one in zip(self._units, keys, strict=True))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, tile_shape={self.tile_shape})"


def _part(units: range, key: Any) -> range:
    if isinstance(key, slice):
        if key.step is not None and key.step < 1:
            raise ValueError(f"a grid is sliced with a positive step, not {key.step}")
        return units[key]
    if not isinstance(key, int):
        raise TypeError(f"a grid is indexed by integers and slices, not by {key!r}")
    units[key]  # raises IndexError
    at = key % len(units)
    return units[at : at + 1]


class NkiTileGrid(NkiGrid):
    """A grid whose units are tiles."""

    def __getitem__(self, key: Any) -> NkiTileGrid:
        return NkiTileGrid(self._area, self._tiles, self._chosen(key))

    @property
    def index_step_elements(self) -> tuple[int, ...]:
        """How many elements lie between the starts of neighbouring tiles."""
        steps = zip(self._covered(), self._area.sizes, strict=True)
        return tuple(tiles.step * size for tiles, size in steps)


class NkiBlockGrid(NkiGrid):
    """A grid whose units are blocks of tiles; nl.tiles(block) has the tiles of a block."""

    def __init__(
        self,
        area: _Area,
        tiles: tuple[range, ...],
        units: tuple[range, ...],
        block_shape: tuple[int, ...],
    ) -> None:
        super().__init__(area, tiles, units)
        self.block_shape = block_shape
        self._blocks = (1,) * (len(tiles) - len(block_shape)) + block_shape

    def __getitem__(self, key: Any) -> NkiBlockGrid:
        return NkiBlockGrid(self._area, self._tiles, self._chosen(key), self.block_shape)

    def _covered(self) -> tuple[range, ...]:
        made = []
        for (tiles, units), size in zip(self._pairs(), self._blocks, strict=True):
            if units.step > 1 and len(units) > 1:
                raise ValueError("blocks that are not neighbours have no tiles in common order")
            made.append(tiles[units.start * size : (units[-1] + 1) * size] if units else tiles[:0])
        return tuple(made)

    @property
    def index_step_elements(self) -> tuple[int, ...]:
        """How many elements lie between the starts of neighbouring blocks."""
        sizes = zip(self._pairs(), self._blocks, self._area.sizes, strict=True)
        return tuple(u.step * block * t.step * size for (t, u), block, size in sizes)


class _Area:
    """The tensor behind grids: as it is, or a dense area of tiles in SBUF or PSUM."""

    def __init__(
        self, tensor: NkiTensor, tile_shape: tuple[int, ...], dense: tuple[int, ...] | None
    ) -> None:
        self.tensor, self.tile_shape = tensor, tile_shape
        self._dense = dense  # the logical shape of a dense area
        lead = len(self.extents()) - len(tile_shape)
        self.sizes = (1,) * lead + tile_shape

    def extents(self) -> tuple[int, ...]:
        """The elements of the whole tensor in each dimension."""
        return self._dense or tuple(self.tensor.shape)

    def elements(self, tiles: tuple[range, ...]) -> tuple[int, ...]:
        """How many elements some tiles have in each dimension."""
        return tuple(
            sum(min(size, extent - t * size) for t in chosen)
            for chosen, extent, size in zip(tiles, self.extents(), self.sizes, strict=True)
        )

    def view(self, tiles: tuple[range, ...]) -> NkiTensor | None:
        """Some tiles as one tensor, if they are one."""
        if any(len(one) == 0 or (one.step > 1 and len(one) > 1) for one in tiles):
            return None
        elements = self.elements(tiles)
        if self._dense is not None:
            return self._in_dense_area(tiles, elements)
        first = tuple(one[0] * size for one, size in zip(tiles, self.sizes, strict=True))
        box = tuple(slice(a, a + n) for a, n in zip(first, elements, strict=True))
        lead = len(self.sizes) - len(self.tile_shape)
        single = all(n == 1 for n in elements[:lead])
        at = tuple(first[:lead]) if single else box[:lead]
        return self.tensor[(*at, *box[lead:])]

    def _in_dense_area(
        self, tiles: tuple[range, ...], elements: tuple[int, ...]
    ) -> NkiTensor | None:
        counts = tuple(-(-n // size) for n, size in zip(self.extents(), self.sizes, strict=True))
        columns = math.prod(self.tile_shape[1:])
        place = 0
        for one, count in zip(tiles, counts, strict=True):
            place = place * count + one[0]
        run = self.tensor[0 : elements[0], place * columns :]
        if all(len(one) == 1 for one in tiles):
            tile = run[:, 0:columns].reshape((elements[0], *self.tile_shape[1:]))
            return tile[(slice(None), *(slice(0, n) for n in elements[1:]))]
        in_one_row = len(tiles) == 2 and len(tiles[0]) == 1
        return run[:, 0 : elements[1]] if in_one_row else None


def _exact(name: str, shape: Any) -> tuple[int, ...]:
    """A shape. Raises TypeError unless it is a tuple of integers, ValueError if one is below 1."""
    if not isinstance(shape, tuple) or any(type(n) is not int for n in shape):
        raise TypeError(f"{name} is a tuple of integers, not {shape!r}")
    if any(n < 1 for n in shape):
        raise ValueError(f"every extent of {name} is positive: {shape}")
    return shape


def _checked(tile_shape: Any, extents: tuple[int, ...], buffer: MemoryRegion) -> tuple[int, ...]:
    made = _exact("tile_shape", tile_shape)
    if not 2 <= len(made) <= len(extents):
        raise ValueError(f"tile_shape has 2 to {len(extents)} dimensions here: {made}")
    if len(made) < len(extents) and not is_hbm(buffer):
        raise ValueError(f"on chip a tile_shape covers all dimensions of {extents}: {made}")
    return made


def _all_tiles(area: _Area) -> tuple[range, ...]:
    sizes = zip(area.extents(), area.sizes, strict=True)
    return tuple(range(-(-extent // size)) for extent, size in sizes)


def _grid(area: _Area, tiles: tuple[range, ...]) -> NkiTileGrid:
    return NkiTileGrid(area, tiles, tuple(range(len(one)) for one in tiles))


def tiles(source: Any, *, tile_shape: tuple[int, ...] | None = None) -> NkiTileGrid:
    """A tensor, or the tiles of a grid, as a grid of tiles.

    tile_shape is in elements and covers the trailing dimensions; the others, in HBM only, are taken
    one index at a time. The last tiles are smaller where it does not divide the tensor. Raises
    TypeError and ValueError for shapes.
    """
    if isinstance(source, NkiGrid):
        if tile_shape is None or tile_shape == source.tile_shape:
            return _grid(source._area, source._covered())
        source = source.data
    if not isinstance(source, NkiTensor):
        raise TypeError(f"tiles are those of a tensor or a grid, not of {source!r}")
    if tile_shape is None:
        raise TypeError("a tensor is tiled by a tile_shape")
    shape = _checked(tile_shape, tuple(source.shape), source.buffer)
    area = _Area(source, shape, None)
    return _grid(area, _all_tiles(area))


def blocks(
    source: Any, *, tile_shape: tuple[int, ...] | None = None, block_shape: tuple[int, ...]
) -> NkiBlockGrid:
    """A tensor or grid as a grid of blocks; block_shape counts tiles, as many as tile_shape has."""
    grid = tiles(source, tile_shape=tile_shape)
    sizes = _exact("block_shape", block_shape)
    if len(sizes) != len(grid.tile_shape):
        raise ValueError(f"block_shape has the rank of tile_shape {grid.tile_shape}: {sizes}")
    covered = grid._covered()
    lead = (1,) * (len(covered) - len(sizes))
    units = zip(covered, (*lead, *sizes), strict=True)
    made = tuple(range(-(-len(one) // size)) for one, size in units)
    return NkiBlockGrid(grid._area, covered, made, sizes)


def alloc_tiles(
    *,
    tile_shape: tuple[int, ...],
    element_shape: tuple[int, ...],
    buffer: MemoryRegion,
    dtype: object,
    address: tuple[int, ...] | None = None,
    name: str = "",
) -> NkiTileGrid:
    """A new, uninitialised tensor as a grid of tiles. `address` as in nl.ndarray."""
    if not isinstance(buffer, MemoryRegion):
        raise TypeError(f"buffer is nl.sbuf, nl.psum or one in HBM, not {buffer!r}")
    elements = _exact("element_shape", element_shape)
    shape = _checked(tile_shape, elements, buffer)
    if is_hbm(buffer):
        area = _Area(ndarray(elements, dtype, buffer, name, address), shape, None)
        return _grid(area, _all_tiles(area))
    count = math.prod(-(-n // size) for n, size in zip(elements, shape, strict=True))
    rows = (shape[0], count * math.prod(shape[1:]))
    area = _Area(ndarray(rows, dtype, buffer, name, address), shape, elements)
    return _grid(area, _all_tiles(area))


def alloc_blocks(
    *,
    tile_shape: tuple[int, ...],
    block_shape: tuple[int, ...],
    element_shape: tuple[int, ...],
    buffer: MemoryRegion,
    dtype: object,
    address: tuple[int, ...] | None = None,
    name: str = "",
) -> NkiBlockGrid:
    """A new, uninitialised tensor as a grid of blocks of tiles."""
    _exact("block_shape", block_shape)
    made = alloc_tiles(
        tile_shape=tile_shape,
        element_shape=element_shape,
        buffer=buffer,
        dtype=dtype,
        address=address,
        name=name,
    )
    return blocks(made, block_shape=block_shape)


_TRANSPOSES = ((1, 0), (2, 1, 0), (3, 1, 2, 0))


def empty_like(
    x: Any,
    dtype: object = None,
    buffer: MemoryRegion | None = None,
    name: str = "",
    *,
    transpose_axes: tuple[int, ...] | None = None,
    address: tuple[int, ...] | None = None,
) -> Any:
    """A new, uninitialised tensor, or grid of tiles or blocks, shaped like x.

    Gaps of a sliced grid are closed. transpose_axes, (1, 0), (2, 1, 0) or (3, 1, 2, 0), makes the
    SBUF target of a later dma_transpose of x.
    """
    dtype = _dtypes.name_of(dtype or x.dtype)
    if transpose_axes is not None:
        return _transposed(x, dtype, buffer, name, transpose_axes, address)
    memory: Any = buffer or x.buffer
    if not isinstance(x, NkiGrid):
        return ndarray(x.shape, dtype, memory, name, address)
    made = alloc_tiles(
        tile_shape=x.tile_shape,
        element_shape=x.element_shape,
        buffer=memory,
        dtype=dtype,
        address=address,
        name=name,
    )
    return blocks(made, block_shape=x.block_shape) if isinstance(x, NkiBlockGrid) else made


def _transposed(
    x: Any, dtype: str, buffer: MemoryRegion | None, name: str, axes: Any, address: Any
) -> NkiTensor:
    shape = x.element_shape if isinstance(x, NkiGrid) else tuple(x.shape)
    if tuple(axes) not in _TRANSPOSES or len(axes) != len(shape):
        raise ValueError(f"transpose_axes is one of {_TRANSPOSES}, of the rank of {shape}: {axes}")
    if buffer not in (None, MemoryRegion.sbuf):
        raise ValueError(f"the target of a dma_transpose is in SBUF, not in {buffer}")
    return ndarray(tuple(shape[a] for a in axes), dtype, MemoryRegion.sbuf, name, address)


__all__ = [
    "NkiBlockGrid",
    "NkiGrid",
    "NkiTileGrid",
    "alloc_blocks",
    "alloc_tiles",
    "blocks",
    "empty_like",
    "tiles",
]
