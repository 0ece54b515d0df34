"""What AWS's compiler refused in first-generation kernels and this package runs: with
TRAINYARD_STRICT=1 it is refused here, too.

An argument that a kernel writes is annotated `nt.mutable_tensor`; an iteration of nl.affine_range
reads nothing on chip that another one has written, but to add to it (`+=`, matmuls into PSUM).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nki import _context

from neuronxcc.nki import _state
from neuronxcc.nki._index import Box, intersection, is_empty

if TYPE_CHECKING:
    from neuronxcc.nki._storage import Cell

# Iterations in which something happens: of each loop around it the loop and a number, outermost
# first.
Iterations = tuple[tuple[object, int], ...]


def is_asked() -> bool:
    """Whether the environment asks for it. Raises ValueError for another value than 0 and 1."""
    value = os.environ.get("TRAINYARD_STRICT", "0")
    if value not in ("", "0", "1"):
        raise ValueError(f"TRAINYARD_STRICT is 0 or 1, not {value!r}")
    return value == "1"


@contextlib.contextmanager
def iteration(loop: object, at: int) -> Iterator[None]:
    """What is written down in the block belongs to an iteration of an affine_range."""
    state = _state.state()
    outer = state.iterations
    state.iterations = (*outer, (loop, at))
    try:
        yield
    finally:
        state.iterations = outer


@contextlib.contextmanager
def adding() -> Iterator[None]:
    """What is read in the block is added to."""
    state = _state.state()
    outer, state.adds = state.adds, True
    try:
        yield
    finally:
        state.adds = outer


def note_write(cell: Cell, region: Box, iterations: Iterations | None) -> None:
    """Notes in which iterations, by default the present ones, a part of a tile was written."""
    state = _state.state()
    if not state.strict:
        return
    iterations = state.iterations if iterations is None else iterations
    kept = [one for one in cell.writes if intersection(one[0], region) != one[0]]
    cell.writes = [*kept, (region, iterations)]


def check_read(cell: Cell, region: Box) -> None:
    """Refuses to read what another iteration of a loop around has written."""
    state = _state.state()
    if not state.strict or state.adds:
        return
    now = dict(state.iterations)
    for written, iterations in cell.writes:
        if is_empty(intersection(written, region)):
            continue
        for loop, at in iterations:
            if now.get(loop, at) != at:
                _context.refuse(
                    "neuronxcc.affine_range",
                    "iterations of nl.affine_range do not read what others have written",
                    f"iteration {now[loop]} reads a tile that iteration {at} wrote",
                    "use nl.sequential_range, or accumulate with +=",
                )


def check_target(argument: str) -> None:
    """Refuses to write to an argument that is not annotated, where that is asked for."""
    if argument and _state.state().strict:
        _context.refuse(
            "neuronxcc.argument",
            "a kernel writes only to arguments annotated nt.mutable_tensor",
            f"a write to the argument '{argument}'",
            f"annotate it, {argument}: nt.mutable_tensor, or write to a new nl.shared_hbm tensor",
        )
