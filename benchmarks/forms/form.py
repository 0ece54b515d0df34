"""What a class of forms is: its arguments, what it computes at least, and the forms themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

Shape = jax.ShapeDtypeStruct
Function = Callable[..., Any]


def bf16(*shape: int) -> Shape:
    return Shape(shape, jnp.bfloat16)


def f32(*shape: int) -> Shape:
    return Shape(shape, jnp.float32)


def i32(*shape: int) -> Shape:
    return Shape(shape, jnp.int32)


@dataclass
class FormClass:
    """Formulations of one function.

    `arguments(batch)`: their shapes. `operations(batch)`: what the array does at least, of one run
    forward; a gradient is three times that. `differentiated`: how many of the first arguments have
    gradients; none for 0. `draw`: arguments of small numbers to compare values with.
    """

    name: str
    arguments: Callable[[int], Sequence[Shape]]
    operations: Callable[[int], float]
    forms: dict[str, Function]
    differentiated: int = 0
    batches: tuple[int, ...] = (1, 2)
    integers_below: int = 2
    small: Callable[[], Sequence[Shape]] | None = None

    def gradient(self, function: Function) -> Function:
        """The gradients of the first arguments, of a gradient of the result behind them all."""

        def pulled_back(*arguments: Any) -> Any:
            given, fixed = arguments[: self.differentiated], arguments[self.differentiated : -1]
            _, pull = jax.vjp(lambda *some: function(*some, *fixed), *given)
            return pull(arguments[-1])

        return pulled_back

    def arguments_of(self, function: Function, shapes: Sequence[Shape], gradient: bool) -> list:
        """Those shapes, and behind them the result's for its gradient."""
        return [*shapes, jax.eval_shape(function, *shapes)] if gradient else list(shapes)
