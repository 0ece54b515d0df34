"""Convolutions and pooling of every kind, and their gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, real, ties, whole

for name, x, w, how in [
    ("plain", (2, 3, 9, 10), (4, 3, 3, 3), {}),
    ("same", (1, 4, 8, 9), (5, 4, 3, 3), {"padding": "SAME"}),
    ("even_window", (1, 3, 8, 9), (5, 3, 2, 4), {"padding": "SAME"}),
    ("one_by_one", (2, 20, 6, 7), (30, 20, 1, 1), {}),
    ("strides", (1, 3, 11, 12), (4, 3, 3, 3), {"window_strides": (2, 3)}),
    ("patches", (1, 3, 12, 12), (20, 3, 4, 4), {"window_strides": (4, 4)}),
    ("padded", (1, 3, 6, 7), (4, 3, 3, 3), {"padding": [(2, 1), (0, 3)]}),
    ("negative_padding", (1, 3, 9, 9), (4, 3, 3, 3), {"padding": [(-1, 1), (0, -2)]}),
    ("dilated_window", (1, 3, 12, 12), (4, 3, 3, 3), {"rhs_dilation": (2, 3)}),
    (
        "dilated_base",
        (1, 3, 5, 6),
        (4, 3, 3, 3),
        {"lhs_dilation": (2, 2), "padding": [(1, 1), (1, 1)]},
    ),
    ("groups", (1, 6, 8, 8), (9, 2, 3, 3), {"feature_group_count": 3}),
    ("depthwise", (1, 20, 8, 8), (20, 1, 3, 3), {"feature_group_count": 20, "padding": "SAME"}),
    (
        "depthwise_strides",
        (2, 12, 9, 9),
        (12, 1, 5, 5),
        {"feature_group_count": 12, "window_strides": (2, 2)},
    ),
    ("many_channels", (1, 140, 5, 5), (20, 140, 3, 3), {"padding": "SAME"}),
    ("many_features", (1, 8, 5, 5), (150, 8, 3, 3), {"padding": "SAME"}),
    ("one_channel", (1, 1, 14, 14), (6, 1, 5, 5), {}),
    ("batch_groups", (6, 3, 8, 8), (8, 3, 3, 3), {"batch_group_count": 2}),
    ("wide", (1, 2, 3, 600), (3, 2, 1, 7), {"padding": "SAME"}),
]:
    how = {"window_strides": (1, 1), "padding": "VALID", **how}
    add(
        f"images_convolution_{name}",
        lambda x, w, h=how: lax.conv_general_dilated(x, w, **h),
        real(*x),
        real(*w, seed=2),
        tolerance=1e-4,
        oracle="numpy" if name == "negative_padding" else "xla",
    )


def last(x, w, strides=(1, 1), padding="SAME", **how):
    numbers = lax.conv_dimension_numbers(x.shape, w.shape, ("NHWC", "HWIO", "NHWC"))
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=numbers, **how)


add(
    "images_convolution_channels_last",
    last,
    real(2, 7, 8, 6),
    real(3, 3, 6, 10, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_channels_last_strides",
    lambda x, w: last(x, w, (2, 2)),
    real(1, 9, 9, 3),
    real(3, 3, 3, 20, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_channels_last_depthwise",
    lambda x, w: last(x, w, feature_group_count=12),
    real(1, 8, 8, 12),
    real(3, 3, 1, 12, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_one_dimension",
    lambda x, w: lax.conv_general_dilated(x, w, (2,), "SAME"),
    real(2, 5, 40),
    real(7, 5, 4, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_causal",
    lambda x, w: lax.conv_general_dilated(x, w, (1,), [(3, 0)], feature_group_count=16),
    real(1, 16, 50),
    real(16, 1, 4, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_three_dimensions",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 2, 1), "SAME"),
    real(1, 2, 4, 5, 6),
    real(3, 2, 2, 3, 2, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_bf16",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME"),
    draw("bf16", 1, 8, 8, 8),
    draw("bf16", 9, 8, 3, 3, seed=2),
)
add(
    "images_convolution_bias_relu",
    lambda x, w, b: jax.nn.relu(lax.conv(x, w, (1, 1), "SAME") + b[:, None, None]),
    real(1, 6, 9, 9),
    real(10, 6, 3, 3, seed=2),
    real(10, seed=3),
    tolerance=1e-4,
)
add(
    "images_convolution_bias_relu_bf16",
    lambda x, w, b: jax.nn.relu(lax.conv(x, w, (1, 1), "SAME") + b[:, None, None]),
    draw("bf16", 2, 16, 9, 9),
    draw("bf16", 24, 16, 3, 3, seed=2),
    draw("bf16", 24, seed=3),
    tolerance=1e-2,
)
add(
    "images_convolution_tanh",
    lambda x, w, v: (jnp.tanh(lax.conv(x, w, (1, 1), "SAME")), lax.conv(x, v, (1, 1), "SAME") * 2),
    real(1, 6, 9, 9),
    real(10, 6, 3, 3, seed=2),
    real(10, 6, 3, 3, seed=3),
    tolerance=1e-4,
)
add(
    "images_convolution_norm",
    lambda x, w: (
        lambda y: (
            (y - y.mean((0, 2, 3), keepdims=True))
            * lax.rsqrt(y.var((0, 2, 3), keepdims=True) + 1e-5)
        )
    )(lax.conv(x, w, (1, 1), "SAME")),
    real(2, 3, 8, 8),
    real(6, 3, 3, 3, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_residual",
    lambda x, v, w: jax.nn.relu(
        x + lax.conv(jax.nn.relu(lax.conv(x, v, (1, 1), "SAME")), w, (1, 1), "SAME")
    ),
    real(1, 8, 6, 6),
    real(8, 8, 3, 3, seed=2),
    real(8, 8, 3, 3, seed=3),
    tolerance=2e-4,
)
add(
    "images_convolution_transposed",
    lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"),
    real(1, 5, 5, 4),
    real(3, 3, 4, 6, seed=2),
    tolerance=1e-4,
)
add(
    "images_convolution_image_gradient",
    jax.grad(lambda x, w: jnp.sum(jnp.square(lax.conv(x, w, (2, 2), "SAME")))),
    real(1, 3, 9, 9),
    real(5, 3, 3, 3, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_window_gradient",
    jax.grad(lambda w, x: jnp.sum(jnp.square(lax.conv(x, w, (1, 1), "SAME")))),
    real(5, 3, 3, 3),
    real(2, 3, 8, 8, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_depthwise_gradient",
    jax.grad(
        lambda w, x: jnp.sum(
            jnp.square(lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=6))
        )
    ),
    real(6, 1, 3, 3),
    real(2, 6, 8, 8, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_depthwise_strides_gradient",
    jax.grad(
        lambda w, x: jnp.sum(
            jnp.square(
                lax.conv_general_dilated(
                    x, w, (2, 1), "SAME", rhs_dilation=(1, 2), feature_group_count=20
                )
            )
        )
    ),
    real(20, 1, 3, 2),
    real(2, 20, 9, 8, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_depthwise_last_gradient",
    jax.grad(lambda w, x: jnp.sum(jnp.square(last(x, w, feature_group_count=24))), (0, 1)),
    real(3, 2, 1, 24),
    real(2, 6, 7, 24, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_causal_gradient",
    lambda w, x, d: jax.vjp(
        lambda w, x: lax.conv_general_dilated(x, w, (1,), [(3, 0)], feature_group_count=16), w, x
    )[1](d),
    draw("bf16", 16, 1, 4),
    draw("bf16", 3, 16, 50, seed=2),
    draw("bf16", 3, 16, 50, seed=3),
)
add(
    "images_convolution_channels_last_gradient",
    jax.grad(lambda w, x: jnp.sum(jnp.square(last(x, w))), (0, 1)),
    real(3, 3, 3, 5),
    real(2, 6, 6, 3, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_batch_groups_i32",
    """
func.func @main(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32> {
  %z = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %z : tensor<1x3x5x5xf32>
}""",
    real(1, 2, 5, 5),
    real(3, 2, 3, 3, seed=2),
    tolerance=1e-4,
)


def pool(x, start, function, window, strides=None, padding="VALID", **how):
    return lax.reduce_window(x, start, function, window, strides or window, padding, **how)


add(
    "images_pool_largest",
    lambda x: pool(x, -jnp.inf, lax.max, (1, 1, 2, 2)),
    real(2, 40, 8, 10),
    tolerance=EXACT,
)
add(
    "images_pool_overlapping",
    lambda x: pool(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME"),
    real(2, 40, 9, 9),
    tolerance=EXACT,
)
add(
    "images_pool_channels_last",
    lambda x: pool(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    real(2, 9, 9, 40),
    tolerance=EXACT,
)
add(
    "images_pool_mean",
    lambda x: pool(x, 0.0, lax.add, (1, 1, 2, 3)) / 6,
    real(2, 40, 8, 9),
    tolerance=1e-5,
)
add("images_pool_global", lambda x: x.mean((2, 3)), real(2, 140, 5, 5), tolerance=1e-4)
add("images_pool_global_last", lambda x: x.mean((1, 2)), real(2, 5, 5, 40), tolerance=1e-4)
add(
    "images_pool_smallest",
    lambda x: pool(x, jnp.inf, lax.min, (1, 2, 2, 1), (1, 1, 1, 1)),
    real(1, 6, 7, 5),
    tolerance=EXACT,
)
add(
    "images_pool_dilated",
    lambda x: pool(
        x,
        0.0,
        lax.add,
        (1, 3, 2),
        (1, 1, 2),
        [(0, 0), (1, 2), (0, 1)],
        window_dilation=(1, 2, 1),
        base_dilation=(1, 2, 1),
    ),
    real(3, 8, 11),
    tolerance=1e-5,
)
add(
    "images_pool_words",
    lambda x: pool(x, jnp.int32(0), lax.add, (3, 2), (1, 2)),
    whole("i32", 12, 20),
)
add(
    "images_pool_rows",
    lambda x: pool(x, -jnp.inf, lax.max, (1, 4), (1, 2)),
    real(140, 30),
    tolerance=EXACT,
)
add(
    "images_pool_bf16",
    lambda x: pool(x, jnp.bfloat16(-jnp.inf), lax.max, (1, 1, 2, 2)),
    draw("bf16", 1, 5, 8, 8),
    tolerance=EXACT,
)
add(
    "images_pool_product",
    lambda x: pool(x, 1.0, lax.mul, (1, 2), (1, 2)),
    real(9, 20),
    tolerance=1e-5,
)
add(
    "images_pool_largest_gradient",
    jax.grad(lambda x: jnp.sum(jnp.square(pool(x, -jnp.inf, lax.max, (1, 1, 2, 2))))),
    real(1, 40, 8, 8),
    tolerance=1e-5,
)
add(
    "images_pool_overlapping_gradient",
    jax.grad(
        lambda x: jnp.sum(
            jnp.square(pool(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME"))
        )
    ),
    real(1, 40, 9, 9),
    tolerance=1e-5,
)
add(
    "images_pool_gradient_of_ties",
    jax.grad(lambda x: jnp.sum(pool(x, -jnp.inf, lax.max, (1, 2, 2, 1)) * 3)),
    ties(1, 6, 6, 40),
    tolerance=EXACT,
)
add(
    "images_pool_few_channels",
    lambda x: pool(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    real(2, 9, 9, 5),
    tolerance=EXACT,
)
add(
    "images_pool_few_channels_gradient",
    jax.grad(lambda x: jnp.sum(jnp.square(pool(x, -jnp.inf, lax.max, (1, 1, 2, 2))))),
    real(1, 3, 8, 8),
    tolerance=1e-5,
)
add(
    "images_pool_many_channels_gradient",
    jax.grad(
        lambda x: jnp.sum(
            jnp.square(
                pool(
                    x,
                    -jnp.inf,
                    lax.max,
                    (1, 3, 3, 1),
                    (1, 2, 2, 1),
                    [(0, 0), (1, 1), (1, 1), (0, 0)],
                )
            )
        )
    ),
    real(2, 9, 10, 130),
    tolerance=1e-5,
)
add(
    "images_pool_mean_gradient",
    jax.grad(lambda x: jnp.sum(jnp.square(pool(x, 0.0, lax.add, (1, 1, 2, 2))))),
    real(1, 3, 8, 8),
    tolerance=1e-5,
)
add(
    "images_resize",
    lambda x: jax.image.resize(x, (1, 10, 12, 3), "linear"),
    real(1, 5, 6, 3),
    tolerance=1e-4,
)
add(
    "images_resize_nearest",
    lambda x: jax.image.resize(x, (1, 10, 12, 3), "nearest"),
    real(1, 5, 6, 3),
    tolerance=EXACT,
)
add(
    "images_patches",
    lambda x: lax.conv_general_dilated_patches(x, (2, 2), (2, 2), "VALID"),
    real(1, 3, 8, 8),
    tolerance=EXACT,
)
add(
    "images_norm_channels_last",
    lambda x, g: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g,
    real(3, 6, 6, 5),
    real(5, seed=2),
    tolerance=3e-4,
)
add(
    "images_norm_channels_first",
    lambda x, g: (
        (x - x.mean((0, 2, 3), keepdims=True))
        * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)
        * g[:, None, None]
    ),
    real(3, 5, 6, 6),
    real(5, seed=2),
    tolerance=3e-4,
)
add(
    "images_patches_image_gradient",
    jax.grad(lambda x, w: jnp.sum(jnp.square(lax.conv(x, w, (4, 4), "VALID")))),
    real(2, 3, 16, 16),
    real(20, 3, 4, 4, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_one_tap_gradient",
    jax.grad(lambda w, x: jnp.sum(jnp.square(lax.conv(x, w, (1, 1), "VALID")))),
    real(24, 40, 1, 1),
    real(2, 40, 2, 2, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_whole_image",
    lambda x, w: last(x, w, (1, 1), "VALID"),
    real(3, 4, 5, 6),
    real(4, 5, 6, 20, seed=2),
    tolerance=3e-4,
)
add(
    "images_convolution_norm_channels_last",
    lambda x, w, g: (lambda y: (y - y.mean((0, 1, 2))) * lax.rsqrt(y.var((0, 1, 2)) + 1e-5) * g)(
        last(x, w)
    ),
    real(2, 8, 8, 3),
    real(3, 3, 3, 16, seed=2),
    real(16, seed=3),
    tolerance=3e-4,
)
add(
    "images_two_norms_channels_last",
    lambda x, v, w: _normal(last(_normal(last(x, v)), w)),
    real(4, 8, 8, 3),
    real(3, 3, 3, 8, seed=2),
    real(3, 3, 8, 8, seed=3),
    tolerance=1e-3,
)


def _normal(x):
    return jax.nn.relu((x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5))


for name, spec in [("beside_channels", "OIHW"), ("beside_features", "IOHW")]:
    shape = (150, 140, 3, 3) if spec == "OIHW" else (140, 150, 3, 3)
    add(
        f"images_convolution_taps_{name}",
        lambda x, w, s=spec: lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NCHW", s, "NCHW")
        ),
        draw("bf16", 1, 140, 5, 6),
        draw("bf16", *shape, seed=2),
    )
add(
    "images_convolution_taps_turned",
    lambda w, d, x: jax.vjp(lambda x: lax.conv(x, w, (1, 1), "SAME"), x)[1](d),
    draw("bf16", 140, 30, 3, 2),
    draw("bf16", 1, 140, 6, 5, seed=2),
    draw("bf16", 1, 30, 6, 5, seed=3),
)
add(
    "images_patches_channels_last",
    lambda x, w: last(x, w, (8, 8), "VALID"),
    draw("bf16", 2, 33, 32, 3),
    draw("bf16", 8, 8, 3, 40, seed=2),
)
add(
    "images_patches_window_gradient",
    lambda w, d, x: jax.vjp(lambda w: last(x, w, (8, 8), "VALID"), w)[1](d),
    draw("bf16", 8, 8, 5, 20),
    draw("bf16", 2, 6, 6, 20, seed=2),
    draw("bf16", 2, 48, 48, 5, seed=3),
)
add(
    "images_convolution_window_gradient_many",
    lambda w, d, x: jax.vjp(lambda w: lax.conv(x, w, (1, 1), "SAME"), w)[1](d),
    draw("bf16", 130, 70, 3, 3),
    draw("bf16", 3, 130, 7, 7, seed=2),
    draw("bf16", 3, 70, 7, 7, seed=3),
)
add(
    "images_convolution_window_gradient_of_a_line",
    lambda w, d, x: jax.vjp(lambda w: lax.conv_general_dilated(x, w, (1,), "SAME"), w)[1](d),
    draw("bf16", 40, 20, 3),
    draw("bf16", 2, 40, 300, seed=2),
    draw("bf16", 2, 20, 300, seed=3),
)
