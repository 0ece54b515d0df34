"""The first-generation kernel being traced: its grid instance and its one pending instruction."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nki import _context


@dataclass(frozen=True)
class Effort:
    """What is done for tensors to fit on chip, beside keeping declarations in HBM."""

    results: bool  # whether results of instructions are kept there, too
    close: int  # instructions between two uses that what is kept there stays on chip for


# The next one is tried where the ones before it were not enough.
EFFORTS = (Effort(False, 32), Effort(True, 32), Effort(True, 8), Effort(True, 2))


@dataclass
class State:
    """What a first-generation trace knows beside nki's own context."""

    grid: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()
    pending: Any = None  # the Tensor whose instruction has not been emitted yet
    shared: list[Any] = field(default_factory=list)  # HBM tensors, the same for all instances
    allocated: int = 0  # how many of them this instance has declared
    spills: frozenset[int] = frozenset()  # declarations that are kept in HBM between uses
    effort: Effort = EFFORTS[0]
    # The storage of every on-chip declaration and, with such an effort, of results in SBUF.
    declared: list[Any] = field(default_factory=list)
    strict: bool = False  # whether what AWS's compiler refused is refused: _strict
    iterations: tuple[tuple[object, int], ...] = ()  # of each affine_range around, and the number
    adds: bool = False  # whether what is read now is added to
    accumulators: dict[Any, Any] = field(default_factory=dict)  # of loop_reduce without a target


class _Thread(threading.local):
    """What one thread of Python traces."""

    state: State | None = None


_thread = _Thread()


def current() -> State | None:
    """The first-generation kernel that this thread is tracing, if any."""
    return _thread.state


def state() -> State:
    """The kernel being traced. Raises RuntimeError outside a kernel of neuronxcc.nki."""
    found = _thread.state
    if found is None:
        if _context.current() is not None:
            _context.refuse(
                "neuronxcc.mixed",
                "functions of neuronxcc.nki run in kernels of neuronxcc.nki",
                "a call in a kernel of nki.jit",
                "import nki.language and nki.isa, or decorate the kernel with neuronxcc.nki.jit",
            )
        raise RuntimeError(
            "neuronxcc.nki.isa and neuronxcc.nki.language functions run inside a kernel: decorate "
            "the function with @nki.jit and call it"
        )
    return found


@contextlib.contextmanager
def tracing(new: State) -> Iterator[State]:
    """Makes `new` the kernel being traced."""
    outer, _thread.state = _thread.state, new
    try:
        yield new
    finally:
        _thread.state = outer


def flush() -> None:
    """Emits the pending instruction into a tile of its own."""
    one = state()
    if one.pending is not None:
        one.pending.settle()
