"""Along dimensions: reductions, norms, softmax, sorts, running sums, and their gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, given, positive, real, scalar, ties, whole

REDUCTIONS = {"sum": jnp.sum, "max": jnp.max, "min": jnp.min, "prod": jnp.prod, "mean": jnp.mean}
for name, function in REDUCTIONS.items():
    for axes in [(2,), (1,), (0,), (1, 2), (0, 2), (0, 1, 2)]:
        label = "".join(map(str, axes))
        tolerance = EXACT if name in ("max", "min") else 1e-4
        small = positive(3, 9, 14) if name == "prod" else real(3, 9, 14)
        add(
            f"rows_{name}_{label}",
            lambda x, f=function, a=axes: f(x, axis=a),
            small,
            tolerance=tolerance,
        )
for rows, columns in [(1, 300), (129, 5), (300, 70), (5, 2500), (260, 1)]:
    add(
        f"rows_sum_{rows}x{columns}",
        lambda x: jnp.sum(x * x, 1),
        real(rows, columns),
        tolerance=1e-5,
    )
    add(
        f"rows_sum_columns_{rows}x{columns}",
        lambda x: jnp.sum(x, 0),
        real(rows, columns),
        tolerance=1e-4,
    )
    add(f"rows_max_{rows}x{columns}", lambda x: jnp.max(x, 1), real(rows, columns), tolerance=EXACT)
for element in ("i8", "i32", "ui8", "ui32", "i16"):
    low = 0 if element.startswith("u") else -9
    add(
        f"rows_reduce_{element}",
        lambda x: (
            jnp.max(x, 1),
            jnp.min(x, 0),
            lax.reduce(x, jnp.asarray(1, x.dtype), lax.add, (1,)),
        ),
        whole(element, 12, 30, first=low, count=19),
    )
add(
    "rows_sum_words",
    lambda x: (
        jnp.sum(x, 1),
        lax.reduce(x, jnp.uint32(7), lax.bitwise_xor, (0,)),
        lax.reduce(x, jnp.uint32(3), lax.mul, (1,)),
    ),
    whole("ui32", 14, 30, first=0, count=2**32),
)
add(
    "rows_reduce_bits",
    lambda x: (lax.reduce_and(x, (1,)), lax.reduce_or(x, (0,)), lax.reduce_xor(x, (1,))),
    whole("i32", 14, 6, first=0, count=2**31),
)
add(
    "rows_any_all",
    lambda x: ((x > 5).any(1), (x > 0).all(0), (x > 5).all(1), (x > 0).any(0)),
    ties(14, 9),
)
add("rows_max_bf16", lambda x: (x.max(1), x.min(0)), draw("bf16", 30, 20), tolerance=EXACT)
add(
    "rows_max_nan",
    lambda x: (jnp.max(x, 1), jnp.min(x, 1)),
    given("f32", 1, "nan", 2, "inf", "-inf", 0, "-0", "0", "-1", shape=(3, 3)),
    tolerance=EXACT,
)
add(
    "rows_sum_from_argument",
    lambda x, s: lax.reduce(x, s, lax.add, (1,)),
    real(20, 30),
    scalar("f32", 2.5),
    tolerance=1e-5,
)
add(
    "rows_log_add_exp",
    lambda x: lax.reduce(x, jnp.float32(-1e30), jnp.logaddexp, (1,)),
    real(9, 20),
    tolerance=1e-4,
)
add(
    "rows_two_reduced",
    lambda x: lax.reduce(
        (x, x * 2),
        (jnp.float32(0), jnp.float32(-9)),
        lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])),
        (1,),
    ),
    real(9, 20),
    tolerance=1e-4,
)
add("rows_arg", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 1), jnp.argmax(x, 0)), ties(30, 20))
add(
    "rows_arg_words",
    lambda x: (jnp.argmax(x, -1), jnp.argmin(x, 0)),
    whole("i32", 30, 20, first=-1000, count=2000),
)
add("rows_arg_few", lambda x: jnp.argmin(x, -1), ties(50, 3))
add("rows_arg_wide", lambda x: jnp.argmax(x, -1), draw("f32", 2, 3000, first=0, step=1, count=1000))
add(
    "rows_arg_nan",
    lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 1)),
    given("f32", 1, "nan", 2, "inf", "-inf", 0, 3, 3, "-1", shape=(3, 3)),
)

# --- Softmax and norms ---
for rows, columns in [(5, 7), (130, 33), (4, 2100), (300, 64)]:
    add(
        f"rows_softmax_{rows}x{columns}",
        jax.nn.softmax,
        draw("f32", rows, columns, first=-6, step=2.0**-18, count=3145728),
    )
# Of so many short ones, several share a partition.
add("rows_softmax_1024x32", jax.nn.softmax, real(1024, 32))
add(
    "rows_norm_of_heads",
    lambda x, w: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w,
    real(2, 100, 6, 32),
    real(32, seed=2),
    tolerance=1e-5,
)
add(
    "rows_norm_of_heads_gradient",
    jax.grad(
        lambda x, w: jnp.sum(jnp.sin(x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w)),
        (0, 1),
    ),
    real(1, 128, 4, 48),
    real(48, seed=2),
    tolerance=1e-4,
)
add(
    "rows_layer_norm_512x64_gradient",
    jax.grad(
        lambda x, w, b: jnp.sum(jnp.sin(jax.nn.standardize(x, epsilon=1e-5) * w + b)), (0, 1, 2)
    ),
    real(512, 64),
    real(64, seed=2),
    real(64, seed=3),
    tolerance=3e-4,
)
add("rows_softmax_columns", lambda x: jax.nn.softmax(x, 0), real(40, 30))
add("rows_softmax_middle", lambda x: jax.nn.softmax(x, 1), real(4, 30, 9))
add("rows_softmax_bf16", jax.nn.softmax, draw("bf16", 40, 30))
add("rows_softmax_large", lambda x: jax.nn.softmax(x * 1000), real(9, 30), tolerance=1e-3)
add("rows_softmax_masked", lambda x: jax.nn.softmax(jnp.where(x > 0.5, -jnp.inf, x)), real(20, 40))
add(
    "rows_softmax_gradient",
    jax.grad(lambda x: jnp.sum(jax.nn.softmax(x) ** 2)),
    real(20, 40),
    tolerance=1e-4,
)
add("rows_log_softmax", jax.nn.log_softmax, real(40, 30))
add("rows_log_sum_exp", lambda x: jax.nn.logsumexp(x * 5, 1), real(40, 30))


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


def rms_norm(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g


for rows, columns in [(6, 16), (140, 64), (3, 2100)]:
    add(
        f"rows_layer_norm_{rows}x{columns}",
        layer_norm,
        real(rows, columns),
        real(columns, seed=2),
        real(columns, seed=3),
        tolerance=1e-4,
    )
    add(
        f"rows_rms_norm_{rows}x{columns}",
        rms_norm,
        real(rows, columns),
        real(columns, seed=2),
        tolerance=5e-5,
    )
add(
    "rows_layer_norm_bf16",
    lambda x, g, b: layer_norm(x.astype(jnp.float32), g, b).astype(jnp.bfloat16),
    draw("bf16", 30, 64),
    real(64, seed=2),
    real(64, seed=3),
)
add(
    "rows_layer_norm_var",
    lambda x: (x - x.mean(1, keepdims=True)) / (x.std(1, keepdims=True) + 0.01),
    real(20, 33),
    tolerance=1e-4,
)
add(
    "rows_layer_norm_gradient",
    jax.grad(lambda x, g, b: jnp.sum(jnp.square(layer_norm(x, g, b))), (0, 1, 2)),
    real(20, 33),
    real(33, seed=2),
    real(33, seed=3),
    tolerance=5e-4,
)
add(
    "rows_rms_norm_gradient",
    jax.grad(lambda x, g: jnp.sum(jnp.sin(rms_norm(x, g))), (0, 1)),
    real(20, 33),
    real(33, seed=2),
    tolerance=5e-4,
)
add(
    "rows_rms_norm_residual",
    lambda x, y, g: rms_norm(x + y, g) + (x + y),
    real(140, 48),
    real(140, 48, seed=2),
    real(48, seed=3),
    tolerance=5e-5,
)
add(
    "rows_norm_then_product",
    lambda x, g, w: rms_norm(x, g) @ w,
    real(40, 64),
    real(64, seed=2),
    real(64, 30, seed=3),
    tolerance=1e-4,
)
add(
    "rows_product_then_norm",
    lambda x, g, w: rms_norm(x @ w, g),
    real(40, 64),
    real(30, seed=2),
    real(64, 30, seed=3),
    tolerance=2e-4,
)
add(
    "rows_product_then_softmax",
    lambda x, w: jax.nn.softmax(x @ w),
    real(140, 40),
    real(40, 33, seed=3),
    tolerance=1e-4,
)
add(
    "rows_group_norm",
    lambda x: (x - x.mean((2, 3), keepdims=True)) * lax.rsqrt(x.var((2, 3), keepdims=True) + 1e-5),
    real(2, 3, 8, 9),
    tolerance=1e-4,
)


def group_norm(x, w, b):
    rows = x.reshape(x.shape[0], 4, -1)
    mean, variance = rows.mean(-1, keepdims=True), rows.var(-1, keepdims=True)
    y = ((rows - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape)
    return y * w[:, None, None] + b[:, None, None]


def group_norm_last(x, w, b):
    n, height, width, c = x.shape
    split = x.reshape(n, height, width, 4, c // 4)
    mean = split.mean((1, 2, 4), keepdims=True)
    variance = (split * split).mean((1, 2, 4), keepdims=True) - mean * mean
    return ((split - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape) * w + b


image, last_image = real(2, 12, 16, 20), real(2, 16, 20, 12)
weight, bias = real(12, seed=2), real(12, seed=3)
add("rows_group_norm_scaled", group_norm, image, weight, bias, tolerance=1e-4)
add(
    "rows_group_norm_gradient",
    lambda g, *arguments: jax.vjp(group_norm, *arguments)[1](g),
    real(2, 12, 16, 20, seed=4),
    image,
    weight,
    bias,
    tolerance=2e-4,
)
add("rows_group_norm_last", group_norm_last, last_image, weight, bias, tolerance=1e-4)
add("rows_l2_normalise", lambda x: x / jnp.linalg.norm(x, axis=1, keepdims=True), real(30, 17))
add("rows_centre_columns", lambda x: x - x.mean(0), real(130, 17), tolerance=1e-4)
for op, results in (("inference", 1), ("training", 3)):
    mean = ", %m, %v" if op == "inference" else ""
    types = ", tensor<3xf32>" * (4 if op == "inference" else 2)
    outs = "tensor<4x5x3xf32>" + ", tensor<3xf32>, tensor<3xf32>" * (op == "training")
    arguments = "%s: tensor<3xf32>, %o: tensor<3xf32>" + (
        ", %m: tensor<3xf32>, %v: tensor<3xf32>" if mean else ""
    )
    body = f'"stablehlo.batch_norm_{op}"(%x, %s, %o{mean}) {{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}} : (tensor<4x5x3xf32>{types}) -> ({outs})'
    names = ", ".join(f"%y#{i}" for i in range(results)) if results > 1 else "%y"
    add(
        f"rows_batch_norm_{op}",
        f"""
func.func @main(%x: tensor<4x5x3xf32>, {arguments}) -> ({outs}) {{
  %y{":3" if results > 1 else ""} = {body}
  return {names} : {outs}
}}""",
        real(4, 5, 3),
        positive(3, seed=2),
        real(3, seed=3),
        *([real(3, seed=4), positive(3, seed=5)] if mean else []),
        tolerance=1e-4,
    )
add(
    "rows_batch_norm_grad",
    """
func.func @main(%x: tensor<4x5x3xf32>, %s: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %g: tensor<4x5x3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %y:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {epsilon = 1.000000e-03 : f32, feature_index = 2 : i64} : (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x5x3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y#0, %y#1, %y#2 : tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>
}""",
    real(4, 5, 3),
    positive(3, seed=2),
    real(3, seed=4),
    positive(3, seed=5),
    real(4, 5, 3, seed=6),
    tolerance=1e-4,
)

# --- Running sums, sorts ---
for name, function in {
    "cumsum": lax.cumsum,
    "cumprod": lax.cumprod,
    "cummax": lax.cummax,
    "cummin": lax.cummin,
}.items():
    for axis in (0, 1):
        add(
            f"rows_{name}_{axis}",
            lambda x, f=function, a=axis: f(x, a),
            positive(9, 21) if name == "cumprod" else real(9, 21),
            tolerance=EXACT if name in ("cummax", "cummin") else 1e-4,
        )
add("rows_cumsum_reverse", lambda x: lax.cumsum(x, 1, reverse=True), real(9, 40), tolerance=1e-4)
add("rows_cumsum_wide", lambda x: jnp.cumsum(x, 1), positive(2, 2600), tolerance=1e-4)
add("rows_cumsum_tall", lambda x: jnp.cumsum(x, 1), real(140, 30), tolerance=1e-4)
add("rows_cumsum_words", lambda x: jnp.cumsum(x, 1), whole("i32", 9, 40))
add("rows_cumsum_few_steps", lambda x: jnp.cumsum(x, 1), real(512, 4, 40), tolerance=1e-4)
add("rows_cumsum_steps", lambda x: jnp.cumsum(x, 1), real(4, 16, 32, 32), tolerance=1e-4)


def _heads_first_norm(x, w):
    y = x.swapaxes(1, 2)
    y = y * lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6) * w
    return y.swapaxes(1, 2)


def _taps(x, w):
    """A convolution by taps that are stacked."""
    padded = jnp.pad(x, ((2, 0), (0, 0)))
    return jnp.sum(jnp.stack([padded[i : i + x.shape[0]] for i in range(3)], 1) * w, 1)


add("rows_heads_first_norm", _heads_first_norm, real(1, 9, 8, 64), real(64, seed=2))
add("rows_sum_of_stack", _taps, real(40, 64), real(3, 64, seed=2))
add("rows_cumlogsumexp", lambda x: lax.cumlogsumexp(x, 1), real(4, 20), tolerance=1e-4)
for name, function in {
    "rows": lambda x: jnp.sort(x, -1),
    "columns": lambda x: jnp.sort(x, 0),
    "downwards": lambda x: -jnp.sort(-x, 1),
    "places": lambda x: jnp.argsort(x, -1),
    "two_keys": lambda x: lax.sort((x, x[::-1] * 2, x * x), num_keys=2),
    "by_first": lambda x: lax.sort((x, x[::-1]), dimension=1, num_keys=1),
}.items():
    add(f"rows_sort_{name}", function, ties(9, 37), tolerance=EXACT)
for n in (2, 16, 64, 130):
    add(f"rows_sort_{n}", lambda x: (jnp.sort(x), jnp.argsort(x)), real(5, n), tolerance=EXACT)
add(
    "rows_sort_spread_words",
    lambda x: (jnp.sort(x), jnp.argsort(x)),
    whole("i32", 20000, first=-9000, count=18001),
    tolerance=EXACT,
)
add(
    "rows_sort_words",
    lambda x: (jnp.sort(x, 0), jnp.argsort(x, 1)),
    whole("i32", 12, 33, first=-1000, count=2000),
)
add("rows_sort_full_words", lambda x: jnp.sort(x), whole("ui32", 3, 20, first=0, count=2**32))
add("rows_sort_bf16", lambda x: jnp.sort(x), draw("bf16", 9, 33), tolerance=EXACT)
add("rows_sort_i8", lambda x: jnp.sort(x), whole("i8", 9, 33, first=-128, count=256))
add(
    "rows_sort_special",
    lambda x: (jnp.sort(x), jnp.argsort(x)),
    given("f32", 3, "nan", "-0", 0, "-inf", "inf", -1, 1, 2, "nan", 5),
    tolerance=EXACT,
)
for n, k in [(8, 2), (40, 8), (130, 20), (2000, 5)]:
    add(f"rows_top_{k}_of_{n}", lambda x, k=k: lax.top_k(x, k), real(6, n), tolerance=EXACT)
add("rows_top_k_ties", lambda x: lax.top_k(x, 5), ties(30, 20), tolerance=EXACT)
add("rows_top_k_words", lambda x: lax.top_k(x, 5), whole("i32", 30, 20, first=-1000, count=2000))
add("rows_router", lambda x: (lambda v, i: (jax.nn.softmax(v), i))(*lax.top_k(x, 2)), real(140, 8))
add("rows_median", lambda x: jnp.median(x, 1), real(9, 21), tolerance=EXACT)
add(
    "rows_cross_entropy",
    lambda x, y: jnp.mean(jax.nn.logsumexp(x, 1) - jnp.take_along_axis(x, y[:, None], 1)[:, 0]),
    real(40, 30),
    whole("i32", 40, first=0, count=30),
)
add(
    "rows_cross_entropy_gradient",
    jax.grad(
        lambda x, y: jnp.mean(jax.nn.logsumexp(x, 1) - jnp.take_along_axis(x, y[:, None], 1)[:, 0])
    ),
    real(40, 30),
    whole("i32", 40, first=0, count=30),
    tolerance=1e-4,
)
add("rows_reverse", lambda x: (x[::-1], x[:, ::-1], x[::-1, ::-1]), real(9, 40), tolerance=EXACT)
# Sums of whole numbers that stay below 2^24, and of some that may not.
add(
    "rows_count",
    lambda x: (
        jnp.sum(x > 0, 1),
        jnp.cumsum((x > 0.5).astype(jnp.int32), 0),
        jnp.sum(jax.nn.one_hot(jnp.abs(x).astype(jnp.int32), 4, dtype=jnp.int32), (0, 1)),
        jnp.sum(jnp.where(x > 0, jnp.int32(2**20), -3), 1),
        jnp.max(jnp.cumsum((x < 0).astype(jnp.int32), 1) * 3, 0),
    ),
    real(40, 30),
    tolerance=EXACT,
)
add(
    "rows_short",
    lambda x, w: (jnp.sum(x * w, -1), jnp.max(x, (1, 3))),
    real(130, 3, 40, 6, seed=1),
    real(40, 6, seed=2),
)
# Pieces of long rows: some stay on chip and are read by two later sweeps, others are loaded again.
add(
    "rows_normed_pieces",
    lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) * 2,
    real(2, 90000),
    tolerance=1e-4,
)


def norms_of_few_long_rows(x, scale):
    """Sums, largest elements and sums down the rows of what is long, and not only of it."""
    centred = x - x.mean(-1, keepdims=True)
    normed = centred * lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * scale
    return normed, normed.max(-1), jnp.exp(normed - 8).sum(0), (normed > 0).sum(-1)


add(
    "rows_few_and_long", norms_of_few_long_rows, real(3, 40000), real(40000, seed=2), tolerance=1e-4
)


def biased_sums(x):
    """Sums of long rows that begin with another number than zero, or are narrow: in one step."""
    high = jnp.tanh(x * 2) * x + 1
    low = high.astype(jnp.bfloat16)
    return (
        lax.reduce(high, jnp.float32(5), lax.add, (1,)),
        lax.reduce(high, jnp.float32(3), lax.max, (1,)),
        lax.reduce(low, jnp.bfloat16(0), lax.add, (1,)),
    )


add("rows_long_biased", biased_sums, real(2, 30000), tolerance=1e-2)

# Of lengths that partitions do not divide, and of few columns: how they lie is not how they are.
add("rows_one_of_all", lambda x: (jnp.sum(x * x), jnp.max(x)), real(3, 1367), tolerance=1e-4)
add("rows_of_three", lambda x: (jnp.sum(x, -1), jnp.max(x, -1)), real(1367, 3), tolerance=1e-5)
add("rows_of_three_varied", lambda x: x - x.mean(-1, keepdims=True), real(1360, 3), tolerance=1e-5)
add("rows_few_columns", lambda x: (jnp.sum(x * x, 0), jnp.min(x, 0)), real(1367, 3), tolerance=1e-4)
add("rows_running_long", lambda x: jnp.cumsum(x * 0.1, 1), real(2, 16411), tolerance=1e-4)
add("rows_running_columns", lambda x: lax.cummax(x, 0), real(8209, 2), tolerance=EXACT)
add("rows_argmax_of_three", lambda x: jnp.argmax(x, -1), ties(5003, 3), tolerance=EXACT)
add("rows_argmin_of_two_rows", lambda x: jnp.argmin(x, 0), ties(2, 3001), tolerance=EXACT)
