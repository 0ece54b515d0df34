"""Streams of the collective cores: which one the collectives of a kernel run on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

_number = ContextVar("number", default=0)
_check: ContextVar[Callable[[int], None] | None] = ContextVar("check", default=None)


@contextlib.contextmanager
def of_kernel(check: Callable[[int], None]) -> Iterator[None]:
    """While a kernel is traced: stream 0 outside of blocks; `check` refuses what it has not."""
    tokens = _check.set(check), _number.set(0)
    try:
        yield
    finally:
        _check.reset(tokens[0])
        _number.reset(tokens[1])


def current() -> int:
    """The stream that a collective runs on here."""
    return _number.get()


@contextlib.contextmanager
def collective_stream(number: int) -> Iterator[None]:
    """Has the collectives of a block run on a stream of their own.

    Collectives of one stream follow one another, those of different streams move at once and share
    the rings and links, beside what engines compute. A rank has two streams for each of its cores:
    0 and 1, on `kernel[2]` 0 to 3; without a block all run on stream 0. All ranks of a group name
    the same stream. Permutes take theirs from `channel_ids`. Raises InputError "collective.stream"
    for another number, and RuntimeError outside of a kernel.
    """
    check = _check.get()
    if check is None:
        raise RuntimeError(
            "trainyard.collective_stream is for the collectives of a kernel: open it inside of a "
            "function decorated with @nki.jit"
        )
    check(number)
    token = _number.set(number)
    try:
        yield
    finally:
        _number.reset(token)
