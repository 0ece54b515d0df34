"""Convolutions on the simulated machine, forward and backward, beside XLA on the CPU."""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(0)

LAST = ("NHWC", "HWIO", "NHWC")
FIRST = ("NCHW", "OIHW", "NCHW")
LINE = ("NWC", "WIO", "NWC")
MIXED = ("CHWN", "IHWO", "NHCW")


def noise(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


# Dimension numbers, shapes of input and kernel, and what is special about the form.
FORMS = {
    "same": (LAST, (2, 9, 8, 5), (3, 3, 5, 7), {}),
    "strides": (LAST, (2, 19, 18, 5), (3, 2, 5, 7), {"strides": (2, 3), "padding": "VALID"}),
    "kernel apart": (
        LAST,
        (2, 19, 18, 5),
        (3, 2, 5, 7),
        {"strides": (2, 1), "padding": [(2, 3), (-1, 4)], "rhs_dilation": (2, 3)},
    ),
    "input apart": (
        LAST,
        (2, 7, 8, 5),
        (3, 2, 5, 7),
        {"strides": (1, 2), "padding": [(1, 0), (2, 2)], "lhs_dilation": (2, 3)},
    ),
    "groups": (LAST, (2, 9, 8, 6), (3, 3, 2, 9), {"feature_group_count": 3}),
    "batch groups": (LAST, (4, 6, 5, 3), (3, 3, 3, 8), {"batch_group_count": 2}),
    "depthwise": (LAST, (2, 9, 8, 6), (3, 3, 1, 6), {"strides": (2, 2), "feature_group_count": 6}),
    "multiplied": (LAST, (2, 9, 8, 3), (3, 3, 1, 6), {"feature_group_count": 3}),
    "channels first": (FIRST, (2, 5, 9, 8), (7, 5, 3, 3), {}),
    "groups first": (FIRST, (2, 6, 9, 8), (9, 2, 3, 3), {"feature_group_count": 3}),
    "depthwise first": (FIRST, (2, 6, 9, 8), (6, 1, 3, 3), {"feature_group_count": 6}),
    "mixed": (MIXED, (5, 9, 8, 2), (5, 3, 2, 7), {"strides": (2, 1)}),
    "line": (LINE, (3, 33, 5), (4, 5, 130), {"strides": (2,), "padding": [(4, 0)]}),
    "deep": (LAST, (1, 14, 14, 300), (1, 1, 300, 40), {}),
    "channels": (LAST, (2, 9, 8, 20), (3, 3, 20, 140), {}),
    "channels, strides": (LAST, (3, 19, 18, 17), (3, 2, 17, 9), {"strides": (2, 3)}),
    "channels, line": (LINE, (3, 700, 16), (5, 16, 24), {"rhs_dilation": (3,)}),
    "channels apart": (FIRST, (2, 130, 9, 8), (20, 130, 3, 3), {"rhs_dilation": (2, 2)}),
    "wide border": (LAST, (2, 9, 8, 16), (3, 3, 16, 7), {"padding": [(2, 5), (1, 2)]}),
    "many small images": (LAST, (21, 7, 7, 16), (3, 3, 16, 16), {}),
    "rows of an image": (LAST, (2, 70, 66, 16), (5, 3, 16, 16), {"strides": (2, 1)}),
    "features in bands": (LAST, (2, 7, 7, 700), (3, 3, 700, 300), {}),
    "packed": (LAST, (2, 45, 38, 3), (7, 7, 3, 20), {"strides": (2, 2), "padding": [(3, 3)] * 2}),
    "packed, first": (FIRST, (2, 3, 150, 33), (20, 3, 5, 2), {"rhs_dilation": (2, 3)}),
    "wide, first": (FIRST, (1, 3, 256, 512), (4, 3, 3, 3), {"strides": (8, 4)}),
    "wide, many channels first": (FIRST, (1, 270, 40, 700), (8, 270, 3, 3), {"strides": (2, 3)}),
    "packed apart": (LAST, (1, 40, 40, 1), (3, 4, 1, 150), {"padding": [(-2, 5), (4, -1)]}),
    "depthwise, channels": (LAST, (2, 9, 8, 48), (3, 2, 1, 48), {"feature_group_count": 48}),
    "depthwise, blocks": (
        FIRST,
        (2, 130, 9, 11),
        (130, 1, 5, 3),
        {"feature_group_count": 130, "strides": (2, 1), "rhs_dilation": (1, 2)},
    ),
    "groups, blocks": (
        LAST,
        (2, 9, 8, 136),
        (3, 3, 8, 136),
        {"feature_group_count": 17, "strides": (2, 2)},
    ),
    "strides that leave out": (LAST, (2, 17, 16, 16), (1, 2, 16, 24), {"strides": (2, 3)}),
    "strides, kernel apart": (
        LAST,
        (2, 21, 19, 16),
        (3, 3, 16, 20),
        {"strides": (2, 4), "rhs_dilation": (3, 2), "padding": [(3, 4), (-1, 2)]},
    ),
    "both apart": (
        LAST,
        (2, 7, 8, 17),
        (3, 2, 17, 19),
        {"strides": (3, 2), "padding": [(2, 1), (2, 5)], "lhs_dilation": (2, 4)},
    ),
    "patches": (LAST, (2, 12, 15, 3), (4, 5, 3, 7), {"strides": (4, 5), "padding": "VALID"}),
    "patches, first": (
        FIRST,
        (2, 3, 12, 16),
        (24, 3, 4, 4),
        {"strides": (4, 4), "padding": "VALID"},
    ),
    "mixed channels": (MIXED, (24, 9, 8, 2), (24, 3, 2, 7), {"strides": (2, 1)}),
}


def convolution(name):
    numbers, input_shape, kernel_shape, special = FORMS[name]
    special = dict(special)
    strides = special.pop("strides", (1,) * (len(input_shape) - 2))
    padding = special.pop("padding", "SAME")

    def function(x, w):
        return lax.conv_general_dilated(
            x, w, strides, padding, dimension_numbers=numbers, **special
        )

    return function, noise(*input_shape), noise(*kernel_shape)


def check(function, *arguments, tolerance=2e-6):
    compiled = model.compile(function, *arguments)
    assert compiled.routines == []
    found = jax.tree.leaves(compiled(*arguments))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for ours, theirs in zip(found, wanted, strict=True):
        limit = tolerance * np.abs(theirs).max()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=limit)


@pytest.mark.parametrize("name", FORMS)
def test_forward(name):
    check(*convolution(name))


BACKWARD = [
    "strides",
    "kernel apart",
    "input apart",
    "groups",
    "depthwise",
    "multiplied",
    "channels first",
    "depthwise first",
    "line",
    "wide border",
    "wide, first",
    "wide, many channels first",
    "many small images",
    "rows of an image",
    "features in bands",
    "channels apart",
    "channels, strides",
    "depthwise, channels",
    "depthwise, blocks",
    "groups, blocks",
    "strides that leave out",
    "strides, kernel apart",
    "both apart",
    "patches",
    "patches, first",
]


@pytest.mark.parametrize("name", BACKWARD)
def test_backward(name):
    function, x, w = convolution(name)
    check(jax.grad(lambda a, b: jnp.square(function(a, b)).sum(), argnums=(0, 1)), x, w)


def test_gradients_of_kernels_read_whole_rows():
    """Nine taps of 12,544 pixels: not one transfer for each tap and pixel."""
    function, *_ = convolution("same")
    x = jax.ShapeDtypeStruct((16, 28, 28, 128), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((3, 3, 128, 128), jnp.bfloat16)

    def gradient(g, x, w):
        return jax.vjp(lambda w: function(x, w), w)[1](g)[0]

    assert model.compile(gradient, x, x, w).time().seconds < 200e-6  # its arithmetic takes 47


def test_transposed():
    def function(x, w):
        return lax.conv_transpose(x, w, (2, 2), "SAME", transpose_kernel=True)

    check(function, noise(2, 5, 6, 4), noise(3, 3, 7, 4))


def residual_blocks(x, weights, bias):
    """Two blocks of two convolutions, the first one with a stride."""

    def convolved(x, w, stride):
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=LAST)

    for stride in (2, 1):
        inner = jax.nn.relu(convolved(x, weights, stride) + bias)
        outer = x[:, ::stride, ::stride]
        x = jax.nn.relu(convolved(inner, weights, 1) + bias + outer)
    return x.mean((1, 2))


@pytest.mark.parametrize("batch, side", [(1, 20), (10, 20), (3, 70)])
def test_chained(batch, side):
    check(residual_blocks, noise(batch, side, side, 24), noise(3, 3, 24, 24), noise(24))


def normed(x, kernel, scale, bias, stride=1):
    """A convolution, its batch norm and a limit."""
    made = lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=LAST
    ).astype(jnp.float32)
    mean = made.mean((0, 1, 2))
    variance = jnp.square(made - mean).mean((0, 1, 2))
    scaled = (made - mean) * (scale * lax.rsqrt(variance + 1e-5)) + bias
    return jax.nn.relu(scaled).astype(x.dtype)


def training(x, first, second, scale, bias, head):
    """What a small network of batch norms has: a pool, a residual, a mean over the image."""
    x = normed(x, first, scale, bias, 2)
    x = lax.reduce_window(x, -np.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    x = x + normed(normed(x, second, scale, bias), second, scale, bias)
    return jnp.square(x.mean((1, 2)) @ head).sum()


def test_batch_norms():
    arguments = noise(3, 24, 20, 3), noise(3, 3, 3, 64), noise(3, 3, 64, 64) / 24
    arguments += noise(64), noise(64), noise(64, 10)
    compiled = model.compile(jax.grad(training, argnums=(1, 2, 3, 4, 5)), *arguments)
    assert compiled.routines == []
    found = compiled(*arguments)
    with jax.default_device(CPU):
        wanted = jax.jit(jax.grad(training, argnums=(1, 2, 3, 4, 5)))(*arguments)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-5 * np.abs(theirs).max())


def test_batch_norms_of_few_channels_and_long_rows():
    """Each image of a channel is a row: what the rows of a channel give is summed."""
    arguments = (
        noise(16, 40, 40, 4),
        noise(1, 1, 4, 64),
        noise(64),
        noise(64),
        noise(16, 40, 40, 64),
    )

    def loss(x, kernel, scale, bias, weights):
        return (normed(x, kernel, scale, bias) * weights).sum()

    compiled = model.compile(jax.value_and_grad(loss, argnums=(1, 2, 3)), *arguments)
    said = [how for groups in compiled._core.groups for _, how, _ in groups]
    assert any("1024 rows of 1600 elements" in how for how in said), said
    found, gradients = compiled(*arguments)
    with jax.default_device(CPU):
        wanted, others = jax.jit(jax.value_and_grad(loss, argnums=(1, 2, 3)))(*arguments)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    for ours, theirs in zip(gradients, others, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-5 * np.abs(theirs).max())


def test_batch_norms_have_their_channels_on_partitions():
    """A gradient of a layer takes a few passes over memory, not one a number of each pixel."""
    x = jax.ShapeDtypeStruct((16, 28, 28, 128), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((3, 3, 128, 128), jnp.bfloat16)
    v = jax.ShapeDtypeStruct((128,), jnp.float32)

    def loss(w, scale, bias, x):
        for _ in range(3):
            x = normed(x, w, scale, bias)
        return x.astype(jnp.float32).sum()

    compiled = model.compile(jax.grad(loss, argnums=(0, 1, 2)), w, v, v, x)
    assert compiled.time().seconds < 1.5e-3


POOLS = {
    "maximum": (lax.max, -np.inf, (3, 3), (2, 2), ((1, 1), (1, 1))),
    "maximum far apart": (lax.max, -np.inf, (2, 2), (3, 4), ((0, 0), (0, 0))),
    "minimum apart": (lax.min, np.inf, (2, 3), (1, 2), ((0, 0), (0, 0))),
    "sum": (lax.add, 0.0, (3, 2), (1, 1), ((1, 1), (0, 1))),
}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("shape, first", [((2, 19, 18, 20), False), ((3, 140, 70, 66), True)])
def test_pooling(name, shape, first):
    how, initial, window, strides, padding = POOLS[name]

    def spread(pair, still):
        return (still, still, *pair) if first else (still, *pair, still)

    def pooled(x):
        return lax.reduce_window(
            x,
            np.float32(initial),
            how,
            spread(window, 1),
            spread(strides, 1),
            spread(padding, (0, 0)),
        )

    check(pooled, noise(*shape))
    check(lambda x: pooled(jax.nn.relu(x) * 2), noise(*shape))
    x = np.maximum(noise(*shape), 0)  # the first of equal elements is chosen
    check(lambda x, g: jax.vjp(pooled, x)[1](g)[0], x, noise(*jax.eval_shape(pooled, x).shape))


@pytest.mark.parametrize(
    "shape", [(130, 4, 12, 14), (64, 16, 9, 13), (64, 6, 70, 66), (40, 6, 70, 66)]
)
def test_pooling_with_channels_in_any_place(shape):
    def pooled(x):
        return lax.reduce_window(x, -np.inf, lax.max, (1, 1, 3, 2), (1, 1, 3, 1), "SAME")

    check(pooled, noise(*shape))
    x = np.maximum(noise(*shape), 0)
    check(lambda x, g: jax.vjp(pooled, x)[1](g)[0], x, noise(*jax.eval_shape(pooled, x).shape))


def test_bias_and_activation_are_fused_behind_it():
    function, x, w = convolution("same")
    plain = model.compile(function, x, w).instructions
    both = model.compile(lambda x, w: jax.nn.relu6(function(x, w) * 2), x, w).instructions
    assert both <= plain + 2 * 3  # on each of two tiles; no value in between goes to HBM


def test_half_precision_sums_in_float32():
    function, x, w = convolution("same")

    def half(x, w):
        return function(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16))

    compiled = model.compile(half, x, w)
    exact = function(*(np.asarray(jnp.asarray(each, jnp.bfloat16), np.float32) for each in (x, w)))
    found = np.asarray(compiled(x, w), np.float32)
    np.testing.assert_allclose(found, exact, rtol=2**-8, atol=1e-5)


def narrow(values):
    return np.asarray(jnp.asarray(values, jnp.bfloat16))


def rounded(values):
    return narrow(values).astype(np.float32)


def wrong_share(block, wanted):
    function, x, w = convolution("channels")
    bias, rest = noise(w.shape[-1]), noise(2, 9, 8, w.shape[-1])
    half = [narrow(each) for each in (x, w, bias, rest)]
    found = np.asarray(model.compile(lambda *a: block(function, *a), *half)(*half), np.float32)
    x, w, bias, rest = (each.astype(np.float32) for each in half)
    with jax.default_device(CPU):
        sums = np.asarray(jax.jit(function)(x, w))
    return np.mean(found != wanted(sums, bias, rest))


def test_narrow_sums_are_rounded_once_behind_bias_and_limit():
    def block(function, x, w, bias, _):
        return jax.nn.relu(function(x, w) + bias)

    def once(sums, bias, _):
        return rounded(np.maximum(sums + bias, 0))

    assert wrong_share(block, once) < 0.001  # a quarter if the sums were rounded first


def test_a_residual_is_added_to_the_rounded_sum_with_bias():
    def block(function, x, w, bias, rest):
        return jax.nn.relu(function(x, w) + bias + rest)

    def twice(sums, bias, rest):
        return rounded(np.maximum(rounded(sums + bias) + rest, 0))

    assert wrong_share(block, twice) < 0.001


def test_reversed():
    check(lambda x: x[::-1, :, ::-1], noise(4, 5, 6, 2))


@pytest.mark.parametrize(
    ("length", "channels", "taps", "groups"),
    [(2048, 4096, 4, 4096), (131072, 256, 4, 256), (40000, 256, 3, 1), (1024, 8192, 3, 1)],
    ids=["mamba", "long", "long and dense", "many channels"],
)
def test_long_lines_fit(length, channels, taps, groups):
    """Room is the compiler's problem: convolutions of one dimension compile at any size."""

    def f(x, w):
        return jax.lax.conv_general_dilated(
            x,
            w,
            (1,),
            [(taps - 1, 0)],
            dimension_numbers=("NWC", "WIO", "NWC"),
            feature_group_count=groups,
        )

    x = jax.ShapeDtypeStruct((1, length, channels), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((taps, channels // groups, channels), jnp.bfloat16)
    assert model.compile(f, x, w).time().seconds > 0


def test_lines_that_are_cut_have_the_values_of_others():
    r = np.random.default_rng(5)
    x = r.normal(size=(1, 9000, 32)).astype(np.float32)
    w = r.normal(size=(5, 1, 32)).astype(np.float32)

    def f(x, w):
        return jax.lax.conv_general_dilated(
            x,
            w,
            (1,),
            [(4, 0)],
            dimension_numbers=("NWC", "WIO", "NWC"),
            feature_group_count=32,
        )

    with jax.default_device(jax.devices("cpu")[0]):
        want = np.asarray(jax.jit(f)(x, w))
    np.testing.assert_allclose(model.compile(f, x, w)(x, w), want, rtol=2e-5, atol=2e-5)


def patches(x, w):
    """Windows that do not overlap, as one einsum."""
    b, h, v, c = x.shape
    p = w.shape[0]
    return jnp.einsum("bhpvqc,pqcd->bhvd", x.reshape(b, h // p, p, v // p, p, c), w)


def rows_of_patches(x, w):
    b, h, v, c = x.shape
    p = w.shape[0]
    rows = x.reshape(b, h // p, p, v // p, p, c).transpose(0, 1, 3, 2, 4, 5)
    return rows.reshape(b, h // p, v // p, -1) @ w.reshape(-1, w.shape[-1])


@pytest.mark.parametrize(
    ("size", "channels", "taps", "stride", "features"),
    [(7, 512, 3, 1, 512), (14, 384, 2, 2, 768), (224, 3, 16, 16, 192)],
    ids=["3x3", "halved", "patches"],
)
def test_every_layout_takes_a_time_alike(size, channels, taps, stride, features):
    """Layouts and forms of one convolution are within twice the best, PyTorch's among them."""

    def convolution(numbers):
        padding = "SAME" if stride == 1 else "VALID"
        return lambda x, w: lax.conv_general_dilated(
            x, w, (stride, stride), padding, dimension_numbers=numbers
        )

    last = (8, size, size, channels), (taps, taps, channels, features)
    first = (8, channels, size, size), (features, channels, taps, taps)
    forms = [(convolution(LAST), last), (convolution(FIRST), first)]
    if stride > 1:
        forms += [(patches, last), (rows_of_patches, last)]
    times = [
        model.compile(f, *(jax.ShapeDtypeStruct(shape, jnp.bfloat16) for shape in shapes), cores=2)
        .time()
        .seconds
        for f, shapes in forms
    ]
    assert max(times) <= 2.3 * min(times), times


@pytest.mark.parametrize("size", [14, 7])
def test_a_depthwise_kernel_is_loaded_once(size):
    """Not once a channel and tap: single elements took forty times as long as the products."""
    x = jax.ShapeDtypeStruct((8, 384, size, size), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((384, 1, 7, 7), jnp.bfloat16)

    def f(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=384)

    assert model.compile(f, x, w, cores=2).time().seconds < 100e-6


def test_the_gradient_of_a_kernel_is_not_stored_by_elements():
    d = jax.ShapeDtypeStruct((8, 512, 7, 7), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((512, 512, 3, 3), jnp.bfloat16)

    def f(x, w, d):
        return jax.vjp(lambda w: lax.conv(x, w, (1, 1), "SAME"), w)[1](d)

    assert model.compile(f, d, w, d, cores=2).time().seconds < 300e-6
