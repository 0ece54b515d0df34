"""What a tensor holds while its kernel is traced: asked here, answered by whoever traces."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any


class _Thread(threading.local):
    """What traces on one thread."""

    answer: Callable[[Any], Any] | None = None


_thread = _Thread()


@contextlib.contextmanager
def answered_by(answer: Callable[[Any], Any]) -> Iterator[None]:
    """While this thread traces a kernel, peek(what) is answer(what)."""
    outer, _thread.answer = _thread.answer, answer
    try:
        yield
    finally:
        _thread.answer = outer


def peek(what: Any) -> Any:
    """The values that a tensor or a register of the kernel being traced holds at this place.

    For kernels that are debugged: `print(trainyard.peek(tile))`, or at a breakpoint(). A tensor
    gives an array of its shape, a register an int. Each call runs the program up to here, without
    time. Raises InputError "peek.loop" inside of a hardware loop and "peek.grid" behind a meeting
    of the cores of a grid, and RuntimeError outside of a kernel.
    """
    if _thread.answer is None:
        raise RuntimeError(
            "trainyard.peek looks into the kernel being traced: call it inside of a function "
            "decorated with @nki.jit"
        )
    return _thread.answer(what)
