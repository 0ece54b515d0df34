"""Images in networks: batch norms in training, few channels that are packed, many in bands."""

from __future__ import annotations

import jax
from jax import lax

from .case import add, real

# --- Training with batch norms; images with few channels, packed ---


def normed(x, scale, offset, axes):
    mean, square = x.mean(axes, keepdims=True), (x * x).mean(axes, keepdims=True)
    shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
    return (x - mean) * lax.rsqrt(square - mean * mean + 1e-5) * scale.reshape(
        shape
    ) + offset.reshape(shape)


def two_layers(numbers, axes):
    def network(x, w, scale, offset, v):
        y = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)
        y = jax.nn.relu(normed(y, scale, offset, axes))
        return lax.conv_general_dilated(y, v, (2, 2), "SAME", dimension_numbers=numbers)

    return network


NORMED = {
    "first": (("NCHW", "OIHW", "NCHW"), (0, 2, 3), (4, 16, 12, 12), (64, 16, 3, 3), (8, 64, 3, 3)),
    "last": (("NHWC", "HWIO", "NHWC"), (0, 1, 2), (4, 12, 12, 16), (3, 3, 16, 64), (3, 3, 64, 8)),
}
for name, (numbers, axes, *shapes) in NORMED.items():
    x, w, v = (real(*shape, seed=i) for i, shape in enumerate(shapes, 1))
    given = (x, w, real(64, seed=5), real(64, seed=6), v)
    network = two_layers(numbers, axes)
    add(f"images_batch_norm_{name}", network, *given, tolerance=1e-3)
    add(
        f"images_batch_norm_{name}_gradient",
        lambda *a, f=network: jax.grad(lambda *a: (f(*a) ** 2).sum(), (1, 2, 3, 4))(*a),
        *given,
        tolerance=5e-3,
    )
PACKED = {
    "last": (("NHWC", "HWIO", "NHWC"), (2, 45, 38, 3), (7, 7, 3, 20), (2, 2), [(3, 3)] * 2, {}),
    "first": (
        ("NCHW", "OIHW", "NCHW"),
        (2, 3, 150, 33),
        (20, 3, 5, 2),
        (1, 1),
        "SAME",
        {"rhs_dilation": (2, 3)},
    ),
    "one_channel": (
        ("NHWC", "HWIO", "NHWC"),
        (1, 40, 40, 1),
        (3, 4, 1, 150),
        (1, 1),
        [(-2, 5), (4, -1)],
        {},
    ),
    "rows": (("NHWC", "HWIO", "NHWC"), (2, 70, 66, 16), (5, 3, 16, 16), (2, 1), "SAME", {}),
    "bands": (("NHWC", "HWIO", "NHWC"), (2, 7, 7, 300), (3, 3, 300, 140), (1, 1), "SAME", {}),
    "wide": (("NCHW", "OIHW", "NCHW"), (1, 3, 64, 512), (4, 3, 3, 3), (8, 4), "SAME", {}),
}
for name, (numbers, image, kernel, strides, padding, how) in PACKED.items():
    add(
        f"images_packed_{name}",
        lambda x, w, n=numbers, s=strides, p=padding, h=how: lax.conv_general_dilated(
            x, w, s, p, dimension_numbers=n, **h
        ),
        real(*image),
        real(*kernel, seed=2),
        tolerance=1e-3,
    )
