"""Random numbers, from the seed that each run of a program is given.

They are not the numbers that PyTorch's own generators make of the seed, on a CPU or elsewhere:
those differ between devices, too.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.operators.promotion import as_type
from trainyard.torch.operators.reductions import sorted_with_places
from trainyard.torch.writer import Value, Writer


def _bits(w: Writer, shape: Any) -> Value:
    """32 random bits for each element; the writer's state moves on."""
    state = w.random_state()
    kind = "".join(f"{extent}x" for extent in shape)
    moved, made = w.put_several(
        f"stablehlo.rng_bit_generator {state}, algorithm = THREE_FRY : (tensor<2xui64>) -> "
        f"(tensor<2xui64>, tensor<{kind}ui32>)",
        [((2,), torch.int64, "ui64", None), (shape, torch.uint32, "ui32", None)],
    )
    w.set_random_state(moved.name)
    return made


def _unit(w: Writer, shape: Any, open_at_zero: bool = False) -> Value:
    """Even numbers in [0, 1), or in (0, 1), of float32: 24 bits, or 23 and a half, as the half of
    24 would round to 1."""
    bits = _bits(w, shape)
    kept = 23 if open_at_zero else 24
    bits = w.binary("shift_right_logical", bits, w.like(32 - kept, bits))
    x = w.cast(bits, torch.float32)
    if open_at_zero:
        x = w.binary("add", x, w.like(0.5, x))
    return w.binary("multiply", x, w.like(2.0**-kept, x))


def _normal(w: Writer, shape: Any) -> Value:
    """Box and Muller's."""
    radius = w.unary("log", _unit(w, shape, open_at_zero=True))
    radius = w.unary("sqrt", w.binary("multiply", radius, w.like(-2, radius)))
    angle = _unit(w, shape)
    angle = w.binary("multiply", angle, w.like(2 * math.pi, angle))
    return w.binary("multiply", radius, w.unary("cosine", angle))


def rand(w: Writer, out: Any, *_: Any, **__: Any) -> Value:
    return w.cast(_unit(w, out.shape), out.dtype)


def randn(w: Writer, out: Any, *_: Any, **__: Any) -> Value:
    return w.cast(_normal(w, out.shape), out.dtype)


def uniform(w: Writer, out: Any, x: Value, low: float = 0, high: float = 1, **_: Any) -> Value:
    y = _unit(w, out.shape)
    y = w.binary("multiply", y, w.like(high - low, y))
    return w.cast(w.binary("add", y, w.like(low, y)), out.dtype)


def normal(
    w: Writer, out: Any, x: Any, mean: Any = 0.0, std: Any = 1.0, *_: Any, **__: Any
) -> Value:
    """x only gives the shape."""
    y = _normal(w, out.shape)
    y = w.binary("multiply", y, as_type(w, std, out.shape, torch.float32))
    return w.cast(w.binary("add", y, as_type(w, mean, out.shape, torch.float32)), out.dtype)


def normal_tensors(w: Writer, out: Any, mean: Any, std: Any = 1.0, *_: Any, **__: Any) -> Value:
    return normal(w, out, None, mean, std)


def exponential(w: Writer, out: Any, x: Value, rate: float = 1.0, **_: Any) -> Value:
    y = w.unary("log", _unit(w, out.shape, open_at_zero=True))
    return w.cast(w.binary("multiply", y, w.like(-1 / rate, y)), out.dtype)


def bernoulli(w: Writer, out: Any, x: Value, chance: Any = None, **_: Any) -> Value:
    """1 with the chance that x has, or that is given."""
    wanted = x if chance is None else chance
    hit = w.compare("LT", _unit(w, out.shape), as_type(w, wanted, out.shape, torch.float32))
    return w.cast(hit, out.dtype)


def randint(w: Writer, out: Any, *given: Any, **_: Any) -> Value:
    """randint(high, size) and randint(low, high, size)."""
    low, high = (0, given[0]) if not isinstance(given[1], int) else given[:2]
    return _between(w, out, low, high)


def randint_like(w: Writer, out: Any, x: Value, *given: int, **_: Any) -> Value:
    return _between(w, out, *((0, given[0]) if len(given) == 1 else given[:2]))


def random_from(w: Writer, out: Any, x: Value, *given: int, **_: Any) -> Value:
    """random_(from, to), random_(to)."""
    if not given:
        digits = {torch.float32: 24, torch.bfloat16: 8, torch.float16: 11}.get(out.dtype, 31)
        return _between(w, out, 0, 2 ** min(digits, out.dtype.itemsize * 8 - 1))
    return randint_like(w, out, x, *given)


def _between(w: Writer, out: Any, low: int, high: int) -> Value:
    span = high - low
    if span > 2**32 or abs(low) > 2**31 or abs(high) > 2**31:
        raise Refusal(f"random integers from {low} to {high}", "use limits of 32 bits")
    bits = _bits(w, out.shape)
    if span < 2**32:
        bits = w.binary("remainder", bits, w.like(span, bits))
    wide = w.put(
        f"stablehlo.convert {bits.name} : ({bits.type}) -> $T",
        bits.shape,
        torch.int64,
        "i32" if span <= 2**31 else "i64",
        span,
    )
    bound = max(abs(low), abs(high))
    if bound + span > 2**31 - 1:
        wide, bound = w.with_element(wide, "i64"), None
    return w.cast(w.binary("add", wide, w.like(low, wide), bound), out.dtype)


def randperm(w: Writer, out: Any, count: int, **_: Any) -> Value:
    bits = _bits(w, (count,))
    _, places = sorted_with_places(w, bits, 0, False)
    return w.cast(places, out.dtype)
