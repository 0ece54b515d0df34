"""`jax.lax.approx_max_k` and `approx_min_k`, which JAX hands to a custom call of XLA.

Here they are exact, as on the CPU: `recall_target` is the least share that a result may hold.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.interpreters import mlir


def register(platform: str) -> None:
    """Lowers the primitive on that platform, where this JAX has it."""
    try:
        from jax._src.lax.ann import approx_top_k_p as primitive
    except ImportError:
        return

    def exact(x: Array, *, is_max_k: bool, reduction_dimension: int, **settings: Any) -> Any:
        settings |= {"is_max_k": is_max_k, "reduction_dimension": reduction_dimension}
        wanted = jax.eval_shape(functools.partial(primitive.bind, **settings), x)
        rows = jnp.moveaxis(x if is_max_k else -x, reduction_dimension, -1)
        values, places = lax.top_k(rows, wanted[0].shape[reduction_dimension])
        values, places = (jnp.moveaxis(y, -1, reduction_dimension) for y in (values, places))
        return values if is_max_k else -values, places

    rule = mlir.lower_fun(exact, multiple_results=True)
    mlir.register_lowering(primitive, rule, platform=platform)
