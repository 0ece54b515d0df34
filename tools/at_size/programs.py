"""A random program by its number: operations one after the other, forward or as a gradient."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax._src.core import jaxprs_in_params

from at_size.operations import OPERATIONS, Made, Shape, near

ELEMENTS_MAX = 1 << 30  # of an activation


@dataclass(frozen=True)
class Program:
    """A function of arguments of these shapes."""

    words: str
    function: Callable[..., Any]
    arguments: tuple[jax.ShapeDtypeStruct, ...]


def first_shape(draw: random.Random) -> Shape:
    while True:
        shape = (near(draw, 1, 512), near(draw, 1, 131072), near(draw, 8, 16384))
        if shape[0] * shape[1] * shape[2] <= 1 << 28:
            return shape


def chain(draw: random.Random, shape: Shape, count: int) -> list[tuple[str, Made]]:
    """Operations that follow each other, with their names."""
    made: list[tuple[str, Made]] = []
    while len(made) < count:
        name = draw.choice(list(OPERATIONS))
        one = OPERATIONS[name](draw, shape)
        if one is None:
            continue
        elements = [one.shape[0] * one.shape[1] * one.shape[2]]
        if max(elements) > ELEMENTS_MAX or min(one.shape) < 1:
            continue
        made.append((name, one))
        shape = one.shape
    return made


def program(seed: int, number: int) -> Program:
    """Always the same for the same two numbers."""
    draw = random.Random(f"{seed}:{number}")
    shape = first_shape(draw)
    made = chain(draw, shape, draw.choice((1, 1, 2, 3, 4)))
    dtype = draw.choice((jnp.bfloat16, jnp.bfloat16, jnp.float32))
    of = [one for _, one in made]

    def forward(x: jax.Array, *parameters: jax.Array) -> jax.Array:
        at = 0
        for one in of:
            x = one.run(x, *parameters[at : at + len(one.parameters)])
            at += len(one.parameters)
        return x

    def loss(*arguments: jax.Array) -> jax.Array:
        return jnp.mean(jnp.square(forward(*arguments).astype(jnp.float32)))

    shapes = [shape, *(each for one in of for each in one.parameters)]
    arguments = tuple(jax.ShapeDtypeStruct(each, dtype) for each in shapes)
    kinds: dict[str, Callable[..., Any]] = {"forward": forward}
    kinds["gradient"] = jax.grad(loss, tuple(range(len(shapes))))
    kinds["checkpoint"] = jax.grad(jax.checkpoint(loss), tuple(range(len(shapes))))
    kind = draw.choice(("forward", "gradient", "gradient", "checkpoint"))
    function = kinds[kind]
    if of[-1].shape == shape and draw.random() < 0.3:  # layers by scan
        layers = draw.choice((2, 4, 16))
        function, arguments = scanned(forward, kind, layers, arguments)
        kind += f", {layers} layers by scan"
    words = f"{kind}: {' '.join(name for name, _ in made)} {dtype.__name__}{list(shape)}"
    return Program(words, function, arguments)


def scanned(
    forward: Callable[..., jax.Array],
    kind: str,
    layers: int,
    arguments: tuple[jax.ShapeDtypeStruct, ...],
) -> tuple[Callable[..., Any], tuple[jax.ShapeDtypeStruct, ...]]:
    """As many layers with parameters of their own, in one loop."""
    body = jax.checkpoint(forward) if kind == "checkpoint" else forward

    def all_layers(x: jax.Array, *stacked: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda y, p: (body(y, *p).astype(y.dtype), None), x, stacked,
                            length=layers)[0]  # fmt: skip

    def loss(*given: jax.Array) -> jax.Array:
        return jnp.mean(jnp.square(all_layers(*given).astype(jnp.float32)))

    x, *rest = arguments
    stacked = tuple(jax.ShapeDtypeStruct((layers, *each.shape), each.dtype) for each in rest)
    function = all_layers if kind == "forward" else jax.grad(loss, tuple(range(1 + len(rest))))
    return function, (x, *stacked)


def live_bytes(found: Program) -> int:
    """What the values of a program take at most at one time, in the order of its equations."""
    jaxpr = jax.make_jaxpr(found.function)(*found.arguments).jaxpr
    return peak_of(jaxpr)


def named(*lists: Any) -> list[Any]:
    """The variables among them, not literals."""
    return [each for some in lists for each in some if not hasattr(each, "val")]


def bytes_of(variable: Any) -> int:
    aval = variable.aval
    return aval.size * aval.dtype.itemsize if hasattr(aval, "size") else 0


def peak_of(jaxpr: Any) -> int:
    """Arguments and results of the whole program live throughout; loops, their bodies' peak."""
    last: dict[Any, int] = {}
    for i, equation in enumerate(jaxpr.eqns):
        for variable in named(equation.invars):
            last[variable] = i
    kept = {*jaxpr.invars, *jaxpr.constvars}
    kept |= set(named(jaxpr.outvars))
    fixed = sum(map(bytes_of, kept))
    live = peak = 0
    for i, equation in enumerate(jaxpr.eqns):
        made = [v for v in equation.outvars if v not in kept]
        live += sum(map(bytes_of, made))
        inner = [peak_of(body) - sum(map(bytes_of, set(named(body.invars, body.outvars))))
                 for body in jaxprs_in_params(equation.params)]  # fmt: skip
        peak = max(peak, live + max(0, *inner, 0))
        ended = set(named(equation.invars, made)) - kept
        live -= sum(bytes_of(v) for v in ended if last.get(v, i) == i)
    return fixed + peak
