"""Attention as one operation: which programs have it, its numbers, what stays on chip."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import trainyard
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(17)


def normal(*shape, dtype=BF16, scale=1.0):
    return (RANDOM.normal(size=shape) * scale).astype(dtype)


def three(*shape, dtype=BF16, scale=1.0):
    return [normal(*shape, dtype=dtype, scale=scale) for _ in range(3)]


def scores(q, k):
    return jnp.einsum("...qd,...kd->...qk", q, k, preferred_element_type=jnp.float32) * 0.125


def plain(q, k, v):
    return jax.nn.softmax(scores(q, k)).astype(q.dtype) @ v


def masked(keep, value=-jnp.inf):
    def attention(q, k, v):
        rows, columns = jnp.arange(q.shape[-2])[:, None], jnp.arange(k.shape[-2])[None]
        s = jnp.where(keep(rows, columns), scores(q, k), value)
        return jax.nn.softmax(s).astype(q.dtype) @ v

    return attention


def causal(q, k, v):
    keep = jnp.tril(jnp.ones((q.shape[-2], k.shape[-2]), bool))
    return jax.nn.softmax(jnp.where(keep, scores(q, k), -jnp.inf)).astype(q.dtype) @ v


def added(bias):
    """With what depends on query and key alone added to the scores."""

    def attention(q, k, v):
        rows, columns = jnp.arange(q.shape[-2])[:, None], jnp.arange(k.shape[-2])[None]
        s = scores(q, k) + bias(rows, columns).astype(jnp.float32)
        return jax.nn.softmax(s).astype(q.dtype) @ v

    return attention


def library(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def library_whole(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)


def in_bf16(q, k, v):
    return jax.nn.softmax(q @ k.T / 8) @ v


def divided_behind(limit=lambda s: s, dtype=jnp.float32):
    """The product with the exponentials, divided by their sums behind it."""

    def attention(q, k, v):
        s = limit(scores(q, k))
        power = jnp.exp(s - s.max(-1, keepdims=True))
        made = jnp.matmul(power.astype(q.dtype), v, preferred_element_type=dtype)
        return (made / power.sum(-1, keepdims=True)).astype(q.dtype)

    return attention


def divided_and_moved(q, k, v):
    """The same of queries [tokens, heads, depth], whose result has the tokens first."""
    s = jnp.einsum("qhd,khd->hqk", q, k, preferred_element_type=jnp.float32) * 0.125
    power = jnp.exp(s - s.max(-1, keepdims=True))
    made = jnp.einsum("hqk,khd->qhd", power.astype(q.dtype), v, preferred_element_type=jnp.float32)
    return (made / power.sum(-1).T[:, :, None]).astype(q.dtype)


def values_first(q, k, v):
    return v.T @ jax.nn.softmax(scores(q, k)).astype(q.dtype).T


def capped(q, k, v):
    """Between the scale and the softmax stands what is not part of attention."""
    return jax.nn.softmax(30 * jnp.tanh(scores(q, k) / 30)).astype(q.dtype) @ v


def capped_causal(q, k, v):
    keep = jnp.tril(jnp.ones((q.shape[-2], k.shape[-2]), bool))
    s = jnp.where(keep, 30 * jnp.tanh(scores(q, k) / 30), -1e30)
    return jax.nn.softmax(s).astype(q.dtype) @ v


def given_mask(q, k, v, mask):
    return jax.nn.dot_product_attention(q, k, v, mask=mask > 0)


def infinite_mask(q, k, v, mask):
    return jax.nn.softmax(jnp.where(mask > 0, scores(q, k), -jnp.inf)).astype(q.dtype) @ v


def given_bias(q, k, v, bias):
    return jax.nn.dot_product_attention(q, k, v, bias=bias)


def mask_and_bias(q, k, v, mask, bias):
    return jax.nn.dot_product_attention(q, k, v, bias=bias, mask=mask > 0)


def bias_before_scale(q, k, v, bias):
    return jax.nn.softmax((scores(q, k) + bias) * 2).astype(q.dtype) @ v


def added_mask(q, k, v, mask):
    """As BERT masks: a large negative number is added."""
    return jax.nn.softmax(scores(q, k) + (1 - mask.astype(q.dtype)) * -1e9).astype(q.dtype) @ v


def library_window(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(100, 0))


def read_twice(q, k, v):
    p = jax.nn.softmax(scores(q, k)).astype(q.dtype)
    return p @ v, p


def first_masked(q, k, v):
    """The first row keeps nothing: its softmax is that of equal numbers."""
    return masked(lambda row, column: column < row, -1e30)(q, k, v)


def keys_turned(q, k, v):
    """Keys [depth, keys]: what lies turned is loaded as it is."""
    return jax.nn.softmax(q @ k / 8).astype(q.dtype) @ v


HEADS = [normal(2, 130, 4, 64), normal(2, 300, 4, 64), normal(2, 300, 4, 64)]
ADDED = {
    "causal, added": (added(lambda r, c: jnp.where(r >= c, 0, -1e30)), three(3, 300, 64)),
    "not causal, added": (added(lambda r, c: jnp.where(r < c, -jnp.inf, 0)), three(300, 64)),
    "a window, added": (
        added(lambda r, c: jnp.where((r >= c) & (r < c + 90), 0, -1e9)),
        three(500, 64),
    ),
}
FUSED = {
    **ADDED,
    "plain": (plain, three(256, 64)),
    "more keys than queries": (plain, [normal(200, 64), normal(700, 64), normal(700, 128)]),
    "large scores": (plain, three(256, 64, scale=6)),
    "three heads": (plain, three(3, 130, 64)),
    "two dimensions of heads": (plain, three(2, 2, 128, 32)),
    "float32": (plain, three(256, 64, dtype=np.float32)),
    "in bfloat16": (in_bf16, three(256, 64)),
    "causal": (causal, three(384, 64)),
    "causal, odd sizes": (causal, three(333, 64)),
    "causal, by a large number": (masked(lambda r, c: r >= c, -1e30), three(300, 64)),
    "causal, more keys than queries": (causal, [normal(200, 64), *three(330, 64)[:2]]),
    "a sliding window": (
        masked(lambda row, column: (column <= row) & (column > row - 100)),
        three(700, 64),
    ),
    "keys turned": (keys_turned, [normal(200, 64), normal(64, 300), normal(300, 64)]),
    "values turned": (lambda q, k, v: plain(q, k, v.T), [*three(256, 64)[:2], normal(64, 256)]),
    "grouped heads": (library, [normal(2, 130, 4, 64), *three(2, 130, 2, 64)[:2]]),
    "as many heads": (library, three(2, 256, 3, 64)),
    "grouped heads, no mask": (library_whole, [normal(2, 130, 4, 64), *three(2, 130, 2, 64)[:2]]),
    "as many heads, no mask": (library_whole, three(2, 256, 3, 64)),
    "a window of the library": (library_window, three(2, 300, 3, 64)),
    "divided behind": (divided_behind(), three(256, 64)),
    "divided behind, in bfloat16": (divided_behind(dtype=BF16), three(2, 200, 64)),
    "divided behind, in float32": (divided_behind(), three(256, 64, dtype=np.float32)),
    "divided behind, heads": (divided_and_moved, three(300, 3, 64)),
    "divided behind, causal": (
        divided_behind(lambda s: jnp.where(jnp.tril(jnp.ones(s.shape, bool)), s, -1e30)),
        three(384, 64),
    ),
}
KEEP = RANDOM.random((2, 1, 130, 300)) < 0.7
LIMITED = {
    "capped scores": (capped, three(256, 64)),
    "capped and causal": (capped_causal, three(300, 64)),
    "a mask of keys": (given_mask, [*HEADS, KEEP[:, :, :1]]),
    "a mask": (given_mask, [*HEADS, KEEP]),
    "a mask, grouped heads": (given_mask, [HEADS[0], *(x[:, :, :2] for x in HEADS[1:]), KEEP]),
    "a mask by minus infinity": (infinite_mask, [*three(2, 200, 64), KEEP[:, 0, :1, :200]]),
    "a mask that keeps nothing": (given_mask, [*HEADS, KEEP & False]),
    "a bias": (given_bias, [*HEADS, normal(1, 4, 130, 300)]),
    "a bias of keys": (given_bias, [*HEADS, normal(2, 1, 1, 300)]),
    "a bias in float32": (given_bias, [*HEADS, normal(2, 4, 130, 300, dtype=np.float32)]),
    "a small bias along the diagonal": (
        added(lambda r, c: jnp.where(r >= c, 0, -2)),
        three(300, 64),
    ),
    "sums of a mask": (added_mask, [*three(2, 200, 64), KEEP[:, 0, :1, :200].astype(np.int32)]),
}


def divided_by_others(q, k, v):
    """Not by the sums of what the values are multiplied with."""
    s = scores(q, k)
    power = jnp.exp(s - s.max(-1, keepdims=True))
    made = jnp.matmul(power.astype(q.dtype), v, preferred_element_type=jnp.float32)
    return (made / (power * power).sum(-1, keepdims=True)).astype(q.dtype)


OTHERS = {
    "divided by others": (divided_by_others, three(256, 64)),
    "values first": (values_first, three(256, 64)),
    "a bias before the scale": (bias_before_scale, [*three(256, 64), normal(256, 256)]),
    "a mask and a bias": (mask_and_bias, [*HEADS, KEEP, normal(1, 4, 130, 300)]),
    "probabilities read again": (read_twice, three(256, 64)),
    "a row without keys": (first_masked, three(256, 64)),
    "few queries by odd keys": (plain, [normal(8, 64), *three(250, 64)[:2]]),
    "few queries in float32": (
        plain,
        [normal(8, 64, dtype=np.float32), *three(256, 64, dtype=np.float32)[:2]],
    ),
}


def cached(turned=False, fill=-jnp.inf):
    """A step of decoding: queries [batch, heads, depth] by a cache that holds keys up to `at`."""

    def attention(q, k, v, at):
        s = (
            jnp.einsum(
                "bhd,bdc->bhc" if turned else "bhd,bcd->bhc",
                q,
                k,
                preferred_element_type=jnp.float32,
            )
            * 0.125
        )
        kept = jnp.arange(v.shape[1]) <= at[:, None]
        s = jnp.where(kept[:, None], s, fill)
        return jnp.einsum("bhc,bcd->bhd", jax.nn.softmax(s).astype(q.dtype), v)

    return attention


def caches(batches, heads, keys, turned=False):
    k = normal(*([batches, 64, keys] if turned else [batches, keys, 64]))
    at = RANDOM.integers(0, keys, batches).astype(np.int32)
    at[0] = 5
    return [normal(batches, heads, 64), k, normal(batches, keys, 128), at]


FP8 = np.dtype(ml_dtypes.float8_e4m3)


def narrow_cache(turned):
    """The same with keys and values of eight bits, that are widened first."""
    q, k, v, at = caches(6, 4, 640, turned)

    def attention(q, k, v, at):
        return cached(turned)(q, k.astype(q.dtype), v.astype(q.dtype), at)

    return attention, [q, k.astype(FP8), v.astype(FP8), at]


def flags_of_queries(q, k, v):
    """Each query has its own keys."""
    kept = (jnp.arange(q.shape[0])[:, None] + jnp.arange(k.shape[0])) % 3 > 0
    s = jnp.where(kept, scores(q, k), -1e30)
    return jax.nn.softmax(s).astype(q.dtype) @ v


FEW = {
    "divided behind": (divided_behind(), [normal(8, 64), *three(256, 64)[:2]]),
    "one sequence": (plain, [normal(8, 64), *three(256, 64)[:2]]),
    "one query": (plain, [normal(1, 64), *three(256, 64)[:2]]),
    "forty queries": (plain, [normal(3, 40, 64), *three(3, 256, 64)[:2]]),
    "flags of queries": (flags_of_queries, [normal(8, 64), *three(256, 64)[:2]]),
    "a cache": (cached(), caches(8, 4, 384)),
    "a turned cache": (cached(True), caches(6, 4, 640, True)),
    "a narrow cache": narrow_cache(False),
    "a narrow turned cache": narrow_cache(True),
    "a large number": (cached(fill=-1e9), caches(5, 3, 256)),
    "a long cache": (cached(True), caches(2, 4, 4224, True)),
    "many sequences": (cached(), caches(140, 2, 128)),
    "two dimensions": (plain, [normal(2, 3, 4, 64), *three(2, 3, 256, 64)[:2]]),
}


SAME = normal(256, 64)
GRADIENTS = {
    "plain": (plain, three(256, 64)),
    "queries that are keys": (plain, [SAME, SAME, SAME]),  # what cancels is not rounded before
    "more keys than queries": (plain, [normal(200, 64), normal(700, 64), normal(700, 128)]),
    "three heads": (plain, three(3, 130, 64)),
    "float32": (plain, three(256, 64, dtype=np.float32)),
    "causal": (causal, three(700, 64)),
    "a sliding window": FUSED["a sliding window"],
    "grouped heads": FUSED["grouped heads"],
    "as many heads": FUSED["as many heads"],
    "grouped heads, no mask": FUSED["grouped heads, no mask"],
    "as many heads, no mask": FUSED["as many heads, no mask"],
    **ADDED,
}


def gradient(function):
    return lambda g, *arguments: jax.vjp(function, *arguments)[1](g)


def with_gradient(function):
    """The attention and its gradient, as a training step has them."""

    def both(g, *arguments):
        result, back = jax.vjp(function, *arguments)
        return result, back(g)

    return both


def compared(function, arguments, cores=1, machine="trn3"):
    compiled = model.compile(function, *arguments, cores=cores, machine=machine)
    results = compiled.run(*arguments, timed=False).results
    with jax.default_device(CPU):
        wanted = jax.jit(function)(
            *(each if each.dtype == np.int32 else np.float32(each) for each in arguments)
        )
    for got, want in zip(jax.tree.leaves(results), jax.tree.leaves(wanted), strict=True):
        want = np.asarray(want, np.float32)
        error = np.abs(np.asarray(got, np.float32) - want).max() / np.abs(want).max()
        assert error < (1e-5 if arguments[0].dtype == np.float32 else 1.5e-2)
    return compiled


def kinds(compiled):
    """How each group is computed, as far as the colon."""
    return [how[: how.find(":") + 1] for groups in compiled._core.groups for _, how, _ in groups]


def is_fused(compiled):
    return "attention:" in kinds(compiled)


@pytest.mark.parametrize("name", FUSED)
def test_attention_is_one_operation(name):
    assert is_fused(compared(*FUSED[name]))


def heads_of_tokens(x, weights, out, heads=4):
    """As ViT has it: queries, keys and values of all heads in one row of each token."""
    batch, tokens, width = x.shape
    split = (x @ weights).reshape(batch, tokens, 3, heads, width // heads)
    q, k, v = split.transpose(2, 0, 3, 1, 4)
    shares = jax.nn.softmax(scores(q, k)).astype(x.dtype)
    return jnp.einsum("bhqk,bhkd->bqhd", shares, v).reshape(x.shape) @ out


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("batch", [1, 3])
def test_heads_that_share_rows_come_together(batch, cores):
    weights = normal(256, 768, scale=1 / 16), normal(256, 256, scale=1 / 16)
    arguments = [normal(batch, 197, 256), *weights]
    compiled = compared(heads_of_tokens, arguments, cores)
    assert is_fused(compiled)
    if batch > 1 or cores > 1:
        return
    run = compiled.time()
    moved = next(each for each in run.reports[0]["traffic"] if each["memory"] == "hbm")["bytes"]
    assert moved["written"] == arguments[0].nbytes  # what is between the products stays on chip
    assert moved["read"] <= sum(each.nbytes for each in arguments)


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", FEW)
def test_few_queries_stand_side_by_side(name, cores):
    compiled = compared(*FEW[name], cores=cores)
    assert any("side by side" in how for groups in compiled._core.groups for _, how, _ in groups)


def test_a_narrow_cache_is_read_as_it_is_stored():
    compiled = compared(*FEW["a narrow turned cache"])
    run = compiled.time()
    moved = next(each for each in run.reports[0]["traffic"] if each["memory"] == "hbm")["bytes"]
    assert moved["read"] < 1.3 * sum(each.nbytes for each in FEW["a narrow turned cache"][1])


@pytest.mark.parametrize("name", ["one query", "a cache", "a turned cache", "forty queries"])
def test_few_queries_on_an_array_of_wider_tiles(name):
    compared(*FEW[name], machine="trn1")


def test_gradients_on_an_engine_that_copies_nothing():
    compared(gradient(causal), [normal(700, 64), *three(700, 64)], machine="trn1")


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", LIMITED)
def test_masks_biases_and_caps_are_part_of_it(name, cores):
    assert is_fused(compared(*LIMITED[name], cores=cores))


@pytest.mark.parametrize("name", [name for name in LIMITED if name != "a mask that keeps nothing"])
def test_gradients_of_masks_biases_and_caps(name):
    """They are computed operation by operation, from the same scores."""
    function, arguments = LIMITED[name]

    def of_operands(g, q, k, v, *limit):
        return jax.vjp(lambda *operands: function(*operands, *limit), q, k, v)[1](g)

    given = normal(*arguments[0].shape)
    compared(of_operands, [given, *arguments])


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_more_than_attention_is_computed_as_it_stands(name):
    compared(*OTHERS[name])


@pytest.mark.parametrize("made", [gradient, with_gradient])
@pytest.mark.parametrize("name", GRADIENTS)
def test_its_gradient_is_one_operation(name, made):
    function, arguments = GRADIENTS[name]
    given = normal(*jax.eval_shape(function, *arguments).shape, dtype=arguments[0].dtype)
    found = kinds(compared(made(function), [given, *arguments]))
    assert found.count("gradient of attention:") == 1
    assert found.count("attention:") == 1


@pytest.mark.parametrize("name", ["plain", "causal", "grouped heads"])
def test_two_cores_share_its_gradient(name):
    function, arguments = GRADIENTS[name]
    compared(gradient(function), [normal(*arguments[0].shape), *arguments], cores=2)


@pytest.mark.parametrize("attention", [library, library_whole])
@pytest.mark.parametrize(
    ("tokens", "group", "dtype", "room", "bands"),
    [
        (700, 2, BF16, "37KiB", 4),
        (700, 2, np.float32, "52KiB", 4),
        (300, 2, BF16, "28KiB", 3),
        (300, 2, np.float32, "39KiB", 3),
        (300, 8, BF16, "36KiB", 9),
        (300, 8, np.float32, "39KiB", 3),
    ],
)
def test_its_gradient_takes_queries_in_parts(attention, tokens, group, dtype, room, bands):
    """Where all that shares a key head has no room at once: some heads at a time, or part of one.
    The gradients of keys and values are sums over the parts."""
    small = trainyard.load_machine("trn3").with_overrides([f"sbuf.partition_size={room}"])
    queries, given = (normal(1, tokens, 2 * group, 64, dtype=dtype) for _ in range(2))
    keys = three(1, tokens, 2, 64, dtype=dtype)[:2]
    compiled = compared(gradient(attention), [given, queries, *keys], machine=small)
    told = f"gradient of attention: {2 * group} x {tokens} queries by {tokens} keys, {bands} "
    assert any(how.startswith(told) for groups in compiled._core.groups for _, how, _ in groups)


@pytest.mark.parametrize("name", ["plain", "causal", "three heads", "grouped heads"])
def test_two_cores_share_it(name):
    compared(*FUSED[name], cores=2)


def test_scores_stay_on_chip():
    """HBM sees the operands and the result, once."""
    arguments = three(2048, 128)
    [report] = model.compile(plain, *arguments).run(*arguments, timed=True, values=False).reports
    [moved] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
    assert moved == {"read": 3 * 2048 * 128 * 2, "written": 2048 * 128 * 2}


@pytest.mark.parametrize("masked_one", [causal, ADDED["causal, added"][0]])
def test_a_causal_mask_halves_the_work(masked_one):
    arguments = three(2048, 128)
    whole, half = (
        model.compile(f, *arguments).run(*arguments, timed=True, values=False).seconds
        for f in (plain, masked_one)
    )
    assert half < 0.8 * whole
