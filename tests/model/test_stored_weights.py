"""Are weights that are stored in MX blocks by a flag those of trainyard.mx, and read as such?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_mx_products import quantised
from trainyard import _core, graph, model, mx, precision, sparse

RANDOM = np.random.default_rng(0)
BF16 = np.dtype(ml_dtypes.bfloat16)
FORMATS = ["mxfp4_stored", "mxfp8_stored"]


def noise(*shape, dtype=np.float32):
    return RANDOM.normal(size=shape).astype(dtype)


def stored(w, format):
    """What [K, columns] stands for in memory."""
    return mx.dequantize(*mx.quantize(w, format.removesuffix("_stored")))


def compiled(function, *arguments, format="mxfp4_stored", **options):
    return model.compile(function, *arguments, precision=f"weights={format}", **options)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("size", [(1, 256, 512), (130, 1184, 70), (7, 96, 1)])
def test_a_product_is_that_of_words_in_memory(size, format):
    m, k, n = size
    x, w = noise(m, k, dtype=BF16), noise(k, n, dtype=BF16)
    flagged = compiled(jnp.matmul, x, w, format=format)
    words, scales = mx.quantize(w, format.removesuffix("_stored"))
    by_hand = model.compile(mx.matmul, x, words, scales)
    np.testing.assert_array_equal(flagged(x, w), by_hand(x, words, scales))
    assert flagged.formats == [("weights", format, 1, 1)]
    assert (flagged.prepared, by_hand.prepared) == (1, 0)
    assert not flagged.routines
    assert flagged.time().seconds == by_hand.time().seconds


@pytest.mark.parametrize(
    "equation, shapes",
    [
        ("bk,nk->bn", [(4, 64), (48, 64)]),
        ("kn,bk->nb", [(64, 48), (4, 64)]),
        ("bsk,khd->bshd", [(2, 3, 64), (64, 4, 16)]),
        ("khd,kb->hdb", [(64, 4, 16), (64, 6)]),
    ],
)
def test_weights_and_activations_lie_in_any_order(equation, shapes):
    left, right, _ = equation.replace("->", ",").split(",")
    given = [noise(*shape) for shape in shapes]
    at = 0 if "n" in left or "h" in left else 1

    def product(w, x):
        x = jnp.sin(x)
        return jnp.einsum(equation, *((w, x) if at == 0 else (x, w)))

    w, x = given[at], np.sin(given[1 - at])
    k = (left, right)[at].index("k")
    moved = np.moveaxis(w, k, 0)
    blocks = stored(moved.reshape(moved.shape[0], -1), "mxfp4").reshape(moved.shape)
    rounded = [quantised(x, (left, right)[1 - at].index("k")), np.moveaxis(blocks, 0, k)]
    if at == 0:
        rounded.reverse()
    found = compiled(product, w, given[1 - at])
    assert found.formats[0][3] == 1 and not found.routines
    np.testing.assert_allclose(
        found(w, given[1 - at]), np.einsum(equation, *rounded), rtol=1e-4, atol=1e-4
    )


def test_layers_of_a_loop_have_words_of_their_own():
    x, w = noise(4, 64), noise(5, 64, 64) / 8

    def scanned(x, w):
        return jax.lax.scan(lambda x, w: (jnp.tanh(x @ w.astype(jnp.bfloat16).T), None), x, w)[0]

    def written_out(x, w):
        for layer in w:
            x = jnp.tanh(x @ layer.astype(jnp.bfloat16).T)
        return x

    x = x.astype(BF16)
    flagged = compiled(scanned, x, w)
    assert flagged.formats[0][2:] == (1, 1) and not flagged.routines
    np.testing.assert_array_equal(flagged(x, w), compiled(written_out, x, w)(x, w))
    expected = x.astype(np.float32)
    for layer in w:
        narrow = layer.T.astype(BF16).astype(np.float32)
        expected = np.tanh(quantised(expected, 1) @ stored(narrow, "mxfp4")).astype(BF16)
        expected = expected.astype(np.float32)
    difference = np.asarray(flagged(x, w), np.float32) - expected
    assert np.linalg.norm(difference) < 0.1 * np.linalg.norm(expected)  # where tanh rounds apart


def test_constants_and_called_functions_are_weights_too():
    x, w = noise(3, 64, dtype=BF16), noise(64, 32, dtype=BF16)
    inner = jax.jit(lambda x, w: x @ w)
    expected = compiled(jnp.matmul, x, w)(x, w)
    np.testing.assert_array_equal(compiled(lambda x: x @ w, x)(x), expected)
    np.testing.assert_array_equal(compiled(lambda x, w: inner(x, w), x, w)(x, w), expected)


def test_other_weights_are_quantised_anew():
    x, w = noise(2, 64, dtype=BF16), noise(64, 32, dtype=BF16)
    product = compiled(jnp.matmul, x, w)
    first = np.asarray(product(x, w))
    np.testing.assert_array_equal(product(x, w + w), first + first)
    np.testing.assert_array_equal(product(x, w), first)


def test_a_decode_step_reads_a_quarter():
    x = jax.ShapeDtypeStruct((1, 4096), jnp.bfloat16)
    w = jax.ShapeDtypeStruct((4096, 14336), jnp.bfloat16)
    unit = model.compile(jnp.matmul, x, w).time().seconds
    assert compiled(jnp.matmul, x, w, format="mxfp8_stored").time().seconds < 0.6 * unit
    assert compiled(jnp.matmul, x, w).time().seconds < 0.45 * unit


@pytest.mark.parametrize("pattern", sparse.PATTERNS)
def test_sparse_weights_are_those_of_trainyard_sparse(pattern):
    x, w = noise(5, 96, dtype=BF16), noise(96, 40, dtype=BF16)
    w[:48, 1] = 0  # groups with fewer elements than remain
    w[:, 2] = 1
    flagged = compiled(jnp.matmul, x, w, format="sparse_{}_{}".format(*pattern))
    given = sparse.compress(sparse.prune(w, pattern), pattern)
    by_hand = model.compile(lambda *a: sparse.matmul(*a, pattern), x, *given)
    np.testing.assert_array_equal(flagged(x, w), by_hand(x, *given))
    assert flagged.formats[0][2:] == (1, 1) and not flagged.routines
    (meaning,) = graph.evaluate(flagged._core.module, x, w)
    np.testing.assert_allclose(
        meaning.astype(np.float32), flagged(x, w).astype(np.float32), rtol=2**-7, atol=1e-3
    )


def test_sparse_weights_of_float32_are_bfloat16_and_lie_in_any_order():
    x, w = noise(6, 64), noise(32, 64)
    found = compiled(lambda x, w: w @ jnp.abs(x).T, x, w, format="sparse_4_16")(x, w)
    kept = sparse.prune(w.T.astype(BF16), (4, 16)).astype(np.float32)
    expected = (np.abs(x).astype(BF16).astype(np.float32) @ kept).T
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_a_product_by_sparse_weights_takes_less_than_half():
    shape = jax.ShapeDtypeStruct((2048, 2048), jnp.bfloat16)
    unit = model.compile(jnp.matmul, shape, shape).time().seconds
    flagged = compiled(jnp.matmul, shape, shape, format="sparse_4_16")
    assert flagged.time().seconds < 0.45 * unit


def test_an_annotation_asks_for_it():
    x, w = noise(2, 64, dtype=BF16), noise(64, 32, dtype=BF16)

    def annotated(x, w):
        with precision.using(weights="mxfp4_stored"):
            return x @ w

    np.testing.assert_array_equal(
        model.compile(annotated, x, w)(x, w), compiled(jnp.matmul, x, w)(x, w)
    )


def test_the_reference_means_the_same():
    x, w = noise(2, 64), noise(64, 32)
    (meaning,) = graph.evaluate(compiled(jnp.matmul, x, w)._core.module, x, w)
    np.testing.assert_allclose(meaning, quantised(x, 1) @ stored(w, "mxfp4"), rtol=1e-5, atol=1e-5)


def test_weights_that_a_step_changes_stay_as_they_are():
    x, w = noise(4, 64), noise(64, 32)

    def step(w, x):
        return w - 0.1 * jax.grad(lambda w: (x @ w).sum())(w)

    with pytest.warns(UserWarning, match="none of"):
        found = compiled(step, w, x)
    np.testing.assert_allclose(found(w, x), step(w, x), rtol=1e-5, atol=1e-5)


def test_other_classes_are_not_stored():
    with pytest.raises(_core.InputError, match="weights alone"):
        model.compile(jnp.sin, noise(2), precision="activations=mxfp4_stored")
