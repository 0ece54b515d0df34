"""Do operands of products get the formats of their classes, by flag and by annotation?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import _core, model, precision

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(64, 128)).astype(np.float32)
W = RANDOM.normal(size=(128, 96)).astype(np.float32) / 11
V = RANDOM.normal(size=(96, 64)).astype(np.float32) / 10
ALL = "weights=fp8_e4m3,activations=bf16,gradients=fp8_e5m2,kv_cache=fp16"


def rounded(x, dtype):
    return np.asarray(x, np.float32).astype(dtype).astype(np.float32)


def bf16(x):
    return rounded(x, ml_dtypes.bfloat16)


def e4m3(x):
    return rounded(x, ml_dtypes.float8_e4m3)


def e5m2(x):
    return rounded(x, ml_dtypes.float8_e5m2)


def members(function, *arguments):
    """Of each class, how many operands of products it has."""
    compiled = model.compile(function, *arguments, precision=ALL)
    return {name: count for name, _, count, _ in compiled.formats}


def members_quietly(function, *arguments):
    with pytest.warns(UserWarning, match="no product has an operand"):
        return members(function, *arguments)


def layers(x, w, v):
    return jnp.maximum(x @ w, 0) @ v


def loss(x, w, v):
    return (layers(x, w, v) ** 2).sum()


def test_each_class_has_its_format_forward():
    found = model.compile(layers, X, W, V, precision="weights=fp8_e4m3,activations=bf16")(X, W, V)
    expected = bf16(np.maximum(bf16(X) @ e4m3(W), 0)) @ e4m3(V)
    np.testing.assert_allclose(found, expected, rtol=1e-2, atol=1e-2)
    assert np.abs(found - bf16(np.maximum(bf16(X) @ bf16(W), 0)) @ bf16(V)).max() > 0.05


def test_tf32_is_narrower_than_float32_and_takes_less_time():
    bits = W.view(np.uint32).astype(np.uint64)
    kept = (bits + 0xFFF + ((bits >> 13) & 1)) & 0xFFFFE000
    rounded_weights = kept.astype(np.uint32).view(np.float32)
    both = "weights=tf32,activations=tf32"
    found = model.compile(jnp.matmul, X, W, precision="weights=tf32")(X, W)
    np.testing.assert_allclose(found, X @ rounded_weights, rtol=1e-5, atol=1e-5)
    mixed = model.compile(jnp.matmul, X, W, precision="weights=tf32,activations=bf16")(X, W)
    np.testing.assert_allclose(mixed, bf16(X) @ rounded_weights, rtol=1e-5, atol=1e-5)
    shape = jax.ShapeDtypeStruct((1024, 1024), jnp.float32)
    unit = model.compile(jnp.matmul, shape, shape).time().seconds
    assert model.compile(jnp.matmul, shape, shape, precision=both).time().seconds < 0.7 * unit


def test_products_of_the_backward_pass_take_gradients_in_their_format():
    step = jax.grad(loss, argnums=(1, 2))
    formats = {"weights": "bf16", "activations": "bf16", "gradients": "fp8_e5m2"}
    compiled = model.compile(step, X, W, V, precision=formats)
    hidden = np.maximum(bf16(X) @ bf16(W), 0)
    above = e5m2(2 * (bf16(hidden) @ bf16(V)))
    of_hidden = (above @ bf16(V).T) * (hidden > 0)
    expected = bf16(X).T @ e5m2(of_hidden), bf16(hidden).T @ above
    for found, wanted in zip(compiled(X, W, V), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0.02, atol=0.02 * np.abs(wanted).max())
    assert dict((name, (n, done)) for name, _, n, done in compiled.formats) == {
        "weights": (3, 3),
        "activations": (4, 4),
        "gradients": (3, 3),
    }


def test_weights_are_found_behind_moves_calls_and_loops():
    stacked = np.stack([np.eye(64, dtype=np.float32)] * 3)

    @jax.checkpoint
    def layer(x, w):
        return jnp.tanh(x @ w.reshape(64, 64).T), None

    def scanned(x, stacked):
        return jax.lax.scan(layer, x, stacked)[0]

    assert members_quietly(scanned, X[:, :64] * 2, stacked)["weights"] == 1
    assert members_quietly(lambda x, s: scanned(jnp.sin(x), s), X[:, :64], stacked) == {
        "weights": 1,
        "activations": 1,
        "gradients": 0,
        "kv_cache": 0,
    }


def test_what_a_rematerialised_layer_computes_again_is_no_gradient():
    def step(x, w, v):
        return jax.grad(lambda w, v: jax.checkpoint(loss)(x, w, v), argnums=(0, 1))(w, v)

    counts = members_quietly(step, X, W, V)
    assert counts["gradients"] == 3
    assert counts["weights"] >= 3


def test_a_cache_that_is_updated_is_one():
    cache = RANDOM.normal(size=(32, 64)).astype(np.float32)

    def decode(q, k, cache, at):
        cache = jax.lax.dynamic_update_slice(cache, k, (at, 0))
        return jnp.sin(q) @ cache.T, cache

    given = X[:1, :64], X[1:2, :64], cache, np.int32(3)
    assert members_quietly(decode, *given)["kv_cache"] == 1
    compiled = model.compile(decode, *given, precision="kv_cache=fp8_e4m3,activations=bf16")
    scores, updated = compiled(*given)
    cache[3] = given[1][0]
    np.testing.assert_array_equal(updated, cache)  # it lies in memory as it is typed
    expected = bf16(np.sin(given[0])) @ e4m3(cache).T
    np.testing.assert_allclose(scores, expected, rtol=0.02, atol=0.02)


def test_scores_of_attention_have_no_weights():
    def scores(q, k):
        return jnp.einsum("hqd,hkd->hqk", q, k)

    heads = RANDOM.normal(size=(2, 32, 16)).astype(np.float32)
    assert members_quietly(scores, heads, heads.copy())["activations"] == 2


def test_attention_stays_one_operation_where_other_products_take_8_bits():
    def attention(*given):
        q, k, v = map(jnp.sin, given)
        scores = jnp.einsum("hqd,hkd->hqk", q, k) / 4
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)

    heads = [RANDOM.normal(size=(2, 256, 16)).astype(np.float32) for _ in range(3)]
    plain = model.compile(attention, *heads)
    with pytest.warns(UserWarning, match="none of 4 operands of the class activations"):
        asked = model.compile(attention, *heads, precision="activations=fp8_e4m3_scaled")
    np.testing.assert_array_equal(asked(*heads), plain(*heads))
    halves = model.compile(attention, *heads, precision="activations=bf16")
    assert ["attention" in how for ((_, how, _),) in halves._core.groups] == [True]
    assert np.abs(halves(*heads) - plain(*heads)).max() > 1e-4


def test_a_scaled_format_takes_numbers_beyond_its_range():
    large = X * 1e4
    plain = {"weights": "fp8_e4m3", "activations": "fp8_e4m3"}
    scaled = {name: f"{value}_scaled" for name, value in plain.items()}
    tiny = W * 1e-5
    assert not np.isfinite(
        model.compile(jnp.matmul, large, tiny, precision=plain)(large, tiny)
    ).all()
    found = model.compile(jnp.matmul, large, tiny, precision=scaled)(large, tiny)
    wanted = large @ tiny
    assert np.linalg.norm(found - wanted) < 0.05 * np.linalg.norm(wanted)
    zeros = np.zeros_like(X)
    np.testing.assert_array_equal(
        model.compile(jnp.matmul, zeros, W, precision=scaled)(zeros, W), 0
    )


def test_mx_blocks_take_both_sides_and_a_format_of_its_own_keeps_one_out():
    x, w = X, W
    blocks = model.compile(jnp.matmul, x, w, precision="weights=mxfp8")(x, w)
    np.testing.assert_array_equal(
        blocks, model.compile(jnp.matmul, x, w, matmul_format="mxfp8")(x, w)
    )
    with pytest.warns(UserWarning, match="none of 1 operands of the class weights can be mxfp8"):
        apart = model.compile(jnp.matmul, x, w, precision="weights=mxfp8,activations=bf16")(x, w)
    np.testing.assert_allclose(apart, bf16(x) @ w, rtol=1e-5, atol=1e-5)


def test_an_annotation_counts_more_than_the_flag_and_its_gradient_has_it():
    def annotated(x, w, v):
        with precision.using(weights="bf16", activations="bf16", gradients="bf16"):
            hidden = jnp.maximum(x @ w, 0)
        return hidden @ v

    found = model.compile(annotated, X, W, V)(X, W, V)
    expected = np.maximum(bf16(X) @ bf16(W), 0) @ V
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    gradient = jax.grad(lambda w: annotated(X, w, V).sum())
    above = np.broadcast_to(V.sum(1), (64, 96)) * (bf16(X) @ bf16(W) > 0)
    np.testing.assert_allclose(
        model.compile(gradient, W)(W), bf16(X).T @ bf16(above), rtol=1e-4, atol=1e-4
    )
    both = model.compile(annotated, X, W, V, precision="weights=fp8_e4m3")(X, W, V)
    np.testing.assert_allclose(
        both, np.maximum(bf16(X) @ bf16(W), 0) @ e4m3(V), rtol=1e-5, atol=1e-5
    )


def test_products_that_ask_for_float32_keep_it():
    def product(x, w):
        return jnp.matmul(x, w, precision=jax.lax.Precision.HIGHEST)

    with pytest.warns(UserWarning, match="can be bf16"):
        found = model.compile(product, X, W, precision="weights=bf16,activations=bf16")(X, W)
    np.testing.assert_allclose(found, X @ W, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("algorithm", ["BF16_BF16_F32", "BF16_BF16_F32_X3", "F32_F32_F32"])
def test_an_algorithm_has_its_formats(algorithm):
    def product(x, w):
        return jax.lax.dot(x, w, precision=algorithm)

    one_product = algorithm == "BF16_BF16_F32"
    expected = bf16(X) @ bf16(W) if one_product else X @ W
    for options in ({}, {"auto_cast": "matmult", "auto_cast_type": "fp8_e4m3"}):
        found = model.compile(product, X, W, **options)(X, W)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_an_algorithm_of_bfloat16_takes_half_the_time():
    x = jax.ShapeDtypeStruct((1024, 1024), jnp.float32)

    def seconds(algorithm):
        function = jax.jit(lambda a, b: jax.lax.dot(a, b, precision=algorithm))
        return model.compile(function, x, x).time().seconds

    assert seconds("BF16_BF16_F32") < 0.6 * seconds("F32_F32_F32")


@pytest.mark.parametrize(
    "wrong, said",
    [
        ("biases=bf16", "weights, activations, gradients, kv_cache"),
        ("weights=int4", "mxfp8"),
        ("weights=mxfp4", "trainyard.mx.matmul"),
        ("weights", "as-typed"),
    ],
)
def test_what_does_not_exist_is_refused(wrong, said):
    with pytest.raises(_core.InputError, match=r"precision\.formats") as refused:
        model.compile(jnp.matmul, X, W, precision=wrong)
    assert said in str(refused.value)


def test_a_wrong_annotation_is_refused_where_it_stands():
    with pytest.raises(_core.InputError, match="fp9"):
        precision.using(weights="fp9")
