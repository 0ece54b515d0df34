"""Which operators complex numbers have, by name: those of their own, and those that do the same to
each part as to real numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.operators import complexes, fourier, products
from trainyard.torch.operators.complexes import Complex, Like
from trainyard.torch.writer import Value, Writer

Lower = Callable[..., Any]


def is_complex(node: Any) -> bool:
    """Whether an argument or a result is complex."""
    if isinstance(node, (list, tuple)):
        return any(is_complex(each) for each in node)
    if isinstance(node, dict):
        return any(is_complex(each) for each in node.values())
    if isinstance(node, torch.Tensor):
        return node.dtype.is_complex
    return isinstance(node, (Complex, complex))


def packet_of(overload: Any) -> str:
    """The operator's name, "mul" of aten.mul.Tensor."""
    return f"{overload}.".split(".")[1]


def unless_complex(decompose: Lower) -> Lower:
    """PyTorch's decomposition of an operator that is computed here, for real numbers alone."""

    @functools.wraps(decompose)
    def decompose_real(*args: Any, **kwargs: Any) -> Any:
        if is_complex(args) or is_complex(kwargs):
            return NotImplemented
        return decompose(*args, **kwargs)

    return decompose_real


# Of operators that have no other way but these.
_WAYS = {"linalg_eig": "of symmetric matrices use torch.linalg.eigh; of others the host: x.cpu()"}


def lower(w: Writer, name: str, plain: Lower | None, out: Any, args: Any, kwargs: Any) -> Any:
    """The operator `name`, which `plain` writes for real numbers."""
    for each in out if isinstance(out, (list, tuple)) else [out]:
        if isinstance(each, torch.Tensor) and each.dtype in (torch.complex128, torch.complex32):
            raise Refusal(f"a tensor of type {each.dtype}", "use complex64")
    packet = packet_of(name)
    if packet in OWN:
        return OWN[packet](w, out, *args, **kwargs)
    if packet in _LINEAR and plain is not None:
        return _by_parts(w, plain, out, args, kwargs)
    if packet in _WAYS:
        raise Refusal(name, _WAYS[packet])
    raise Refusal(
        f"{name} of complex numbers",
        "compute it of real and imaginary parts (torch.view_as_real), or on the host, x.cpu()",
    )


# Operators that do the same to each part.
_LINEAR = frozenset(
    """
    view reshape _unsafe_view unsqueeze squeeze expand permute transpose t slice select cat
    split_with_sizes split unbind flip repeat constant_pad_nd slice_scatter select_scatter
    clone alias detach contiguous lift_fresh lift_fresh_copy copy index index_select gather
    embedding sum mean cumsum where index_put diagonal diagonal_scatter as_strided
    as_strided_scatter unfold index_add scatter_add split_dim collapse_view broadcast_in_dim
    view_of rev
    """.split()  # noqa: SIM905
)


def _by_parts(w: Writer, plain: Lower, out: Any, args: Any, kwargs: Any) -> Any:
    """Real operands (places, conditions) are the same for both; of those that stand for numbers,
    the imaginary part is zero."""
    numbers = [_promoted(w, each) for each in args] if _mixes(args) else args
    named = {key: value for key, value in kwargs.items() if key != "dtype"}
    likes = [Like(tuple(each.shape)) for each in out] if isinstance(out, (list, tuple)) else out
    if isinstance(out, torch.Tensor):
        likes = Like(tuple(out.shape))
    parts = [
        plain(
            w,
            likes,
            *complexes.part_of(list(numbers), part),
            **{k: complexes.part_of(v, part) for k, v in named.items()},
        )
        for part in ("real", "imag")
    ]
    if isinstance(parts[0], Value):
        return Complex(*parts)
    return [Complex(*pair) for pair in zip(*parts, strict=True)]


def _mixes(args: Any) -> bool:
    """Whether real numbers of float32 stand beside complex ones, as in `where` and `cat`."""
    flat = [x for each in args for x in (each if isinstance(each, (list, tuple)) else [each])]
    return any(isinstance(x, Value) and x.is_float for x in flat)


def _promoted(w: Writer, x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [_promoted(w, each) for each in x]
    return complexes.of(w, x) if isinstance(x, Value) and x.is_float else x


OWN: dict[str, Lower] = {
    "view_as_complex": complexes.view_as_complex,
    "view_as_real": lambda w, out, x: complexes.joined(w, x),
    "complex": complexes.of_parts,
    "polar": complexes.polar,
    "real": lambda w, out, x: complexes.part_of(x, "real"),
    "imag": lambda w, out, x: x.imag,
    "abs": complexes.magnitude,
    "angle": complexes.angle,
    "sgn": complexes.sign,
    "_conj": complexes.conjugate,
    "_conj_physical": complexes.conjugate,
    "conj_physical": complexes.conjugate,
    "conj": complexes.conjugate,
    "resolve_conj": lambda w, out, x: x,
    "resolve_neg": lambda w, out, x: x,
    "neg": complexes.negative,
    "_neg_view": complexes.negative,
    "add": complexes.sum_of("add"),
    "sub": complexes.sum_of("subtract"),
    "rsub": lambda w, out, a, b, **named: complexes.sum_of("subtract")(w, out, b, a, **named),
    "mul": complexes.multiply,
    "div": complexes.divide,
    "reciprocal": lambda w, out, x: complexes.divide(w, out, complex(1), x),
    "exp": complexes.exponential,
    "log": complexes.logarithm,
    "pow": complexes.power,
    "_to_copy": complexes.convert,
    "convert_element_type": complexes.convert,
    "fill": lambda w, out, _, value: complexes.of(w, value, tuple(out.shape)),
    "zero": complexes.filled(0),
    "new_empty": complexes.filled(0),
    "zeros": complexes.filled(0),
    "zeros_like": complexes.filled(0),
    "new_zeros": complexes.filled(0),
    "empty_like": complexes.filled(0),
    "empty": complexes.filled(0),
    "ones": complexes.filled(1),
    "ones_like": complexes.filled(1),
    "full": complexes.full,
    "full_like": complexes.full,
    "scalar_tensor": lambda w, out, x, **_: complexes.of(w, x, ()),
    "_fft_c2c": fourier.of_complex,
    "_fft_r2c": fourier.of_real,
    "_fft_c2r": fourier.to_real,
    "mm": complexes.dot(products.mm),
    "bmm": complexes.dot(products.bmm),
    "eq": complexes.equal,
    "ne": lambda w, out, a, b: w.unary("not", complexes.equal(w, out, a, b), 1),
}
