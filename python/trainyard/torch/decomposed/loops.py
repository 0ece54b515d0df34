"""Loops in decompositions: one loop of the program, however often it turns, where a Python loop
would write its operators again for each turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def repeat(
    count: int, body: Callable[..., tuple[Any, ...]], *state: Any, reads: tuple[Any, ...] = ()
) -> tuple[Any, ...]:
    """What `body(turn, *state, *reads)` makes of `state` in `count` turns, counted from 0 in an
    int32 number. It gets all tensors as arguments: a loop's graph knows no others."""
    if count <= 0 or state[0].is_meta:  # of shapes alone
        return state
    from torch._higher_order_ops.while_loop import while_loop_op  # imports Dynamo's

    def goes_on(turn: Any, *_: Any) -> Any:
        return turn < count

    def next_state(turn: Any, *given: Any) -> tuple[Any, ...]:
        before = given[: len(state)]
        after = body(turn, *given)
        pairs = zip(after, before, strict=True)
        return (turn + 1, *(new.to(old.dtype).contiguous() for new, old in pairs))

    start = torch.zeros((), dtype=torch.int32, device=state[0].device)
    state = tuple(x.clone(memory_format=torch.contiguous_format) for x in state)
    return tuple(while_loop_op(goes_on, next_state, (start, *state), reads)[1:])


def at(x: Any, marks: Any, dim: int) -> Any:
    """The one element along a dimension that is marked; `marks` broadcasts to x."""
    return torch.where(marks, x, 0).sum(dim)
