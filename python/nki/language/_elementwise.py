"""Functions of nki.language that take several instructions. Source: nki.language, NKI 0.6."""

from __future__ import annotations

import math
from typing import Any

from nki import _isa as nisa
from nki.language._memory import full
from nki.language._operators import (
    abs as abs_,
)
from nki.language._operators import (
    add,
    copy,
    greater,
    less,
    maximum,
    minimum,
    multiply,
    new_tile,
    not_equal,
    on_chip_tile,
    reciprocal,
    register,
    same_shape,
    scalar_result,
    sign,
    subtract,
)
from nki.language._tensor import NkiTensor

# 2 pi as a sum of numbers whose products with integers of up to 16 bits are exact in float32.
_TURN = (6.28125, 0.0019350051879882812, 3.0199157663446e-07)
# Integers of this magnitude and above are the only float32 numbers there are.
_ALL_INTEGERS = 2.0**23


def _without_turns(x: NkiTensor, angle: NkiTensor, turn: tuple[float, ...]) -> NkiTensor:
    """angle - n * 2 pi, where n = x / 2 pi is rounded to nearest by the cast to int32."""
    turns = scalar_result(multiply, x, 1 / (2 * math.pi), "int32")
    for part in turn:
        rest = new_tile(x, "float32")
        nisa.scalar_tensor_tensor(
            dst=rest, data=turns, op0=multiply, operand0=-part, op1=add, operand1=angle
        )
        angle = rest
    return angle


def _angle(x: NkiTensor) -> NkiTensor:
    """x brought into [-pi, pi], the range of the Scalar engine's sine, in float32.

    Good to float32 rounding of the result for |x| below 2^16 turns; the error grows beyond.
    """
    angle = _without_turns(x, x, _TURN)
    # The quotient was rounded too: near half a turn it may be one turn off.
    angle = _without_turns(angle, angle, (2 * math.pi,))
    bounded = new_tile(x, "float32")
    below, above = -3.1415925, 3.1415925  # the float32 numbers inside -pi and pi
    nisa.tensor_scalar(
        dst=bounded, data=angle, op0=maximum, operand0=below, op1=minimum, operand1=above
    )
    return bounded


@register
def sin(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """Sine of any x: brought into [-pi, pi], the range of the Scalar engine's table, first."""
    result = new_tile(on_chip_tile(x, "sin"), dtype)
    nisa.activation(dst=result, op=sin, data=_angle(x))
    return result


def cos(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """Cosine of any x, as the sine of pi/2 - |x brought into [-pi, pi]|."""
    result = new_tile(on_chip_tile(x, "cos"), dtype)
    high = _TURN[0] / 4  # pi/2 in two parts, so that the zeros of the cosine stay where they are
    rest = new_tile(x, "float32")
    nisa.tensor_scalar(
        dst=rest, data=_angle(x), op0=abs_, operand0=0, op1=subtract, operand1=high, reverse1=True
    )
    angle = scalar_result(add, rest, math.pi / 2 - high, "float32")
    nisa.activation(dst=result, op=sin, data=angle)
    return result


def tan(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """Tangent of any x, as sine times the reciprocal of cosine."""
    on_chip_tile(x, "tan")
    return multiply(sin(x, "float32"), reciprocal(cos(x, "float32")), dtype or x.dtype)


def _rounded(x: NkiTensor, past: Any, back: Any) -> NkiTensor:
    """x rounded to nearest by a cast, then one step `back` where that is `past` x; in float32."""
    integers = new_tile(x, "int32")
    nisa.tensor_copy(dst=integers, src=x, engine=nisa.engine.vector)
    nearest = copy(integers, "float32")
    step = new_tile(x, "float32")
    nisa.tensor_tensor(dst=step, data1=nearest, data2=x, op=past)
    rounded = new_tile(x, "float32")
    nisa.tensor_tensor(dst=rounded, data1=nearest, data2=step, op=back)
    result = copy(x, "float32")  # what is too large for the cast is an integer already
    small = new_tile(x, "uint8")
    nisa.tensor_scalar(dst=small, data=abs_(x, "float32"), op0=less, operand0=_ALL_INTEGERS)
    nisa.tensor_copy_predicated(dst=result, src=rounded, predicate=small)
    return result


def _as(x: NkiTensor, dtype: object) -> NkiTensor:
    return x if x.dtype == dtype else copy(x, dtype)


def floor(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """The largest integer that is not above x, as a new tile."""
    return _as(_rounded(on_chip_tile(x, "floor"), greater, subtract), dtype or x.dtype)


def ceil(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """The smallest integer that is not below x, as a new tile."""
    return _as(_rounded(on_chip_tile(x, "ceil"), less, add), dtype or x.dtype)


def trunc(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """x without its fraction, as a new tile."""
    whole = _rounded(abs_(on_chip_tile(x, "trunc"), "float32"), greater, subtract)
    return multiply(whole, sign(x, "float32"), dtype or x.dtype)


def where(condition: NkiTensor, x: Any, y: Any, dtype: object = None) -> NkiTensor:
    """x where the condition is not 0, else y, as a new tile.

    The condition holds 1.0 and 0.0; x and y are tiles of its shape, or numbers. The dtype is that
    of the first tile among x, y and condition unless given.
    """
    on_chip_tile(condition, "where")
    tiles = [t for t in (x, y, condition) if isinstance(t, NkiTensor)]
    for tile in tiles:
        same_shape(condition, on_chip_tile(tile, "where"), "where")
    dtype = dtype or tiles[0].dtype
    result = copy(y, dtype) if isinstance(y, NkiTensor) else full(condition.shape, y, dtype)
    chosen = scalar_result(not_equal, condition, 0.0, "uint8")
    if isinstance(x, NkiTensor) and x.dtype != result.dtype:
        x = copy(x, dtype)
    nisa.tensor_copy_predicated(dst=result, src=x, predicate=chosen)
    return result
