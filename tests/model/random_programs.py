"""Random JAX programs: a few operations in a row on random shapes and types, with their arguments.

A seed gives the same program each time. `python tests/model/random_programs.py 0 500` compares the
programs of many seeds with the CPU, prints those that differ and exits with 1 where there are any.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np
from trainyard import model

CPU = jax.devices("cpu")[0]
TYPES = [jnp.float32] * 6 + [jnp.int32] * 2
TYPES += [jnp.bfloat16, jnp.float16, jnp.bool_, jnp.uint8, jnp.int8, jnp.uint32, jnp.int16]
TOLERANCE = {"float32": 3e-5, "bfloat16": 2e-2, "float16": 3e-3}
LARGEST = 40_000  # elements of a value


class DoesNotFit(Exception):
    """The operation cannot take this value: another one is drawn."""


def need(condition) -> None:
    if not condition:
        raise DoesNotFit


def real(value) -> bool:
    return jnp.issubdtype(value.dtype, jnp.floating)


def number(value) -> bool:
    return value.dtype != jnp.bool_


@dataclass
class Draw:
    """What an operation draws from: random numbers, the value it changes, all earlier values."""

    random: np.random.Generator
    value: jax.Array
    values: list[jax.Array]

    def axis(self) -> int:
        need(self.value.ndim > 0)
        return int(self.random.integers(self.value.ndim))

    def one_of(self, choices):
        return choices[self.random.integers(len(choices))]


def random_shape(random) -> tuple[int, ...]:
    large, small = [1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 130], [1, 2, 3, 4, 5]
    sizes = [int(random.choice(large if i < 2 else small)) for i in range(random.integers(0, 5))]
    return tuple(sizes[:: int(random.choice([-1, 1]))])


def random_value(random, shape, dtype) -> np.ndarray:
    if dtype == jnp.bool_:
        return random.random(shape) < 0.5
    if jnp.issubdtype(dtype, jnp.floating):
        return np.asarray(random.normal(size=shape) * random.choice([0.5, 1, 3])).astype(dtype)
    limits = jnp.iinfo(dtype)
    if random.random() < 0.3:
        return random.integers(max(limits.min, -(2**31)), min(limits.max, 2**31 - 1), shape).astype(
            dtype
        )
    return random.integers(max(limits.min, -20), 20, shape).astype(dtype)


# --- The operations ---

ANY = [
    "cos",
    "sin",
    "tanh",
    "isnan",
    "isfinite",
    "logical_not",
    "floor",
    "ceil",
    "round",
    "trunc",
    "arctan",
]
REAL = [
    *(lambda x, f=f: f(jnp.clip(x, -5, 5)) for f in (jnp.exp, jnp.expm1, jnp.sinh, jnp.exp2)),
    *(lambda x, f=f: f(jnp.abs(x) + 1) for f in (jnp.log, jnp.reciprocal, jax.lax.rsqrt)),
    *(lambda x, f=f: f(jnp.abs(x)) for f in (jnp.sqrt, jnp.log1p, jnp.cbrt)),
    *(jax.nn.sigmoid, jax.nn.relu, jax.nn.silu, jax.nn.gelu, jax.nn.softplus, jax.lax.erf),
    lambda x: jax.nn.gelu(x, approximate=False),
    lambda x: jnp.clip(x, -1, 1),
    jax.grad(lambda x: jnp.sum(jnp.tanh(x) * x)),
]


def any_unary(d: Draw):
    x = jnp.clip(d.value, 0, 1000) if number(d.value) else d.value
    name = d.one_of(ANY)
    need(name != "round" or x.dtype != jnp.bool_)  # JAX has no such function
    return getattr(jnp, name)(x)


def real_unary(d: Draw):
    need(real(d.value))
    return d.one_of(REAL)(d.value)


def number_unary(d: Draw):
    need(number(d.value))
    return d.one_of([jnp.negative, jnp.abs, jnp.sign, jnp.square])(d.value)


def partner(d: Draw):
    other = d.one_of(d.values)
    if d.random.random() < 0.3:
        other = jnp.asarray(d.random.integers(1, 5)).astype(d.value.dtype)
    try:
        jnp.broadcast_shapes(d.value.shape, other.shape)
    except ValueError:
        raise DoesNotFit from None
    return other


def arithmetic(d: Draw):
    names = [
        "add",
        "multiply",
        "maximum",
        "minimum",
        "equal",
        "not_equal",
        "less",
        "greater_equal",
        "logical_and",
    ]
    return getattr(jnp, d.one_of(names))(d.value, partner(d))


def subtract(d: Draw):
    need(number(d.value))
    return d.value - partner(d)


def real_binary(d: Draw):
    other = partner(d)
    need(real(d.value) and real(other))
    power = jnp.power(jnp.abs(d.value) + 0.1, jnp.clip(other, -2, 2))
    return d.one_of([power, d.value / (jnp.abs(other) + 1), jnp.arctan2(d.value, other)])


def integer_binary(d: Draw):
    other = partner(d)
    need(not real(d.value) and number(d.value) and d.value.dtype == other.dtype)
    some = jnp.where(other == 0, jnp.ones_like(other), other)
    return d.one_of([d.value % some, d.value // some, d.value ^ other, d.value & other])


def shift(d: Draw):
    need(d.value.dtype in (jnp.int32, jnp.uint32))
    by = jnp.full(d.value.shape, int(d.random.integers(0, 32)), d.value.dtype)
    names = [jax.lax.shift_left, jax.lax.shift_right_logical, jax.lax.shift_right_arithmetic]
    return d.one_of(names)(d.value, by)


def cast(d: Draw):
    x, to = d.value, d.one_of(TYPES)
    if real(x) and not jnp.issubdtype(to, jnp.floating) and to != jnp.bool_:
        # Values between integers: a different last bit must not become another integer.
        x = jnp.where(jnp.isnan(x), 0, jnp.floor(jnp.clip(x, 0, 100)) + 0.5).astype(x.dtype)
    return x.astype(to)


def transpose(d: Draw):
    return jnp.transpose(d.value, d.random.permutation(d.value.ndim))


def reshape(d: Draw):
    left, sizes = d.value.size, []
    while left > 1 and len(sizes) < 3:
        sizes.append(int(d.one_of([n for n in range(2, left + 1) if left % n == 0])))
        left //= sizes[-1]
    return d.value.reshape([int(n) for n in d.random.permutation([*sizes, left])])


def broadcast(d: Draw):
    return jnp.broadcast_to(d.value, (int(d.random.integers(1, 4)), *d.value.shape))


def cut(d: Draw):
    def bounds(n):
        first = int(d.random.integers(0, n))
        return slice(first, int(d.random.integers(first + 1, n + 1)), int(d.random.integers(1, 4)))

    return d.value[tuple(bounds(n) for n in d.value.shape)]


def pad(d: Draw):
    need(0 < d.value.ndim < 4)
    edges = [
        (int(d.random.integers(-1 if n > 2 else 0, 4)), *map(int, d.random.integers(0, 3, 2)))
        for n in d.value.shape
    ]
    return jax.lax.pad(d.value, jnp.ones((), d.value.dtype), edges)


def flip(d: Draw):
    return jnp.flip(d.value, d.axis())


def reduce(d: Draw):
    axis, x = d.axis(), d.value
    name = d.one_of(["sum", "max", "min", "prod", "mean", "any", "all", "argmax", "argmin", "std"])
    need(number(x) or name in ("any", "all"))
    need(real(x) or name not in ("mean", "std"))
    if name in ("any", "all"):
        x = x > 0
    if name == "prod":
        x = jnp.clip(x, -2, 2)
    return getattr(jnp, name)(x, axis=axis, keepdims=bool(d.random.random() < 0.4))


def along(d: Draw):
    axis = d.axis()
    need(number(d.value))
    if real(d.value) and d.random.random() < 0.3:
        return jax.nn.softmax(d.value, axis)
    return d.one_of([jnp.cumsum, jax.lax.cummax, jnp.sort, jnp.argsort])(d.value, axis=axis)


def matmul(d: Draw):
    need(number(d.value) and d.value.ndim > 0)
    shape = (d.value.shape[-1], int(d.random.choice([1, 3, 16, 64, 130])))
    weights = random_value(d.random, shape, jnp.float32 if real(d.value) else jnp.int32)
    return d.value @ jnp.asarray(weights).astype(d.value.dtype)


def batched_matmul(d: Draw):
    need(d.value.ndim >= 2 and real(d.value))
    return jnp.einsum("...ij,...kj->...ik", d.value, d.value[..., ::-1, :])


def concatenate(d: Draw):
    parts = [d.value, d.value[::-1], jnp.zeros_like(d.value)] if d.value.ndim else []
    need(parts)
    return jnp.concatenate(parts[: int(d.random.integers(2, 4))], d.axis())


def where(d: Draw):
    need(number(d.value))
    return jnp.where(d.value > 0, d.value, jnp.asarray(3, d.value.dtype))


def take(d: Draw):
    axis = d.axis()
    indices = d.random.integers(0, d.value.shape[axis], d.random.integers(1, 6, size=2))
    return jnp.take(d.value, jnp.asarray(indices), axis=axis)


def scatter(d: Draw):
    need(number(d.value) and d.value.ndim > 0)
    at = d.value.at[jnp.asarray(d.random.integers(0, d.value.shape[0], 3))]
    return d.one_of([at.add, at.set])(jnp.asarray(2, d.value.dtype))


def dynamic_slice(d: Draw):
    need(d.value.ndim > 0)
    first, count = d.random.integers(-2, d.value.shape[0] + 2), d.random.integers(d.value.shape[0])
    start = [jnp.asarray(first), *[0] * (d.value.ndim - 1)]
    part = d.value[: int(count) + 1]
    if d.random.random() < 0.5:
        return jax.lax.dynamic_slice(d.value, start, part.shape)
    return jax.lax.dynamic_update_slice(d.value, part, start)


def iota(d: Draw):
    need(number(d.value))
    numbers = jax.lax.broadcasted_iota(jnp.int32, d.value.shape, d.axis())
    return d.value + numbers.astype(d.value.dtype)


def scan(d: Draw):
    need(d.value.ndim > 1 and real(d.value) and d.value.shape[0] < 20)
    half = jnp.asarray(0.5, d.value.dtype)
    step = lambda carry, x: (carry * half + x, carry)  # noqa: E731
    return jax.lax.scan(step, jnp.zeros_like(d.value[0]), d.value)[1]


def convolution(d: Draw):
    need(d.value.ndim == 4 and real(d.value) and d.value.size < 5000)
    kernel = d.random.normal(size=(3, d.value.shape[1], 2, 2))
    strides = (1, int(d.random.integers(1, 3)))
    kernel = jnp.asarray(kernel).astype(d.value.dtype)
    return jax.lax.conv_general_dilated(d.value, kernel, strides, "SAME")


def window(d: Draw):
    need(2 <= d.value.ndim <= 3 and real(d.value))
    ones = (1,) * d.value.ndim
    start, of = d.one_of([(-jnp.inf, jax.lax.max), (0.0, jax.lax.add)])
    return jax.lax.reduce_window(d.value, start, of, (*ones[1:], 2), ones, "SAME")


def top_k(d: Draw):
    # Sums that round once and sums that round each time make other ties of 16-bit numbers.
    need(d.value.dtype not in (jnp.bfloat16, jnp.float16))
    need(number(d.value) and d.value.ndim > 0 and d.value.shape[-1] > 1)
    return d.one_of(jax.lax.top_k(d.value, min(3, d.value.shape[-1])))


OPERATIONS: list[Callable[[Draw], jax.Array]] = [
    *[any_unary, real_unary, number_unary, arithmetic, subtract, real_binary, integer_binary],
    *[shift, cast, transpose, reshape, broadcast, cut, pad, flip, reduce, along, matmul],
    *[batched_matmul, concatenate, where, take, scatter, dynamic_slice, iota, scan],
    *[convolution, window, top_k],
]


# --- Programs ---


@dataclass
class RandomProgram:
    """A function of `arguments`; `steps` names its operations once it was traced."""

    seed: int
    arguments: list[np.ndarray] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        random = np.random.default_rng(self.seed)
        base = random_shape(random)
        for _ in range(random.integers(1, 4)):
            dtype = TYPES[random.integers(len(TYPES))]
            shape = base if random.random() < 0.7 else random_shape(random)
            self.arguments.append(random_value(random, shape, dtype))

    def __call__(self, *arguments):
        random = np.random.default_rng([self.seed, 1])
        values = [jnp.asarray(a) for a in arguments]
        self.steps = []
        for _ in range(random.integers(1, 9)):
            value = values[random.integers(len(values))] if random.random() < 0.4 else values[-1]
            self._step(Draw(random, value, values))
        made = values[len(arguments) :]
        return [v for v in made if random.random() < 0.4] + values[-1:]

    def _step(self, draw: Draw) -> None:
        for _ in range(10):
            operation = draw.one_of(OPERATIONS)
            try:
                result = operation(draw)
            except DoesNotFit:
                continue
            if 0 < result.size <= LARGEST:
                self.steps.append(f"{operation.__name__} {result.dtype}{list(result.shape)}")
                draw.values.append(result)
                return


def differences(program: RandomProgram) -> Iterable[str]:
    """What the machine computes otherwise than the CPU, be it compiled or one step at a time."""
    with jax.default_device(CPU):
        wanted = [np.asarray(v) for v in jax.jit(program.__call__)(*program.arguments)]
        with jax.disable_jit():
            stepwise = [np.asarray(v) for v in program(*program.arguments)]
    found = jax.tree.leaves(model.compile(program.__call__, *program.arguments)(*program.arguments))
    for i, (ours, *theirs) in enumerate(zip(found, wanted, stepwise, strict=True)):
        if (ours.dtype, ours.shape) != (theirs[0].dtype, theirs[0].shape):
            yield f"result {i}: {ours.dtype}{ours.shape} instead of {theirs[0].dtype}"
            continue
        close = np.logical_or(*(_close(ours, t) for t in theirs))
        if not close.all():
            at = tuple(np.argwhere(~close)[0])
            count, theirs_at = (~close).sum(), theirs[0][at]
            yield f"result {i}: {count} of {ours.size}, at {at} {ours[at]} and not {theirs_at}"


def _close(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    if not jnp.issubdtype(theirs.dtype, jnp.floating):
        return ours == theirs
    tolerance = TOLERANCE[theirs.dtype.name]
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    largest = np.abs(b[np.isfinite(b)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        return np.isclose(a, b, tolerance, tolerance * max(1, largest), equal_nan=True)


def main() -> None:
    counts: Counter[str] = Counter()
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        program = RandomProgram(seed)
        try:
            texts = list(differences(program))
        except Exception as error:  # any failure is a finding here
            texts = [f"{type(error).__name__}: {error}".replace("\n", " ")]
        counts["differ" if texts else "agree"] += 1
        for text in texts:
            print(seed, text, "|", "; ".join(program.steps), flush=True)
    print(dict(counts))
    sys.exit(1 if counts["differ"] else 0)


if __name__ == "__main__":
    main()
