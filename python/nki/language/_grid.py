"""Loops, the program grid and scheduling hints of nki.language. Source: nki.language, NKI 0.6."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from nki import _context, _peek
from nki import _isa as nisa
from nki._loops import counted_loop, fori_loop, while_loop
from nki._registers import VirtualRegister
from nki.language._memory import ndarray
from nki.language._tensor import NkiTensor
from nki.language._types import is_psum, private_hbm


def affine_range(start: int, stop: int | None = None, step: int = 1) -> range:
    """range(); unrolled when the kernel is traced."""
    return range(start) if stop is None else range(start, stop, step)


sequential_range = affine_range
static_range = affine_range


def dynamic_range(
    start: int | VirtualRegister, stop: int | VirtualRegister | None = None, step: int = 1
) -> Iterator[VirtualRegister]:
    """A hardware loop: the body is traced once, with a register as loop variable."""
    first, last = (0, start) if stop is None else (start, stop)
    return counted_loop(first, last, step)


def program_id(axis: int = 0) -> int:
    """Which instance of the grid this is."""
    _only_axis_0(axis)
    return _context.context().program_id


def num_programs(axes: int = 0) -> int:
    """How many instances the grid has."""
    _only_axis_0(axes)
    return _context.context().num_programs


def program_ndim() -> int:
    """Dimensions of the grid: 0 when launched without one."""
    return 0 if _context.context().grid is None else 1


def _only_axis_0(axis: object) -> None:
    if axis not in (0, None, (0,)):
        raise ValueError(f"the grid has one dimension; axis {axis!r} does not exist")


@contextlib.contextmanager
def no_reorder() -> Iterator[None]:
    """Makes every instruction inside wait for the one before it.

    Holds for everything that runs under the block. Hardware loops go around it, not into it.
    """
    context = _context.context()
    if context.ordered_from is not None:  # inside another block, which orders everything
        yield
        return
    context.ordered_from = len(context.trace)
    try:
        yield
    finally:
        for index in range(context.ordered_from + 1, len(context.trace)):
            context.trace.add_edge(index - 1, index)
        context.ordered_from = None


def device_print(print_prefix: str, tensor: NkiTensor) -> None:
    """Prints the prefix and the tensor's values of this moment, after the run.

    The values are copied to an HBM tensor of their own, which takes DMA time, as it does on
    hardware. In a hardware loop the last iteration's values are printed. Under nki.simulate it
    prints at once, outside of hardware loops and of grids.
    """
    from nki.language._operators import copy

    context = _context.context()
    if context.simulated and not context.open_loops and context.num_programs == 1:
        print(print_prefix, _peek.values(tensor), sep="\n")
        return
    source = copy(tensor) if is_psum(tensor.buffer) else tensor
    kept = ndarray(tensor.shape, tensor.dtype, private_hbm)
    nisa.dma_copy(dst=kept, src=source)
    context.prints.append((print_prefix, kept))


def par_dim(size: int) -> int:
    """`size`: the first dimension of a tile is the partition dimension, marked or not."""
    return size


__all__ = [
    "affine_range",
    "device_print",
    "dynamic_range",
    "fori_loop",
    "no_reorder",
    "num_programs",
    "par_dim",
    "program_id",
    "program_ndim",
    "sequential_range",
    "static_range",
    "while_loop",
]
