"""Operators of nki.language: names that instructions take as `op`, and functions on tiles.

Each works on tiles of equal shape, or a tile and a number, and returns a new SBUF tile of the first
tile's dtype unless `dtype` says otherwise. Source: nki.language, NKI 0.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nki import _context
from nki.language._types import NkiTensor

OPERATORS: dict[str, Any] = {}


def _register(function: Callable[..., Any]) -> Callable[..., Any]:
    OPERATORS[function.__name__] = function
    _context.vocabulary.add_operator(function, function.__name__)
    return function


def new_tile(
    like: NkiTensor, dtype: object = None, shape: tuple[int, ...] | None = None
) -> NkiTensor:
    """A fresh SBUF tile shaped like another."""
    from nki.language._memory import ndarray

    return ndarray(shape or like.shape, dtype or like.dtype)


def binary_result(op: Any, x: Any, y: Any, dtype: object) -> NkiTensor:
    """x op y as a new tile."""
    import nki.isa as nisa

    if isinstance(x, NkiTensor) and isinstance(y, NkiTensor):
        result = new_tile(x, dtype)
        nisa.tensor_tensor(dst=result, data1=x, data2=y, op=op)
        return result
    if isinstance(x, NkiTensor):
        result = new_tile(x, dtype)
        nisa.tensor_scalar(dst=result, data=x, op0=op, operand0=y)
        return result
    if isinstance(y, NkiTensor):
        result = new_tile(y, dtype)
        nisa.tensor_scalar(dst=result, data=y, op0=op, operand0=x, reverse0=True)
        return result
    raise TypeError(f"nl.{op.__name__} needs at least one tile, not {x!r} and {y!r}")


def _binary(name: str, meaning: str) -> Callable[..., NkiTensor]:
    def function(x: Any, y: Any, dtype: object = None) -> NkiTensor:
        return binary_result(function, x, y, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}, element by element, as a new tile."
    return _register(function)


add = _binary("add", "x + y")
subtract = _binary("subtract", "x - y")
multiply = _binary("multiply", "x * y")
maximum = _binary("maximum", "The larger of x and y")
minimum = _binary("minimum", "The smaller of x and y")
abs_max = _binary("abs_max", "The operand of larger magnitude with its sign, y when equal")
abs_min = _binary("abs_min", "The operand of smaller magnitude with its sign, y when equal")
equal = _binary("equal", "1 where x == y, else 0")
not_equal = _binary("not_equal", "1 where x != y, else 0")
less = _binary("less", "1 where x < y, else 0")
less_equal = _binary("less_equal", "1 where x <= y, else 0")
greater = _binary("greater", "1 where x > y, else 0")
greater_equal = _binary("greater_equal", "1 where x >= y, else 0")
logical_and = _binary("logical_and", "x and y for 0/1 data")
logical_or = _binary("logical_or", "x or y for 0/1 data")
logical_xor = _binary("logical_xor", "x exclusive-or y for 0/1 data")
bitwise_and = _binary("bitwise_and", "x & y on integer bits")
bitwise_or = _binary("bitwise_or", "x | y on integer bits")
bitwise_xor = _binary("bitwise_xor", "x ^ y on integer bits")
left_shift = _binary("left_shift", "x << y on integer bits")
right_shift = _binary("right_shift", "x >> y on integer bits, zeros shifted in")
power = _binary("power", "x raised to y")
fmod = _binary("fmod", "Remainder of x / y with the sign of x")
mod = _binary("mod", "Remainder of x / y with the sign of y")


@_register
def divide(x: Any, y: Any, dtype: object = None) -> NkiTensor:
    """x / y as x times the reciprocal of y, because the machine has no divide instruction."""
    if isinstance(y, NkiTensor):
        return (
            multiply(reciprocal(y), x, dtype)
            if not isinstance(x, NkiTensor)
            else multiply(x, reciprocal(y), dtype)
        )
    return multiply(x, 1.0 / y, dtype)


def _activation(name: str, meaning: str) -> Callable[..., NkiTensor]:
    def function(x: NkiTensor, dtype: object = None) -> NkiTensor:
        import nki.isa as nisa

        result = new_tile(x, dtype)
        nisa.activation(dst=result, op=function, data=x)
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}, element by element, as a new tile."
    return _register(function)


exp = _activation("exp", "e to the x")
log = _activation("log", "Natural logarithm")
sqrt = _activation("sqrt", "Square root")
rsqrt = _activation("rsqrt", "1 / square root")
square = _activation("square", "x squared")
arctan = _activation("arctan", "Arc tangent for |x| <= pi/2")
tanh = _activation("tanh", "Hyperbolic tangent")
sigmoid = _activation("sigmoid", "1 / (1 + e to the -x)")
relu = _activation("relu", "max(x, 0)")
softplus = _activation("softplus", "log(1 + e to the x)")
mish = _activation("mish", "x tanh(softplus(x))")
gelu = _activation("gelu", "x times the normal distribution function")
gelu_dx = _activation("gelu_dx", "Derivative of gelu")
gelu_apprx_tanh = _activation("gelu_apprx_tanh", "gelu by its tanh approximation")
gelu_apprx_sigmoid = _activation("gelu_apprx_sigmoid", "gelu by its sigmoid approximation")
gelu_apprx_sigmoid_dx = _activation("gelu_apprx_sigmoid_dx", "Derivative of gelu_apprx_sigmoid")
silu = _activation("silu", "x sigmoid(x)")
silu_dx = _activation("silu_dx", "Derivative of silu")
erf = _activation("erf", "Error function")
erf_dx = _activation("erf_dx", "Derivative of the error function")
sign = _activation("sign", "-1, 0 or 1")
abs = _activation("abs", "Magnitude")


@_register
def sin(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """Sine of any x: brought into [-pi, pi], the range of the Scalar engine's table, first."""
    import math

    import nki.isa as nisa

    reduced = new_tile(x, "float32")
    nisa.tensor_scalar(
        dst=reduced, data=x, op0=add, operand0=math.pi, op1=mod, operand1=2 * math.pi
    )
    nisa.tensor_scalar(dst=reduced, data=reduced, op0=subtract, operand0=math.pi)
    result = new_tile(x, dtype)
    nisa.activation(dst=result, op=sin, data=reduced)
    return result


@_register
def reciprocal(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """1 / x on the Vector engine, as a new tile."""
    import nki.isa as nisa

    result = new_tile(x, dtype)
    nisa.reciprocal(dst=result, data=x)
    return result


@_register
def invert(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """All bits of an integer tile flipped, as a new tile."""
    return bitwise_xor(x, -1, dtype)


@_register
def copy(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """A copy in a new SBUF tile, on the Vector engine; bit for bit when the dtype stays."""
    import nki.isa as nisa

    result = new_tile(x, dtype)
    nisa.tensor_copy(dst=result, src=x, engine=nisa.engine.vector)
    return result


def _name_only(name: str, meaning: str) -> Callable[..., Any]:
    def function(*_: Any, **__: Any) -> Any:
        raise TypeError(f"nl.{name} is a name for the op arguments of nki.isa, not a function")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = meaning
    return _register(function)


prelu = _name_only("prelu", "Activation: x where positive, else x times relu_param.")
bypass = _name_only("bypass", "Operator that passes its first operand on.")
average = _name_only("average", "Reduction to the mean, for tensor_partition_reduce.")
