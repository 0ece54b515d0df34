"""Streams of the collective cores: which one the collectives of a kernel run on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

_number: ContextVar[int | None] = ContextVar("number", default=None)  # None: outside of a kernel


@contextlib.contextmanager
def of_kernel() -> Iterator[None]:
    """While a kernel is traced: collectives run on stream 0 outside of blocks."""
    with _on(0):
        yield


@contextlib.contextmanager
def _on(number: int) -> Iterator[None]:
    token = _number.set(number)
    try:
        yield
    finally:
        _number.reset(token)


def current() -> int:
    """The stream that a collective runs on here."""
    return _number.get() or 0


@contextlib.contextmanager
def collective_stream(number: int) -> Iterator[None]:
    """Has the collectives of a block run on a stream of their own.

    Collectives of one stream follow one another, those of different streams move at once and share
    the rings and links, beside what engines compute. A rank has two streams for each of its cores:
    0 and 1, on `kernel[2]` 0 to 3; without a block all run on stream 0. All ranks of a group name
    the same stream. Permutes take theirs from `channel_ids`. Another number is refused by the rule
    of the collective (all_reduce.c10). Raises TypeError for what is no int, RuntimeError outside of
    a kernel.
    """
    if _number.get() is None:
        raise RuntimeError(
            "trainyard.collective_stream is for the collectives of a kernel: open it inside of a "
            "function decorated with @nki.jit"
        )
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"a stream is an int, not {number!r}: use trainyard.collective_stream(1)")
    with _on(number):
        yield
