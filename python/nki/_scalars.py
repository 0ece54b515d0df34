"""Integers of the device that Python calculates with: NkiScalar. Source: nki.isa, NKI 0.7.

A scalar is held in a sequencer register, and every operator is one instruction of the sequencer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from trainyard._core import TensorView

from nki import _context, _registers
from nki._registers import VirtualRegister

_BITS = {"int32": 32, "int64": 64}


class _AluOp:
    """Stands for an operator of the sequencer."""


_ALU_OPS = {name: _AluOp() for name in ("add", "subtract", "multiply")}
for _name, _alu_op in _ALU_OPS.items():
    _context.vocabulary.add_operator(_alu_op, _name)


class NkiScalar:
    """One integer, int32 or int64, whose value is known on the device only.

    `+`, `-`, `*` and unary `-` and `+` with an int or a scalar of the same dtype give a new scalar;
    the width never grows, so that int32 wraps. A scalar is a bound of nl.fori_loop (int32), a
    `scalar_offset` and an index, and what nisa.scalar_store writes.
    """

    __slots__ = ("_register", "dtype", "is_comparison")
    __hash__ = object.__hash__

    def __init__(self, state: Any, dtype: str | None = None, is_comparison: bool = False) -> None:
        self._register: VirtualRegister | None = getattr(state, "_register", state)
        self.dtype = dtype or getattr(state, "dtype", "int32")
        self.is_comparison = is_comparison

    def __repr__(self) -> str:
        return f"NkiScalar({self.dtype})"

    def __bool__(self) -> bool:
        _no_value("bool()")

    def __int__(self) -> int:
        _no_value("int()")

    def __neg__(self) -> NkiScalar:
        return _calculated("subtract", 0, self)

    def __pos__(self) -> NkiScalar:
        return _calculated("add", self, 0)


def _no_value(what: str) -> NoReturn:
    raise TypeError(
        f"{what} of an NkiScalar: its value is not known while the kernel is traced; use "
        "nl.fori_loop for loops that depend on it"
    )


def _calculated(name: str, left: Any, right: Any) -> NkiScalar:
    """A new scalar: left op right, one of which is a scalar."""
    one = left if isinstance(left, NkiScalar) else right
    for other in (left, right):
        if isinstance(other, NkiScalar):
            _same_width(one, _usable(other))
        else:
            _check_fits(other, one.dtype)
    made = _registers.take()
    _registers.emit(
        "register_alu",
        dst=made,
        left=left,
        op=_ALU_OPS[name],
        right=right,
        wide=one.dtype == "int64",
    )
    return NkiScalar(made, one.dtype)


def _usable(scalar: NkiScalar) -> NkiScalar:
    """Refuses the result of a comparison, which AWS's compiler records and cannot use."""
    if scalar.is_comparison:
        _context.refuse(
            "scalar.comparison",
            "the result of a comparison of scalars is not used",
            "a comparison",
            "loop with nl.while_loop over a register that a tile's comparison is loaded into",
        )
    return scalar


def _same_width(one: NkiScalar, other: NkiScalar) -> None:
    if one.dtype != other.dtype:
        _context.refuse(
            "scalar.dtype",
            "both operands of a scalar's operator have one dtype",
            f"{one.dtype} and {other.dtype}",
            "load both from tensors of one dtype",
        )


def _check_fits(value: Any, dtype: str) -> None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"an NkiScalar calculates with integers and NkiScalars, not with {value!r}")
    most = 2 ** (_BITS[dtype] - 1)
    if not -most <= value < most:
        _context.refuse(
            "scalar.value", "an operand fits the scalar's dtype", f"{value} beside {dtype}"
        )


def _operator(name: str, reverse: bool) -> Callable[[Any, Any], NkiScalar]:
    def method(self: NkiScalar, other: Any) -> NkiScalar:
        return _calculated(name, other, self) if reverse else _calculated(name, self, other)

    return method


def _comparison(symbol: str) -> Callable[[Any, Any], Any]:
    def method(self: NkiScalar, other: Any) -> Any:
        if other is None:
            return NotImplemented
        if self.dtype == "int64":
            _context.refuse(
                "scalar.operator", "int64 scalars are not compared", f"{symbol} at int64"
            )
        if isinstance(other, NkiScalar):
            _same_width(self, other)
        return NkiScalar(None, self.dtype, is_comparison=True)

    return method


def _missing(symbol: str) -> Callable[[Any, Any], NoReturn]:
    def method(self: NkiScalar, *_: Any) -> NoReturn:
        _context.refuse(
            "scalar.operator",
            "scalars are added, subtracted and multiplied",
            f"{symbol} at {self.dtype}",
            "calculate in SBUF and load the result with nisa.scalar_load",
        )

    return method


for _name, _op in (("add", "add"), ("sub", "subtract"), ("mul", "multiply")):
    setattr(NkiScalar, f"__{_name}__", _operator(_op, reverse=False))
    setattr(NkiScalar, f"__r{_name}__", _operator(_op, reverse=True))
for _name, _symbol in (
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("eq", "=="),
    ("ne", "!="),
):
    setattr(NkiScalar, f"__{_name}__", _comparison(_symbol))
for _name, _symbol in (
    ("floordiv", "//"),
    ("truediv", "/"),
    ("mod", "%"),
    ("lshift", "<<"),
    ("rshift", ">>"),
    ("and", "&"),
    ("or", "|"),
    ("xor", "^"),
    ("pow", "**"),
):
    setattr(NkiScalar, f"__{_name}__", _missing(_symbol))
    setattr(NkiScalar, f"__r{_name}__", _missing(_symbol))


def scalar_load(src: TensorView) -> NkiScalar:
    """The one integer of a 1x1 tensor, int32 or int64, in SBUF or HBM, as a scalar."""
    dtype = _one_integer(src, "scalar_load", "src")
    register = _registers.take()
    _registers.register_load(register, src)
    return NkiScalar(register, dtype)


def scalar_store(dst: TensorView, value: NkiScalar) -> None:
    """Writes a scalar to a 1x1 tensor of its dtype in SBUF or HBM."""
    if not isinstance(value, NkiScalar):
        raise TypeError(
            f"scalar_store writes an NkiScalar, not {value!r}; nki.isa.memset writes a number"
        )
    if _one_integer(dst, "scalar_store", "dst") != value.dtype:
        _context.refuse(
            "scalar.dtype",
            "dst of scalar_store is exactly as wide as the scalar",
            f"{dst.dtype} for a scalar of {value.dtype}",
            f"declare dst as {value.dtype}",
        )
    _registers.emit("register_store", dst=dst, src=_usable(value))


def _one_integer(tensor: Any, function: str, parameter: str) -> str:
    """The dtype of a 1x1 tensor of a signed integer. Raises InputError "scalar.tensor"."""
    if isinstance(tensor, TensorView) and tensor.size == 1 and tensor.dtype in _BITS:
        return tensor.dtype
    _context.refuse(
        "scalar.tensor",
        f"{parameter} of {function} is a 1x1 tensor of int32 or int64 in SBUF or HBM",
        repr(tensor),
        "slice one element; unsigned integers are read with view(nl.int32)",
    )


def checked_offset(at: Any, tensor: TensorView) -> Any:
    """A run-time offset into a tensor: an int64 scalar moves HBM operands only."""
    if isinstance(at, NkiScalar) and _usable(at).dtype == "int64" and tensor._space != "hbm":
        _context.refuse(
            "scalar.offset",
            "an int64 scalar is the offset of an HBM operand",
            f"a tensor in {tensor._space}",
            "use an int32 scalar on chip",
        )
    return at
