"""Do the programs of blocks compute what a layer computes, with gradients, and does their time
behave: never beating the engine's peak, growing with the work, alike when fewer rows are simulated?
"""

import dataclasses

import numpy as np
import pytest
import trainyard
from layer_blocks import attention, experts, feed_forward, latent, norm
from trainyard.planner import layers, programs

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(0)

SMALL = attention(48, 16, 6, 2, 8)
EXPERTS = experts(24, 16, 8, 2, 3, 8)
LATENT = latent(rows=6, hidden=16, heads=3, rank=10, q_rank=7, nope=5, rope=4, values=6)


@pytest.fixture(autouse=True)
def _on_the_cpu():
    with jax.default_device(CPU):
        yield


def arguments_of(block, dtype=np.float32):
    """Random values for a block's program, in float32."""
    _, shapes = programs.program(block)

    def random(sizes, _):
        return RANDOM.normal(0, sizes[0] ** -0.5, sizes).astype(dtype)

    return programs.filled(shapes, random)


def rotated(x, cosines, sines, xp=np):
    a, b = xp.split(x, 2, -1)
    c, s = cosines[:, None], sines[:, None]
    return xp.concatenate([a * c - b * s, b * c + a * s], -1)


def textbook(block, weights, x, cosines, sines, *before, xp=np):
    """Attention with every score and one softmax."""
    rows, heads = block.rows, block.heads
    both = (x @ weights["qkv"]).reshape(rows, -1, block.head)
    q, k, v = xp.split(both, [heads, heads + block.keys], 1)
    q, k = rotated(q, cosines, sines, xp), rotated(k, cosines, sines, xp)
    if before:
        k, v = xp.concatenate([before[0], k]), xp.concatenate([before[1], v])
    k, v = (xp.repeat(one, heads // block.keys, 1) for one in (k, v))
    scores = xp.einsum("thd,shd->hts", q, k) * block.head**-0.5
    at = np.arange(block.past, block.past + rows)[:, None]
    seen = np.arange(block.past + rows)[None]
    hidden = (seen > at) | (at - seen >= (block.window or 10**6))
    shares = xp.exp(xp.where(hidden, -1e30, scores) - scores.max(-1, keepdims=True))
    shares = shares / shares.sum(-1, keepdims=True)
    return xp.einsum("hts,shd->thd", shares, v).reshape(rows, -1) @ weights["out"]


CHANGES = [{}, {"past": 24}, {"window": 20}, {"window": 20, "past": 40}]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_attention_is_attention(changes):
    block = dataclasses.replace(SMALL, **changes)
    function, _ = programs.program(block)
    given = arguments_of(block)
    found = np.asarray(jax.jit(function)(*given), np.float32)
    assert np.allclose(found, textbook(block, *given), atol=1e-4)


@pytest.mark.parametrize("changes", CHANGES[:3], ids=str)
def test_gradients_are_those_of_attention(changes):
    block = dataclasses.replace(SMALL, backward=True, **changes)
    function, _ = programs.program(block)
    weights, x, *rest = arguments_of(block)

    def plain(weights, x):
        return textbook(block, weights, x, *rest[:-1], xp=jnp)

    expected = jax.vjp(plain, weights, jnp.asarray(x))[1](jnp.asarray(rest[-1]))
    found = jax.jit(function)(weights, x, *rest)
    for ours, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert np.allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize("together", [1, 2])
def test_a_step_attends_to_the_cache_of_each_sequence(together):
    """As a row behind the keys and values of the cache, without the mask of a prompt."""
    block = dataclasses.replace(SMALL, rows=3 * together, context=20, together=together)
    function, _ = programs.program(block)
    weights, x, cosines, sines, keys, values = arguments_of(block)
    found = np.asarray(jax.jit(function)(weights, x, cosines, sines, keys, values)[0])
    heads = block.heads
    for at in range(block.rows):
        both = (x[at] @ weights["qkv"]).reshape(1, -1, block.head)
        q = rotated(both[:, :heads], cosines[at : at + 1], sines[at : at + 1])[0]
        k, v = (np.repeat(one[at // together], heads // block.keys, 0) for one in (keys, values))
        scores = np.einsum("hd,hds->hs", q, k) * block.head**-0.5
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = np.einsum("hs,hsd->hd", shares, v).reshape(-1)
        assert np.allclose(found[at], mixed @ weights["out"], atol=1e-4)


def test_a_step_of_latent_attention_is_the_last_row_of_a_prompt():
    """A step multiplies queries by the matrices that a prompt multiplies vectors by."""
    prompt, step = LATENT, dataclasses.replace(LATENT, rows=1, context=LATENT.rows)
    weights, x, cosines, sines = arguments_of(prompt)
    whole = np.asarray(jax.jit(programs.program(prompt)[0])(weights, x, cosines, sines))
    small = x @ weights["kv_down"]
    turned = rotated(small[:, None, prompt.rank :], cosines, sines)[:, 0]
    cache = np.concatenate([small[:, : prompt.rank], turned], -1).T[None]
    last = (x[-1:], cosines[-1:], sines[-1:])
    found = np.asarray(jax.jit(programs.program(step)[0])(weights, *last, cache)[0])
    assert np.allclose(found[0], whole[-1], atol=1e-5)


@pytest.mark.parametrize("every", [False, True])
def test_experts_add_what_their_tokens_chose(every):
    """With room for all, both ways give each token the sum of its chosen experts of this core."""
    block = experts(24, 16, 8, 2, 3, 8, every=every)
    function, _ = programs.program(block)
    weights, x = arguments_of(block)
    if not every:
        weights["router"] = weights["router"] * 0
        weights["router"][:, :2] = 1  # the first two are chosen by all, and crowd
    found = np.asarray(jax.jit(function)(weights, x), np.float32)
    scores = x @ weights["router"]
    chosen = np.argsort(-scores, -1, kind="stable")[:, : block.chosen]
    expected = np.zeros_like(x)
    taken = dict.fromkeys(range(block.experts), 0)
    for t, best in enumerate(chosen):
        exponents = np.exp(scores[t, best])
        for share, e in zip(exponents / exponents.sum(), best, strict=True):
            taken[e] += 1
            if e >= block.local or taken[e] > block.capacity:
                continue
            up, gate = x[t] @ weights["up"][e], x[t] @ weights["gate"][e]
            expected[t] += share * ((gate / (1 + np.exp(-gate)) * up) @ weights["down"][e])
    if every:
        assert np.allclose(found, expected, atol=1e-4)
        return
    assert block.capacity == 6
    # Ties choose all of their experts at once, so only which tokens found a place is compared.
    assert (np.abs(found).sum(-1) > 0).sum() == block.capacity


def test_a_norm_has_the_gradients_of_its_formula():
    block = norm(8, 16, centred=True, backward=True)
    function, _ = programs.program(block)
    weights, x, sums, *behind = arguments_of(block)

    def plain(weights, x):
        x = x + sums
        centred = x - x.mean(-1, keepdims=True)
        scale = jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
        return x, centred * scale * weights["gain"] + weights["shift"]

    expected = jax.vjp(plain, weights, jnp.asarray(x))[1](tuple(behind))
    for ours, theirs in zip(
        jax.tree.leaves(jax.jit(function)(weights, x, sums, *behind)),
        jax.tree.leaves(expected),
        strict=True,
    ):
        assert np.allclose(ours, theirs, atol=1e-4)


PEAK = 128 * 128 * 2.4e9  # multiply-accumulates of one core in a second, bf16


def macs_of(block):
    """Of the products with weights."""
    places = {name: block.rows for name, _, _ in block.matrices}
    if block.kind == "experts":
        places = dict.fromkeys(places, block.local * block.capacity) | {"router": block.rows}
    return sum(places[name] * depth * width for name, depth, width in block.matrices)


@pytest.mark.parametrize(
    "block",
    [
        feed_forward(512, 1024, 256),
        feed_forward(512, 1024, 256, gated=False, backward=True),
        attention(512, 512, 2, 1, 64),
        attention(512, 512, 2, 1, 64, backward=True),
        attention(64, 512, 2, 1, 64, context=512),
        latent(32, 512, 2, 128, 128, 64, 32, 64, context=256),
        experts(256, 512, 16, 2, 2, 128),
        experts(256, 512, 16, 2, 2, 128, every=True),
    ],
    ids=lambda block: f"{block.kind}{' back' * block.backward}{' step' * bool(block.context)}",
)
def test_no_block_is_faster_than_the_engine(block):
    passes = 3 if block.backward else 1
    for machine in ("trn2", "trn3"):
        found = layers.timed(block, machine)
        assert found.seconds > passes * macs_of(block) / PEAK
        assert 0 < found.peak < 1
        assert sum(share for _, share in found.operations) == pytest.approx(1)


def test_half_of_the_rows_stand_for_all():
    whole = layers.timed(attention(4096, 1024, 4, 1, 128), "trn3")
    half = layers.timed(attention(2048, 1024, 4, 1, 128, past=1024), "trn3")
    assert 2 * half.seconds == pytest.approx(whole.seconds, rel=0.1)


@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
def test_every_machine_takes_the_blocks(machine):
    for block in (
        norm(256, 8192, centred=True, backward=True),
        attention(1024, 256, 1, 1, 64),
        attention(512, 256, 2, 1, 64, backward=True),
        attention(8, 256, 2, 1, 64, context=512, cache="bf16"),
        feed_forward(512, 256, 128, backward=True, format="bf16"),
        feed_forward(512, 256, 128, format="fp8"),
        experts(256, 256, 16, 2, 2, 128, backward=True),
    ):
        assert layers.timed(block, machine).seconds > 0


def test_each_expert_of_a_core_takes_its_time():
    eight = experts(512, 1024, 64, 2, 8, 256, every=True)
    sixteen = dataclasses.replace(eight, local=16)
    assert layers.timed(sixteen, "trn3").seconds > 1.7 * layers.timed(eight, "trn3").seconds


def test_without_jax_there_is_one_clear_error(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(trainyard.UsageError, match="pip install jax"):
        layers.check_jax()
