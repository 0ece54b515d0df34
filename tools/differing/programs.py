"""A random program by its number: arguments, lines of Python, what it returns, and how it runs."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from differing import contractions, control, elementwise, indexing, movement, rows  # noqa: F401
from differing.drawing import ELEMENTS_MAX, OPERATIONS, DoesNotFit, Draw, Value, dtype_of, elements

KINDS = ("forward", "gradient", "vmap")
HEADER = """import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
"""
SUM = '''
def weighted(values):
    """A number whose gradient reaches every element."""
    total = 0.0
    for v in values:
        if jnp.issubdtype(v.dtype, jnp.floating):
            weights = (np.arange(v.size) % 7 - 3).astype(np.float32) / 2
            total += jnp.sum(v.astype(jnp.float32) * weights.reshape(v.shape))
    return total
'''


@dataclass(frozen=True)
class Line:
    name: str
    text: str
    operation: str = ""


@dataclass(frozen=True)
class Program:
    """kind: forward, gradient (by the real arguments of a sum of the results) or vmap (over a new
    first dimension of every argument)."""

    names: tuple[str, ...]
    arguments: tuple[np.ndarray, ...]
    lines: tuple[Line, ...]
    results: tuple[str, ...]
    kind: str = "forward"

    @property
    def operations(self) -> str:
        return f"{self.kind}: " + " ".join(line.operation for line in self.lines)

    def source(self) -> str:
        """Of a module with the function `program` of the arguments."""
        body = [f"    {line.name} = {line.text}" for line in self.lines]
        names = ", ".join(self.names)
        of = "forward" if self.kind != "forward" else "program"
        text = f"\n\ndef {of}({names}):\n" + "\n".join(body)
        text += f"\n    return [{', '.join(self.results)}]\n"
        if self.kind == "vmap":
            text += "\n\nprogram = jax.vmap(forward)\n"
        if self.kind == "gradient":
            real = [
                i for i, a in enumerate(self.arguments) if jnp.issubdtype(a.dtype, jnp.floating)
            ]
            text = "\n" + SUM + text
            text += f"\n\nprogram = jax.grad(lambda *a: weighted(forward(*a)), {tuple(real)})\n"
        if "clipped_gradient(" in text or "own_tangent(" in text:
            text = "\n" + control.preamble() + text
        return HEADER + text

    def function(self) -> Callable[..., Any]:
        found: dict[str, Any] = {}
        exec(compile(self.source(), "<program>", "exec"), found)
        return found["program"]

    def pruned(self) -> Program:
        """Without lines and arguments that no result needs."""
        needed, lines = set(self.results), []
        for line in reversed(self.lines):
            if line.name in needed:
                lines.append(line)
                needed |= set(names_in(line.text))
        kept = [i for i, name in enumerate(self.names) if name in needed]
        return replace(
            self,
            names=tuple(self.names[i] for i in kept),
            arguments=tuple(self.arguments[i] for i in kept),
            lines=tuple(reversed(lines)),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "arguments": [
                (name, a.dtype.name, a.shape, base64.b64encode(a.tobytes()).decode())
                for name, a in zip(self.names, self.arguments, strict=True)
            ],
            "lines": [(line.name, line.text, line.operation) for line in self.lines],
            "results": self.results,
            "kind": self.kind,
        }


def from_json(found: dict[str, Any]) -> Program:
    arrays = [
        np.frombuffer(base64.b64decode(data), dtype_of(dtype)).reshape(shape).copy()
        for _, dtype, shape, data in found["arguments"]
    ]
    return Program(
        tuple(each[0] for each in found["arguments"]),
        tuple(arrays),
        tuple(Line(*line) for line in found["lines"]),
        tuple(found["results"]),
        found["kind"],
    )


def names_in(text: str) -> list[str]:
    return re.findall(r"\b[av]\d+\b", text)


def shape_of(draw: Draw, text: str) -> Value:
    """What an expression gives, by an abstract evaluation."""
    scope: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": lax, "np": np}
    exec(control.preamble(), scope)
    used = [v for v in draw.values if v.name in set(names_in(text))]
    names = ", ".join(v.name for v in used)
    function = eval(f"lambda {names}: {text}", scope)
    shapes = [jax.ShapeDtypeStruct(v.shape, dtype_of(v.dtype)) for v in used]
    found = jax.eval_shape(function, *shapes)
    return Value(f"v{len(draw.values)}", found.shape, found.dtype.name)


def add_line(draw: Draw, lines: list[Line]) -> None:
    """One more operation that fits."""
    names = list(OPERATIONS)
    weights = [OPERATIONS[name][1] for name in names]
    for _ in range(50):
        values, arguments = list(draw.values), list(draw.arguments)
        name = draw.random.choices(names, weights)[0]
        try:
            text = OPERATIONS[name][0](draw)
            made = shape_of(draw, text)
            fits = made.size <= ELEMENTS_MAX and made.rank <= 6
        except DoesNotFit:
            fits = False
        except Exception:  # what JAX itself refuses, as a type that an operation lacks
            fits = False
        if fits:
            made = replace(made, name=f"v{len(lines)}")
            draw.values.append(made)
            lines.append(Line(made.name, text, name))
            return
        draw.values, draw.arguments = values, arguments


def program(seed: int, number: int) -> Program:
    """Always the same for the same two numbers."""
    source = random.Random(f"{seed}:{number}")
    draw = Draw(source, is_special=source.random() < 0.35)
    lines: list[Line] = []
    for _ in range(draw.choice((1, 1, 2, 3, 4, 5, 7, 9, 12))):
        add_line(draw, lines)
    used = {name for line in lines for name in names_in(line.text)}
    ends = [line.name for line in lines if line.name not in used]
    inner = [line.name for line in lines if line.name in used and draw.chance(0.25)]
    arrays = tuple(elements(a) for a in draw.arguments)
    kind = draw.random.choices(KINDS, (6, 3, 1))[0]
    names = tuple(a.value.name for a in draw.arguments)
    found = Program(names, arrays, tuple(lines), tuple(inner + ends)).pruned()
    return of_kind(found, kind)


def of_kind(found: Program, kind: str) -> Program:
    """As that, where JAX can; else as it is."""
    arrays = found.arguments
    if kind == "vmap":
        arrays = tuple(np.stack([a, np.flip(a), a]) for a in arrays)
    other = replace(found, kind=kind, arguments=arrays)
    if kind == "forward" or not arrays or sum(a.size for a in arrays) > ELEMENTS_MAX:
        return found
    try:
        results = jax.tree.leaves(jax.eval_shape(other.function(), *arrays))
    except Exception:  # not differentiable, or without a rule for vmap
        return found
    return other if results else found


def script(found: Program, mode: str, finding: str) -> str:
    """A program to run, that prints what differs."""
    text = "\n".join(f"# {line}" for line in finding.splitlines()) + "\n" + found.source() + "\n\n"
    for name, array in zip(found.names, found.arguments, strict=True):
        text += f"{name} = {literal(array)}\n"
    call = f"({', '.join(found.names)})"
    text += f'options = {{"mode": "{mode}"}}\n'
    text += 'with jax.default_device(jax.devices("neuron")[0]):\n'
    text += f"    print(jax.jit(program, compiler_options=options){call})\n"
    text += 'with jax.default_device(jax.devices("cpu")[0]):\n'
    return text + f"    print(jax.jit(program){call})\n"


def literal(array: np.ndarray) -> str:
    """Text of an array, of one number where all are equal."""
    dtype = array.dtype.name
    dtype = f"ml_dtypes.{dtype}" if not hasattr(np, dtype) else f"np.{dtype}"
    dtype = "bool" if array.dtype == bool else dtype
    flat = array.reshape(-1)
    if flat.size > 1 and (flat == flat[0]).all():
        return f"np.full({array.shape}, {_number(flat[0])}, {dtype})"
    numbers = ", ".join(_number(each) for each in flat)
    shape = "" if array.ndim == 1 else f".reshape({array.shape})"
    return f"np.array([{numbers}], {dtype}){shape}"


def _number(number: Any) -> str:
    if isinstance(number, (np.bool_, np.integer)):
        return str(number.item())
    number = float(number)
    return repr(number) if np.isfinite(number) else f'float("{number}")'
