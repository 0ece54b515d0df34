"""What a program of tests/programs/stablehlo is made from."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import jax
import stablehlo_file

TOLERANCES = {"f32": 2e-5, "bf16": 2e-2, "f16": 3e-3, "f64": 1e-12, "f8": 0.13}


@dataclass
class Input:
    """An argument: its element type, its shape and the line that says what it holds."""

    element: str
    shape: tuple[int, ...]
    line: str


def draw(element: str, *shape: int, seed: int = 1, first=-1.0, step=1 / 128, count=257) -> Input:
    """Pseudo-random numbers first + step * k, 0 <= k < count, which the type must hold."""
    return Input(element, shape, f"draw {seed} {first:g} {step:.17g} {count}")


def real(*shape: int, seed: int = 1) -> Input:
    """float32 in [-1, 1] with 21 bits."""
    return draw("f32", *shape, seed=seed, step=2.0**-20, count=2**21 + 1)


def positive(*shape: int, seed: int = 1) -> Input:
    """float32 in [1/4, 9/4)."""
    return draw("f32", *shape, seed=seed, first=0.25, step=2.0**-20, count=2**21)


def ties(*shape: int, seed: int = 1, element: str = "f32") -> Input:
    """Whole numbers of 0 to 6, so that many are equal."""
    return draw(element, *shape, seed=seed, first=0, step=1, count=7)


def whole(element: str, *shape: int, seed: int = 1, first: int = -20, count: int = 41) -> Input:
    return draw(element, *shape, seed=seed, first=first, step=1, count=count)


def given(element: str, *values, shape: tuple[int, ...] | None = None) -> Input:
    return Input(element, shape or (len(values),), " ".join(str(v) for v in values))


def scalar(element: str, value) -> Input:
    return Input(element, (), str(value))


@dataclass
class Case:
    name: str
    function: Callable | str  # of JAX, or the module as text
    inputs: list[Input]
    tolerance: float | None = None  # by the type of the first input that is no integer
    oracle: str = "xla"
    keys: dict[str, str] = field(default_factory=dict)

    def module(self) -> str:
        if isinstance(self.function, str):
            return self.function.strip("\n") + "\n"
        arguments = [
            jax.ShapeDtypeStruct(i.shape, stablehlo_file.DTYPES[i.element]) for i in self.inputs
        ]
        text = jax.jit(self.function, keep_unused=True).lower(*arguments).as_text()
        text = re.sub(r"^module @\S+ attributes \{.*?\} \{\n", "module {\n", text)
        return re.sub(r' \{jax\.result_info = "[^"]*"\}', "", text)

    def file(self) -> stablehlo_file.ProgramFile:
        tolerance = self.tolerance
        if tolerance is None:
            found = [
                t for i in self.inputs for e, t in TOLERANCES.items() if i.element.startswith(e)
            ]
            tolerance = max(found, default=0)
        return stablehlo_file.ProgramFile(
            self.module(),
            [i.line for i in self.inputs],
            tolerance,
            self.oracle,
            [],
            dict(self.keys),
        )


CASES: list[Case] = []
EXACT = 0.0

# What the compiler leaves to GpSimd's routines, on purpose (docs/jax.md).
ROUTINES = {
    "control_map": "map",
    "control_normal": "composite",
    **{
        f"elementwise_bits_{t}{n}": "count_leading_zeros popcnt"
        for t in ("i", "ui")
        for n in (8, 16, 32)
    },
    **{
        f"elementwise_{name}": name
        for name in ("atan2", "cbrt", "reduce_precision", "remainder", "tan")
    },
    "elementwise_round_away": "round_nearest_afz",
    **{
        f"elementwise_{name}": "composite"
        for name in ("digamma", "erf_inv", "gelu_exact_gradient", "lgamma", "next_after")
    },
    "images_pool_few_channels_gradient": "select_and_scatter",
    "indexing_broadcast_op": "broadcast",
    "indexing_min_max_rows": "scatter",
    "indexing_multiply_rows": "scatter",
    "indexing_scatter_window": "scatter",
    "products_dot": "dot",
    "products_einsum": "einsum",
    "products_i32": "dot_general",
    **{
        f"rows_batch_norm_{kind}": f"batch_norm_{kind}"
        for kind in ("grad", "inference", "training")
    },
    "rows_top_k_words": "composite",
}


def add(name: str, function: Callable | str, *inputs: Input, **how) -> None:
    """`how`: fields of Case; only=True: the evaluator alone; flags, cores: as in files."""
    keys = {"routines": ROUTINES[name]} if name in ROUTINES else {}
    if how.pop("only", False):
        keys["only"] = "evaluated"
    for key in ("routines", "flags", "cores"):
        if key in how:
            keys[key] = str(how.pop(key))
    CASES.append(Case(name, function, list(inputs), keys=keys, **how))
