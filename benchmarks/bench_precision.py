"""What number formats gain and cost on trn3: time beside BF16, and error beside float64.

Time is that of a product of 4096 cubed (without values), error the root mean square of differences
over that of the results, of a product of 512 cubed of normally distributed numbers. Stochastic
rounding: an update of weights, 256 steps that are each too small for BF16's next number. An
optimiser's step on weights in FP32: time and bytes with its state in other formats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import trainyard
from measure import MACHINE
from trainyard import model, mx, sparse

TIMED, LARGE, COMPUTED, BLOCK = 4096, 16384, 512, 32
STEPS = 256
# Options of model.compile for a product of float32 operands.
CASTS: dict[str, dict[str, str]] = {
    "FP32": {},
    "TF32": {"auto_cast": "matmult", "auto_cast_type": "tf32"},
    "FP16": {"auto_cast": "matmult", "auto_cast_type": "fp16"},
    "BF16": {"auto_cast": "matmult", "auto_cast_type": "bf16"},
    "FP8 E4M3": {"auto_cast": "matmult", "auto_cast_type": "fp8_e4m3"},
    "MXFP8, quantised on the machine": {"matmul_format": "mxfp8"},
}
# Elements of both operands in MX blocks, quantised before.
BLOCKS: dict[str, tuple[Any, Any]] = {
    "MXFP8": (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fn),
    "MXFP8 by MXFP4 weights": (ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn),
    "MXFP4": (ml_dtypes.float4_e2m1fn, ml_dtypes.float4_e2m1fn),
}


def normal(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((COMPUTED, COMPUTED), np.float32)


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    """Relative, of the root mean squares."""
    return float(np.linalg.norm(found.astype(np.float64) - wanted) / np.linalg.norm(wanted))


def in_blocks(value: np.ndarray, element: Any) -> tuple[np.ndarray, np.ndarray]:
    """Elements and scales along the last dimension, as OCP's MX specification quantises."""
    parts = value.reshape(*value.shape[:-1], -1, BLOCK)
    info = ml_dtypes.finfo(element)
    exponent_max = np.floor(np.log2(float(info.max)))
    largest = np.maximum(np.abs(parts).max(-1), np.float32(2.0**-100))
    scale = 2.0 ** (np.floor(np.log2(largest)) - exponent_max)
    most = float(info.max)
    elements = np.clip(parts / scale[..., None], -most, most).astype(element)
    return elements.reshape(value.shape), scale.astype(ml_dtypes.float8_e8m0fnu)


def row(name: str, what: str, value: float) -> dict[str, object]:
    return {"name": f"precision, {name}: {what}", "value": value, "unit": ""}


def products() -> list[dict[str, object]]:
    """Of float32 operands that are cast on the machine, and of operands in MX blocks."""
    import jax
    import jax.numpy as jnp

    a, b = normal(1), normal(2)
    wanted = a.astype(np.float64) @ b.astype(np.float64)

    def seconds(function: Callable[..., Any], *shapes: Any, **options: str) -> float:
        return model.compile(function, *shapes, machine=MACHINE, **options).time().seconds

    large = jax.ShapeDtypeStruct((TIMED, TIMED), jnp.float32)
    unit = seconds(jnp.matmul, large, large, **CASTS["BF16"])
    rows = []
    for name, options in CASTS.items():
        made = model.compile(jnp.matmul, a, b, machine=MACHINE, **options)(a, b)
        rows += [
            row(name, "time beside BF16", seconds(jnp.matmul, large, large, **options) / unit),
            row(name, "relative error", error(made, wanted)),
        ]

    def scaled(x: Any, y: Any, of_x: Any, of_y: Any) -> Any:
        return jax.lax.scaled_dot(
            x, y, lhs_scale=of_x, rhs_scale=of_y, preferred_element_type=jnp.float32
        )

    for name, (left, right) in BLOCKS.items():
        (x, of_x), (y, of_y) = in_blocks(a, left), in_blocks(b.T, right)
        given = x, np.ascontiguousarray(y.T), of_x, np.ascontiguousarray(of_y.T)
        shapes = [
            jax.ShapeDtypeStruct(tuple(TIMED // COMPUTED * size for size in each.shape), each.dtype)
            for each in given
        ]
        made = model.compile(scaled, *given, machine=MACHINE)(*given)
        rows += [
            row(name, "time beside BF16", seconds(scaled, *shapes) / unit),
            row(name, "relative error", error(made, wanted)),
        ]
    return rows


def pruned() -> list[dict[str, object]]:
    """BF16 by weights of which M of every N were kept: the error beside the product of all of them,
    which were normally distributed, so that pruning without training costs the most."""
    import jax
    import jax.numpy as jnp

    a, b = normal(1).astype(ml_dtypes.bfloat16), normal(2).astype(ml_dtypes.bfloat16)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    dense = jax.ShapeDtypeStruct((TIMED, TIMED), jnp.bfloat16)
    unit = model.compile(jnp.matmul, dense, dense, machine=MACHINE).time().seconds
    rows = []
    for pattern in ((4, 16), (2, 4)):
        multiply = partial(sparse.matmul, pattern=pattern)
        elements, tags = sparse.compress(sparse.prune(b, pattern), pattern)
        made = model.compile(multiply, a, elements, tags, machine=MACHINE)(a, elements, tags)
        kept = TIMED * pattern[0] // pattern[1]
        shapes = (
            dense,
            jax.ShapeDtypeStruct((kept, TIMED), jnp.bfloat16),
            jax.ShapeDtypeStruct((kept, TIMED // 4), jnp.uint16),
        )
        seconds = model.compile(multiply, *shapes, machine=MACHINE).time().seconds
        name = f"BF16 by {pattern[0]}:{pattern[1]} sparse weights"
        rows += [
            row(name, "time beside BF16", seconds / unit),
            row(name, "relative error", error(made, wanted)),
        ]
    return rows


def decoded() -> list[dict[str, object]]:
    """One row by a matrix as of Llama 3 8B's MLP, which is bound by the bytes of the weights."""
    import jax
    import jax.numpy as jnp

    depth, columns = 4096, 14336
    x = jax.ShapeDtypeStruct((1, depth), jnp.bfloat16)
    dense = jax.ShapeDtypeStruct((depth, columns), jnp.bfloat16)
    unit = model.compile(jnp.matmul, x, dense, machine=MACHINE).time().seconds
    a, b = normal(1).astype(ml_dtypes.bfloat16), normal(2)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    rows = []
    for name in mx.FORMATS:
        words, scales = mx.quantize(b, name)
        made = model.compile(mx.matmul, a, words, scales, machine=MACHINE)(a, words, scales)
        shapes = (
            jax.ShapeDtypeStruct((depth // 4, columns), words.dtype),
            jax.ShapeDtypeStruct((depth // BLOCK, columns), jnp.uint8),
        )
        seconds = model.compile(mx.matmul, x, *shapes, machine=MACHINE).time().seconds
        title = f"{name.upper()} weights of a decode step"
        rows += [
            row(title, "time beside BF16", seconds / unit),
            row(title, "relative error", error(made, wanted)),
        ]
    return rows


def large() -> list[dict[str, object]]:
    """Of bfloat16 operands in HBM, quantised beside the product: the size of the one public profile
    of an MX kernel on trn3, which has 84 % on two cores."""
    import jax
    import jax.numpy as jnp

    operand = jax.ShapeDtypeStruct((LARGE, LARGE), jnp.bfloat16)
    figures = {f["key"]: f["value"] for f in trainyard.load_machine(MACHINE).provenance()}
    peak = float(figures["headline.core_mx"]) * 1e12
    rows = []
    for cores in (1, 2):
        compiled = model.compile(
            jnp.matmul, operand, operand, machine=MACHINE, cores=cores, matmul_format="mxfp8"
        )
        share = 2 * LARGE**3 / compiled.time().seconds / peak / cores
        rows.append(row(f"MXFP8, {LARGE} cubed, cores: {cores}", "share of peak", share))
    return rows


def updates() -> list[dict[str, object]]:
    """Weights in FP32, in BF16, and in BF16 rounded stochastically."""
    import jax
    import jax.numpy as jnp

    def update(weights: Any, gradient: Any) -> Any:
        return weights - (1e-4 * gradient).astype(weights.dtype)

    plain = trainyard.load_machine(MACHINE)
    stochastic = plain.with_overrides(["policy.cast_rounding=stochastic"])
    start = 1 + np.abs(normal(3)[:128]) / 8
    gradient = np.ones_like(start)
    wanted = start.astype(np.float64) - STEPS * 1e-4
    found = {}
    for name, machine, dtype in (
        ("FP32 weights", plain, np.dtype(np.float32)),
        ("BF16 weights", plain, np.dtype(ml_dtypes.bfloat16)),
        ("BF16 weights, stochastic rounding", stochastic, np.dtype(ml_dtypes.bfloat16)),
    ):
        weights, pulls = start.astype(dtype), gradient.astype(dtype)
        compiled = model.compile(update, weights, pulls, machine=machine)
        for step in range(STEPS):
            weights = compiled.run(weights, pulls, seed=step).results
        moved = weights.astype(np.float64).mean() - start.astype(dtype).astype(np.float64).mean()
        shapes = [jax.ShapeDtypeStruct((TIMED, TIMED), jnp.dtype(dtype))] * 2
        seconds = model.compile(update, *shapes, machine=machine).time().seconds
        found[name] = seconds, moved / (wanted.mean() - start.astype(np.float64).mean())
    unit = found["FP32 weights"][0]
    return [
        each
        for name, (seconds, moved) in found.items()
        for each in (
            row(name, f"time of an update beside FP32 weights, {TIMED} squared", seconds / unit),
            row(name, f"share of {STEPS} small updates that remains", moved),
        )
    ]


def optimisers() -> list[dict[str, object]]:
    """The step of an optimiser alone, on float32 weights and a float32 gradient that lie in HBM."""
    import jax
    import jax.numpy as jnp
    import optax

    weights = jax.ShapeDtypeStruct((TIMED, TIMED), jnp.float32)

    def cost(optimiser: Any, state_format: str) -> tuple[float, int]:
        def step(p: Any, state: Any, pull: Any) -> Any:
            gradient = jax.grad(lambda p: (p * pull).sum())(p)
            updates, state = optimiser.update(gradient, state, p)
            return optax.apply_updates(p, updates), state

        state = jax.eval_shape(optimiser.init, weights)
        formats = {"optimizer_state": state_format}
        compiled = model.compile(step, weights, state, weights, machine=MACHINE, precision=formats)
        run = compiled.time()
        moved = [
            each["bytes"]["read"] + each["bytes"]["written"]
            for report in run.reports
            for each in report["traffic"]
            if each["memory"] == "hbm"
        ]
        return run.seconds, sum(moved)

    rows = []
    for name, optimiser in (
        ("AdamW", optax.adamw(1e-3)),
        ("SGD with momentum", optax.sgd(1e-3, momentum=0.9)),
    ):
        unit, whole = cost(optimiser, "as-typed")
        for words, state_format in (("BF16", "bf16"), ("FP8 E5M2", "fp8_e5m2")):
            seconds, moved = cost(optimiser, state_format)
            title = f"{name}, state in {words}"
            rows += [
                row(title, "time beside FP32 state", seconds / unit),
                row(title, "HBM bytes beside FP32 state", moved / whole),
            ]
    return rows


def rows() -> list[dict[str, object]]:
    """Products, by pruned weights, of decode steps, large ones; then updates and optimisers."""
    return [*products(), *pruned(), *decoded(), *large(), *updates(), *optimisers()]


if __name__ == "__main__":
    for each in rows():
        print(f"{each['name']:90} {each['value']:12.4g}")
