"""Functions of first-generation nki.language on tiles. Source: NKI 0.1.

Those of one instruction are pending ones; those of several are made by nki.language.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nki.language as nl
import numpy as np
from nki.language import NkiTensor

from neuronxcc.nki import _elementwise, _names, _state
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._index import Index
from neuronxcc.nki._operands import common_box, common_shape, in_sbuf, result_dtype, spread
from neuronxcc.nki._tensor import Tensor, fresh, wrap

BINARY = [
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "power",
]
ACTIVATIONS = [
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "square",
    "arctan",
    "tanh",
    "sigmoid",
    "relu",
    "softplus",
    "mish",
    "gelu",
    "gelu_dx",
    "gelu_apprx_tanh",
    "gelu_apprx_sigmoid",
    "silu",
    "silu_dx",
    "erf",
    "erf_dx",
    "sign",
    "abs",
]
COMPOSED = ["sin", "cos", "tan", "floor", "ceil", "trunc", "softmax", "var", "rms_norm"]


def _binary(name: str) -> Callable[..., Tensor]:
    operator = getattr(nl, name)

    def function(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
        return _elementwise.binary(operator, x, y, dtype, mask)

    return _named(function, name, operator)


def _activation(name: str) -> Callable[..., Tensor]:
    operator = getattr(nl, name)

    def function(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
        x = tile(x, f"nl.{name}")
        return _elementwise.activation(operator, x, dtype, mask)

    return _named(function, name, operator)


def _composed(name: str) -> Callable[..., Tensor]:
    original = getattr(nl, name)

    def function(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
        return composed(original, args, kwargs, mask, dtype)

    return _named(function, name, original)


def composed(
    original: Callable[..., NkiTensor], args: tuple, kwargs: dict, mask: Any, dtype: Any
) -> Tensor:
    """A function of nki.language on the part of its tiles that a mask and masked loads leave."""
    kwargs = kwargs if dtype is None else dict(kwargs, dtype=dtype_of(dtype))
    tensors = [a for a in (*args, *kwargs.values()) if isinstance(a, Tensor)]
    box = common_box(tensors[0].shape, mask, *(t for t in tensors if t.ndim == tensors[0].ndim))

    def plain(value: Any) -> Any:
        return value.read(box) if isinstance(value, Tensor) else value

    ready = [plain(a) for a in args], {key: plain(value) for key, value in kwargs.items()}
    _state.flush()
    made = wrap(original(*ready[0], **ready[1]))
    if box is None:
        return made
    result = fresh(
        (tensors[0].shape[0], *made.shape[1:])
        if made.shape[1:] != tuple(b - a for a, b in box[1:])
        else tensors[0].shape,
        made.dtype,
    )
    part = result.boxed((box[0], *(box[1:] if made.ndim == len(box) else ())))
    from neuronxcc.nki._tensor import copied

    copied(made, None, part)
    part.wrote(True)
    return result


def _named(function: Callable[..., Any], name: str, original: Any) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = original.__doc__
    function.__module__ = "neuronxcc.nki.language"
    if name in nl._operators.OPERATORS:
        _names.register(function, name)
    return function


def divide(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x / y as x times the reciprocal of y."""
    return _elementwise.divide(x, y, dtype, mask)


def mod(x: Tensor, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """The remainder of x / y with the sign of y, by the floor of the quotient.

    In float32; the quotient may be one off, which is made good afterwards. y is a positive number,
    or a tile of such.
    """
    quotient = globals()["floor"](_elementwise.divide(x, y, "float32", mask), dtype="float32")
    whole = _elementwise.binary(nl.multiply, quotient, y, "float32")
    rest = _elementwise.binary(nl.subtract, x, whole, "float32")
    above = _elementwise.binary(nl.greater_equal, rest, y, "float32")
    rest = rest - _elementwise.binary(nl.multiply, above, y, "float32")
    below = _elementwise.binary(nl.less, rest, 0.0, "float32")
    addend = _elementwise.binary(nl.multiply, below, y, "float32")
    return _elementwise.binary(nl.add, rest, addend, result_dtype(dtype, x.dtype), mask)


def reciprocal(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 / x."""
    return _elementwise.reciprocal(x, dtype, mask)


def negative(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """-x."""
    return _elementwise.binary(nl.multiply, x, -1.0, result_dtype(dtype, x.dtype), mask)


def invert(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """All bits of an integer tile flipped."""
    x = tile(x, "nl.invert")
    return _elementwise.scalar(nl.invert, x, None, result_dtype(dtype, x.dtype), mask)


def where(
    condition: Any, x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any
) -> Tensor:
    """x where the condition is not 0, else y.

    The condition is a tile, or a comparison of index expressions; x and y are tiles or numbers.
    Dimensions of size 1 are repeated.
    """
    if isinstance(condition, np.ndarray):
        return _where_indices(condition, x, y, dtype, mask)
    tiles = [tile(t, "nl.where") for t in (condition, x, y) if isinstance(t, Tensor)]
    if dtype is None:
        dtype = next((t.dtype for t in (x, y, condition) if isinstance(t, Tensor)), None)
    shape = common_shape(*tiles)
    given = [spread(t, shape) if isinstance(t, Tensor) else t for t in (condition, x, y)]
    return composed(nl.where, tuple(given), {}, mask, dtype)


def _where_indices(condition: np.ndarray, x: Any, y: Any, dtype: Any, mask: Any) -> Tensor:
    """nl.where for a condition that is known when the kernel is traced."""
    from neuronxcc.nki.isa import affine_select
    from neuronxcc.nki.language._memory import load, shared_constant

    compared = getattr(condition, "atoms", ())
    if compared and isinstance(x, Tensor) and not isinstance(y, Tensor) and mask is None:
        shape = np.broadcast_shapes(condition.shape, x.shape)
        return affine_select(condition, spread(x, shape), y, dtype=dtype)
    values = condition.spread() if isinstance(condition, Index) else condition
    chosen = load(shared_constant(np.ascontiguousarray(values, np.uint8)))
    return where(chosen, x, y, dtype=dtype, mask=mask)


def logical_not(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x is 0, else 0."""
    return _elementwise.binary(nl.equal, x, 0, dtype, mask)


def static_cast(x: Any, dtype: Any) -> Any:
    """A copy of a tile in another dtype; NumPy data is converted."""
    if isinstance(x, Tensor):
        return x if x.dtype == dtype else _elementwise.copy(x, dtype)
    import numpy as np

    return np.asarray(x).astype(np.dtype(str(dtype_of(dtype))))


def expand_dims(data: Tensor, axis: int) -> Tensor:
    """A view with a dimension of size 1 at `axis`."""
    at = axis % (data.ndim + 1)
    return data[(*((slice(None),) * at), None)]


def broadcast_to(src: Tensor, *, shape: tuple[int, ...], **_: Any) -> Tensor:
    """Dimensions of size 1 repeated."""
    return src.broadcast_to(shape)


def matmul(
    x: Tensor, y: Tensor, *, transpose_x: bool = False, mask: Any = None, **_: Any
) -> Tensor:
    """x @ y, or x.T @ y, in float32 in PSUM; `psum += nl.matmul(...)` adds there."""
    from neuronxcc.nki.isa import nc_matmul, nc_transpose

    x, y = tile(x, "nl.matmul"), in_sbuf(tile(y, "nl.matmul"))
    x = in_sbuf(x) if transpose_x else in_sbuf(nc_transpose(in_sbuf(x)))
    return nc_matmul(x, y, mask=mask)


def transpose(x: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """A 2-D tile with its dimensions swapped, in PSUM."""
    from neuronxcc.nki.isa import nc_transpose

    return nc_transpose(in_sbuf(tile(x, "nl.transpose")), dtype=dtype)


def rand(shape: tuple[int, ...], dtype: Any = "float32", **_: Any) -> Tensor:
    """Random numbers between 0 and 1."""
    _state.flush()
    return wrap(nl.rand(tuple(int(n) for n in shape), dtype_of(dtype)))


def random_seed(seed: Any, **_: Any) -> None:
    """Seeds the generators."""
    _state.flush()
    nl.random_seed(seed.nki() if isinstance(seed, Tensor) else seed)


def dropout(x: Tensor, rate: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x with elements set to zero at random."""
    from neuronxcc.nki import isa

    return isa.dropout(x, rate, mask=mask, dtype=dtype)


def gather_flattened(data: Tensor, indices: Tensor, *, mask: Any = None, **_: Any) -> Tensor:
    """Elements of each partition chosen by indices."""
    source, chosen = data.nki(), indices.nki()
    _state.flush()
    return wrap(nl.gather_flattened(source, chosen))


globals().update({name: _binary(name) for name in BINARY})
globals().update({name: _activation(name) for name in ACTIVATIONS})
globals().update({name: _composed(name) for name in COMPOSED})
