"""A character-level GPT and its training step in plain JAX and optax.

Nothing here knows of Trainyard.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax


class Size(NamedTuple):
    """Shapes of the model and of a batch."""

    vocabulary: int
    context: int = 64
    batch: int = 8
    width: int = 96
    layers: int = 3
    heads: int = 3

    @property
    def tokens(self) -> int:
        """Of one step."""
        return self.batch * self.context


def weights(size: Size, seed: int = 0) -> dict:
    """Random float32 weights: normal with deviation 0.02, ones for norms."""
    random = np.random.default_rng(seed)

    def normal(*shape):
        return (0.02 * random.standard_normal(shape)).astype(np.float32)

    width, ones = size.width, np.ones(size.width, np.float32)
    layer = [
        {
            "norm1": ones,
            "qkv": normal(width, 3 * width),
            "out": normal(width, width),
            "norm2": ones,
            "up": normal(width, 4 * width),
            "down": normal(4 * width, width),
        }
        for _ in range(size.layers)
    ]
    return {
        "tokens": normal(size.vocabulary, width),
        "places": normal(size.context, width),
        "layers": layer,
        "norm": ones,
        "head": normal(width, size.vocabulary),
    }


def norm(x, weight):
    """RMS norm over the last dimension, computed in float32."""
    real = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.square(real).mean(-1, keepdims=True) + 1e-5)
    return (real * scale).astype(x.dtype) * weight


def attention(x, layer, heads):
    """Causal self-attention."""
    batch, length, width = x.shape
    parts = jnp.split(x @ layer["qkv"], 3, -1)
    q, k, v = (part.reshape(batch, length, heads, width // heads) for part in parts)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * (width // heads) ** -0.5
    causal = np.tril(np.ones((length, length), bool))
    shares = jax.nn.softmax(jnp.where(causal, scores, -1e9)).astype(x.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", shares, v).reshape(x.shape) @ layer["out"]


def logits(parameters, ids, heads):
    """float32 [batch, length, vocabulary]."""
    x = parameters["tokens"][ids] + parameters["places"]
    for number, layer in enumerate(parameters["layers"]):
        with jax.named_scope(f"layer_{number}"):
            x = x + attention(norm(x, layer["norm1"]), layer, heads)
            x = x + jax.nn.gelu(norm(x, layer["norm2"]) @ layer["up"]) @ layer["down"]
    return (norm(x, parameters["norm"]) @ parameters["head"]).astype(jnp.float32)


def loss(parameters, ids, wanted, heads):
    """Mean cross entropy of the next characters."""
    found = logits(parameters, ids, heads)
    return optax.softmax_cross_entropy_with_integer_labels(found, wanted).mean()


OPTIMISER = optax.adamw(optax.warmup_cosine_decay_schedule(0, 3e-3, 20, 400), b2=0.99)


def cast(tree, dtype):
    """Every array of a tree in that format."""
    return jax.tree.map(lambda leaf: leaf.astype(dtype), tree)


def start(size: Size, stored, seed: int = 0):
    """Weights, in the format that they are stored in, and the optimiser's float32 state."""
    first = weights(size, seed)
    return jax.tree.map(np.asarray, (cast(first, stored), OPTIMISER.init(first)))


def step(parameters, state, ids, wanted, heads, computed):
    """One AdamW step: new weights, new state, the loss. Products are computed in `computed`."""

    def objective(p):
        return loss(cast(p, computed), ids, wanted, heads)

    value, gradients = jax.value_and_grad(objective)(parameters)
    updates, state = OPTIMISER.update(
        cast(gradients, jnp.float32), state, cast(parameters, jnp.float32)
    )
    return optax.apply_updates(parameters, updates), state, value


def flops(size: Size) -> float:
    """Multiplications and additions of one step that the model asks for, forward and backward."""
    width = size.width
    matrices = size.layers * 12 * width * width + width * size.vocabulary
    scores = size.layers * 2 * size.context * width
    return 6.0 * (matrices + scores) * size.tokens
