"""Products with weights of structured sparsity, from JAX.

The tensor engine of NeuronCore-v3 and v4 holds a matrix of which at most M of every N elements
along the contraction are not zero, and multiplies with it N/M times as fast as with a dense one.
`prune` and `compress` prepare the weights once, on the host; `matmul` multiplies with them inside
`jax.jit`:

    elements, tags = sparse.compress(sparse.prune(weights, (4, 16)), (4, 16))
    y = sparse.matmul(x, elements, tags, (4, 16))

On other platforms, and on machines without the instruction, `matmul` expands the weights.
"""

from __future__ import annotations

from typing import Any

from trainyard.experimental import PATTERNS, compress, expand, prune

__all__ = ["PATTERNS", "compress", "expand", "matmul", "prune"]


def matmul(x: Any, elements: Any, tags: Any, pattern: tuple[int, int] = (4, 16)) -> Any:
    """x @ w, of the compressed w: [..., K] by [K, columns], summed in float32, in x's dtype.

    elements: [K * M/N, columns] and tags: [K * M/N, columns / 4] of uint16, as `compress` gives
    them for the pattern (M, N). x and elements are both bfloat16 or both float16. Raises ValueError
    for a pattern that the hardware does not have, and for shapes and types that do not fit.
    """
    import jax
    import jax.numpy as jnp

    pattern = (pattern[0], pattern[1])
    _check(jnp.asarray(x), jnp.asarray(elements), jnp.asarray(tags), pattern)

    def expanded(x: Any, elements: Any, tags: Any) -> Any:
        kept, of = pattern
        rows, columns = elements.shape
        nibbles = (tags[:, :, None].astype(jnp.int32) >> 4 * jnp.arange(4)) & 15
        places = nibbles.reshape(rows // kept, kept, columns)
        grouped = elements.reshape(rows // kept, kept, columns)
        stands = places[:, :, None, :] == jnp.arange(of)[:, None]
        dense = jnp.where(stands, grouped[:, :, None, :], 0).sum(1).astype(elements.dtype)
        sums = jnp.matmul(x, dense.reshape(-1, columns), preferred_element_type=jnp.float32)
        return sums.astype(x.dtype)

    name = f"trainyard.sparse_product_{pattern[0]}_{pattern[1]}"
    return jax.lax.composite(expanded, name)(x, elements, tags)


def _check(x: Any, elements: Any, tags: Any, pattern: tuple[int, int]) -> None:
    if pattern not in PATTERNS:
        known = ", ".join(f"{m}:{n}" for m, n in PATTERNS)
        raise ValueError(f"{pattern[0]}:{pattern[1]} is no pattern of the hardware: {known}")
    kept, of = pattern
    if x.dtype.name not in ("bfloat16", "float16") or elements.dtype != x.dtype:
        raise ValueError(
            "x and elements are both bfloat16 or both float16, "
            f"not {x.dtype.name} and {elements.dtype.name}"
        )
    depth, shape = x.shape[-1], elements.shape
    if len(shape) != 2 or depth % of != 0 or shape[0] * of != depth * kept or shape[1] % 4 != 0:
        raise ValueError(
            f"elements are [K * {kept}/{of}, columns], with K = {depth} in whole groups of {of} "
            f"and columns in fours, not {shape}"
        )
    if tags.dtype.name != "uint16" or tags.shape != (shape[0], shape[1] // 4):
        raise ValueError(
            f"tags are uint16 [{shape[0]}, {shape[1] // 4}], not {tags.dtype.name} {tags.shape}"
        )
