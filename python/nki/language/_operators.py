"""Operators of nki.language: names that instructions take as `op`, and functions on tiles.

Each function works on tiles of equal shape, or a tile and a number, and returns a new SBUF tile of
the first tile's dtype unless `dtype` says otherwise. Source: nki.language, NKI 0.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nki import _context, _level
from nki import _isa as nisa
from nki.language._memory import full, ndarray
from nki.language._tensor import NkiTensor

OPERATORS: dict[str, Any] = {}


def register(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Makes a function stand for an operator in the `op` arguments of nki.isa."""
    OPERATORS[function.__name__] = function
    _context.vocabulary.add_operator(function, name or function.__name__)
    return function


def new_tile(
    like: NkiTensor, dtype: object = None, shape: tuple[int, ...] | None = None
) -> NkiTensor:
    """A fresh SBUF tile shaped like another."""
    return ndarray(shape or like.shape, dtype or like.dtype)


def on_chip_tile(x: Any, name: str) -> NkiTensor:
    """x, which has to be an SBUF or PSUM tile. Raises InputError "language.tile"."""
    if not isinstance(x, NkiTensor) or x._space == "hbm":
        _context.refuse(
            "language.tile",
            f"nl.{name} works on tiles in SBUF or PSUM",
            repr(x),
            "load HBM tensors with nl.load first",
        )
    return x


def same_shape(x: NkiTensor, y: NkiTensor, name: str) -> None:
    """Raises InputError "language.shape" unless both tiles have one shape."""
    if x.shape != y.shape:
        _context.refuse(
            "language.shape",
            f"the tiles of nl.{name} have equal shapes",
            f"{x.shape} and {y.shape}",
            "broadcast a (P, 1) tile with nl.broadcast_to, or pass it to nki.isa.tensor_scalar",
        )


def _is_column_of(y: NkiTensor, x: NkiTensor) -> bool:
    return y.shape == (x.shape[0], 1) and x.shape != y.shape


def scalar_result(op: Any, x: NkiTensor, y: Any, dtype: object, reverse: bool = False) -> NkiTensor:
    """x op y for a number or a [P, 1] float32 tile y; y op x when reversed."""
    result = new_tile(x, dtype)
    nisa.tensor_scalar(dst=result, data=x, op0=op, operand0=y, reverse0=reverse)
    return result


def binary_result(op: Any, x: Any, y: Any, dtype: object, columns: bool = False) -> NkiTensor:
    """x op y as a new tile. `columns`: y may be one float32 value per partition."""
    name = op.__name__
    if not isinstance(x, NkiTensor) and not isinstance(y, NkiTensor):
        on_chip_tile(x, name)
    if not isinstance(y, NkiTensor):
        return scalar_result(op, on_chip_tile(x, name), y, dtype)
    if not isinstance(x, NkiTensor):
        return scalar_result(op, on_chip_tile(y, name), x, dtype, reverse=True)
    on_chip_tile(x, name)
    on_chip_tile(y, name)
    if columns and _is_column_of(y, x):
        return scalar_result(op, x, y, dtype)
    same_shape(x, y, name)
    result = new_tile(x, dtype)
    nisa.tensor_tensor(dst=result, data1=x, data2=y, op=op)
    return result


def _binary(name: str, meaning: str, columns: bool = False) -> Callable[..., NkiTensor]:
    def function(x: Any, y: Any, dtype: object = None) -> NkiTensor:
        return binary_result(function, x, y, dtype, columns)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}, element by element, as a new tile."
    return register(function)


_LARGER = "The operand of larger magnitude with its sign, y when equal (gen4); y may be (P, 1)"
_SMALLER = "The operand of smaller magnitude with its sign, y when equal (gen4); y may be (P, 1)"

add = _binary("add", "x + y")
subtract = _binary("subtract", "x - y")
multiply = _binary("multiply", "x * y")
maximum = _binary("maximum", "The larger of x and y")
minimum = _binary("minimum", "The smaller of x and y")
abs_max = _binary("abs_max", _LARGER, columns=True)
abs_min = _binary("abs_min", _SMALLER, columns=True)
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


@register
def power(x: Any, y: Any, dtype: object = None) -> NkiTensor:
    """x to the power of y, on GpSimd; a number is first written into a tile (SBUF only)."""
    tile = x if isinstance(x, NkiTensor) else on_chip_tile(y, "power")
    if not isinstance(x, NkiTensor):
        x = full(tile.shape, float(x), "float32")
        dtype = dtype or tile.dtype
    if not isinstance(y, NkiTensor):
        y = full(tile.shape, float(y), "float32")
    return binary_result(power, x, y, dtype)


@register
def divide(x: Any, y: Any, dtype: object = None) -> NkiTensor:
    """x / y as x times the reciprocal of y: the machine has no instruction that divides.

    Two roundings, so up to 1.5 units in the last place away from x / y.
    """
    if isinstance(y, NkiTensor):
        result_dtype = dtype or (x.dtype if isinstance(x, NkiTensor) else y.dtype)
        return binary_result(multiply, x, reciprocal(y, "float32"), result_dtype)
    return binary_result(multiply, on_chip_tile(x, "divide"), 1.0 / y, dtype)


def _in_simulation_only(name: str, meaning: str, fix: str) -> Callable[..., NkiTensor]:
    def function(x: Any, y: Any, dtype: object = None) -> NkiTensor:
        if not _context.context().machine.simulator_operators:
            _context.refuse(
                "language.unsupported",
                f"the machine has an instruction for what a function computes; not for {name}",
                f"nl.{name}",
                f"{fix}; nki.simulate has it",
            )
        return binary_result(function, x, y, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{meaning}, as a new tile. Only under nki.simulate or NKI_SIMULATOR=1: no instruction "
        'computes it, so elsewhere it raises InputError "language.unsupported" (NKI 0.4.0 known '
        "issues)."
    )
    return register(function)


fmod = _in_simulation_only(
    "fmod", "Remainder of x / y with the sign of x", "use x - nl.trunc(x / y) * y"
)
mod = _in_simulation_only(
    "mod", "Remainder of x / y with the sign of y", "use x - nl.floor(x / y) * y"
)


def unary_result(op: Any, x: Any, dtype: object = None, **options: Any) -> NkiTensor:
    """An activation function of a tile, as a new tile."""
    on_chip_tile(x, op.__name__)
    result = new_tile(x, dtype)
    nisa.activation(dst=result, op=op, data=x, **options)
    return result


def _activation(name: str, meaning: str) -> Callable[..., NkiTensor]:
    def function(x: NkiTensor, dtype: object = None) -> NkiTensor:
        return unary_result(function, x, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}, element by element, as a new tile."
    return register(function)


exp = _activation("exp", "e to the x")
log = _activation("log", "Natural logarithm for x in [2^-64, 2^64]")
sqrt = _activation("sqrt", "Square root")
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


@register
def reciprocal(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """1 / x on the Vector engine, as a new tile."""
    result = new_tile(on_chip_tile(x, "reciprocal"), dtype)
    nisa.reciprocal(dst=result, data=x)
    return result


@register
def rsqrt(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """1 / square root on GpSimd, as a new tile; x is in SBUF. Before NKI 0.5 on Scalar."""
    if not _level.has("nl.rsqrt"):
        return unary_result(rsqrt, x, dtype)
    if on_chip_tile(x, "rsqrt")._space == "psum":
        _context.refuse(
            "language.rsqrt",
            "nl.rsqrt runs on GpSimd, which does not reach PSUM",
            repr(x),
            "copy x to SBUF with nl.copy, or use nki.isa.activation with op=nl.rsqrt",
        )
    return scalar_result(rsqrt, x, None, dtype)


@register
def copy(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """A copy in a new SBUF tile, on the Vector engine; bit for bit when the dtype stays.

    Before NKI 0.6 on the Scalar engine, through fp32.
    """
    result = new_tile(on_chip_tile(x, "copy"), dtype)
    if _level.has("nl.copy"):
        nisa.tensor_copy(dst=result, src=x, engine=nisa.engine.vector)
    else:
        nisa.activation(dst=result, op=copy, data=x)
    return result


@register
def invert(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """All bits of an integer tile flipped, as a new tile."""
    return scalar_result(invert, on_chip_tile(x, "invert"), None, dtype)


def logical_not(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """x exclusive-or 1, for 0/1 data, as a new tile; use equal(x, 0) for other data."""
    return scalar_result(logical_xor, on_chip_tile(x, "logical_not"), 1, dtype)


def negative(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """-x as a new tile."""
    return scalar_result(multiply, on_chip_tile(x, "negative"), -1.0, dtype)


def _name_only(name: str, meaning: str) -> Callable[..., Any]:
    def function(*_: Any, **__: Any) -> Any:
        raise TypeError(f"nl.{name} is a name for the op arguments of nki.isa, not a function")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = meaning
    return register(function)


prelu = _name_only("prelu", "Activation: x where positive, else x times relu_param.")
bypass = _name_only("bypass", "Operator that passes its first operand on.")
average = _name_only("average", "Reduction to the mean, for tensor_partition_reduce.")


def _accept_numpy_ufuncs() -> None:
    """Older kernels pass NumPy's functions of the same names as `op`."""
    for name in OPERATORS:
        if isinstance(ufunc := getattr(np, name, None), np.ufunc):
            _context.vocabulary.add_operator(ufunc, name)


_accept_numpy_ufuncs()

__all__ = [
    "abs",
    "abs_max",
    "abs_min",
    "add",
    "arctan",
    "average",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bypass",
    "copy",
    "divide",
    "equal",
    "erf",
    "erf_dx",
    "exp",
    "fmod",
    "gelu",
    "gelu_apprx_sigmoid",
    "gelu_apprx_sigmoid_dx",
    "gelu_apprx_tanh",
    "gelu_dx",
    "greater",
    "greater_equal",
    "invert",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mish",
    "mod",
    "multiply",
    "negative",
    "not_equal",
    "power",
    "prelu",
    "reciprocal",
    "relu",
    "right_shift",
    "rsqrt",
    "sigmoid",
    "sign",
    "silu",
    "silu_dx",
    "softplus",
    "sqrt",
    "square",
    "subtract",
    "tanh",
]
