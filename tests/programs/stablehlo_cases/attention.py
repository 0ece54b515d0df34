"""Attention as models write it: masks, grouped heads, few queries, gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import add, draw, real, scalar, ties, whole

LOOSE = 2e-4


def attention(q, k, v, mask=None, scale=0.25, fill=-1e30):
    """q [.., queries, d], k and v [.., keys, d]."""
    scores = jnp.einsum("...qd,...kd->...qk", q, k) * scale
    if mask is not None:
        scores = jnp.where(mask, scores, fill)
    return jnp.einsum("...qk,...kd->...qd", jax.nn.softmax(scores), v)


def causal(q, k, offset=0):
    return lax.iota(jnp.int32, q)[:, None] + offset >= lax.iota(jnp.int32, k)[None]


def qkv(*batch, queries=20, keys=20, depth=16, element="f32"):
    make = real if element == "f32" else lambda *s, seed: draw(element, *s, seed=seed)
    return (
        make(*batch, queries, depth, seed=1),
        make(*batch, keys, depth, seed=2),
        make(*batch, keys, depth, seed=3),
    )


add("attention_plain", attention, *qkv(2, 3), tolerance=LOOSE)
add("attention_no_batch", attention, *qkv(queries=33, keys=40), tolerance=LOOSE)
add("attention_keys_130", attention, *qkv(2, queries=9, keys=130), tolerance=LOOSE)
add("attention_queries_140", attention, *qkv(1, queries=140, keys=33), tolerance=LOOSE)
add("attention_long", attention, *qkv(1, queries=260, keys=600, depth=8), tolerance=LOOSE)
add("attention_depth_128", attention, *qkv(1, queries=20, keys=20, depth=128), tolerance=LOOSE)
add(
    "attention_large_scores",
    lambda q, k, v: attention(q * 30, k, v, scale=1.0),
    *qkv(1),
    tolerance=2e-3,
)
add(
    "attention_causal",
    lambda q, k, v: attention(q, k, v, causal(20, 20)),
    *qkv(2, 2),
    tolerance=LOOSE,
)
add(
    "attention_causal_200",
    lambda q, k, v: attention(q, k, v, causal(200, 200)),
    *qkv(1, queries=200, keys=200),
    tolerance=LOOSE,
)
add(
    "attention_causal_infinite",
    lambda q, k, v: attention(q, k, v, causal(20, 20), fill=-jnp.inf),
    *qkv(2),
    tolerance=LOOSE,
)
add(
    "attention_causal_offset",
    lambda q, k, v: attention(q, k, v, causal(20, 30, 10)),
    *qkv(2, keys=30),
    tolerance=LOOSE,
)
add(
    "attention_window",
    lambda q, k, v: attention(q, k, v, causal(40, 40) & ~causal(40, 40, -8)),
    *qkv(2, queries=40, keys=40),
    tolerance=LOOSE,
)
add(
    "attention_mask",
    lambda q, k, v, m: attention(q, k, v, m > 1),
    *qkv(2),
    ties(2, 20, 20),
    tolerance=LOOSE,
)
add(
    "attention_key_mask",
    lambda q, k, v, m: attention(q, k, v, (m > 1)[:, None]),
    *qkv(2),
    ties(2, 20),
    tolerance=LOOSE,
)
add(
    "attention_added_mask",
    lambda q, k, v, m: jnp.einsum(
        "bqk,bkd->bqd", jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k) / 4 + m), v
    ),
    *qkv(2),
    real(2, 20, 20, seed=9),
    tolerance=LOOSE,
)
add(
    "attention_bias_of_heads",
    lambda q, k, v, m: jnp.einsum(
        "bhqk,bhkd->bhqd", jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) / 4 + m[None]), v
    ),
    *qkv(2, 3),
    real(3, 20, 20, seed=9),
    tolerance=LOOSE,
)
add(
    "attention_soft_cap",
    lambda q, k, v: jnp.einsum(
        "bqk,bkd->bqd", jax.nn.softmax(jnp.tanh(jnp.einsum("bqd,bkd->bqk", q, k) / 8) * 8), v
    ),
    *qkv(2),
    tolerance=LOOSE,
)
add(
    "attention_divided",
    lambda q, k, v: jnp.einsum(
        "bqk,bkd->bqd", jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(16.0)), v
    ),
    *qkv(2),
    tolerance=LOOSE,
)
add(
    "attention_scaled_before",
    lambda q, k, v: attention(q * 0.25, k, v, scale=1.0),
    *qkv(2),
    tolerance=LOOSE,
)
add(
    "attention_normalised_behind",
    lambda q, k, v: (lambda p: jnp.einsum("bqk,bkd->bqd", p, v) / p.sum(-1, keepdims=True))(
        jnp.exp(jnp.einsum("bqd,bkd->bqk", q, k) * 0.25)
    ),
    *qkv(2),
    tolerance=LOOSE,
)
add(
    "attention_bf16",
    lambda q, k, v: attention(q, k, v).astype(jnp.float32),
    *qkv(2, 2, element="bf16"),
    tolerance=3e-2,
)
add(
    "attention_bf16_f32_softmax",
    lambda q, k, v: jnp.einsum(
        "bqk,bkd->bqd",
        jax.nn.softmax(
            jnp.einsum("bqd,bkd->bqk", q, k, preferred_element_type=jnp.float32) * 0.25
        ).astype(jnp.bfloat16),
        v,
    ),
    *qkv(2, element="bf16"),
    tolerance=3e-2,
)
add(
    "attention_heads_last",
    lambda q, k, v: jnp.einsum(
        "bhqk,bkhd->bqhd", jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.25), v
    ),
    *(real(2, 20, 3, 16, seed=s) for s in (1, 2, 3)),
    tolerance=LOOSE,
)
add(
    "attention_grouped",
    lambda q, k, v: jnp.einsum(
        "bgrqk,bgkd->bgrqd", jax.nn.softmax(jnp.einsum("bgrqd,bgkd->bgrqk", q, k) * 0.25), v
    ),
    real(1, 2, 3, 20, 16),
    real(1, 2, 24, 16, seed=2),
    real(1, 2, 24, 16, seed=3),
    tolerance=LOOSE,
)
add(
    "attention_repeated_heads",
    lambda q, k, v: attention(q, jnp.repeat(k, 3, 1), jnp.repeat(v, 3, 1), causal(20, 20)),
    real(1, 6, 20, 16),
    real(1, 2, 20, 16, seed=2),
    real(1, 2, 20, 16, seed=3),
    tolerance=LOOSE,
)


def heads_last_repeated(q, k, v):
    """Heads behind queries, keys repeated for groups of heads, a batch that matmul leaves out."""
    k, v = (jnp.repeat(x, q.shape[2] // x.shape[2], axis=2) for x in (k, v))
    q, k, v = (jnp.swapaxes(x, 1, 2) for x in (q, k, v))
    p = jax.nn.softmax(jnp.matmul(q, jnp.swapaxes(k, 2, 3)) * 0.25)
    return jnp.swapaxes(jnp.matmul(p, v), 1, 2)


def one_batch(q, k, v):
    """Batches and heads as one batch, as torch.bmm wants them."""
    b, t, n, d = q.shape
    q, k, v = (jnp.swapaxes(x, 1, 2).reshape(b * n, t, d) for x in (q, k, v))
    p = jax.nn.softmax(lax.batch_matmul(q, jnp.swapaxes(k, 1, 2)) * 0.25)
    return jnp.swapaxes(lax.batch_matmul(p, v).reshape(b, n, t, d), 1, 2)


def gradients(function):
    return jax.grad(lambda q, k, v: jnp.sum(jnp.sin(function(q, k, v))), argnums=(0, 1, 2))


GROUPED = (real(1, 20, 6, 16), real(1, 20, 2, 16, seed=2), real(1, 20, 2, 16, seed=3))
ALIKE = tuple(real(2, 20, 3, 16, seed=s) for s in (1, 2, 3))
add("attention_left_out_batch", heads_last_repeated, *GROUPED, tolerance=LOOSE)
add("attention_left_out_gradient", gradients(heads_last_repeated), *GROUPED, tolerance=LOOSE)
add("attention_one_batch", one_batch, *ALIKE, tolerance=LOOSE)
add("attention_one_batch_gradient", gradients(one_batch), *ALIKE, tolerance=LOOSE)
add(
    "attention_jax",
    lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True),
    *(real(1, 30, 2, 16, seed=s) for s in (1, 2, 3)),
    tolerance=LOOSE,
)
add(
    "attention_jax_grouped",
    jax.nn.dot_product_attention,
    real(1, 30, 4, 16),
    real(1, 30, 2, 16, seed=2),
    real(1, 30, 2, 16, seed=3),
    tolerance=LOOSE,
)
add("attention_one_query", attention, *qkv(2, 4, queries=1, keys=50), tolerance=LOOSE)
add(
    "attention_decode",
    lambda q, k, v, n: attention(q, k, v, lax.iota(jnp.int32, 60)[None, None, None] <= n),
    *qkv(2, 2, queries=1, keys=60),
    scalar("i32", 37),
    tolerance=LOOSE,
)
add(
    "attention_decode_grouped",
    lambda q, k, v, n: jnp.einsum(
        "bgrk,bkgd->bgrd",
        jax.nn.softmax(
            jnp.where(
                lax.iota(jnp.int32, 130) <= n, jnp.einsum("bgrd,bkgd->bgrk", q, k) * 0.25, -1e30
            )
        ),
        v,
    ),
    real(1, 2, 4, 16),
    real(1, 130, 2, 16, seed=2),
    real(1, 130, 2, 16, seed=3),
    scalar("i32", 99),
    tolerance=LOOSE,
)
add(
    "attention_rope",
    lambda q, k, v, c, s: attention(_turn(q, c, s), _turn(k, c, s), v, causal(20, 20)),
    *qkv(2),
    real(20, 8, seed=4),
    real(20, 8, seed=5),
    tolerance=LOOSE,
)
add(
    "attention_gradient",
    jax.grad(lambda q, k, v: jnp.sum(jnp.sin(attention(q, k, v))), (0, 1, 2)),
    *qkv(2),
    tolerance=1e-3,
)
add(
    "attention_causal_gradient",
    jax.grad(lambda q, k, v: jnp.sum(jnp.sin(attention(q, k, v, causal(40, 40)))), (0, 1, 2)),
    *qkv(1, 2, queries=40, keys=40),
    tolerance=1e-3,
)
add(
    "attention_gradient_long",
    jax.grad(lambda q, k, v: jnp.sum(jnp.square(attention(q, k, v, causal(150, 150)))), (0, 1, 2)),
    *qkv(1, queries=150, keys=150),
    tolerance=1e-3,
)
add(
    "attention_two_cores",
    lambda q, k, v: attention(q, k, v, causal(130, 130)),
    *qkv(1, 4, queries=130, keys=130),
    cores=2,
    tolerance=LOOSE,
)
add(
    "attention_layer",
    lambda x, a, b, c, o: (
        x
        + attention(_heads(x @ a), _heads(x @ b), _heads(x @ c), causal(24, 24))
        .transpose(1, 0, 2)
        .reshape(24, 32)
        @ o
    ),
    real(24, 32),
    *(real(32, 32, seed=s) for s in (2, 3, 4, 5)),
    tolerance=5e-4,
)


def _heads(x):
    return x.reshape(24, 2, 16).transpose(1, 0, 2)


def _turn(x, c, s):
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


# --- Sizes at which engines work on several batches, rows or blocks at a time ---


def scores_of(q, k):
    return jnp.einsum("...qd,...kd->...qk", q, k, preferred_element_type=jnp.float32) * 0.125


def narrow(limit=lambda scores: scores):
    """In bfloat16 but for the softmax."""

    def function(q, k, v, *rest):
        return jax.nn.softmax(limit(scores_of(q, k), *rest)).astype(q.dtype) @ v

    return function


def by_place(keep, fill=-1e30):
    def limit(scores):
        rows = lax.iota(jnp.int32, scores.shape[-2])[:, None]
        return jnp.where(keep(rows, lax.iota(jnp.int32, scores.shape[-1])[None]), scores, fill)

    return limit


def added_by_place(bias):
    def limit(scores):
        rows = lax.iota(jnp.int32, scores.shape[-2])[:, None]
        return scores + bias(rows, lax.iota(jnp.int32, scores.shape[-1])[None])

    return limit


FEW = qkv(6, 2, queries=3, keys=256, depth=64, element="bf16")
BLOCKS = qkv(2, queries=130, keys=300, depth=64, element="bf16")
LIMITS = {
    "whole": lambda s: s,
    "below": by_place(lambda r, c: r > c),
    "from": by_place(lambda r, c: c >= r),
    "before": by_place(lambda r, c: c < r + 90, -jnp.inf),
    "band": by_place(lambda r, c: (r >= c) & (r < c + 90)),
    "diagonal": by_place(lambda r, c: r == c),
    "causal_added": added_by_place(lambda r, c: jnp.where(r >= c, 0.0, -1e30)),
    "not_causal_added": added_by_place(lambda r, c: jnp.where(r < c, -jnp.inf, 0.0)),
    "distance_added": added_by_place(lambda r, c: (c - r).astype(jnp.float32) * 0.01),
    "capped": lambda s: 30 * jnp.tanh(s / 30),
    "capped_causal": lambda s: by_place(lambda r, c: r >= c)(30 * jnp.tanh(s / 30)),
}
for name, limit in LIMITS.items():
    add(f"attention_blocks_{name}", narrow(limit), *BLOCKS, tolerance=6e-2)
for name, rest, limit in [
    (
        "flags",
        whole("i8", 2, 1, 300, seed=4, first=0, count=2),
        lambda s, m: jnp.where(m > 0, s, -1e30),
    ),
    (
        "flags_by_row",
        whole("i8", 130, 300, seed=4, first=0, count=2),
        lambda s, m: jnp.where(m > 0, s, -1e30),
    ),
    ("bias", draw("bf16", 2, 130, 300, seed=4), lambda s, b: s + b.astype(jnp.float32)),
    ("bias_of_keys", real(300, seed=4), lambda s, b: s + b),
    ("bias_before_scale", real(130, 300, seed=4), lambda s, b: (s + b) * 2),
]:
    add(f"attention_blocks_{name}", narrow(limit), *BLOCKS, rest, tolerance=2e-2)
add("attention_few_queries", narrow(), *FEW, tolerance=2e-2)
add(
    "attention_few_queries_of_flags",
    narrow(lambda s, m: jnp.where(m[:, None, None] > 0, s, -1e30)),
    *FEW,
    whole("i8", 6, 256, seed=4, first=0, count=2),
    tolerance=2e-2,
)
add(
    "attention_few_queries_causal",
    narrow(by_place(lambda r, c: c <= r + 200)),
    *FEW,
    tolerance=2e-2,
)
add(
    "attention_few_queries_of_many_batches",
    narrow(),
    *qkv(40, queries=1, keys=128, depth=32, element="bf16"),
    tolerance=2e-2,
)


def of_heads(q, k, v):
    """[batch, tokens, heads, depth], as layers have them."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 5.0
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(*q.shape[:2], -1)


add(
    "attention_projected_heads",
    lambda x, q, k, v, o: of_heads(*((x @ w).reshape(2, 140, 4, 32) for w in (q, k, v))) @ o + x,
    real(2, 140, 128),
    *[draw("f32", 128, 128, seed=i, step=1 / 1024) for i in range(2, 6)],
    tolerance=2e-3,
)
add(
    "attention_projected_heads_gradient",
    lambda x, q, k, v: jax.grad(
        lambda x: of_heads(*((x @ w).reshape(1, 140, 2, 64) for w in (q, k, v))).sum()
    )(x),
    real(1, 140, 128),
    *[draw("f32", 128, 128, seed=i, step=1 / 1024) for i in range(2, 5)],
    tolerance=5e-3,
)
add(
    "attention_divided_behind",
    lambda q, k, v: (
        lambda p: ((p.astype(q.dtype) @ v).astype(jnp.float32) / p.sum(-1, keepdims=True)).astype(
            q.dtype
        )
    )(jnp.exp(scores_of(q, k) - scores_of(q, k).max(-1, keepdims=True))),
    *BLOCKS,
    tolerance=2e-2,
)
