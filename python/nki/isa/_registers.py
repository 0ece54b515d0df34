"""Sequencer registers and hardware loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainyard._core import NkiTensor, VirtualRegister

from nki import _context
from nki.isa._schema import SCHEMA


def _emit(mnemonic: str, **values: object) -> int:
    entry = SCHEMA[mnemonic]
    ordered = tuple(values.get(operand["name"]) for operand in entry["operands"])
    return _context.context().trace.emit(entry["opcode"], ordered, None)


def register_alloc(x: int | None = None) -> VirtualRegister:
    """A new 32-bit register, holding `x` when given. A kernel has at most 64."""
    register = _context.context().trace.register()
    if x is not None:
        register_move(register, x)
    return register


def register_move(dst: VirtualRegister, src: int | VirtualRegister) -> None:
    """dst = src, an integer or another register."""
    _emit("register_move", dst=dst, src=src)


def register_load(dst: VirtualRegister, src: NkiTensor) -> None:
    """dst = the one integer of an SBUF or HBM tensor."""
    _emit("register_load", dst=dst, src=src)


def register_store(dst: NkiTensor, src: int | VirtualRegister) -> None:
    """The one integer of a tensor = src, a register or an integer."""
    if isinstance(src, int):
        src = register_alloc(src)
    _emit("register_store", dst=dst, src=src)


def loop(start: object, stop: object, step: int) -> Iterator[VirtualRegister]:
    """A hardware loop as an iterator that yields its register once."""
    if not isinstance(step, int) or step < 1:
        raise TypeError(f"the step of a hardware loop is a positive integer, not {step!r}")
    counter = register_alloc()
    _emit("loop_begin", counter=counter, start=start, stop=stop, step=step)
    yield counter
    _emit("loop_end")


def fori_loop(
    lower: int | VirtualRegister,
    upper: int | VirtualRegister,
    body_fun: Callable[[VirtualRegister], None],
    step: int = 1,
) -> None:
    """Runs body_fun(i) on the device for i = lower, lower + step, ... below upper."""
    for counter in loop(lower, upper, step):
        body_fun(counter)


def while_loop(
    init: VirtualRegister, body_fun: Callable[[VirtualRegister], VirtualRegister]
) -> None:
    """Runs r = body_fun(r) on the device while r is not zero, starting with init."""
    condition = register_alloc()
    register_move(condition, init)
    _emit("loop_begin", counter=condition, kind=_while)
    register_move(condition, body_fun(condition))
    _emit("loop_end")


class _LoopKind:
    pass


_while = _LoopKind()
_context.vocabulary.add_member(_while, "loop_kind", "while_nonzero")
