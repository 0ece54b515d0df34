"""What the programs are made of: operations of public models on activations [batch, tokens, width].

Each is a function of the drawing and of the shape that reaches it. It returns the function of JAX,
of the activations and its parameters, the parameters' shapes and the shape that leaves it; None
where it has no meaning for that shape.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Made:
    """An operation on x, with the shapes of its parameters."""

    run: Callable[..., jax.Array]
    parameters: tuple[Shape, ...]
    shape: Shape  # of what it returns


Operation = Callable[[random.Random, Shape], "Made | None"]
OPERATIONS: dict[str, Operation] = {}


def operation(function: Operation) -> Operation:
    OPERATIONS[function.__name__] = function
    return function


def near(draw: random.Random, low: int, high: int) -> int:
    """Log-uniform; three in four are multiples of a power of two, as sizes of models are."""
    number = round(low * (high / low) ** draw.random())
    step = draw.choice([step for step in (1, 8, 64, 128) if step <= number])
    return number // step * step


def divisor(draw: random.Random, number: int, most: int) -> int:
    return draw.choice([d for d in range(1, min(number, most) + 1) if number % d == 0])


def like(run: Callable[[jax.Array], jax.Array]) -> Operation:
    """What keeps the shape and has no parameters."""
    return lambda draw, shape: Made(run, (), shape)


def rms_norm(x: jax.Array, w: jax.Array) -> jax.Array:
    f = x.astype(jnp.float32)
    return (f * jax.lax.rsqrt(jnp.mean(f * f, -1, keepdims=True) + 1e-5)).astype(x.dtype) * w


def layer_norm(x: jax.Array, w: jax.Array, b: jax.Array) -> jax.Array:
    f = x.astype(jnp.float32)
    mean, variance = f.mean(-1, keepdims=True), f.var(-1, keepdims=True)
    return ((f - mean) * jax.lax.rsqrt(variance + 1e-5)).astype(x.dtype) * w + b


ELEMENTWISE = {
    "gelu": jax.nn.gelu,
    "exact_gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "silu": jax.nn.silu,
    "softplus": jax.nn.softplus,
    "tanh": jnp.tanh,
    "sine": jnp.sin,
    "log1p": lambda x: jnp.log1p(jnp.abs(x)),
    "power": lambda x: jnp.abs(x) ** 1.7,
    "soft_cap": lambda x: 30 * jnp.tanh(x / 30),
    "clip": lambda x: jnp.where(x > 0, jnp.clip(x, 0.1, 3), -x),
    "residual": lambda x: x + 0.5 * jax.nn.relu(x) ** 2,
}
ROWS = {
    "softmax": lambda x: jax.nn.softmax(x, -1),
    "log_softmax": lambda x: jax.nn.log_softmax(x.astype(jnp.float32), -1).astype(x.dtype),
    "sort": lambda x: jnp.sort(x, -1),
    "argsort": lambda x: jnp.argsort(x, -1).astype(x.dtype),
    "cumsum": lambda x: jnp.cumsum(x.astype(jnp.float32), -1).astype(x.dtype),
    "cumsum_tokens": lambda x: jnp.cumsum(x.astype(jnp.float32), -2).astype(x.dtype),
    "cumulative_max": lambda x: jax.lax.cummax(x, x.ndim - 2),
    "flip": lambda x: x[..., ::-1],
    "roll": lambda x: jnp.roll(x, 3, -2),
    "shift": lambda x: jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1],
    "reverse_tokens": lambda x: jnp.flip(x, -2),
    "best": lambda x: jax.nn.one_hot(jnp.argmax(x, -1), x.shape[-1], dtype=x.dtype),
    "centre_tokens": lambda x: x - x.mean(-2, keepdims=True),
    "centre_batch": lambda x: x - x.astype(jnp.float32).mean(0, keepdims=True).astype(x.dtype),
    "dropout": lambda x: jnp.where(
        jax.random.bernoulli(jax.random.key(0), 0.9, x.shape), x / 0.9, 0
    ).astype(x.dtype),
    "noise": lambda x: x + jax.random.normal(jax.random.key(1), x.shape, x.dtype),
    "running_mean": lambda x: jax.lax.associative_scan(
        lambda a, b: 0.5 * a + b, x.astype(jnp.float32), axis=1
    ).astype(x.dtype),
}
OPERATIONS |= {name: like(run) for name, run in (ELEMENTWISE | ROWS).items()}


@operation
def norm(draw: random.Random, shape: Shape) -> Made:
    width = shape[-1:]
    if draw.random() < 0.5:
        return Made(rms_norm, (width,), shape)
    return Made(layer_norm, (width, width), shape)


@operation
def dense(draw: random.Random, shape: Shape) -> Made:
    to = near(draw, 16, 16384)
    if draw.random() < 0.5:
        return Made(lambda x, w: x @ w, ((shape[-1], to),), (*shape[:-1], to))
    run = lambda x, w, b: jnp.einsum("bti,oi->bto", x, w) + b  # noqa: E731
    return Made(run, ((to, shape[-1]), (to,)), (*shape[:-1], to))


@operation
def gated_mlp(draw: random.Random, shape: Shape) -> Made:
    width, inner = shape[-1], near(draw, 64, 16384)

    def run(x: jax.Array, gate: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
        return x + (jax.nn.silu(x @ gate) * (x @ up)) @ down

    return Made(run, ((width, inner), (width, inner), (inner, width)), shape)


@operation
def attention(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    if tokens > 16384:
        return None
    depth = draw.choice((32, 64, 80, 128))
    groups = draw.choice((1, 2, 8))
    heads = groups * draw.choice((1, 2, 4))
    causal, repeats = draw.random() < 0.7, draw.random() < 0.5

    def run(x: jax.Array, q: jax.Array, kv: jax.Array, o: jax.Array) -> jax.Array:
        a = (x @ q).reshape(batch, tokens, heads, depth)
        k, v = jnp.moveaxis((x @ kv).reshape(batch, tokens, 2, groups, depth), 2, 0)
        if repeats:
            k, v = (jnp.repeat(each, heads // groups, 2) for each in (k, v))
            s = jnp.einsum("bthd,bshd->bhts", a, k).astype(jnp.float32) * depth**-0.5
        else:
            a = a.reshape(batch, tokens, groups, heads // groups, depth)
            s = jnp.einsum("btkgd,bskd->bkgts", a, k).astype(jnp.float32) * depth**-0.5
        if causal:
            s = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), s, -1e9)
        p = jax.nn.softmax(s, -1).astype(x.dtype)
        form = "bhts,bshd->bthd" if repeats else "bkgts,bskd->btkgd"
        return x + jnp.einsum(form, p, v).reshape(batch, tokens, heads * depth) @ o

    parameters = ((width, heads * depth), (width, 2 * groups * depth), (heads * depth, width))
    return Made(run, parameters, shape)


@operation
def rotary(draw: random.Random, shape: Shape) -> Made | None:
    _, tokens, width = shape
    depth = draw.choice((64, 128))
    if width % depth:
        return None

    def run(x: jax.Array) -> jax.Array:
        y = x.reshape(*x.shape[:2], -1, depth)
        at = jnp.arange(depth // 2, dtype=jnp.float32) * (-2 / depth)
        angle = jnp.arange(tokens, dtype=jnp.float32)[:, None] * 10000.0**at
        cos, sin = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
        u, v = jnp.split(y.astype(jnp.float32), 2, -1)
        return (
            jnp.concatenate([u * cos - v * sin, u * sin + v * cos], -1)
            .astype(x.dtype)
            .reshape(x.shape)
        )

    return Made(run, (), shape)


@operation
def convolution(draw: random.Random, shape: Shape) -> Made:
    width, taps = shape[-1], draw.choice((2, 3, 4, 7))
    groups = width if draw.random() < 0.5 else 1

    def run(x: jax.Array, w: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(
            x, w, (1,), [(taps - 1, 0)], dimension_numbers=("NWC", "WIO", "NWC"),
            feature_group_count=groups,
        )  # fmt: skip

    return Made(run, ((taps, width // groups, width),), shape)


@operation
def image_convolution(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    side = int(tokens**0.5)
    if side < 4 or batch * width * side * side > 1 << 28:
        return None
    to, taps, step = near(draw, 3, 1024), draw.choice((1, 3, 5)), draw.choice((1, 2))

    def run(x: jax.Array, w: jax.Array) -> jax.Array:
        image = x[:, : side * side].reshape(batch, side, side, width)
        y = jax.lax.conv_general_dilated(
            image, w, (step, step), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        return y.reshape(batch, -1, to)

    after = -(-side // step)
    return Made(run, ((taps, taps, width, to),), (batch, after * after, to))


@operation
def pool(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    if tokens < 4:
        return None
    of = jax.lax.max if draw.random() < 0.5 else jax.lax.add

    def run(x: jax.Array) -> jax.Array:
        start = jnp.array(-jnp.inf if of is jax.lax.max else 0, x.dtype)
        return jax.lax.reduce_window(x, start, of, (1, 2, 1), (1, 2, 1), "VALID")

    return Made(run, (), (batch, tokens // 2, width))


@operation
def embedding(draw: random.Random, shape: Shape) -> Made:
    words, to = near(draw, 1000, 256000), near(draw, 64, 8192)

    def run(x: jax.Array, table: jax.Array) -> jax.Array:
        return table[(jnp.abs(x[..., 0].astype(jnp.float32)) * 1000).astype(jnp.int32) % words]

    return Made(run, ((words, to),), (*shape[:-1], to))


@operation
def vocabulary_loss(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    words = near(draw, 1000, 256000)
    if batch * tokens * words > 1 << 32:
        return None

    def run(x: jax.Array, head: jax.Array) -> jax.Array:
        logits = (x @ head).astype(jnp.float32)
        labels = jnp.broadcast_to(jnp.arange(tokens) % words, (batch, tokens))
        chosen = jnp.take_along_axis(logits, labels[..., None], -1)
        return (jax.nn.logsumexp(logits, -1, keepdims=True) - chosen).astype(x.dtype)

    return Made(run, ((width, words),), (batch, tokens, 1))


@operation
def top_k(draw: random.Random, shape: Shape) -> Made | None:
    width = shape[-1]
    if width < 2:
        return None
    k = draw.randint(1, min(width, 64))
    return Made(lambda x: jax.lax.top_k(x, k)[0], (), (*shape[:-1], k))


@operation
def segments(draw: random.Random, shape: Shape) -> Made:
    batch, tokens, width = shape
    into = near(draw, 1, 4096)

    def run(x: jax.Array) -> jax.Array:
        at = jnp.arange(batch * tokens) * 7919 % into
        return jax.ops.segment_sum(x.reshape(-1, width), at, into)[None]

    return Made(run, (), (1, into, width))


@operation
def transpose(draw: random.Random, shape: Shape) -> Made:
    batch, tokens, width = shape
    if draw.random() < 0.5:
        return Made(lambda x: jnp.swapaxes(x, 1, 2), (), (batch, width, tokens))
    return Made(lambda x: jnp.swapaxes(x, 0, 1), (), (tokens, batch, width))


@operation
def halves(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    if width < 2:
        return None
    run = lambda x: x[..., ::2][..., : width // 2] * x[..., 1::2]  # noqa: E731
    return Made(run, (), (batch, tokens, width // 2))


@operation
def doubled(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    if width > 16384:
        return None
    return Made(lambda x: jnp.concatenate([x, -x], -1), (), (batch, tokens, 2 * width))


@operation
def reshape(draw: random.Random, shape: Shape) -> Made:
    batch, tokens, width = shape
    parts = divisor(draw, width, 64)
    to = (batch, tokens * parts, width // parts)
    return Made(lambda x: x.reshape(to), (), to)


@operation
def recurrence(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    if tokens > 4096:
        return None

    def run(x: jax.Array, decay: jax.Array) -> jax.Array:
        def step(state: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
            state = state * jax.nn.sigmoid(decay) + row.astype(jnp.float32)
            return state, state.astype(x.dtype)

        start = jnp.zeros((batch, width), jnp.float32)
        return jnp.swapaxes(jax.lax.scan(step, start, jnp.swapaxes(x, 0, 1))[1], 0, 1)

    return Made(run, ((width,),), shape)


@operation
def experts(draw: random.Random, shape: Shape) -> Made | None:
    batch, tokens, width = shape
    count, inner = draw.choice((4, 8, 32)), near(draw, 64, 4096)
    if batch * tokens > 1 << 16:
        return None

    def run(x: jax.Array, gate: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
        rows = x.reshape(-1, width)
        expert = jnp.argmax((rows @ gate).astype(jnp.float32), -1)
        order = jnp.argsort(expert)
        sizes = jnp.bincount(expert, length=count).astype(jnp.int32)
        y = jax.lax.ragged_dot(rows[order], up, sizes)
        y = jax.lax.ragged_dot(jax.nn.silu(y), down, sizes)
        return jnp.zeros_like(rows).at[order].set(y).reshape(x.shape)

    parameters = ((width, count), (count, width, inner), (count, inner, width))
    return Made(run, parameters, shape)
