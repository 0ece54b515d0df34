"""An instruction that has been written down but not emitted: it waits to learn where it writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nki.language import NkiTensor

from neuronxcc.nki._dtypes import DType
from neuronxcc.nki._index import Box


@dataclass
class Operation:
    """The result of an ISA call before it has a place.

    `emit(dst)` emits the instruction into an nki view of the part `box` of the result (None: all of
    it). `cast` says whether it converts to the dtype of any destination; `accumulate(dst)`, of
    matmuls, adds to what the destination holds.
    """

    shape: tuple[int, ...]
    dtype: DType
    emit: Callable[[NkiTensor], Any]
    box: Box | None = None
    space: str = "sbuf"
    spaces: tuple[str, ...] = ("sbuf", "psum")  # where it can write
    cast: bool = True
    step: int = 1  # elements from one to the next in the last dimension of a new destination
    accumulate: Callable[[NkiTensor], Any] | None = None
    iterations: tuple[tuple[object, int], ...] = ()  # in which it was written down: _strict
    # Of loop_reduce: (whether the iteration is the first, reduce(dst), key of the accumulator).
    loop: tuple[bool, Callable[[NkiTensor], Any], Any] | None = None
