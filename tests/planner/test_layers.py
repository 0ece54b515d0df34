"""Do the blocks of exact layers compute what a layer computes, with gradients, and does their time
behave: never beating the engine's peak, growing with the work, alike when fewer rows are simulated?
"""

import dataclasses

import numpy as np
import pytest
import trainyard
from trainyard.planner import blocks, layers, shares

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(0)

SMALL = blocks.Attention(rows=48, hidden=16, queries=3, keys=2, head=8)
EXPERTS = blocks.Experts(rows=24, hidden=16, experts=8, chosen=2, local=3, inner=8)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    """Blocks of queries that a few rows fill, on the CPU."""
    monkeypatch.setattr("trainyard.planner.attention.ROWS", 16)
    monkeypatch.setattr(blocks, "ROWS", 16)
    with jax.default_device(CPU):
        yield


def arguments_of(block, dtype=np.float32):
    """Random values for a block's function, in float32."""
    _, shapes = layers.program(block)

    def random(sizes, _):
        return RANDOM.normal(0, sizes[0] ** -0.5, sizes).astype(dtype)

    return layers._filled(shapes, random)


def rotated(x, cosines, sines):
    a, b = np.split(x, 2, -1)
    c, s = cosines[:, None], sines[:, None]
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def attention_of(block, weights, x, cosines, sines, *before):
    """Attention as a textbook has it: every score, one softmax."""
    rows, heads = block.rows, block.queries * block.keys
    both = (x @ weights["qkv"]).reshape(rows, -1, block.head)
    q, k, v = np.split(both, [heads, heads + block.keys], 1)
    q, k = rotated(q, cosines, sines), rotated(k, cosines, sines)
    if before:
        k, v = np.concatenate([before[0], k]), np.concatenate([before[1], v])
    k, v = (np.repeat(one, block.queries, 1) for one in (k, v))
    scores = np.einsum("thd,shd->hts", q, k) * block.head**-0.5
    at = np.arange(block.past, block.past + rows)[:, None]
    seen = np.arange(block.past + rows)[None]
    hidden = (seen > at) | (at - seen >= (block.window or 10**6))
    scores = np.where(hidden & block.causal, -np.inf, scores)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return np.einsum("hts,shd->thd", shares, v).reshape(rows, -1) @ weights["out"]


@pytest.mark.parametrize(
    "changes",
    [{}, {"past": 24}, {"window": 20}, {"window": 20, "past": 40}, {"causal": False}],
    ids=str,
)
def test_attention_by_blocks_is_attention(changes):
    block = dataclasses.replace(SMALL, **changes)
    function, _ = layers.program(block)
    given = arguments_of(block)
    found = np.asarray(jax.jit(function)(*given), np.float32)
    expected = attention_of(block, *given)
    assert np.allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("changes", [{}, {"past": 24}, {"window": 20}, {"causal": False}], ids=str)
def test_gradients_by_pairs_of_blocks_are_those_of_attention(changes):
    block = dataclasses.replace(SMALL, backward=True, **changes)
    function, _ = layers.program(block)
    weights, x, *rest = arguments_of(block)

    @jax.jit
    def plain(given):
        return jax.vjp(lambda w, x: forward_by_scores(block, w, x, *rest[:-1]), weights, x)[1](
            given
        )

    for ours, theirs in zip(
        jax.tree.leaves(jax.jit(function)(weights, x, *rest)),
        jax.tree.leaves(plain(jnp.asarray(rest[-1]))),
        strict=True,
    ):
        assert np.allclose(ours, theirs, atol=1e-4)


def forward_by_scores(block, weights, x, cosines, sines, *before):
    """attention_of in jax.numpy, which has gradients of its own."""
    rows, heads = block.rows, block.queries * block.keys
    q, k, v = jnp.split(
        (x @ weights["qkv"]).reshape(rows, -1, block.head), [heads, heads + block.keys], 1
    )

    def turn(one):
        a, b = jnp.split(one, 2, -1)
        c, s = cosines[:, None], sines[:, None]
        return jnp.concatenate([a * c - b * s, b * c + a * s], -1)

    q, k = turn(q), turn(k)
    if before:
        k, v = jnp.concatenate([before[0], k]), jnp.concatenate([before[1], v])
    k, v = (jnp.repeat(one, block.queries, 1) for one in (k, v))
    scores = jnp.einsum("thd,shd->hts", q, k) * block.head**-0.5
    at = np.arange(block.past, block.past + rows)[:, None]
    seen = np.arange(block.past + rows)[None]
    hidden = ((seen > at) | (at - seen >= (block.window or 10**6))) & block.causal
    mixed = jnp.einsum("hts,shd->thd", jax.nn.softmax(jnp.where(hidden, -1e30, scores), -1), v)
    return mixed.reshape(rows, -1) @ weights["out"]


@pytest.mark.parametrize("every", [False, True])
def test_experts_add_what_their_tokens_chose(every):
    """With room for all, both ways give each token the sum of its chosen experts of this core."""
    block = dataclasses.replace(EXPERTS, every=every)
    function, _ = layers.program(block)
    weights, x = arguments_of(block)
    if not every:  # a factor that gives each expert a place for every token
        block = dataclasses.replace(block, chosen=2, experts=8)
        weights["router"] = weights["router"] * 0
        weights["router"][:, :2] = 1  # the first two are chosen by all, and crowd
    found = np.asarray(jax.jit(function)(weights, x), np.float32)
    scores = x @ weights["router"]
    chosen = np.argsort(-scores, -1, kind="stable")[:, : block.chosen]
    expected = np.zeros_like(x)
    taken = dict.fromkeys(range(block.experts), 0)
    for t, experts in enumerate(chosen):
        exponents = np.exp(scores[t, experts])
        for share, e in zip(exponents / exponents.sum(), experts, strict=True):
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
    block = blocks.Norm(rows=8, hidden=16, mean=True, backward=True)
    function, _ = layers.program(block)
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


@pytest.fixture
def whole_rows(monkeypatch):
    """Blocks of queries as they are simulated."""
    monkeypatch.setattr("trainyard.planner.attention.ROWS", 512)
    monkeypatch.setattr(blocks, "ROWS", 512)


def peak_of(machine):
    """Multiply-accumulates of one core in a second, bf16."""
    return 128 * 128 * {"trn2": 2.4e9, "trn3": 2.4e9}[machine]


@pytest.mark.usefixtures("whole_rows")
@pytest.mark.parametrize(
    "block",
    [
        blocks.FeedForward(512, 1024, 256),
        blocks.FeedForward(512, 1024, 256, gated=False, backward=True),
        blocks.Attention(512, 512, 2, 1, 64),
        blocks.Attention(512, 512, 2, 1, 64, backward=True),
        blocks.Experts(256, 512, 16, 2, 2, 128),
        blocks.Experts(256, 512, 16, 2, 2, 128, every=True),
    ],
    ids=lambda block: block.name + " back" * block.backward,
)
def test_no_block_is_faster_than_the_engine(block):
    passes = 3 if block.backward else 1
    for machine in ("trn2", "trn3"):
        found = layers.timed(block, machine)
        products = (
            block.weight_macs
            if not isinstance(block, blocks.Experts)
            else (3 * block.local * block.capacity * block.inner * block.hidden)
        )
        assert found.seconds > passes * products / peak_of(machine)
        assert found.sample == block
        assert 0 < found.peak < 1
        assert sum(share for _, share in found.operations) == pytest.approx(1)


@pytest.mark.usefixtures("whole_rows")
def test_sampled_rows_stand_for_all(monkeypatch):
    block = blocks.Attention(2048, 256, 2, 1, 64)
    whole = layers.timed(block, "trn3")
    layers.timed.cache_clear()
    monkeypatch.setattr(layers, "MACS_MAX", block.sampled(1024).macs)
    part = layers.timed(block, "trn3")
    layers.timed.cache_clear()
    assert (whole.sample.rows, part.sample.rows) == (2048, 1024)
    assert part.seconds == pytest.approx(whole.seconds, rel=0.2)


@pytest.mark.usefixtures("whole_rows")
@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
def test_every_machine_takes_the_blocks(machine):
    for block in (
        blocks.Norm(256, 8192, mean=True, backward=True),
        blocks.Attention(1024, 256, 1, 1, 64),
        blocks.Attention(512, 256, 2, 1, 64, backward=True),
        blocks.FeedForward(512, 256, 128, backward=True, format="bf16"),
        blocks.FeedForward(512, 256, 128, format="fp8"),
        blocks.Experts(256, 256, 16, 2, 2, 128, backward=True),
    ):
        assert layers.timed(block, machine).seconds > 0


@pytest.mark.usefixtures("whole_rows")
def test_each_expert_of_a_core_takes_its_time():
    eight = blocks.Experts(512, 1024, 64, 2, 8, 256, every=True)
    sixteen = dataclasses.replace(eight, local=16)
    assert layers.timed(sixteen, "trn3").seconds > 1.7 * layers.timed(eight, "trn3").seconds


@pytest.mark.usefixtures("whole_rows")
def test_sampled_experts_stand_for_all(monkeypatch):
    block = blocks.Experts(256, 256, 64, 2, 32, 128, every=True)
    whole = layers.timed(block, "trn3")
    layers.timed.cache_clear()
    monkeypatch.setattr(layers, "EXPERTS_MAX", 16)
    part = layers.timed(block, "trn3")
    layers.timed.cache_clear()
    assert (whole.sample.local, part.sample.local) == (32, 16)
    assert part.seconds == pytest.approx(whole.seconds, rel=0.2)


def test_without_jax_there_is_one_clear_error(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(trainyard.UsageError, match="pip install jax"):
        layers.check_jax()


LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}


def blocks_of(config, group, everyone=None, **work):
    shape = shares.shape_of(config)
    how = {"tokens": 1024, "sequences": 1, "format": "bf16"} | work
    return shares.blocks_of(shape, shares.Cores(group, everyone or group), shares.Work(**how))


def test_a_core_has_its_share_of_each_matrix():
    found = blocks_of(LLAMA, 8)
    assert found == [
        (blocks.Attention(1024, 4096, 4, 1, 128), 32),
        (blocks.FeedForward(1024, 4096, 1792), 32),
        (blocks.Norm(128, 4096), 64),
    ]


def test_all_cores_together_have_the_products_of_the_model():
    """Of the weights in the configuration, by hand: attention and feed-forward of all layers."""
    macs = sum(8 * times * block.weight_macs for block, times in blocks_of(LLAMA, 8)[:2])
    weights = 32 * (4096 * 4096 * 2 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
    assert macs == 1024 * weights


def test_groups_share_a_prompt_and_the_experts():
    moe = LLAMA | {"num_local_experts": 64, "num_experts_per_tok": 2, "moe_intermediate_size": 512}
    found = blocks_of(moe, 8, 32)
    attention, experts, norm = (block for block, _ in found)
    assert (attention.rows, attention.past) == (256, 384)
    assert (experts.rows, experts.local, experts.inner, experts.capacity) == (1024, 2, 512, 32)
    assert norm.rows == 32
    split = shares.split_experts_of(
        shares.shape_of(moe), shares.Cores(8, 32), 1024, shares.Work(1024, 1, "bf16")
    )
    assert (split.local, split.inner, split.capacity) == (16, 64, 1024)


def test_layers_with_a_window_are_told_apart():
    types = ["sliding_attention", "full_attention"] * 16
    found = blocks_of(LLAMA | {"sliding_window": 128, "layer_types": types}, 8)
    assert [(block.window, times) for block, times in found[:2]] == [(128, 16), (0, 16)]


def test_latent_attention_has_its_own_matrices():
    """Those of DeepSeek-V3's attention, by hand."""
    shape = shares.shape_of(shares.config_of("deepseek-v3"))
    queries, keys = shares.heads_of(shape, 1)
    block = blocks.Attention(
        1, shape.hidden, queries, keys, shape.head, latent=shape.latent, rotary=True
    )
    down = 7168 * (1536 + 512 + 64)
    up = 128 * (1536 * (128 + 64) + 512 * (128 + 128) + 7168 * 128)
    assert block.weight_macs == down + up
