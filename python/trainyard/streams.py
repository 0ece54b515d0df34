"""Streams of the collective cores: which one the collectives of a kernel run on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def collective_stream(number: int) -> Iterator[None]:
    """Has the collectives of a block run on a stream of their own.

    Collectives of one stream follow one another, those of different streams move at once and share
    the rings and links, beside what engines compute. A rank has two streams for each of its cores:
    0 and 1, on `kernel[2]` 0 to 3; without a block all run on stream 0. All ranks of a group name
    the same stream. Permutes take theirs from `channel_ids`. Raises InputError "collective.stream"
    for another number, and RuntimeError outside of a kernel.
    """
    from nki import _collective_rules, _context

    context = _context.context()
    _collective_rules.check_stream(number)
    outer, context.stream = context.stream, number
    try:
        yield
    finally:
        context.stream = outer
