"""Are stored weights and narrow caches those numbers and no others, and faster?"""

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from trainyard import mx
from trainyard.serving import exact, llama, models, products, stepping
from trainyard.usage import UsageError

LIMITS = exact.Limits(blocks=32, batches=(1, 4), chunks=(16, 64), contexts=(64,))
PRODUCTS = (*(f"attn_{one}" for one in ("q", "k", "v", "output")), "ffn_gate", "ffn_up", "ffn_down")


def rounded(weights, format):
    """The weights that blocks of a format stand for."""
    found = dict(weights)
    for name, value in weights.items():
        if name == "head" or name.rpartition(".")[2] in PRODUCTS:
            found[name] = mx.dequantize(*mx.quantize(value, format)).astype(value.dtype)
    return found


def far(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@pytest.mark.parametrize(("format", "most"), [("mxfp8", 0.08), ("mxfp4", 0.08)])
def test_stored_weights_are_the_blocks_that_they_stand_for(format, most):
    """But for activations, which such a product rounds to E4M3, too."""
    model = models.load("random-2x64", "bfloat16")
    plain = replace(model, weights=rounded(model.weights, format))
    piece = exact.Row(list(range(30, 42)), 0, [3])
    found, wanted, other = (
        engine.prefill([piece])[0][0]
        for engine in (
            exact.Engine(model, limits=LIMITS, stored=format),
            exact.Engine(plain, limits=LIMITS),
            exact.Engine(model, limits=LIMITS),
        )
    )
    assert far(found, wanted) < most
    assert far(found, other) > 0.01
    if format == "mxfp4":
        assert far(found, other) > 2 * far(found, wanted)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(("random-2x64", {}), ("random-gpt_oss-2x64", {}), ("random-qwen2-2x64", {})),
        *(("random-2x128", {"cores": 2}), ("random-mixtral-2x128", {"cores": 2})),
        ("random-gpt_oss-2x128", {"cores": 2, "has_whole_experts": True}),
        ("random-gpt_oss-2x128", {"cores": 2, "ranks": 2}),
        ("random-mixtral-2x128", {"cores": 2, "ranks": 2, "has_whole_experts": True}),
    ],
)
def test_fp8_weights_give_the_tokens_of_plain_jax(requests_of, name, options):
    """Whoever has which of them."""
    model = models.load(name)
    requests = requests_of(1, 4, prompt=(4, 40), output=(3, 6))
    narrow = exact.Engine(model, limits=LIMITS, stored="fp8", **options)
    assert narrow.weights["blk.0.attn_q"].dtype == ml_dtypes.float8_e4m3
    _, found = stepping.serve(narrow, requests, stops=False)
    plain = replace(model, weights=products.in_fp8(model.weights))
    wanted = [run_plainly(plain, one.prompt, one.output, np.float32) for one in requests]
    assert [one[0] for one in found] == wanted


def test_scales_are_of_columns_and_rows():
    random = np.random.default_rng(0)
    matrix = (random.standard_normal((64, 32)) * np.logspace(-3, 3, 32)).astype(np.float32)
    matrix[:, 5] = 0
    weights = products.in_fp8({"blk.0.ffn_up": matrix, "blk.0.attn_norm": matrix[0]})
    assert set(weights) == {"blk.0.ffn_up", "blk.0.ffn_up_scale", "blk.0.attn_norm"}
    back = weights["blk.0.ffn_up"].astype(np.float32) * weights["blk.0.ffn_up_scale"]
    largest = np.abs(matrix).max(0)
    assert (np.abs(back - matrix) <= np.abs(matrix) / 16 + largest * 2.0**-10 / 240).all()
    x = matrix.T.copy()
    made = products.product(weights, 0, None, "ffn_up", x @ np.eye(64, dtype=np.float32))
    errors = np.abs(np.asarray(made) - x @ matrix)
    assert (errors <= 0.15 * np.abs(x) @ np.abs(matrix)).all() and errors.max() > 0


@pytest.mark.parametrize(("format", "most"), [("mxfp4", 0.82), ("fp8", 0.92)])
def test_stored_weights_are_read_faster(format, most):
    model = models.load("random-1x2048", "bfloat16")
    plain, narrow = (
        exact.Engine(model, limits=LIMITS, stored=stored).program("decode", 1, 4).seconds
        for stored in ("", format)
    )
    assert narrow < most * plain  # attention and norms read as much as before


def test_a_narrow_cache_gives_the_tokens_of_rounded_keys_whatever_the_pieces(requests_of):
    model = models.load("random-2x64")
    requests = requests_of(2, 6, prompt=(20, 45), output=(4, 10))
    narrow = exact.Engine(model, limits=LIMITS, cache=exact.CACHED)
    assert narrow.kind == ml_dtypes.float8_e4m3
    _, found = stepping.serve(narrow, requests, stops=False)
    for asked, (tokens, _, _) in zip(requests, found, strict=True):
        assert tokens == stepping.serve(narrow, [asked], stops=False)[1][0][0]
        assert tokens == run_plainly(model, asked.prompt, asked.output)
    wide = stepping.serve(exact.Engine(model, limits=LIMITS), requests, stops=False)[1]
    assert [one[0] for one in found] != [one[0] for one in wide]


def run_plainly(model, prompt, many, kind=ml_dtypes.float8_e4m3):
    """Greedy tokens in JAX on the CPU, all keys and values rounded to a type, without a cache."""
    import jax

    config, ids = model.config, list(prompt)
    shape = config.layers, 1, 16, config.kv_heads, config.head
    empty = np.zeros(shape, kind)
    step = jax.jit(llama.prefill, static_argnames="config")
    with jax.default_device(jax.devices("cpu")[0]):
        for _ in range(many):
            padded = np.zeros(len(prompt) + many, np.int32)
            padded[: len(ids)] = ids
            given = np.zeros(1, np.int32), padded, np.int32(0), np.int32(len(ids) - 1)
            logits = step(model.weights, empty, empty, *given, config=config)
            ids.append(int(np.asarray(logits).argmax()))
    return ids[len(prompt) :]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"stored": "int4"}, "int4"),
        ({"cache": "int8"}, "int8"),
        ({"stored": "mxfp8", "cores": 2}, "several cores"),
    ],
)
def test_a_format_that_is_none_is_refused(options, says):
    with pytest.raises(UsageError, match=says):
        exact.Engine(models.load("random-2x128"), limits=LIMITS, **options)
