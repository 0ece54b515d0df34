"""Hardware loops over a body that is traced once. Source: nki.language, NKI 0.7."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nki import _context, _level, _registers
from nki._instructions import NkiInstruction
from nki._registers import VirtualRegister
from nki._scalars import NkiScalar


def _step(step: object) -> int:
    if not isinstance(step, int) or step < 1:
        _context.refuse(
            "loop.step", "the step of a hardware loop is a positive integer", repr(step)
        )
    return step


def counted_loop(start: object, stop: object, step: int) -> Iterator[VirtualRegister]:
    """A hardware loop as an iterator that yields its frozen register once."""
    _registers.removed("nl.dynamic_range", "nl.fori_loop")
    counter = _registers.take(frozen=True)
    _registers.begin_loop(counter=counter, start=start, stop=stop, step=_step(step))
    yield counter
    _registers.end_loop()


def fori_loop(
    lower: int | VirtualRegister | Any,
    upper: int | VirtualRegister | Any,
    body_fun: Callable[[Any], None],
    step: int = 1,
) -> None:
    """Runs body_fun(i) on the device for i = lower, lower + step, ... below upper.

    Bounds are integers, int32 scalars or registers. i is an NkiScalar, or a VirtualRegister where a
    bound is one (before NKI 0.7 always). body_fun is traced once. What it writes to i does not
    change the loop. Tensors that it declares are unknown after the loop ("loop.scope"), and it
    returns nothing ("loop.result").
    """
    counter = _registers.take()
    bounds = (lower, upper)
    for bound in bounds:
        if isinstance(bound, NkiScalar) and bound.dtype == "int64":
            _context.refuse(
                "loop.bound",
                "a bound of a loop has 32 bits",
                "an int64 scalar",
                "load the bound from an int32 tensor",
            )
    _registers.begin_loop(counter=counter, start=lower, stop=upper, step=_step(step))
    by_register = any(isinstance(bound, VirtualRegister) for bound in bounds)
    plain = by_register or not _level.has("nl.fori_loop")
    result = body_fun(counter if plain else NkiScalar(counter, "int32"))
    if result is not None and not isinstance(result, NkiInstruction):
        _context.refuse(
            "loop.result",
            "the body of nl.fori_loop returns nothing",
            repr(result),
            "keep what the next iteration needs in SBUF or HBM and write it in place",
        )
    _registers.end_loop(closes=True)


def while_loop(
    init: VirtualRegister, body_fun: Callable[[VirtualRegister], VirtualRegister]
) -> None:
    """Runs r = body_fun(r) on the device while r is not zero, starting with init.

    body_fun is traced once; it gets the condition and returns the register of the next one.
    """
    condition = _registers.register_alloc()
    _registers.register_move(condition, init)
    _registers.begin_loop(counter=condition, kind=_registers.WHILE_NONZERO)
    following = body_fun(condition)
    if not isinstance(following, VirtualRegister):
        _context.refuse(
            "loop.condition",
            "the body of nl.while_loop returns the register of the next condition",
            repr(following),
        )
    if following._index != condition._index:
        _registers.register_move(condition, following)
    _registers.end_loop(closes=True)
