"""What the operations of a random program draw from: values so far, new arguments, sizes, types.

Every operation is text of Python, so that a program can be printed, run and cut down as text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import jax.numpy as jnp
import ml_dtypes
import numpy as np

Shape = tuple[int, ...]
T = TypeVar("T")
FLOATS = ("float32", "bfloat16", "float16")
NARROW = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3", "float8_e3m4", "float8_e4m3b11fnuz")
NARROW += ("float8_e5m2fnuz", "float8_e4m3fnuz")
SIGNED = ("int32", "int16", "int8")
UNSIGNED = ("uint32", "uint16", "uint8")
INTEGERS = SIGNED + UNSIGNED
ELEMENTS_MAX = 50_000


def dtype_of(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, name))


@dataclass(frozen=True)
class Value:
    """A name of the program with what it has."""

    name: str
    shape: Shape
    dtype: str

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_real(self) -> bool:
        return self.dtype in FLOATS

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS + NARROW

    @property
    def is_integer(self) -> bool:
        return self.dtype in INTEGERS

    @property
    def is_number(self) -> bool:
        return self.is_real or self.is_integer


@dataclass(frozen=True)
class Argument:
    """How an argument's elements are drawn."""

    value: Value
    flavour: str
    seed: int


class DoesNotFit(Exception):
    """The operation has no meaning here: another one is drawn."""


def need(condition: object) -> None:
    if not condition:
        raise DoesNotFit


@dataclass
class Draw:
    """The state of a program that is being drawn."""

    random: random.Random
    is_special: bool  # NaN, infinities, subnormal numbers among the values
    values: list[Value] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def integer(self, low: int, high: int) -> int:
        """Both ends included."""
        return self.random.randint(low, high)

    def choice(self, of: Sequence[T]) -> T:
        return of[self.random.randrange(len(of))]

    # --- values ---

    def value(
        self, where: Callable[[Value], bool] = lambda v: True, dtypes: Sequence[str] = FLOATS
    ) -> Value:
        """One there is, mostly a late one; else a new argument."""
        fits = [v for v in self.values if where(v)]
        if fits and not self.chance(0.1):
            return fits[-1] if self.chance(0.6) else self.choice(fits)
        for _ in range(8):
            found = Value("", self.shape(), self.choice(dtypes))
            if where(found):
                return self.argument(found.shape, found.dtype)
        raise DoesNotFit

    def real(self, rank: int = 0) -> Value:
        return self.value(lambda v: v.is_real and v.rank >= rank)

    def full(self, rank: int = 0) -> Value:
        """A real one with elements."""
        return self.value(lambda v: v.is_real and v.rank >= rank and v.size > 0)

    def number(self, rank: int = 0) -> Value:
        return self.value(lambda v: v.is_number and v.rank >= rank, FLOATS + INTEGERS)

    def anything(self, rank: int = 0) -> Value:
        return self.value(lambda v: v.rank >= rank and v.dtype != "complex64", FLOATS + INTEGERS)

    def argument(self, shape: Shape, dtype: str, flavour: str | None = None) -> Value:
        value = Value(f"a{len(self.arguments)}", tuple(shape), dtype)
        need(value.size <= ELEMENTS_MAX)
        flavour = flavour or self.flavour(dtype)
        self.arguments.append(Argument(value, flavour, self.random.randrange(1 << 30)))
        self.values.append(value)
        return value

    def flavour(self, dtype: str) -> str:
        if dtype == "bool":
            return "bool"
        if dtype in INTEGERS:
            return self.choice(("small", "small", "ties", "any"))
        usual = ("normal", "normal", "normal", "integers", "ties", "unit", "wide", "zeros")
        return "special" if self.is_special and self.chance(0.6) else self.choice(usual)

    def partner(self, x: Value) -> Value:
        """A value of its type that broadcasts to its shape."""
        fits = [v for v in self.values if v.dtype == x.dtype and broadcasts(v.shape, x.shape)]
        if fits and self.chance(0.5):
            return self.choice(fits)
        shape = [1 if self.chance(0.2) else n for n in x.shape]
        return self.argument(tuple(shape[self.choice((0, 0, 0, len(shape))) :]), x.dtype)

    # --- shapes ---

    def size(self) -> int:
        large = (16, 31, 33, 64, 65, 127, 128, 129, 130, 200, 257, 515)
        small = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)
        if self.chance(0.02):
            return 0
        return self.choice(large) if self.chance(0.3) else self.choice(small)

    def shape(self) -> Shape:
        if self.chance(0.2):  # rows enough for passes over them
            rows, columns = self.choice((64, 65, 127, 128, 130, 300)), self.integer(30, 140)
            return (self.integer(1, 2), rows // 2, columns) if self.chance(0.3) else (rows, columns)
        for _ in range(20):
            shape = tuple(self.size() for _ in range(self.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))
            if np.prod(shape, dtype=np.int64) <= ELEMENTS_MAX // 2:
                return shape
        return (3,)

    def axis(self, x: Value) -> int:
        need(x.rank)
        axis = self.random.randrange(x.rank)
        return axis - x.rank if self.chance(0.2) else axis

    def axes(self, x: Value) -> tuple[int, ...]:
        """Some of them, in order."""
        return tuple(a for a in range(x.rank) if self.chance(0.5))

    def fresh(self) -> int:
        return self.random.randrange(1 << 20)


def broadcasts(shape: Shape, to: Shape) -> bool:
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return False


Operation = Callable[[Draw], str]
OPERATIONS: dict[str, tuple[Operation, float]] = {}


def operation(weight: float = 1.0) -> Callable[[Operation], Operation]:
    """A function that returns the text of one expression; how often it is drawn."""

    def note(function: Operation) -> Operation:
        OPERATIONS[function.__name__] = (function, weight)
        return function

    return note


SPECIALS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0)


def elements(argument: Argument) -> np.ndarray:
    """Its values, always the same."""
    draw = np.random.default_rng(argument.seed)
    shape, dtype = argument.value.shape, dtype_of(argument.value.dtype)
    if argument.flavour == "bool":
        return draw.random(shape) < 0.5
    if argument.value.dtype in INTEGERS:
        return _integers(draw, argument.flavour, shape, dtype)
    with np.errstate(over="ignore"):
        return _floats(draw, argument.flavour, shape, dtype)


def _integers(draw: np.random.Generator, flavour: str, shape: Shape, dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(dtype)
    if flavour == "any":
        found = draw.integers(limits.min, limits.max, shape, np.int64, endpoint=True)
        ends = draw.choice([limits.min, limits.max, 0, 1], shape)
        return np.where(draw.random(shape) < 0.1, ends, found).astype(dtype)
    if flavour.startswith("below"):  # indices
        return draw.integers(0, max(1, int(flavour[5:])), shape).astype(dtype)
    if flavour.startswith("around"):  # indices, some out of range
        size = int(flavour[6:])
        return draw.integers(-size - 2 if limits.min else 0, size + 3, shape).astype(dtype)
    if flavour.startswith("distinct"):  # indices, none twice, some too large
        size = int(flavour[8:])
        count = int(np.prod(shape, dtype=np.int64))
        return draw.permutation(max(size + 1, count))[:count].reshape(shape).astype(dtype)
    low, high = (0, 4) if flavour == "ties" else (max(limits.min, -20), 20)
    return draw.integers(low, high, shape).astype(dtype)


def _floats(draw: np.random.Generator, flavour: str, shape: Shape, dtype: np.dtype) -> np.ndarray:
    found = draw.normal(size=shape) * draw.choice([0.5, 1, 3])
    limits = jnp.finfo(dtype)
    if flavour == "integers":
        found = draw.integers(-8, 9, shape)
    elif flavour == "ties":
        found = draw.integers(-2, 3, shape) / 2
    elif flavour == "unit":
        found = draw.random(shape)
    elif flavour == "zeros":
        found = np.where(draw.random(shape) < 0.6, 0, found)
    elif flavour == "wide":
        low, high = np.log2(float(limits.smallest_normal)) / 2, np.log2(float(limits.max)) / 2
        found = np.exp2(draw.uniform(low, high, shape)) * draw.choice([-1, 1], shape)
    elif flavour == "special":
        least = [float(limits.smallest_normal), float(limits.smallest_subnormal) * 5]
        ends = [*SPECIALS, float(limits.max), -float(limits.max), *least, -least[1]]
        found = np.where(
            draw.random(shape) < draw.choice([0.05, 0.5]), draw.choice(ends, shape), found
        )
    return np.asarray(found, np.float64).astype(np.float32).astype(dtype)
