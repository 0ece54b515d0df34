"""A JAX script that knows nothing of Trainyard."""

import sys

import jax
import jax.numpy as jnp


@jax.jit
def layer(x, w):
    with jax.named_scope("dense"):
        h = x @ w
    return jax.nn.softmax(h)


@jax.jit
def repeat(x):
    return jax.lax.fori_loop(0, 3, lambda i, y: y * 2 + 1, x)


print("arguments:", sys.argv[1:])
x, w = jnp.ones((128, 64)), jnp.ones((64, 32))
for _ in range(3):
    y = layer(x, w)
print(f"sum: {float(y.sum()):.3f}, {repeat(jnp.ones(4))}")
