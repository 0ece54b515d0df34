"""Products of matrices: layouts, batches, formats, what is fused behind them, grouped ones."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, given, real, scalar, whole

for m, k, n in [
    (1, 5, 3),
    (7, 130, 40),
    (128, 128, 128),
    (200, 64, 40),
    (40, 300, 530),
    (513, 20, 9),
    (1, 256, 300),
    (130, 1, 2),
    (4, 4, 1),
]:
    add(f"products_{m}x{k}x{n}", lambda x, y: x @ y, real(m, k), real(k, n, seed=2))
for name, spec, left, right in [
    ("left_turned", "km,kn->mn", (70, 40), (70, 50)),
    ("right_turned", "mk,nk->mn", (40, 70), (50, 70)),
    ("both_turned", "km,nk->mn", (140, 33), (21, 140)),
    ("result_turned", "mk,kn->nm", (40, 70), (70, 150)),
    ("batch", "bmk,bkn->bmn", (3, 20, 34), (3, 34, 15)),
    ("batch_right_turned", "bmk,bnk->bmn", (4, 20, 34), (4, 25, 34)),
    ("two_batches", "abmk,abkn->abmn", (2, 3, 9, 10), (2, 3, 10, 11)),
    ("batch_inside", "mbk,kbn->bmn", (9, 4, 10), (10, 4, 11)),
    ("two_depths", "mab,abn->mn", (20, 6, 7), (6, 7, 30)),
    ("depths_in_any_order", "mpwqk,pqkn->mwn", (3, 2, 9, 2, 40), (2, 2, 40, 30)),
    ("outer", "m,n->mn", (40,), (50,)),
    ("vector", "mk,k->m", (150, 60), (60,)),
    ("inner", "k,k->", (300,), (300,)),
    ("batch_of_vectors", "bk,bk->b", (37, 45), (37, 45)),
    ("heads", "bqhd,bkhd->bhqk", (2, 9, 3, 8), (2, 11, 3, 8)),
]:
    add(
        f"products_{name}",
        lambda x, y, s=spec: jnp.einsum(s, x, y),
        real(*left),
        real(*right, seed=2),
    )
for element in ("bf16", "f16"):
    add(
        f"products_{element}",
        lambda x, y: x @ y,
        draw(element, 50, 130),
        draw(element, 130, 60, seed=2),
    )
    add(
        f"products_{element}_to_f32",
        lambda x, y: lax.dot(x, y, preferred_element_type=jnp.float32),
        draw(element, 50, 130),
        draw(element, 130, 60, seed=2),
        tolerance=1e-5,
    )
for element in ("f8E4M3FN", "f8E5M2"):
    add(
        f"products_{element}",
        lambda x, y: lax.dot(x, y, preferred_element_type=jnp.float32),
        draw(element, 20, 64, step=1 / 4, count=9),
        draw(element, 64, 30, seed=2, step=1 / 4, count=9),
        tolerance=1e-5,
    )
add(
    "products_i8",
    lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32),
    whole("i8", 30, 150, first=-128, count=256),
    whole("i8", 150, 20, seed=2, first=-128, count=256),
)
add("products_i32", lambda x, y: x @ y, whole("i32", 9, 20), whole("i32", 20, 11, seed=2))
add(
    "products_ui8",
    lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32),
    whole("ui8", 12, 40, first=0, count=256),
    whole("ui8", 40, 10, seed=2, first=0, count=256),
)
add(
    "products_narrowed",
    lambda x, y: x.astype(jnp.float32) @ y.astype(jnp.float32),
    draw("bf16", 40, 130),
    draw("bf16", 130, 50, seed=2),
    tolerance=1e-5,
)
add(
    "products_widened_weights",
    lambda x, w: x @ w.astype(jnp.float32),
    real(20, 64),
    draw("bf16", 64, 48, seed=2),
)
add(
    "products_bias", lambda x, w, b: x @ w + b, real(70, 64), real(64, 50, seed=2), real(50, seed=3)
)
add(
    "products_bias_of_rows",
    lambda x, w, b: x @ w + b[:, None],
    real(70, 64),
    real(64, 50, seed=2),
    real(70, seed=3),
)
add(
    "products_relu",
    lambda x, w, b: jax.nn.relu(x @ w + b),
    real(140, 40),
    real(40, 90, seed=2),
    real(90, seed=3),
)
add("products_residual", lambda x, w: x + jnp.tanh(x @ w) * 0.5, real(40, 60), real(60, 60, seed=2))
add("products_scaled", lambda x, w: (x @ w) * 0.125 - 1, real(40, 60), real(60, 33, seed=2))
add(
    "products_two",
    lambda x, v, w: jax.nn.silu(x @ v) @ w,
    real(40, 30),
    real(30, 150, seed=2),
    real(150, 20, seed=3),
    tolerance=1e-4,
)
add(
    "products_gated",
    lambda x, g, u, d: (jax.nn.silu(x @ g) * (x @ u)) @ d,
    real(33, 40),
    real(40, 130, seed=2),
    real(40, 130, seed=3),
    real(130, 40, seed=4),
    tolerance=1e-4,
)
add(
    "products_shared_operand",
    lambda x, a, b: (x @ a, x @ b),
    real(40, 60),
    real(60, 20, seed=2),
    real(60, 30, seed=3),
)
add(
    "products_of_sum",
    lambda x, y, w: (x + y) @ w,
    real(40, 60),
    real(40, 60, seed=2),
    real(60, 20, seed=3),
)
add("products_of_itself", lambda x: x @ x.T, real(140, 30))
add(
    "products_weight_gradient",
    jax.grad(lambda w, x: jnp.square(x @ w).sum()),
    real(30, 20),
    real(50, 30, seed=2),
    tolerance=1e-4,
)
add(
    "products_input_gradient",
    jax.grad(lambda x, w: jnp.square(x @ w).sum()),
    real(50, 30),
    real(30, 20, seed=2),
    tolerance=1e-4,
)
add(
    "products_then_sum",
    lambda x, w: (x @ w).sum(1),
    real(40, 60),
    real(60, 33, seed=2),
    tolerance=1e-4,
)
add("products_argmax", lambda x, w: jnp.argmax(x @ w, -1), real(40, 60), real(60, 33, seed=2))
add(
    "products_chain_of_three",
    lambda a, b, c: a @ b @ c,
    real(20, 30),
    real(30, 140, seed=2),
    real(140, 10, seed=3),
    tolerance=1e-4,
)
add("products_of_slice", lambda x, w: x[3:40, 8:] @ w[::2], real(50, 40), real(64, 20, seed=2))
add("products_turned_reader", lambda x, w: (x @ w).T * 2, real(50, 40), real(40, 70, seed=2))
add(
    "products_one_hot",
    lambda i, w: jax.nn.one_hot(i, 20) @ w,
    given("i32", 3, 0, 19, 7, 7),
    real(20, 40, seed=2),
    tolerance=EXACT,
)
add(
    "products_picked_expert",
    lambda i, x, w: jnp.einsum("tk,tkn->tn", x, w[i]),
    given("i32", 2, 0, 1, 1),
    real(4, 30),
    real(3, 30, 20, seed=2),
)
add(
    "products_expert_of_scalar",
    lambda i, x, w: x @ w[i],
    scalar("i32", 2),
    real(9, 30),
    real(3, 30, 20, seed=2),
)
add(
    "products_ragged",
    lambda x, w, n: lax.ragged_dot(x, w, n),
    real(24, 16),
    real(3, 16, 10, seed=2),
    given("i32", 5, 12, 7),
)
add(
    "products_ragged_empty_group",
    lambda x, w, n: lax.ragged_dot(x, w, n),
    real(20, 8),
    real(4, 8, 6, seed=2),
    given("i32", 5, 0, 9, 6),
)
add(
    "products_loss",
    lambda x, w, y: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ w), y[:, None], 1)),
    real(20, 30),
    real(30, 40, seed=2),
    whole("i32", 20, first=0, count=40),
)
add(
    "products_loss_one_hot",
    lambda x, w, y: -jnp.sum(jax.nn.log_softmax(x @ w) * jax.nn.one_hot(y, 40)),
    real(20, 30),
    real(30, 40, seed=2),
    whole("i32", 20, first=0, count=40),
)
add(
    "products_loss_gradient",
    jax.grad(
        lambda w, x, y: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ w), y[:, None], 1))
    ),
    real(30, 40),
    real(20, 30, seed=2),
    whole("i32", 20, first=0, count=40),
    tolerance=1e-4,
)
add(
    "products_auto_cast",
    lambda x, y: x @ y,
    draw("f32", 40, 60),
    draw("f32", 60, 50, seed=2),
    tolerance=1e-5,
    flags="--auto-cast=matmult",
)
add(
    "products_highest",
    lambda x, y: lax.dot(x, y, precision="highest"),
    real(40, 60),
    real(60, 50, seed=2),
)
add(
    "products_two_cores",
    lambda x, y: jnp.tanh(x @ y),
    real(256, 128),
    real(128, 256, seed=2),
    cores=2,
)
add(
    "products_mlp_two_cores",
    lambda x, v, w: jax.nn.relu(x @ v) @ w,
    real(256, 64),
    real(64, 256, seed=2),
    real(256, 64, seed=3),
    cores=2,
    tolerance=1e-4,
)
add(
    "products_swiglu_layer",
    lambda x, s, g, u, d: x + (jax.nn.silu(_norm(x, s) @ g) * (_norm(x, s) @ u)) @ d,
    real(130, 64),
    real(64, seed=5),
    real(64, 96, seed=2),
    real(64, 96, seed=3),
    real(96, 64, seed=4),
    tolerance=2e-4,
)
add(
    "products_complex",
    lambda x, y: x @ y,
    draw("complex<f32>", 4, 5),
    draw("complex<f32>", 5, 3, seed=2),
    tolerance=1e-5,
    only=True,
)
add(
    "products_f64",
    """
func.func @main(%x: tensor<4x5xf64>, %y: tensor<5x3xf64>) -> tensor<4x3xf64> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x5xf64>, tensor<5x3xf64>) -> tensor<4x3xf64>
  return %z : tensor<4x3xf64>
}""",
    draw("f64", 4, 5),
    draw("f64", 5, 3, seed=2),
    only=True,
)
add(
    "products_dot",
    """
func.func @main(%x: tensor<40x50xf32>, %y: tensor<50x30xf32>) -> tensor<40x30xf32> {
  %z = stablehlo.dot %x, %y : (tensor<40x50xf32>, tensor<50x30xf32>) -> tensor<40x30xf32>
  return %z : tensor<40x30xf32>
}""",
    real(40, 50),
    real(50, 30, seed=2),
)
add(
    "products_einsum",
    """
func.func @main(%x: tensor<4x5x6xf32>, %y: tensor<4x6x7xf32>) -> tensor<4x5x7xf32> {
  %z = stablehlo.einsum %x, %y, config = "bij,bjk->bik" : (tensor<4x5x6xf32>, tensor<4x6x7xf32>) -> tensor<4x5x7xf32>
  return %z : tensor<4x5x7xf32>
}""",
    real(4, 5, 6),
    real(4, 6, 7, seed=2),
)


def _norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale


add(
    "products_picked_expert_clipped",
    lambda i, x, w: jnp.einsum("tk,tkn->tn", x, jnp.take(w, i, 0, mode="clip")),
    given("i32", 2, 0, 1, 1, 3, 2),
    real(6, 64),
    real(4, 64, 48, seed=2),
)
add(
    "products_ragged_large",
    lambda x, w, n: lax.ragged_dot(x, w, n),
    real(160, 32),
    real(4, 32, 24, seed=2),
    given("i32", 50, 0, 75, 35),
)
add(
    "products_routed",
    lambda x, g, w: _routed(x, g, w),
    real(300, 16),
    real(16, 4, seed=2),
    real(4, 16, 16, seed=3),
    tolerance=2e-4,
)
add(
    "products_repeated_weight",
    lambda x, w: lax.batch_matmul(x, jnp.broadcast_to(w, (3, 16, 24))),
    real(3, 20, 16),
    real(16, 24, seed=2),
)
add(
    "products_summed_batches",
    lambda x, y: jnp.sum(jnp.einsum("bgij,bgkj->bgik", x, y), 1),
    real(2, 3, 20, 16),
    real(2, 3, 24, 16, seed=2),
    tolerance=2e-4,
)
add(
    "products_inner_batches",
    lambda x, y: jnp.einsum("bth,bth->bt", x, y),
    real(2, 40, 33),
    real(2, 40, 33, seed=2),
)
add(
    "products_taps",
    lambda x, w: jnp.einsum("btkc,kc->btc", x, w),
    real(2, 9, 4, 70),
    real(4, 70, seed=2),
)
add(
    "products_outer_batches",
    lambda x, w: jnp.einsum("btc,kc->btkc", x, w),
    real(2, 9, 70),
    real(4, 70, seed=2),
)
add(
    "products_one_hot_large_loss",
    lambda x, w, y: -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w) * jax.nn.one_hot(y, 200), 1)),
    real(40, 30),
    real(30, 200, seed=2),
    whole("i32", 40, first=0, count=200),
)


def _shared_in_chunks(x, b, c):
    """Keys and queries that all heads share, in chunks: of state-space models."""
    heads = (1, 16, x.shape[2], b.shape[1])
    b, c = (
        jnp.broadcast_to(each[None, :, None], heads).reshape(2, 8, *heads[2:]) for each in (b, c)
    )
    scores = jnp.einsum("nqhd,nkhd->nhqk", c, b)
    return jnp.einsum("nhqk,nkhv->nqhv", scores, x.reshape(2, 8, *x.shape[2:]))


add(
    "products_shared_in_chunks",
    _shared_in_chunks,
    real(1, 16, 4, 12),
    real(16, 20, seed=2),
    real(16, 20, seed=3),
    tolerance=1e-4,
)


def _routed(x, g, w):
    values, experts = lax.top_k(jax.nn.softmax(x @ g), 2)
    order = jnp.argsort(experts.reshape(-1))
    counts = jnp.bincount(experts.reshape(-1), length=4)
    y = lax.ragged_dot(x[order // 2], w, counts) * values.reshape(-1)[order][:, None]
    return jnp.zeros_like(x).at[order // 2].add(y)


# --- What a product takes at sizes that need several blocks ---

for m, k, n in [(9, 4100, 140), (700, 130, 130), (3, 520, 1030), (260, 16, 1100)]:
    add(
        f"products_{m}x{k}x{n}",
        jnp.matmul,
        draw("bf16", m, k),
        draw("bf16", k, n, seed=2),
        tolerance=2e-2,
    )
add(
    "products_gelu_layer_gradient",
    lambda x, w, u: jax.grad(lambda *a: (jax.nn.gelu(a[0] @ a[1]) @ a[2]).sum(), (0, 1, 2))(
        x, w, u
    ),
    real(130, 64),
    real(64, 96, seed=2),
    real(96, 64, seed=3),
    tolerance=2e-4,
)
add(
    "products_exact_gelu_gradient",
    lambda x, w: jax.grad(lambda x: jax.nn.gelu(x @ w, approximate=False).sum())(x),
    draw("bf16", 70, 64),
    draw("bf16", 64, 96, seed=2),
    routines="composite",
    tolerance=4e-2,
)
add(
    "products_slices_of_sum",
    lambda x, w: (lambda y: (y[:, :64] * 2, y[:, 64:128].T @ y[:, 128:]))(
        jnp.tanh(x @ w + 1) * 0.5
    ),
    real(140, 64),
    real(64, 192, seed=2),
    tolerance=2e-4,
)


def mixture(route, experts):
    """Each token by its best two of the experts."""

    def layer(x, router, w, u):
        weights, chosen = lax.top_k(jax.nn.softmax(x @ router), 2)
        hidden = jax.nn.silu(jnp.einsum("td,edf->tef", x, w))
        outputs = jnp.einsum("tef,efd->ted", hidden, u)
        shares = (jax.nn.one_hot(chosen, experts) * weights[..., None]).sum(1)
        return jnp.einsum("ted,te->td", outputs, shares)

    def by_rows(x, router, w, u):
        weights, chosen = lax.top_k(jax.nn.softmax(x @ router), 2)
        order = jnp.argsort(chosen.reshape(-1))
        sizes = jnp.bincount(chosen.reshape(-1), length=experts).astype(jnp.int32)
        hidden = jax.nn.silu(lax.ragged_dot(jnp.repeat(x, 2, 0)[order], w, sizes))
        rows = lax.ragged_dot(hidden, u, sizes) * weights.reshape(-1)[order][:, None]
        return jnp.zeros_like(x).at[order // 2].add(rows)

    return by_rows if route == "rows" else layer


MIXTURE = (real(256, 64), real(64, 8, seed=2), real(8, 64, 96, seed=3), real(8, 96, 64, seed=4))
for route in ("all", "rows"):
    add(f"products_mixture_{route}", mixture(route, 8), *MIXTURE, tolerance=2e-3)
add(
    "products_mixture_gradient",
    lambda *a: jax.grad(lambda *a: mixture("rows", 8)(*a).sum(), (0, 2))(*a),
    *MIXTURE,
    tolerance=5e-3,
)
add(
    "products_rotations",
    lambda x, y: jnp.einsum("bij,kbj->bki", x, y),
    real(2500, 3, 3),
    real(2, 2500, 3, seed=2),
    tolerance=1e-5,
)
