"""Loops in decompositions: one loop of the program, however often it turns, where a Python loop
would write its operators again for each turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def repeat(
    count: Any, body: Callable[..., tuple[Any, ...]], *state: Any, reads: tuple[Any, ...] = ()
) -> tuple[Any, ...]:
    """What `body(turn, *state, *reads)` makes of `state` in `count` turns (a number, or an int32
    tensor of one), counted from 0 in an int32 number. It gets all tensors as arguments: a loop's
    graph knows no others."""
    if state[0].is_meta:  # of shapes alone
        return state
    is_data = isinstance(count, torch.Tensor)
    if not is_data and count <= 0:
        return state
    from torch._higher_order_ops.while_loop import while_loop_op  # imports Dynamo's

    def goes_on(turn: Any, *given: Any) -> Any:
        return turn < (given[-1] if is_data else count)

    def next_state(turn: Any, *given: Any) -> tuple[Any, ...]:
        before = given[: len(state)]
        after = body(turn, *(given[:-1] if is_data else given))
        pairs = zip(after, before, strict=True)
        return (turn + 1, *(new.to(old.dtype).contiguous() for new, old in pairs))

    start = torch.zeros((), dtype=torch.int32, device=state[0].device)
    state = tuple(x.clone(memory_format=torch.contiguous_format) for x in state)
    reads = (*reads, count) if is_data else reads
    return tuple(while_loop_op(goes_on, next_state, (start, *state), reads)[1:])


def at(x: Any, marks: Any, dim: int) -> Any:
    """The one element along a dimension that is marked; `marks` broadcasts to x."""
    return torch.where(marks, x, 0).sum(dim)
