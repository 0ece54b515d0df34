"""Where elements lie and come from: slices, pads, transposes, reshapes, gathers, scatters."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, given, real, scalar, ties, whole

MOVES = {
    "transpose": (lambda x: x.T, real(40, 150)),
    "transpose_of_three": (lambda x: x.transpose(2, 0, 1), real(5, 30, 20)),
    "transpose_inside": (lambda x: x.transpose(0, 2, 1), real(3, 33, 40)),
    "transpose_outside": (lambda x: x.transpose(1, 0, 2), real(9, 14, 20)),
    "transpose_of_four": (lambda x: x.transpose(3, 1, 0, 2), real(3, 4, 5, 6)),
    "transpose_bf16": (lambda x: x.T, draw("bf16", 130, 70)),
    "transpose_bytes": (lambda x: x.T, whole("i8", 33, 70)),
    "transpose_words": (lambda x: x.T, whole("ui32", 33, 70, first=0, count=2**32)),
    "reshape": (lambda x: x.reshape(20, 45), real(30, 30)),
    "reshape_to_row": (lambda x: x.reshape(-1), real(9, 5, 7)),
    "reshape_of_transposed": (lambda x: x.T.reshape(30, 28), real(40, 21)),
    "heads": (lambda x: x.reshape(30, 4, 8).transpose(1, 0, 2), real(30, 32)),
    "slice": (lambda x: x[3:37, 5:90], real(50, 100)),
    "slice_strided": (lambda x: x[1:40:3, ::2], real(50, 33)),
    "slice_of_many": (lambda x: x[130:200], real(210, 9)),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (3, 0)), constant_values=1.5), real(30, 20)),
    "pad_inside": (lambda x: lax.pad(x, -1.0, [(1, 0, 2), (0, 2, 1)]), real(9, 10)),
    "pad_negative": (lambda x: lax.pad(x, 2.0, [(-2, 3, 0), (1, -4, 0)]), real(12, 20)),
    "pad_words": (lambda x: lax.pad(x, jnp.int32(-7), [(2, 1, 0), (1, 1, 1)]), whole("i32", 9, 10)),
    "concatenate_rows": (lambda x: jnp.concatenate([x, x[:3] * 2, x[5:]], 0), real(150, 9)),
    "concatenate_columns": (lambda x: jnp.concatenate([x[:, 4:], x, x[:, :1]], 1), real(20, 9)),
    "stack": (lambda x: jnp.stack([x, -x], 1), real(20, 9)),
    "broadcast": (lambda x: jnp.broadcast_to(x[None, :, None], (3, 20, 7)), real(20)),
    "repeat": (lambda x: jnp.repeat(x, 3, 1), real(9, 10)),
    "tile": (lambda x: jnp.tile(x, (2, 3)), real(9, 10)),
    "roll": (lambda x: jnp.roll(x, (2, -3), (0, 1)), real(20, 30)),
    "flip": (lambda x: x[:, ::-1, :], real(4, 20, 5)),
    "triangle": (lambda x: jnp.tril(x, 2) - jnp.triu(x, -1), real(33, 33)),
    "diagonal": (lambda x: jnp.diagonal(x, 1), real(20, 20)),
    "swap_halves": (lambda x: jnp.concatenate([-x[..., 8:], x[..., :8]], -1), real(30, 16)),
    "interleave": (lambda x: jnp.stack([x[:, ::2], x[:, 1::2]], 2).reshape(20, 30), real(20, 30)),
}
for name, (function, x) in MOVES.items():
    add(f"indexing_{name}", function, x, tolerance=EXACT)
add(
    "indexing_broadcast_op",
    """
func.func @main(%x: tensor<3x4xf32>) -> tensor<2x5x3x4xf32> {
  %y = stablehlo.broadcast %x, sizes = [2, 5] : (tensor<3x4xf32>) -> tensor<2x5x3x4xf32>
  return %y : tensor<2x5x3x4xf32>
}""",
    real(3, 4),
    tolerance=EXACT,
)
# A part without elements beside one that passes through SBUF.
add(
    "indexing_concatenate_nothing",
    lambda x: jnp.concatenate([x[:, :1] * 2, x[:, :0]], 1),
    real(256, 2, 72),
    tolerance=EXACT,
)
# Ten parts, of which one is of a value in SBUF: tiles have no room for a whole row of the result.
add(
    "indexing_concatenate_many",
    """
func.func @main(%x: tensor<10x2x16xf32>, %left: tensor<2x10x1xf32>,
      %right: tensor<2x1x16xf32>, %first: tensor<2x16xf32>, %second: tensor<2x16xf32>,
      %others: tensor<18x48xf32>) -> (tensor<20x48xf32>) {
  %0 = stablehlo.dot_general %left, %right, batching_dims = [0] x [0],
      contracting_dims = [2] x [1] : (tensor<2x10x1xf32>,
      tensor<2x1x16xf32>) -> tensor<2x10x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x10x16xf32>) -> tensor<10x2x16xf32>
  %2 = stablehlo.add %x, %1 : tensor<10x2x16xf32>
  %3 = stablehlo.slice %2 [0:1, 0:2, 0:16] : (tensor<10x2x16xf32>) -> tensor<1x2x16xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<1x2x16xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
  %6 = stablehlo.concatenate %first, %second, %5, dim = 1 : (tensor<2x16xf32>,
      tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x48xf32>
  %7 = stablehlo.slice %others [0:2, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %8 = stablehlo.slice %others [2:4, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %9 = stablehlo.slice %others [4:6, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %10 = stablehlo.slice %others [6:8, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %11 = stablehlo.slice %others [8:10, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %12 = stablehlo.slice %others [10:12, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %13 = stablehlo.slice %others [12:14, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %14 = stablehlo.slice %others [14:16, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %15 = stablehlo.slice %others [16:18, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %16 = stablehlo.concatenate %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,
      dim = 0 : (tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>,
      tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>,
      tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<20x48xf32>
  return %16 : tensor<20x48xf32>
}""",
    real(10, 2, 16),
    real(2, 10, 1),
    real(2, 1, 16),
    real(2, 16),
    real(2, 16),
    real(18, 48),
)

# Short runs, of which each row has many: what lies between them is loaded with them.
add(
    "indexing_short_runs_backward",
    lambda x: (
        x[:, :, 6::-1] * 2 + x[:, :, :7],
        x[:, ::-1, 3:9] * 2 + x[:, :, :6],
        x[:, ::-1, 8:2:-1] * 2 + x[:, :, 1:7],
    ),
    real(128, 24, 13),
)
add(
    "indexing_windows_of_images",
    lambda x: sum(
        x[:, :, i : i + 7, j : j + 7][:, :, :: 1 - 2 * (i % 2)] * (i + 1.5 * j)
        for i in range(3)
        for j in range(3)
    ),
    real(130, 4, 11, 12),
    tolerance=1e-4,
)

# --- Gathers ---
add(
    "indexing_take_rows",
    lambda x, i: x[i],
    real(50, 20),
    whole("i32", 33, first=0, count=50),
    tolerance=EXACT,
)
add(
    "indexing_take_many_rows",
    lambda x, i: x[i],
    real(300, 12),
    whole("i32", 200, first=0, count=300),
    tolerance=EXACT,
)
add(
    "indexing_take_wide_rows",
    lambda x, i: x[i],
    draw("bf16", 7, 4500),
    whole("i32", 5, first=0, count=7),
    tolerance=EXACT,
)
add(
    "indexing_embed",
    lambda x, i: x[i] * 2,
    draw("bf16", 40, 64),
    whole("i32", 2, 20, first=0, count=40),
    tolerance=EXACT,
)
add(
    "indexing_take_columns",
    lambda x, i: x[:, i],
    real(20, 50),
    whole("i32", 9, first=0, count=50),
    tolerance=EXACT,
)
add(
    "indexing_take_out_of_bounds",
    lambda x, i: (jnp.take(x, i, 0, mode="clip"), jnp.take(x, i, 0, mode="fill", fill_value=7.0)),
    real(9, 4),
    given("i32", -20, -1, 0, 8, 9, 100),
    tolerance=EXACT,
)
add(
    "indexing_take_elements",
    lambda x, i, j: x[i, j],
    real(20, 30),
    whole("i32", 40, first=0, count=20),
    whole("i32", 40, seed=2, first=0, count=30),
    tolerance=EXACT,
)
add(
    "indexing_take_along",
    lambda x, i: jnp.take_along_axis(x, i, 1),
    real(20, 30),
    whole("i32", 20, 5, first=0, count=30),
    tolerance=EXACT,
)
add(
    "indexing_take_along_columns",
    lambda x, i: jnp.take_along_axis(x, i, 0),
    real(20, 30),
    whole("i32", 4, 30, first=0, count=20),
    tolerance=EXACT,
)
add(
    "indexing_take_one_of_row",
    lambda x, i: jnp.take_along_axis(x, i[:, None], 1)[:, 0],
    real(140, 30),
    whole("i32", 140, first=0, count=30),
    tolerance=EXACT,
)
add(
    "indexing_take_windows",
    lambda x, i: lax.gather(
        x, i, lax.GatherDimensionNumbers((1, 2), (), (0, 1)), (3, 4), mode="clip"
    ),
    real(12, 15),
    given("i32", 0, 0, 5, 7, 20, -3, shape=(3, 2)),
    tolerance=EXACT,
)
add(
    "indexing_take_batched",
    lambda x, i: jnp.take_along_axis(x, i[..., None], 1),
    real(3, 9, 6),
    whole("i32", 3, 5, first=0, count=9),
    tolerance=EXACT,
)
add(
    "indexing_take_words",
    lambda x, i: x[i],
    whole("ui32", 30, 5, first=0, count=2**32),
    whole("i32", 20, first=0, count=30),
)
add("indexing_take_bytes", lambda x, i: x[i], whole("i8", 30, 8), given("ui8", 3, 29, 0, 3))
add(
    "indexing_torch_index_select",
    """
func.func @main(%x: tensor<5x3x4xf32>, %i: tensor<2xi32>) -> tensor<5x2x4xf32> {
  %y = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<5x3x4xf32>, tensor<2xi32>) -> tensor<5x2x4xf32>
  return %y : tensor<5x2x4xf32>
}""",
    real(5, 3, 4),
    given("i32", 2, 0),
    tolerance=EXACT,
    only=True,
)

# --- Scatters, all of their windows inside ---
add(
    "indexing_set_rows",
    lambda x, i, u: x.at[i].set(u),
    real(40, 10),
    given("i32", 3, 39, 0, 17),
    real(4, 10, seed=2),
    tolerance=EXACT,
)
add(
    "indexing_add_rows",
    lambda x, i, u: x.at[i].add(u),
    real(40, 10),
    given("i32", 3, 39, 3, 3, 17),
    real(5, 10, seed=2),
    tolerance=1e-5,
)
add(
    "indexing_add_many_rows",
    lambda i, u: jnp.zeros((30, 8)).at[i].add(u),
    whole("i32", 200, first=0, count=30),
    real(200, 8, seed=2),
    tolerance=1e-4,
)
add(
    "indexing_multiply_rows",
    lambda x, i, u: x.at[i].multiply(u),
    real(20, 10),
    given("i32", 3, 19, 3),
    real(3, 10, seed=2),
    tolerance=1e-5,
)
add(
    "indexing_min_max_rows",
    lambda x, i, u: (x.at[i].min(u), x.at[i].max(u)),
    real(20, 10),
    given("i32", 3, 19, 3),
    real(3, 10, seed=2),
    tolerance=EXACT,
)
add(
    "indexing_add_elements",
    lambda x, i, j, u: x.at[i, j].add(u),
    real(20, 10),
    whole("i32", 30, first=0, count=20),
    whole("i32", 30, seed=2, first=0, count=10),
    real(30, seed=3),
    tolerance=1e-5,
)
add(
    "indexing_set_columns",
    lambda x, i, u: x.at[:, i].set(u),
    real(20, 10),
    given("i32", 3, 9),
    real(20, 2, seed=2),
    tolerance=EXACT,
)
add(
    "indexing_set_dropped",
    lambda x, i, u: x.at[i].set(u, mode="drop"),
    real(10, 4),
    given("i32", 3, 10, 99, 0),
    real(4, 4, seed=2),
    tolerance=EXACT,
)
add(
    "indexing_count",
    lambda i: jnp.zeros(12, jnp.int32).at[i].add(1),
    whole("i32", 50, first=0, count=12),
)
add(
    "indexing_one_hot",
    lambda i: (i[:, None] == jnp.arange(9)).astype(jnp.float32),
    whole("i32", 40, first=0, count=9),
    tolerance=EXACT,
)
add(
    "indexing_segment_sum",
    lambda x, i: jnp.zeros((7, 5)).at[i].add(x),
    real(30, 5),
    ties(30, element="i32"),
    tolerance=1e-5,
)
add(
    "indexing_scatter_window",
    lambda x, i, u: lax.scatter_add(x, i, u, lax.ScatterDimensionNumbers((1, 2), (), (0, 1))),
    real(12, 15),
    given("i32", 0, 0, 5, 7, 9, 11, shape=(3, 2)),
    real(3, 3, 4, seed=2),
    tolerance=1e-5,
)
add(
    "indexing_embed_gradient",
    lambda i, g: jnp.zeros((20, 16)).at[i].add(g * 2),
    whole("i32", 3, 9, first=0, count=20),
    real(3, 9, 16),
    tolerance=1e-5,
)
add(
    "indexing_cache_update",
    lambda c, i, u: c.at[jnp.arange(3), i].set(u),
    real(3, 20, 8),
    given("i32", 4, 0, 19),
    real(3, 8, seed=2),
    tolerance=EXACT,
)

# --- Dynamic slices ---
for start in (-3, 0, 4, 30):
    label = str(start).replace("-", "minus_")
    add(
        f"indexing_dynamic_slice_{label}",
        lambda x, i: lax.dynamic_slice(x, (i, i), (7, 9)),
        real(20, 30),
        scalar("i32", start),
        tolerance=EXACT,
    )
    add(
        f"indexing_dynamic_update_{label}",
        lambda x, u, i: lax.dynamic_update_slice(x, u * 2, (i, i)),
        real(20, 30),
        real(7, 9, seed=2),
        scalar("i32", start),
        tolerance=EXACT,
    )
add(
    "indexing_dynamic_row",
    lambda x, i: x[i] + 1,
    real(140, 30),
    scalar("i32", 133),
    tolerance=EXACT,
)
add(
    "indexing_dynamic_columns",
    lambda x, i: lax.dynamic_slice(x, (0, i), (130, 4)),
    real(130, 30),
    scalar("i32", 11),
    tolerance=EXACT,
)
add(
    "indexing_dynamic_update_words",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, jnp.uint32(0))),
    whole("i32", 20, 9),
    whole("i32", 2, 9, seed=2),
    scalar("ui32", 7),
)
add(
    "indexing_dynamic_update_bf16",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (0, i, 0)),
    draw("bf16", 2, 20, 8),
    draw("bf16", 2, 1, 8, seed=2),
    scalar("i32", 13),
    tolerance=EXACT,
)
add(
    "indexing_dynamic_of_product",
    lambda x, w, i: lax.dynamic_slice(x @ w, (i, 0), (3, 20)),
    real(20, 16),
    real(16, 20, seed=2),
    scalar("i32", 5),
)
add(
    "indexing_sort_permute",
    lambda x, k: x[jnp.argsort(k)],
    real(20, 12),
    draw("f32", 20, first=0, step=1, count=1000),
    tolerance=EXACT,
)


def infinities_beside_numbers(scores, i):
    """What the gradient of `.at[].set` leaves: one update, or none, of a value that is no number."""

    def chosen(scores, number):
        table = scores.at[jnp.arange(scores.shape[0]), i].set(number)
        return jnp.where(table < -1e30, 0.0, jnp.exp(jnp.minimum(table, 3.0)))

    sums = jnp.zeros_like(scores).at[i].add(jnp.where(scores[:, :1] > 1, jnp.nan, scores))
    return jax.grad(lambda s: chosen(s, -jnp.inf).sum())(scores), sums


add(
    "indexing_add_infinities",
    infinities_beside_numbers,
    real(40, 6, seed=12),
    whole("i32", 40, first=0, count=6, seed=13),
    tolerance=1e-5,
)
add(
    "indexing_add_infinity",
    lambda i: jnp.zeros(4).at[i].add(jnp.where(i < 2, jnp.inf, 1.0)),
    whole("i32", 40, first=0, count=4, seed=13),
)

# Runs of two and three elements, in numbers with divisors and without.
add("indexing_stack_pairs", lambda x, y: jnp.stack([x, y * 2], -1), real(4096), real(4096, seed=2))
add("indexing_stack_odd", lambda x, y: jnp.stack([x, y * 2], -1), real(4099), real(4099, seed=2))
add("indexing_repeat_odd", lambda x: jnp.repeat(x, 3, 0), real(4099))
add("indexing_copy_odd", lambda x: jnp.concatenate([x, x[:1]]), real(4099))
add("indexing_pad_short_rows", lambda x: jnp.pad(x, [(1, 2), (1, 1)]), real(2500, 3))
add("indexing_reverse_short_rows", lambda x: (x[::-1], x[:, ::-1], x[:, ::2]), real(2503, 3))
add("indexing_tile_short_rows", lambda x: jnp.tile(x, 2), real(2503, 3))
add("indexing_turn_stack", lambda x: x.transpose(2, 1, 0), real(24, 70, 130))
