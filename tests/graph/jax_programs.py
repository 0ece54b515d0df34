"""Small JAX programs that together use most of what artifacts hold, and their artifacts."""

from __future__ import annotations

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxlib.mlir.dialects import stablehlo

# Artifacts name the source files of a program; those that are kept must not depend on a checkout.
jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(?=tests/)")


def artifact_of(
    function: Callable, *arguments, version: str = "1.13.7", platform: str = "cpu", **options
) -> bytes:
    """The portable artifact that JAX would send for a call of `function`."""
    lowered = jax.jit(function, **options).trace(*arguments).lower(lowering_platforms=(platform,))
    module = lowered.compiler_ir("stablehlo")
    return stablehlo.serialize_portable_artifact(module, version, True)


def _loop(x, w):
    return lax.fori_loop(0, 3, lambda i, x: jax.nn.relu(x @ w), x).sum()


def _branches(i, x):
    return lax.switch(i, [jnp.sin, jnp.cos, lambda x: x * 2], x)


def _convolution(x, w):
    return lax.conv_general_dilated(x, w, (2, 1), "SAME", feature_group_count=2)


def _pooling(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def _normal(key):
    return jax.random.normal(jax.random.wrap_key_data(key), (3,))


def _ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


F32 = jnp.float32
PROGRAMS: dict[str, tuple[Callable, tuple]] = {
    "loop": (_loop, (_ones(4, 8), _ones(8, 8))),
    "branches": (_branches, (np.int32(1), _ones(3))),
    "convolution": (_convolution, (_ones(1, 4, 8, 8), _ones(6, 2, 3, 3))),
    "pooling_gradient": (
        jax.grad(lambda x: _pooling(x).sum()),
        (_ones(1, 4, 4, 1),),
    ),
    "normal": (_normal, (np.array([1, 2], np.uint32),)),
    "top_k": (lambda x: lax.top_k(x, 2), (_ones(4, 8),)),
    "gather": (lambda x, i: x[i], (_ones(5, 3), np.array([0, 2], np.int32))),
    "scatter": (lambda x, i: x.at[i].add(1), (_ones(5, 3), np.array([0, 2], np.int32))),
    "sort": (lambda x: lax.sort((x, x * 2), num_keys=1), (_ones(5, 3),)),
    "narrow": (
        lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.bfloat16),
        (np.ones(3, np.float16),),
    ),
    "constants": (
        lambda x: x + jnp.array([[True, False, True]]).astype(F32) * jnp.array([1.5, 2, 3]),
        (_ones(2, 3),),
    ),
    "cumulative": (functools.partial(jnp.cumsum, axis=1), (_ones(2, 7),)),
    "complex": (lambda x: jnp.fft.rfft(x), (_ones(2, 8),)),
    "softmax": (jax.nn.softmax, (np.ones((2, 8), jnp.bfloat16),)),
    "dynamic": (
        lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (1, 3)) + 1, (i, 0)),
        (_ones(5, 3), np.int32(2)),
    ),
    "integers": (lambda x: (x << 3) ^ lax.population_count(x), (np.arange(5, dtype=np.uint8),)),
}
