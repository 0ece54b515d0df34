"""Are vectors those of the encoder in plain JAX, and is the endpoint OpenAI's?"""

import importlib.util
from functools import partial

import numpy as np
import pytest
from trainyard.serving import encoder
from trainyard.usage import UsageError

SMALL = "random-encoder-2x64"


def embed_plainly(model, ids):
    """By the encoder in JAX on the CPU, one text at a time, without padding."""
    import jax

    with jax.default_device(jax.devices("cpu")[0]):
        step = jax.jit(partial(encoder.embed, layers=model.layers, heads=model.heads))
        return np.asarray(
            step(model.weights, np.array([list(ids)], np.int32), np.ones((1, len(ids))))
        )[0]


@pytest.fixture(scope="module")
def small():
    return encoder.EncoderEngine(encoder.load(SMALL))


def test_vectors_are_those_of_plain_jax_whatever_the_batch(small):
    texts = [list(range(1, many)) for many in (2, 9, 17, 3)]
    vectors, seconds, joules = small.embed(texts)
    assert seconds > 0 and joules > 0
    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(vector, embed_plainly(small.encoder, text), atol=2e-6)
        assert np.allclose(vector, small.embed([text])[0][0], atol=1e-6)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_minilm_knows_what_is_alike():
    if not encoder.is_there(encoder.DEFAULT):
        pytest.skip(f"{encoder.PACKAGE} is not installed")
    engine = encoder.EncoderEngine(encoder.load())
    texts = ["A cat sits on the mat.", "A kitten is on the rug.", "Stock prices fell."]
    a, b, c = engine.embed([engine.encoder.encode(text) for text in texts])[0]
    assert a @ b > 0.5 > 0.3 > a @ c
    ids = engine.encoder.encode(texts[0])
    assert np.allclose(a, embed_plainly(engine.encoder, ids), atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "random-encoder-0x64", "random-encoder-2x63"])
def test_an_encoder_that_is_none_is_refused(name):
    with pytest.raises(UsageError, match=name):
        encoder.load(name)


missing = [name for name in ("openai", "fastapi", "uvicorn") if not importlib.util.find_spec(name)]
needs_server = pytest.mark.skipif(bool(missing), reason=f"{missing} missing")


@pytest.fixture(scope="module")
def server():
    from http_server import Process

    process = Process("--embeddings", SMALL)
    yield process
    process.stop()


@needs_server
def test_each_input_has_a_vector_and_a_simulated_time(server, small):
    answer = server.client.embeddings.create(model=SMALL, input=["ab", "a longer text"] * 10)
    assert [one.index for one in answer.data] == list(range(20))
    assert answer.usage.prompt_tokens == 10 * (2 + 13)
    for text, one in zip(("ab", "a longer text"), answer.data, strict=False):
        assert np.allclose(one.embedding, embed_plainly(small.encoder, text.encode()), atol=1e-5)
    (times,) = answer.model_extra["trainyard"]["requests"]
    assert 0 < times["e2e_s"] < 0.1 and times["joules"] > 0


@needs_server
@pytest.mark.parametrize("given", ["ab", [97, 98], [[97, 98]]])
def test_an_input_may_be_text_or_tokens_in_both_forms(server, given):
    wanted = server.client.embeddings.create(model=SMALL, input=["ab"]).data[0].embedding
    for form in ("float", "base64"):
        answer = server.client.embeddings.create(
            model=SMALL, input=given, encoding_format=form, dimensions=64
        )
        found = answer.data[0].embedding
        if isinstance(found, str):
            import base64

            found = np.frombuffer(base64.b64decode(found), "<f4")
        assert np.allclose(found, wanted, atol=1e-6)


@needs_server
def test_it_is_a_model_of_the_server_with_time_on_the_same_clock(server):
    assert server.client.models.retrieve(SMALL).id == SMALL
    before = server.metric("trn3_sim_time_seconds_total")
    (times,) = server.client.embeddings.create(model=SMALL, input="x").model_extra["trainyard"][
        "requests"
    ]
    gained = server.metric("trn3_sim_time_seconds_total") - before
    assert gained == pytest.approx(times["e2e_s"], rel=1e-6)


@needs_server
@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"input": ""}, "input"),
        ({"input": []}, "input"),
        ({"input": [[]]}, "input"),
        ({"input": [256]}, "input"),
        ({"input": ["x"] * 129}, "input"),
        ({"input": "x" * 257}, "input"),
        ({"input": {"a": 1}}, "input"),
        ({"input": "x", "dimensions": 3}, "dimensions"),
        ({"input": "x", "encoding_format": "hex"}, "encoding_format"),
    ],
)
def test_a_bad_field_is_named(server, fields, param):
    import json

    status, answer = server.post("/v1/embeddings", json.dumps({"model": SMALL} | fields).encode())
    assert status == 400
    assert answer["error"]["param"].startswith(param)


@needs_server
def test_a_model_of_another_kind_is_not_found(server):
    import openai

    with pytest.raises(openai.NotFoundError):
        server.client.embeddings.create(model="random-2x64", input="x")
    with pytest.raises(openai.NotFoundError):
        server.client.completions.create(model=SMALL, prompt="x")
