"""Sequencer registers, and where hardware loops begin and end. Source: nki.isa, NKI 0.6."""

from __future__ import annotations

import sys
import warnings
from typing import Any, NoReturn

import numpy as np
from trainyard._core import Register, TensorView

from nki import _context, _level, _peek
from nki._instructions import SCHEMA


class VirtualRegister(Register):
    """A 32-bit sequencer register. Its value is known on the device only."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """`while register:` as a hardware loop: Python asks once to enter it and once to leave."""
        frame = sys._getframe(1)
        if frame.f_lineno not in _context.while_tests(frame.f_code):
            self._no_python_value()
        context = _context.context()
        here = (frame, frame.f_lineno, self._index)
        if context.open_whiles and context.open_whiles[-1] == here:
            context.open_whiles.pop()
            end_loop()
            return False
        removed("while register", "nl.while_loop")
        begin_loop(counter=self, kind=WHILE_NONZERO)
        context.open_whiles.append(here)
        return True

    def _no_python_value(self, *_: object) -> NoReturn:
        raise TypeError(
            "a register's value is not known while the kernel is traced; use nl.fori_loop or "
            "nl.while_loop for loops that depend on it"
        )

    def _no_arithmetic(self, *_: object) -> NoReturn:
        raise TypeError(
            "Python does not calculate with a register, whose value is not known while the kernel "
            "is traced: pass it as it is (.ap(scalar_offset=...), nl.ds(register, size), an "
            "index), or calculate in SBUF and load the result with nki.isa.register_load"
        )

    def __eq__(self, other: object) -> bool:
        """Only whether there is a register at all, `== None`, is known."""
        return NotImplemented if other is None else self._no_arithmetic()

    def __ne__(self, other: object) -> bool:
        return NotImplemented if other is None else self._no_arithmetic()

    __hash__ = object.__hash__

    __int__ = __index__ = _no_python_value
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_arithmetic
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _no_arithmetic
    __mod__ = __rmod__ = __pow__ = __rpow__ = _no_arithmetic
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _no_arithmetic
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _no_arithmetic
    __neg__ = __abs__ = __invert__ = _no_arithmetic
    __lt__ = __le__ = __gt__ = __ge__ = _no_arithmetic

    def __repr__(self) -> str:
        return f"VirtualRegister({self._index})"

    def __str__(self) -> str:
        """What print shows: under AWS's simulator the value too."""
        context = _context.current()
        if context is None or not context.simulated or context.open_loops:
            return repr(self)
        return f"{self!r} = {_peek.values(self)}"

    def __format__(self, spec: str) -> str:
        return repr(self)


def take(frozen: bool = False) -> VirtualRegister:
    """A new register of the kernel that is being traced."""
    return VirtualRegister(_context.context().trace, frozen)


def emit(mnemonic: str, **values: object) -> int:
    entry = SCHEMA[mnemonic]
    ordered = tuple(values.get(operand["name"]) for operand in entry["operands"])
    return _context.context().trace.emit(entry["opcode"], ordered, None)


def _written(register: Any) -> VirtualRegister:
    """The register, which an instruction may write."""
    if isinstance(register, VirtualRegister) and register._frozen:
        _context.refuse(
            "register.frozen",
            "the loop variable of nl.dynamic_range is not written",
            repr(register),
            "copy it with register_move to a register of your own",
        )
    return register


def register_alloc(x: int | TensorView | None = None) -> VirtualRegister:
    """A new 32-bit register, holding `x` when given.

    `x` may be a tensor of one integer as well, which is loaded: nki-library writes it so. At most
    64 are in use at a time; one that Python no longer refers to is used again.
    """
    if isinstance(x, (int, np.integer)):
        _check_fits(int(x))
    register = take()
    if isinstance(x, TensorView):
        register_load(register, x)
    elif x is not None:
        register_move(register, x)
    return register


def register_move(dst: VirtualRegister, src: int | VirtualRegister) -> None:
    """dst = src, an integer or another register."""
    if isinstance(src, (int, np.integer)):
        _check_fits(int(src))
    emit("register_move", dst=_written(dst), src=src)


def _check_fits(value: int) -> None:
    """Refuses an integer that is neither an int32 nor a uint32."""
    if not -(2**31) <= value < 2**32:
        _context.refuse(
            "register.value", "a register holds 32 bits", f"{value}", "pass a value of 32 bits"
        )


def register_load(dst: VirtualRegister, src: TensorView) -> None:
    """dst = the one integer of an SBUF or HBM tensor."""
    emit("register_load", dst=_written(dst), src=src)


def register_store(dst: TensorView, src: VirtualRegister) -> None:
    """The one integer of a tensor = src, a register or an integer."""
    if isinstance(src, int):
        src = register_alloc(src)
    emit("register_store", dst=dst, src=src)


def begin_loop(**values: object) -> None:
    context = _context.context()
    if context.ordered_from is not None:
        _context.refuse(
            "loop.no_reorder",
            "a hardware loop does not run inside nl.no_reorder()",
            "a hardware loop",
            "open the no_reorder block inside the loop body",
        )
    place = context.trace.describe_here()
    begin = emit("loop_begin", **values)
    context.scope = (*context.scope, begin)
    context.open_loops.append(place)


def end_loop(closes: bool = False) -> None:
    """Ends a loop; `closes`: what its body declared is unknown outside of it."""
    context = _context.context()
    emit("loop_end", begin=context.scope[-1])
    context.scope = context.scope[:-1]
    context.open_loops.pop()
    if closes:
        context.trace.close_scope()


class _LoopKind:
    pass


WHILE_NONZERO = _LoopKind()
_context.vocabulary.add_member(WHILE_NONZERO, "loop_kind", "while_nonzero")


def removed(construct: str, instead: str) -> None:
    """Warns of a loop that NKI 0.6 deprecated and 0.7 removed; a kernel that asks for 0.7 stops."""
    if _context.context().strict and _level.has("removed loops"):
        _context.refuse("loop.removed", f"NKI 0.7 has no {construct}", construct, f"use {instead}")
    if _level.has("deprecated loops"):
        what = "removed in NKI 0.7" if _level.has("removed loops") else "deprecated since NKI 0.6"
        warnings.warn(f"{construct} is {what}; use {instead}", DeprecationWarning, stacklevel=3)
