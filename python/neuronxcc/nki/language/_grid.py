"""Loops and the program grid of first-generation nki.language. Source: NKI 0.1."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import nki.isa as nisa
import nki.language as nl

from neuronxcc.nki import _state, _strict
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._operands import used
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, defer


class LoopIndex(int):
    """A loop variable, which knows whether it is the first of its loop."""

    first = False


def affine_range(*args: int, **_: Any) -> Iterator[int]:
    """range(), of iterations in any order; unrolled when the kernel is traced."""
    loop = object()
    for i in sequential_range(*args):
        with _strict.iteration(loop, int(i)):
            yield i


def sequential_range(*args: int, **_: Any) -> Iterator[int]:
    """range(); unrolled when the kernel is traced."""
    for at, i in enumerate(range(*args)):
        index = LoopIndex(i)
        index.first = at == 0
        yield index


static_range = sequential_range


def loop_reduce(x: Tensor, op: Any, loop_indices: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    """x reduced over the iterations of loops; complete after the last one."""
    x = tile(x, "nl.loop_reduce")
    indices = loop_indices if isinstance(loop_indices, (tuple, list)) else [loop_indices]
    first = all(getattr(i, "first", i == 0) for i in indices)
    box, data = used(x, None)
    caller = sys._getframe(1)
    return defer(
        Operation(
            x.shape,
            dtype_of(dtype or x.dtype),
            lambda dst: nisa.tensor_copy(dst=dst, src=data),
            box,
            loop=(
                first,
                lambda dst: nisa.tensor_tensor(dst=dst, data1=dst, data2=data, op=op),
                (caller.f_code, caller.f_lineno),
            ),
        )
    )


def program_id(axis: int = 0) -> int:
    """Which instance of the grid this is along an axis."""
    ids = _state.state().ids
    return ids[axis] if ids else 0


def num_programs(axes: Any = None) -> Any:
    """How many instances the grid has, along an axis, several, or all."""
    grid = _state.state().grid
    if axes is None:
        return math.prod(grid)
    if isinstance(axes, (tuple, list)):
        return tuple(grid[a] for a in axes)
    return grid[axes] if grid else 1


def program_ndim() -> int:
    """Dimensions of the grid; 0 without one."""
    return len(_state.state().grid)


@dataclass(frozen=True)
class spmd_dim:
    """A dimension of a grid in two factors, one of them over the physical cores."""

    outer: Any
    inner: Any

    def __int__(self) -> int:
        return int(self.outer) * int(self.inner)

    __index__ = __int__


@dataclass(frozen=True)
class nc:
    """Physical cores as a factor of a grid dimension."""

    cores: int

    def __int__(self) -> int:
        return self.cores

    __index__ = __int__

    def __mul__(self, other: int) -> spmd_dim:
        return spmd_dim(self, other)

    def __rmul__(self, other: int) -> spmd_dim:
        return spmd_dim(other, self)


def device_print(print_prefix: str, x: Tensor, *, mask: Any = None, **_: Any) -> None:
    """Prints the prefix and the tile's values after the run."""
    _state.flush()
    nl.device_print(print_prefix, x.nki())
