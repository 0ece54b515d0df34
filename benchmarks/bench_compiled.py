"""How good compiled code is: plain JAX programs in simulated time on trn3, each beside its bound,
the time that its arithmetic at the array's full rate, or its bytes through DMA and HBM, take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from measure import MACHINE
from trainyard import model

BF16 = np.dtype(ml_dtypes.bfloat16)
# Sizes (rows, depth, columns) of rows T3NCC in the fidelity tests' reference, and a cube.
PRODUCTS = ((4096, 4096, 4096), (4096, 1024, 4096), (4096, 4096, 1024), (256, 4096, 2304))


def bench(name: str, function: Callable[..., Any], *arguments: np.ndarray) -> dict[str, object]:
    """One program, by time alone: no value is computed."""
    compiled = model.compile(function, *arguments, machine=MACHINE)
    [report] = compiled.run(*arguments, timed=True, values=False).reports
    share = report["speed_of_light"]["share"]
    return {"name": f"compiled code, share of its bound: {name}", "value": share, "unit": ""}


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, BF16)


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    import jax

    return lambda g, *arguments: jax.vjp(function, *arguments)[1](g)


def attention_rows() -> list[dict[str, object]]:
    import jax
    import jax.numpy as jnp

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32)
        return jax.nn.softmax(scores * 0.088).astype(q.dtype) @ v

    def causal(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32)
        kept = jnp.where(jnp.tril(jnp.ones(scores.shape, bool)), scores * 0.088, -jnp.inf)
        return jax.nn.softmax(kept).astype(q.dtype) @ v

    return [
        bench(f"{name} of 4096 tokens", function, *[zeros(4096, 128)] * operands)
        for name, function, operands in (
            ("attention", attention, 3),
            ("causal attention", causal, 3),
            ("gradient of attention", gradient(attention), 4),
            ("gradient of causal attention", gradient(causal), 4),
        )
    ]


def rows_of_matrices() -> list[dict[str, object]]:
    """Softmax and norms of square matrices, then their gradients."""
    import jax
    import jax.numpy as jnp

    def rms_norm(x: Any, weight: Any) -> Any:
        return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * weight

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * weight + bias

    cases = [
        (name, function, vectors, dtype)
        for name, function, vectors in (
            ("softmax", jax.nn.softmax, 0),
            ("RMSNorm", rms_norm, 1),
            ("LayerNorm", layer_norm, 2),
        )
        for dtype in (np.dtype(np.float32), BF16)
    ]
    return [
        bench(
            f"{of}{name} of 4096 x 4096 in {dtype.name}",
            gradient(function) if of else function,
            *[np.zeros((4096, 4096), dtype)] * (2 if of else 1),
            *[np.ones(4096, dtype)] * vectors,
        )
        for of in ("", "gradient of ")
        for name, function, vectors, dtype in cases
    ]


def losses() -> list[dict[str, object]]:
    """Rows of a vocabulary, and what trains over them."""
    import jax
    import jax.numpy as jnp

    def cross_entropy(logits: Any, labels: Any) -> Any:
        likely = jax.nn.log_softmax(logits.astype(jnp.float32))
        return -jnp.take_along_axis(likely, labels[:, None], -1).mean()

    return [
        *(
            bench(
                f"{name} of 1024 x 32000 in float32", function, np.zeros((1024, 32000), np.float32)
            )
            for name, function in (
                ("softmax", jax.nn.softmax),
                ("logsumexp", lambda x: jax.nn.logsumexp(x, -1)),
            )
        ),
        *(
            bench(
                f"cross-entropy and its gradient, 2048 x 32000 in {dtype.name}",
                jax.value_and_grad(cross_entropy),
                np.zeros((2048, 32000), dtype),
                np.zeros(2048, np.int32),
            )
            for dtype in (np.dtype(np.float32), BF16)
        ),
    ]


def optimiser() -> dict[str, object]:
    import jax.numpy as jnp

    def adamw(weights: Any, gradient: Any, first: Any, second: Any, step: Any) -> Any:
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient * gradient
        slope = jnp.sqrt(second / (1 - 0.999**step)) + 1e-8
        moved = first / (1 - 0.9**step) / slope + 0.1 * weights
        return weights - 1e-3 * moved, first, second

    matrix = np.zeros((4096, 4096), np.float32)
    return bench("AdamW of 4096 x 4096 in float32", adamw, *[matrix] * 4, np.float32(1))


def rows() -> list[dict[str, object]]:
    """Products in BF16, and what is bound by memory in both formats."""
    import jax.numpy as jnp

    return [
        *(
            bench(f"BF16 {m} x {k} x {n}", jnp.matmul, zeros(m, k), zeros(k, n))
            for m, k, n in PRODUCTS
        ),
        *attention_rows(),
        *rows_of_matrices(),
        *losses(),
        optimiser(),
    ]
