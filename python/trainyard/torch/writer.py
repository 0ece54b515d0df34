"""Writes StableHLO text, one line an operation, and keeps the types of what it wrote.

PyTorch's int64 is computed in 32 bits where it is known that the numbers fit: `Value.bound` is the
largest magnitude that an integer can have, or None. What may be larger is computed in 64 bits,
which no instruction does, so that results are exact either way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from trainyard.torch.errors import Refusal

ELEMENTS = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int16: "i16",
    torch.int8: "i8",
    torch.uint8: "ui8",
    torch.uint16: "ui16",
    torch.uint32: "ui32",
    torch.uint64: "ui64",
    torch.bool: "i1",
}
INT32_MAX = 2**31 - 1
# What arguments of type int64 may hold to be passed in 32 bits: sums of two still fit.
NARROW_MAX = 2**24


@dataclass(frozen=True)
class Value:
    """A value of the program. `element`: its type in StableHLO, "i32" of an int64 that fits."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    element: str
    bound: int | None = None

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.element)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_float(self) -> bool:
        return self.dtype.is_floating_point


def tensor_type(shape: Sequence[int], element: str) -> str:
    """As StableHLO writes it: "tensor<2x3xf32>"."""
    return "tensor<" + "".join(f"{int(extent)}x" for extent in shape) + element + ">"


def element_of(dtype: torch.dtype, bound: int | None = None) -> str:
    """The type in StableHLO of a PyTorch type, for integers of at most this magnitude."""
    if dtype == torch.int64 and bound is not None and bound <= INT32_MAX:
        return "i32"
    if dtype not in ELEMENTS:
        raise Refusal(f"a tensor of type {dtype}", "use a real type of at most 64 bits")
    return ELEMENTS[dtype]


def stored_element(dtype: torch.dtype, bound: int | None = None) -> str:
    """Of what lies in HBM: a complex number is two of float32."""
    return "f32" if dtype == torch.complex64 else element_of(dtype, bound)


def stored_shape(shape: Sequence[int], dtype: torch.dtype) -> tuple[int, ...]:
    """The shape that a tensor has there: its real and imaginary parts lie side by side."""
    return (*shape, 2) if dtype == torch.complex64 else tuple(shape)


def literal(value: float, dtype: torch.dtype) -> str:
    """A number as StableHLO writes it."""
    if dtype == torch.bool:
        return "true" if value else "false"
    if not dtype.is_floating_point:
        return str(int(value))
    value = float(value)
    if math.isfinite(value):
        return f"{value:.17e}"
    return (
        "0x"
        + torch.tensor(value, dtype=dtype)
        .view(_BITS[dtype.itemsize])
        .numpy()
        .tobytes()[::-1]
        .hex()
        .upper()
    )


_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def lowest(dtype: torch.dtype) -> float:
    """What no number of the type is less than."""
    if dtype.is_floating_point:
        return -math.inf
    return 0 if dtype == torch.bool else torch.iinfo(dtype).min


def highest(dtype: torch.dtype) -> float:
    """What no number of the type is greater than."""
    if dtype.is_floating_point:
        return math.inf
    return 1 if dtype == torch.bool else torch.iinfo(dtype).max


class Writer:
    """The body of a function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.location = ""  # of what is written next
        self._count = 0

    def fresh(self) -> int:
        """A number that no other name has."""
        self._count += 1
        return self._count

    def put(
        self,
        text: str,
        shape: Sequence[int],
        dtype: torch.dtype,
        element: str | None = None,
        bound: int | None = None,
    ) -> Value:
        """An operation of one result, whose type stands for $T in the text."""
        element = element or element_of(dtype, bound)
        value = Value(f"%{self.fresh()}", tuple(map(int, shape)), dtype, element, bound)
        self.lines.append(f"    {value.name} = {text.replace('$T', value.type)}{self.location}")
        return value

    def put_several(
        self, text: str, results: Sequence[tuple[Sequence[int], torch.dtype, str, int | None]]
    ) -> list[Value]:
        """An operation of several results: shape, type, element and bound of each."""
        name = f"%{self.fresh()}"
        self.lines.append(f"    {name}:{len(results)} = {text}{self.location}")
        return [
            Value(f"{name}#{i}", tuple(map(int, shape)), dtype, element, bound)
            for i, (shape, dtype, element, bound) in enumerate(results)
        ]

    def constant(
        self, value: float, shape: Sequence[int], dtype: torch.dtype, element: str | None = None
    ) -> Value:
        """The same number everywhere."""
        bound = None
        if not dtype.is_floating_point:
            value = _wrapped(int(value), dtype)
            bound = abs(value)
        text = f"stablehlo.constant dense<{literal(value, dtype)}> : $T"
        return self.put(text, shape, dtype, element, bound)

    def like(self, value: float, x: Value) -> Value:
        """The number in the shape and type of x."""
        return self.constant(value, x.shape, x.dtype, x.element)

    def with_element(self, x: Value, element: str) -> Value:
        """An integer in another width of the same meaning."""
        if x.element == element:
            return x
        text = f"stablehlo.convert {x.name} : ({x.type}) -> $T"
        return self.put(text, x.shape, x.dtype, element, x.bound)

    def cast(self, x: Value, dtype: torch.dtype) -> Value:
        """Converted as PyTorch does."""
        if x.dtype == dtype:
            return x
        if dtype == torch.bool:
            return self.compare("NE", x, self.like(0, x))
        bound = None
        if not dtype.is_floating_point:
            if x.dtype == torch.bool:
                bound = 1
            elif not x.is_float and x.bound is not None and x.bound <= highest(dtype):
                bound = x.bound
            elif not x.is_float:
                bound = _bound_of_type(x.dtype)
            if bound is not None and bound > highest(dtype):
                bound = None
        if x.is_float and not dtype.is_floating_point and dtype.itemsize < 4:
            x = self.cast(x, torch.int32)  # low bits are kept, as C++ does by way of int
        text = f"stablehlo.convert {x.name} : ({x.type}) -> $T"
        return self.put(text, x.shape, dtype, None, bound)

    def unary(self, name: str, x: Value, bound: int | None = None) -> Value:
        """An operation of one operand and its type: "tanh", "chlo.erf"."""
        if name.startswith("chlo."):
            return self.put(f"{name} {x.name} : {x.type} -> $T", x.shape, x.dtype, x.element)
        return self.put(f"stablehlo.{name} {x.name} : $T", x.shape, x.dtype, x.element, bound)

    def binary(self, name: str, a: Value, b: Value, bound: int | None = None) -> Value:
        """An operation of two operands of one type."""
        return self.put(
            f"stablehlo.{name} {a.name}, {b.name} : $T", a.shape, a.dtype, a.element, bound
        )

    def compare(self, direction: str, a: Value, b: Value) -> Value:
        """direction: "LT" and the like; both operands have one type."""
        a, b = self.same_width(a, b)
        text = (
            f"stablehlo.compare {direction}, {a.name}, {b.name}, {compare_kind(a)} : "
            f"({a.type}, {b.type}) -> $T"
        )
        return self.put(text, a.shape, torch.bool, None, 1)

    def same_width(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Both in the wider type of the two."""
        if a.element == b.element:
            return a, b
        return self.with_element(a, "i64"), self.with_element(b, "i64")

    def select(self, predicate: Value, a: Value, b: Value) -> Value:
        """a where the predicate holds, else b."""
        a, b = self.same_width(a, b)
        text = f"stablehlo.select {predicate.name}, {a.name}, {b.name} : {predicate.type}, $T"
        return self.put(text, a.shape, a.dtype, a.element, larger_bound(a, b))

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(map(int, shape))
        if x.shape == shape:
            return x
        text = f"stablehlo.reshape {x.name} : ({x.type}) -> $T"
        return self.put(text, shape, x.dtype, x.element, x.bound)

    def transpose(self, x: Value, order: Sequence[int]) -> Value:
        if list(order) == list(range(x.rank)):
            return x
        text = f"stablehlo.transpose {x.name}, dims = {list(order)} : ({x.type}) -> $T"
        return self.put(text, [x.shape[i] for i in order], x.dtype, x.element, x.bound)

    def broadcast(self, x: Value, shape: Sequence[int], places: Sequence[int]) -> Value:
        """Dimension i of x becomes dimension places[i] of the result; others repeat."""
        text = f"stablehlo.broadcast_in_dim {x.name}, dims = {list(places)} : ({x.type}) -> $T"
        return self.put(text, shape, x.dtype, x.element, x.bound)

    def expand(self, x: Value, shape: Sequence[int]) -> Value:
        """As PyTorch broadcasts: dimensions are added on the left."""
        shape = tuple(map(int, shape))
        if x.shape == shape:
            return x
        lead = len(shape) - x.rank
        return self.broadcast(x, shape, range(lead, len(shape)))

    def slice(
        self, x: Value, starts: Sequence[int], limits: Sequence[int], steps: Sequence[int]
    ) -> Value:
        if list(starts) == [0] * x.rank and tuple(limits) == x.shape and set(steps) <= {1}:
            return x
        parts = ", ".join(
            f"{a}:{b}" + (f":{c}" if c != 1 else "")
            for a, b, c in zip(starts, limits, steps, strict=True)
        )
        shape = [max(-(-(b - a) // c), 0) for a, b, c in zip(starts, limits, steps, strict=True)]
        text = f"stablehlo.slice {x.name} [{parts}] : ({x.type}) -> $T"
        return self.put(text, shape, x.dtype, x.element, x.bound)

    def slice_dim(self, x: Value, dim: int, start: int, limit: int, step: int = 1) -> Value:
        """A slice along one dimension."""
        starts = [0] * x.rank
        limits = list(x.shape)
        steps = [1] * x.rank
        starts[dim], limits[dim], steps[dim] = start, limit, step
        return self.slice(x, starts, limits, steps)

    def concatenate(self, values: Sequence[Value], dim: int) -> Value:
        """Values of one type, one behind the other."""
        if len({value.element for value in values}) > 1:
            values = [self.with_element(value, "i64") for value in values]
        if len(values) == 1:
            return values[0]
        shape = list(values[0].shape)
        shape[dim] = sum(value.shape[dim] for value in values)
        names = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        bounds = [value.bound for value in values]
        return self.put(
            f"stablehlo.concatenate {names}, dim = {dim} : ({types}) -> $T",
            shape,
            values[0].dtype,
            values[0].element,
            None if None in bounds else max(b for b in bounds if b is not None),
        )

    def pad(
        self,
        x: Value,
        value: float,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int] | None = None,
    ) -> Value:
        """More elements around x, and between those of it."""
        interior = interior or [0] * x.rank
        if not any((*low, *high, *interior)):
            return x
        filler = self.constant(value, (), x.dtype, x.element)
        shape = [
            extent + a + b + max(extent - 1, 0) * c
            for extent, a, b, c in zip(x.shape, low, high, interior, strict=True)
        ]
        text = (
            f"stablehlo.pad {x.name}, {filler.name}, low = {list(low)}, high = {list(high)}, "
            f"interior = {list(interior)} : ({x.type}, {filler.type}) -> $T"
        )
        return self.put(text, shape, x.dtype, x.element, larger_bound(x, filler))

    def reverse(self, x: Value, dims: Sequence[int]) -> Value:
        if not dims:
            return x
        text = f"stablehlo.reverse {x.name}, dims = {list(dims)} : $T"
        return self.put(text, x.shape, x.dtype, x.element, x.bound)

    def iota(self, shape: Sequence[int], dim: int, dtype: torch.dtype = torch.int64) -> Value:
        """0, 1, 2... along a dimension."""
        bound = None if dtype.is_floating_point else max(int(shape[dim]) - 1, 0)
        return self.put(f"stablehlo.iota dim = {dim} : $T", shape, dtype, None, bound)

    def reduce(
        self, name: str, x: Value, dims: Iterable[int], start: float, bound: int | None = None
    ) -> Value:
        """An operation of two operands over dimensions."""
        dims = sorted(dims)
        if not dims:
            return x
        begin = self.constant(start, (), x.dtype, x.element)
        kept = [extent for i, extent in enumerate(x.shape) if i not in dims]
        text = (
            f"stablehlo.reduce({x.name} init: {begin.name}) applies stablehlo.{name} across "
            f"dimensions = {dims} : ({x.type}, {begin.type}) -> $T"
        )
        return self.put(text, kept, x.dtype, x.element, bound)

    def region(
        self,
        pairs: Sequence[str],
        body: Callable[[list[tuple[str, str]]], tuple[list[str], list[str]]],
    ) -> str:
        """A region of scalars: pairs of arguments of these elements; `body` gives the lines for
        their names, and the names and elements of its results."""
        number = self.fresh()
        names = [(f"%a{number}_{i}", f"%b{number}_{i}") for i in range(len(pairs))]
        arguments = ", ".join(
            f"{name}: tensor<{element}>"
            for pair, element in zip(names, pairs, strict=True)
            for name in pair
        )
        lines, results = body(names)
        text = "".join(f"\n        {line}" for line in lines)
        outs = ", ".join(name for name in results[::2])
        types = ", ".join(f"tensor<{element}>" for element in results[1::2])
        return f"({arguments}):{text}\n        stablehlo.return {outs} : {types}"

    def simple_region(self, name: str, element: str) -> str:
        """A region that applies one operation to its two arguments."""
        number = self.fresh()
        kind = f"tensor<{element}>"
        lines = (
            f"        %s{number} = stablehlo.{name} %a{number}, %b{number} : {kind}\n"
            f"        stablehlo.return %s{number} : {kind}"
            if name != "second"
            else f"        stablehlo.return %b{number} : {kind}"
        )
        return f"({{\n      ^bb0(%a{number}: {kind}, %b{number}: {kind}):\n{lines}\n      }})"


def compare_kind(x: Value) -> str:
    """How StableHLO compares numbers of this type."""
    if x.is_float:
        return "FLOAT"
    return "UNSIGNED" if x.element.startswith("ui") or x.element == "i1" else "SIGNED"


def larger_bound(a: Value, b: Value) -> int | None:
    """Of what is one of both."""
    return None if a.bound is None or b.bound is None else max(a.bound, b.bound)


def _bound_of_type(dtype: torch.dtype) -> int | None:
    return None if dtype.itemsize > 4 else int(-lowest(dtype) or highest(dtype))


def _wrapped(value: int, dtype: torch.dtype) -> int:
    """What the type makes of an integer that is too large for it."""
    if dtype == torch.bool:
        return int(bool(value))
    bits = dtype.itemsize * 8
    value &= (1 << bits) - 1
    signed = dtype.is_signed
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def axes_of(x: Value, dims: int | Sequence[int] | None) -> list[int]:
    """The dimensions that an argument `dim` names: all of them where it names none."""
    if dims is None or (not isinstance(dims, int) and len(dims) == 0):
        return list(range(x.rank))
    given = [dims] if isinstance(dims, int) else list(dims)
    return [dim % max(x.rank, 1) for dim in given if x.rank]


def narrow_bound(content: np.ndarray) -> int | None:
    """How large the numbers of an int64 array are, of the bounds that programs are made for."""
    if content.size == 0:
        return NARROW_MAX
    largest = max(abs(int(content.min())), abs(int(content.max())))
    return NARROW_MAX if largest <= NARROW_MAX else INT32_MAX if largest <= INT32_MAX else None


def bound_class(bound: int | None) -> int | None:
    """The same of a result, of which more is known."""
    if bound is None or bound > INT32_MAX:
        return None
    return NARROW_MAX if bound <= NARROW_MAX else INT32_MAX
