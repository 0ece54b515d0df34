"""Operations over the same rows, computed in one pass over memory: numbers, traffic, limits."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(17)


def normal(*shape, dtype=np.float32):
    return (RANDOM.normal(size=shape) * 2).astype(dtype)


def small(*shape):
    """Weights that give products of about 2: softmax makes a large one's last bits visible."""
    return normal(*shape) / np.float32(2 * np.sqrt(shape[0]))


def rms_norm(x, weight):
    return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * weight


def layer_norm(x, weight, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * weight + bias


def residual_norm(x, y, weight):
    x = x + y
    return x, rms_norm(x, weight)


def masked(x, mask):
    return jax.nn.softmax(x * 0.125 + mask, axis=-1)


def several(x):
    """Reductions that wait for each other, results of rows and of one element a row."""
    low, high = x.min(-1), x.max(-1)
    scaled = (x - low[:, None]) / (high - low)[:, None]
    return scaled, scaled.sum(-1), high, jnp.log(jnp.exp(scaled).sum(-1, keepdims=True))


def scaled_rows(x, scale, number):
    """An input of one element a row, and one number for all."""
    return jax.nn.softmax(x * scale[:, None] + number, axis=-1)


def two_dims(x):
    centred = x - x.mean((2, 3), keepdims=True)
    return centred / jnp.sqrt((centred**2).mean((2, 3), keepdims=True) + 1e-3)


def gradients(f):
    return lambda g, *arguments: jax.vjp(f, *arguments)[1](g)


def cross_entropy(x, targets):
    return -(jax.nn.log_softmax(x) * jax.nn.one_hot(targets, x.shape[-1])).sum(-1)


def rows_read_later(x, w):
    """What is reduced is also read after a product of the result."""
    y = jax.nn.softmax(x)
    return x + y @ w, (y @ w).max(-1)


def selected(x, y):
    """Comparisons, choices and integers between reductions."""
    keep = (x > y) & (x < 2)
    chosen = jnp.where(keep, x, -jnp.inf)
    return jnp.where(keep, jnp.exp(x - chosen.max(-1, keepdims=True)), 0), keep.sum(-1)


def column_sums(x, y):
    """Sums down the rows, of values that a row group makes on its way."""
    product = x * y
    return product.sum(0), x.sum(0), (product - x.max(-1, keepdims=True)).sum(0), product.max(-1)


def five_column_sums(x):
    return [(x * number).sum(0) for number in range(2, 7)]


def norm_of_column_sums(x):
    """What waits for the last row is no part of the pass."""
    return x / (jnp.square(x).sum(0) + 1) - x.sum(-1, keepdims=True)


def heads(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) * 0.125
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores), v)


def causal(q, k):
    mask = jnp.tril(jnp.ones((q.shape[0], k.shape[0]), bool))
    return jax.nn.softmax(jnp.where(mask, q @ k.T, -jnp.inf))


def product_read_twice(x, w):
    """The product's rows in the pass, and again behind it."""
    y = x @ w
    return jax.nn.softmax(y), y.T @ x


def product_of_products(x, w):
    return rms_norm(jnp.tanh(x @ w) + x, w[0]) @ w


def spread_again(x):
    """A row's number as wide as the row, for a result."""
    return jnp.broadcast_to(x.max(-1, keepdims=True), x.shape), x - x.max(-1, keepdims=True)


def adam(step):
    """Results of each weight, with powers of the step's number."""

    def update(weights, gradient, first, second, number):
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient * gradient
        slope = jnp.sqrt(second / (1 - 0.99**number)) + 1e-8
        moved = first / (1 - 0.9**number) / slope + 0.01 * weights
        return weights - 0.001 * moved, first, second

    return lambda *values: jax.tree.map(lambda *each: update(*each, step), *values)


def states(*shapes):
    return [
        [np.abs(normal(*shape)) if of_squares else normal(*shape) for shape in shapes]
        for of_squares in (False, False, False, True)
    ]


def scaled_channels(x, scale, shift):
    """Several pixels a row: what is added repeats within the row, and engines share its columns."""
    return x * scale + shift, jnp.tanh(x * scale)


X = normal(200, 384)
W = normal(384)
PROGRAMS = {
    "softmax": (jax.nn.softmax, [X]),
    "softmax of three dimensions": (jax.nn.softmax, [normal(3, 70, 100)]),
    "softmax of odd sizes": (jax.nn.softmax, [normal(131, 77)]),
    "log_softmax": (jax.nn.log_softmax, [X]),
    "softmax with a mask": (masked, [X, normal(200, 384)]),
    "softmax with a mask for all rows": (masked, [X, normal(384)]),
    "softmax of scaled rows": (scaled_rows, [X, normal(200), np.float32(2)]),
    "RMSNorm": (rms_norm, [X, W]),
    "RMSNorm of three dimensions": (rms_norm, [normal(5, 40, 96), normal(96)]),
    "RMSNorm of a residual": (residual_norm, [X, normal(200, 384), W]),
    "LayerNorm": (layer_norm, [X, W, normal(384)]),
    "LayerNorm of long rows": (layer_norm, [normal(130, 1300) + 9, normal(1300), normal(1300)]),
    "LayerNorm of two dimensions": (two_dims, [normal(4, 33, 8, 16)]),
    "several reductions": (several, [normal(300, 130)]),
    "gradient of softmax": (gradients(jax.nn.softmax), [normal(200, 384), X]),
    "gradient of RMSNorm": (gradients(rms_norm), [normal(200, 384), X, W]),
    "gradient of LayerNorm": (gradients(layer_norm), [normal(200, 384), X, W, normal(384)]),
    "cross entropy": (cross_entropy, [X, RANDOM.integers(0, 384, 200).astype(np.int32)]),
    "rows read later": (rows_read_later, [X, normal(384, 384)]),
    "choices": (selected, [X, normal(200, 384)]),
    "a number as wide as its row": (spread_again, [X]),
    "softmax of a product": (lambda x, w: jax.nn.softmax(x @ w), [X, small(384, 700)]),
    "maximum of a product": (lambda x, w: (x @ w).max(-1), [X, normal(384, 700)]),
    "exp of a product": (lambda x, w: jnp.exp(x @ w / 99).sum(-1), [X, normal(384, 130)]),
    "scaled rows of a product": (
        lambda x, w, s: jax.nn.softmax((x @ w) * s[:, None]),
        [X, small(384, 600), normal(200)],
    ),
    "a wide product": (lambda x, w: jax.nn.softmax(x @ w), [normal(130, 300), small(300, 9000)]),
    "column sums of a product": (lambda x, w: ((x @ w) * 2).sum(0), [X, normal(384, 200)]),
    "heads": (heads, [normal(3, 256, 64), normal(3, 256, 64), normal(3, 256, 64)]),
    "heads of odd sizes": (heads, [normal(3, 200, 64), normal(3, 150, 64), normal(3, 150, 64)]),
    "causal": (causal, [normal(300, 64), normal(300, 64)]),
    "a product read twice": (product_read_twice, [X, small(384, 384)]),
    "products before and behind": (product_of_products, [normal(256, 256), normal(256, 256)]),
    "column sums": (column_sums, [X, normal(200, 384)]),
    "column sums of three dimensions": (lambda x: jnp.tanh(x).sum((0, 1)), [normal(5, 33, 70)]),
    "more column sums than fit": (five_column_sums, [X]),
    "column sums of long rows": (lambda x: (x * 2).sum(0), [normal(130, 5000)]),
    "column sums of very long rows": (lambda x: (x * 2).sum(0), [normal(64, 20000)]),
    "norm of column sums": (norm_of_column_sums, [normal(384, 384)]),
    "rows that fit alone": (jax.nn.softmax, [normal(130, 13000)]),
    "rows that do not fit": (jax.nn.softmax, [normal(128, 40000)]),
    "Adam": (adam(np.float32(3)), states((512, 1024), (131, 6144), (4, 64, 768), (1 << 19,))),
    "channels of pixels": (
        scaled_channels,
        [normal(8, 16, 16, 256, dtype=BF16), normal(256), normal(256)],
    ),
    "few rows": (jax.nn.softmax, [normal(5, 4000)]),
    "short rows": (jax.nn.softmax, [normal(500, 7)]),
}


def on_the_cpu(function, arguments):
    with jax.default_device(CPU):
        return jax.tree.leaves(jax.jit(function)(*arguments))


def agree(function, arguments, tolerance):
    found = jax.tree.leaves(model.compile(function, *arguments)(*arguments))
    for ours, theirs in zip(found, on_the_cpu(function, arguments), strict=True):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        ours, theirs = ours.astype(np.float64), np.asarray(theirs).astype(np.float64)
        scale = max(1.0, float(np.abs(theirs[np.isfinite(theirs)]).max(initial=0)))
        np.testing.assert_allclose(ours / scale, theirs / scale, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_the_cpu(name):
    agree(*PROGRAMS[name], tolerance=1e-5)


@pytest.mark.parametrize(
    "name",
    [
        *["softmax", "log_softmax", "RMSNorm", "LayerNorm", "softmax with a mask", "choices"],
        *["gradient of RMSNorm", "column sums", "heads"],
    ],
)
def test_agrees_in_bf16(name):
    function, arguments = PROGRAMS[name]
    agree(function, [a.astype(BF16) for a in arguments], tolerance=2e-2)


def test_the_maximum_is_exact_in_every_format():
    for dtype in (np.float32, np.float16, BF16):
        x = normal(200, 384, dtype=dtype)
        largest, distance = model.compile(lambda x: (x.max(-1), x - x.max(-1, keepdims=True)), x)(x)
        assert np.array_equal(largest, x.max(-1))
        assert np.array_equal(distance, x - x.max(-1, keepdims=True))


def test_an_infinite_column_leaves_the_others_alone():
    x, y = normal(200, 64), normal(200, 64)
    x[7, 3], y[9, 5] = np.inf, np.nan
    first, second = model.compile(lambda x, y: ((x * 2).sum(0), (y * 2).sum(0)), x, y)(x, y)
    assert np.flatnonzero(~np.isfinite(first)).tolist() == [3]
    assert np.flatnonzero(~np.isfinite(second)).tolist() == [5]


def traffic(compiled, *arguments):
    [report] = compiled.run(*arguments, timed=True, values=False).reports
    return next(each for each in report["traffic"] if each["memory"] == "hbm")["bytes"]


@pytest.mark.parametrize("dtype", [np.float32, BF16])
@pytest.mark.parametrize(
    ("function", "count"),
    [(jax.nn.softmax, 1), (jax.nn.log_softmax, 1), (rms_norm, 2), (layer_norm, 3)],
)
def test_every_row_is_loaded_once_and_stored_once(function, count, dtype):
    x, *vectors = (np.ones(s, dtype) for s in ((512, 2048), (2048,), (2048,)))
    vectors = vectors[: count - 1]
    moved = traffic(model.compile(function, x, *vectors), x, *vectors)
    assert moved["written"] == x.nbytes
    # A vector for all rows is loaded into every partition, once.
    assert moved["read"] <= x.nbytes + sum(128 * v.nbytes for v in vectors)


def test_an_optimiser_reads_and_writes_each_value_once():
    weights = [jax.ShapeDtypeStruct((1024, 1024), np.float32)] * 24
    moments = [weights] * 3

    def step(weights, gradients, first, second):
        # All weights take one step before any takes the next, as optax does it.
        first = [0.9 * m + 0.1 * g for m, g in zip(first, gradients, strict=True)]
        second = [0.99 * v + 0.01 * g * g for v, g in zip(second, gradients, strict=True)]
        scaled = [m / 0.8 for m in first]
        slopes = [jnp.sqrt(v / 0.9) for v in second]
        moved = [m / (v + 1e-8) for m, v in zip(scaled, slopes, strict=True)]
        moved = [-0.001 * m for m in moved]
        return [w + m for w, m in zip(weights, moved, strict=True)], first, second

    [report] = model.compile(step, weights, *moments).time().reports
    [hbm] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
    size = 24 * 4 * 1024 * 1024
    assert hbm == {"read": 4 * size, "written": 3 * size}
    assert report["speed_of_light"]["share"] > 0.7


def test_what_a_residual_block_reads_later_is_stored_once():
    x, weight = np.ones((512, 2048), np.float32), np.ones(2048, np.float32)
    moved = traffic(model.compile(residual_norm, x, x, weight), x, x, weight)
    assert moved["written"] == 2 * x.nbytes
    assert moved["read"] <= 2 * x.nbytes + 128 * weight.nbytes


def test_a_product_goes_on_chip_into_the_rows_that_read_it():
    x, w = np.ones((512, 256), BF16), np.ones((256, 2048), BF16)

    def scores(x, w):
        return jax.nn.softmax(jnp.matmul(x, w, preferred_element_type=jnp.float32))

    moved = traffic(model.compile(scores, x, w), x, w)
    assert moved == {"read": x.nbytes + w.nbytes, "written": 512 * 2048 * 4}


def test_a_gradient_of_the_weights_reads_memory_once_too():
    x, weight = np.ones((512, 2048), np.float32), np.ones(2048, np.float32)

    def gradient(x, weight, g):
        return jax.vjp(rms_norm, x, weight)[1](g)

    moved = traffic(model.compile(gradient, x, weight, x), x, weight, x)
    assert moved["written"] == x.nbytes + weight.nbytes
    assert moved["read"] <= 2 * x.nbytes + 128 * weight.nbytes


def test_a_pass_takes_one_instruction():
    x = np.ones((128, 512), np.float32)
    # A load, the maximum, no smaller than -inf, exp and its sum, the inverse, the scaling, a store.
    assert model.compile(jax.nn.softmax, x).instructions <= 8


def test_the_mean_and_the_variance_of_rows_take_one_pass():
    x, vector = (jax.ShapeDtypeStruct(s, np.float32) for s in ((4096, 2048), (2048,)))
    [report] = model.compile(layer_norm, x, vector, vector).time().reports
    names = {each["mnemonic"] for each in report["mnemonics"]}
    assert "bn_stats" in names and "tensor_reduce" not in names


def test_a_function_that_is_called_joins_its_caller():
    x = normal(128, 256)

    @jax.jit
    def centred(x):
        return x - x.mean(-1, keepdims=True)

    def spelled_out(x):
        return jax.nn.softmax(x - x.mean(-1, keepdims=True))

    def calling(x):
        return jax.nn.softmax(centred(x))

    expected = model.compile(spelled_out, x)
    compiled = model.compile(calling, x)
    assert compiled.instructions == expected.instructions
    assert np.array_equal(compiled(x), expected(x))


def test_loops_have_row_groups_too():
    x = normal(128, 256)

    def turns(x):
        return jax.lax.fori_loop(0, 3, lambda _, y: jax.nn.softmax(y * 9), x)

    agree(turns, [x], tolerance=1e-5)


@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
def test_casts_run_on_an_engine_that_has_them(machine):
    x = normal(128, 512, dtype=BF16)

    def cast(x):
        return jax.nn.softmax(x.astype(jnp.float32) * 3, -1).astype(jnp.bfloat16)

    found = model.compile(cast, x, machine=machine)(x)
    expected = np.asarray(on_the_cpu(cast, [x])[0], np.float32)
    assert np.allclose(found.astype(np.float32), expected, atol=2e-2)


def test_sums_of_wide_rows_leave_room_for_products():
    x, g, w, m = (
        jax.ShapeDtypeStruct(s, BF16) for s in ((256, 8192), (256, 128), (8192,), (8192, 128))
    )

    def product_of_norm(x, w, m):
        real = x.astype(jnp.float32)
        mean = jnp.square(real).mean(-1, keepdims=True)
        return (real * jax.lax.rsqrt(mean + 1e-5)).astype(x.dtype) * w @ m

    def gradients(x, w, m, g):
        return jax.vjp(product_of_norm, x, w, m)[1](g)

    compiled = model.compile(gradients, x, w, m, g)
    assert compiled.routines == []
    assert compiled.time().seconds > 0


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), BF16], ids=str)
@pytest.mark.parametrize(
    ("function", "vectors"), [(jax.nn.softmax, 0), (rms_norm, 1), (layer_norm, 2)]
)
def test_which_engine_computes_which_columns_does_not_show(function, vectors, dtype):
    """Passes are divided between engines by columns, and the last band is computed in slices."""
    rows = normal(128, 2048, dtype=dtype)
    arguments = np.tile(rows, (5, 1)), *[normal(2048, dtype=dtype) for _ in range(vectors)]
    bands = model.compile(function, *arguments)(*arguments).reshape(5, 128, 2048)
    for band in bands[1:]:
        np.testing.assert_array_equal(band, bands[0])
    with jax.default_device(CPU):
        wanted = function(*[jnp.asarray(each, jnp.float32) for each in (rows, *arguments[1:])])
    close = 2e-5 if dtype == np.float32 else 0.06
    np.testing.assert_allclose(bands[0].astype(np.float32), wanted, rtol=close, atol=close)


def told(made):
    """How the groups of a model are computed."""
    return "; ".join(how for program in made._core.groups for _, how, _ in program)


def test_few_long_rows_are_computed_in_one_pass():
    """A decoding step's norms: spread over the partitions they take a half more."""
    for given in ((normal(1, 2048), normal(2048)), (normal(3, 1024), normal(1024))):
        made = model.compile(rms_norm, *given)
        assert "one pass over memory" in told(made)
        with jax.default_device(CPU):
            expected = np.asarray(rms_norm(*given))
        [found] = jax.tree.leaves(made.run(*given).results)
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


def test_few_rows_that_are_summed_lie_in_several_partitions():
    """The array adds what partitions have, but takes no maximum: of that each has one first."""

    def after_residual(x, residual, weight):
        return x + residual, rms_norm(x + residual, weight)

    rows = normal(32, 65536)
    summed = told(model.compile(after_residual, rows, rows, normal(65536)))
    chosen = told(model.compile(jax.nn.softmax, rows))
    assert "32 rows of 65536 elements, each in 64 partitions" in summed
    assert "128 rows of 16384 elements" in chosen
