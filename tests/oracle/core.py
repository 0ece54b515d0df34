"""What a core holds while the oracle runs a program, and how tiles reach it.

Memories are NumPy bytes; a tile is read as an array [partitions, *counts] and written back from
one. HBM tiles have one partition. Values of the engines are float32; `bits` are unsigned integers.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from oracle.program import Program, Register, Tile
from oracle.values import F32, cast

PARTITIONS = 128
DTYPES = {
    "float32": np.float32,
    "tfloat32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e3m4": ml_dtypes.float8_e3m4,
    "float8_e4m3": ml_dtypes.float8_e4m3,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "bool": np.bool_,
    "float8_e4m3fn_x4": np.uint32,
    "float8_e5m2_x4": np.uint32,
    "float4_e2m1fn_x4": np.uint16,
} | {f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32)}
TFLOAT32_BITS = np.uint32(0xFFFFE000)  # sign, 8 bits of exponent, 10 of mantissa


def dtype_of(tile: Tile) -> np.dtype:
    """How NumPy holds an element; tfloat32 lies in float32, packed values in integers."""
    return np.dtype(DTYPES[tile.dtype])


def _tfloat32(x: np.ndarray) -> np.ndarray:
    """Rounded to nearest even; NaN stays."""
    word = x.view(np.uint32)
    rounded = (word + np.uint32(0xFFF) + ((word >> np.uint32(13)) & np.uint32(1))) & TFLOAT32_BITS
    return np.where(np.isnan(x), x, rounded.view(np.float32))


class Core:
    """One core's memories, registers and hidden state."""

    def __init__(self, program: Program, sbuf_bytes: int, psum_bytes: int) -> None:
        self.program = program
        self.sbuf = np.zeros((PARTITIONS, sbuf_bytes), np.uint8)
        self.psum = np.zeros((PARTITIONS, psum_bytes), np.uint8)
        self.hbm = [self._storage(tensor) for tensor in program.tensors]
        self.registers: dict[str, dict[int, int]] = {}
        self.scalar_accumulator = np.zeros(PARTITIONS, F32)
        self.vector_accumulator = np.zeros(PARTITIONS, F32)
        self.states = {
            "vector": np.zeros((PARTITIONS, 24), np.uint32),
            "gpsimd": np.zeros((PARTITIONS, 6), np.uint32),
        }
        self.engine = "any"  # of the instruction that runs

    @staticmethod
    def _storage(tensor) -> np.ndarray:
        if tensor.space != "hbm":
            return np.zeros(0, np.uint8)
        size = int(np.prod(tensor.shape)) * np.dtype(DTYPES[tensor.dtype]).itemsize
        content = np.zeros(size, np.uint8)
        content[: len(tensor.content)] = np.frombuffer(tensor.content, np.uint8)
        return content

    # --- tiles

    def view(self, tile: Tile, dtype=None) -> np.ndarray:
        """The elements in place, [partitions, *counts]."""
        dtype = dtype_of(tile) if dtype is None else np.dtype(dtype)
        width = dtype.itemsize
        memory = self.hbm[tile.tensor] if tile.space == "hbm" else getattr(self, tile.space)
        row = memory.shape[1] if memory.ndim == 2 else 0
        return np.ndarray(
            (tile.partitions, *(count for _, count in tile.dims)),
            dtype,
            buffer=memory.reshape(-1),
            offset=tile.start * row + tile.offset + self._moved(tile) * width,
            strides=(row, *(step * width for step, _ in tile.dims)),
        )

    def _moved(self, tile: Tile) -> int:
        """Elements by which a register or an index in SBUF moves a tile."""
        if tile.dynamic == 0:
            return 0
        how = self.program.dynamics[tile.dynamic - 1]
        if how.kind == "register_offset":
            return self.register(how.register) * how.stride
        if how.kind == "tile_offset":
            return int(self.view(how.index).reshape(-1)[0]) * how.stride
        return 0

    def places(self, tile: Tile) -> np.ndarray | None:
        """[partitions, elements]: where the elements of an .indirect() view lie in their rows."""
        how = self.program.dynamics[tile.dynamic - 1] if tile.dynamic else None
        if how is None or how.kind != "indirect":
            return None
        count = int(np.prod([n for _, n in tile.dims]))
        lists = self.view(how.index).reshape(how.index.partitions, -1).astype(np.int64)
        i, group = np.arange(count), how.stride
        first = np.arange(tile.partitions) // group * group
        return lists[first[:, None] + i[None] % group, i[None] // group]

    def _row_of(self, tile: Tile) -> np.ndarray:
        """All that an .indirect() view may reach: from its offset to the end of its partition."""
        width = dtype_of(tile).itemsize
        left = (getattr(self, tile.space).shape[1] - tile.offset) // width
        whole = Tile(
            tile.space, tile.dtype, tile.tensor, tile.start, tile.partitions, ((1, left),),
            tile.offset,
        )  # fmt: skip
        return self.view(whole)

    def read(self, tile: Tile) -> np.ndarray:
        """A copy of the elements."""
        places = self.places(tile)
        if places is None:
            return self.view(tile).copy()
        found = np.take_along_axis(self._row_of(tile), places, axis=1)
        return found.reshape(tile.partitions, *(n for _, n in tile.dims))

    def write(self, tile: Tile, values: np.ndarray) -> None:
        """Stores elements of the tile's dtype, in order."""
        values = np.asarray(values)
        assert values.dtype == dtype_of(tile), f"{values.dtype} into {tile}"
        places = self.places(tile)
        if places is None:
            target = self.view(tile)
            target[...] = values.reshape(target.shape)
            return
        row, values = self._row_of(tile), values.reshape(places.shape)
        for i in range(places.shape[1]):  # a later element wins
            row[np.arange(len(row)), places[:, i]] = values[:, i]

    def floats(self, tile: Tile) -> np.ndarray:
        """The elements as the float32 that engines compute with."""
        x = self.read(tile)
        if tile.dtype == "tfloat32":
            x = (x.view(np.uint32) & TFLOAT32_BITS).view(np.float32)
        return x.astype(F32)

    def store(self, tile: Tile, x: np.ndarray) -> None:
        """Casts float32 results to the tile's dtype and writes them."""
        x = np.asarray(x, F32)
        self.write(tile, _tfloat32(x) if tile.dtype == "tfloat32" else cast(x, dtype_of(tile)))

    def scalar(self, value, default: float = 0.0):
        """A number, or the float32 column [P, 1] of a tile."""
        if not isinstance(value, Tile):
            return float(default if value is None else value)
        column = self.floats(value).reshape(value.partitions, -1)[:, :1]
        return column if value.partitions > 1 else float(column[0, 0])

    # --- registers: what one engine's sequencer holds

    def register(self, number: int) -> int:
        who = "tensor" if self.engine == "any" else self.engine
        return self.registers.get(who, {}).get(number, 0)

    def number(self, value: Any) -> int:
        """An operand that is an integer, a register, or left out."""
        return self.register(value.number) if isinstance(value, Register) else int(value or 0)

    def set_register(self, number: int, value: int) -> None:
        wrapped = (int(value) + 2**31) % 2**32 - 2**31
        every = ("tensor", "vector", "scalar", "gpsimd", "sync")
        for who in every if self.engine == "any" else (self.engine,):
            self.registers.setdefault(who, {})[number] = wrapped
