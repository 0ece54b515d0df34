"""Does the official client get what it asks for? Each case is one thing that a user of the package
`openai` does; all of them reach the server through it and nothing else."""

import asyncio
import importlib.util
import json
import time

import pytest

NEEDED = ("openai", "fastapi", "uvicorn")
missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    pytest.skip(
        f"{', '.join(missing)} missing: pip install -r tools/serving-requirements.txt",
        allow_module_level=True,
    )

import numpy as np  # noqa: E402
import openai  # noqa: E402
import pydantic  # noqa: E402
from http_server import MODEL, Process, chat, complete, wait_until  # noqa: E402

ENCODER = "random-encoder-2x64"
KEY = "secret"
needs_forms = pytest.mark.skipif(
    importlib.util.find_spec("llguidance") is None, reason="llguidance missing"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("kept") / "answers.sqlite"
    wide = "--context", "2048", "--cache-blocks", "512"
    process = Process("--embeddings", ENCODER, "--store", str(store), *wide, key=KEY)
    yield process
    process.stop()


class Town(pydantic.BaseModel):
    """Small, so that an answer of random weights is over soon."""

    model_config = pydantic.ConfigDict(extra="forbid")
    kind: str = pydantic.Field(pattern=r"^(town|lake)$")
    is_near: bool


TOOL = {
    "type": "function",
    "function": {"name": "find_town", "parameters": Town.model_json_schema()},
}
DRAWN = {"temperature": 1.0, "max_tokens": 300, "seed": 1}
WHOLE = {"ignore_eos": True}
NO_EOS = {"extra_body": WHOLE}


def text_of(answer):
    return answer.choices[0].text


def embed(server, texts, **options):
    return server.client.embeddings.create(model=ENCODER, input=texts, **options)


# What the server has.


def test_models_list(server):
    assert [one.id for one in server.client.models.list()] == [MODEL, ENCODER]


def test_models_retrieve(server):
    card = server.client.models.retrieve(MODEL)
    assert (card.object, card.owned_by) == ("model", "trainyard")


def test_models_retrieve_of_none(server):
    with pytest.raises(openai.NotFoundError):
        server.client.models.retrieve("gpt-99")


# Completions.


def test_completion(server):
    answer = complete(server)
    assert answer.object == "text_completion" and answer.id.startswith("cmpl-")
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + 6


def test_completion_of_tokens(server):
    assert text_of(complete(server, [97, 98])) == text_of(complete(server, "ab"))


def test_completion_of_several_prompts(server):
    both = complete(server, ["ab", "cd"])
    assert [one.text for one in both.choices] == [
        text_of(complete(server, one)) for one in ("ab", "cd")
    ]


def test_completion_streamed(server):
    pieces = list(complete(server, stream=True))
    assert "".join(text_of(one) for one in pieces) == text_of(complete(server))
    assert len({one.id for one in pieces}) == 1


def test_completion_echo(server):
    plain = text_of(complete(server, "ab"))
    assert text_of(complete(server, "ab", echo=True)) == "ab" + plain
    assert text_of(complete(server, [97, 98], echo=True)) == "ab" + plain
    pieces = complete(server, "ab", echo=True, stream=True)
    assert "".join(text_of(one) for one in pieces) == "ab" + plain
    several = complete(server, ["ab", "cd"], echo=True, n=2).choices
    assert [one.text[:2] for one in several] == ["ab", "ab", "cd", "cd"]


def test_completion_best_of_as_many_as_n(server):
    assert len(complete(server, n=2, best_of=2).choices) == 2
    with pytest.raises(openai.BadRequestError) as error:
        complete(server, n=1, best_of=2)
    assert error.value.param == "best_of"


def test_completion_logprobs(server):
    logprobs = complete(server, logprobs=2).choices[0].logprobs
    assert len(logprobs.tokens) == len(logprobs.top_logprobs) == 6


# Chats.


def test_chat(server):
    answer = chat(server)
    assert answer.object == "chat.completion"
    assert answer.choices[0].message.role == "assistant"


def test_chat_with_a_system_message(server):
    messages = [{"role": "system", "content": "x"}, {"role": "user", "content": "hello"}]
    answer = server.client.chat.completions.create(model=MODEL, messages=messages, max_tokens=2)
    assert answer.usage.prompt_tokens > chat(server).usage.prompt_tokens


def test_chat_of_several_turns_with_an_answer_passed_back(server):
    first = chat(server).choices[0].message
    for passed in (first, first.model_dump()):  # which has a null for each field that is not set
        messages = [{"role": "user", "content": "hello"}, passed, {"role": "user", "content": "?"}]
        answer = server.client.chat.completions.create(model=MODEL, messages=messages, max_tokens=2)
        assert answer.choices[0].finish_reason


def test_chat_of_parts(server):
    parts = [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
    assert chat(server, parts).choices == chat(server).choices


def test_chat_streamed(server):
    pieces = list(chat(server, stream=True))
    text = "".join(one.choices[0].delta.content or "" for one in pieces)
    assert text == chat(server).choices[0].message.content


def test_chat_streamed_by_the_clients_helper(server):
    text = chat(server, max_tokens=40).choices[0].message.content
    messages, stop = [{"role": "user", "content": "hello"}], text[12:14]
    with server.client.chat.completions.stream(
        model=MODEL, messages=messages, stop=stop, temperature=0
    ) as stream:
        kinds = {event.type for event in stream}
        whole = stream.get_final_completion()
    assert {"chunk", "content.delta", "content.done"} <= kinds
    assert whole.choices[0].message.content == text[: text.index(stop)]


def test_chat_streamed_with_usage(server):
    pieces = list(chat(server, stream=True, stream_options={"include_usage": True}))
    assert [one.usage for one in pieces[:-1]] == [None] * (len(pieces) - 1)
    assert pieces[-1].usage.completion_tokens == 6


def test_chat_streamed_with_usage_in_every_event(server):
    options = {"include_usage": True, "continuous_usage_stats": True}
    pieces = list(chat(server, stream=True, stream_options=options))
    counts = [one.usage.completion_tokens for one in pieces]
    assert counts == sorted(counts) and (counts[0], counts[-1]) == (1, 6)


def test_chat_streamed_of_several_choices(server):
    texts = {0: "", 1: ""}
    for one in chat(server, stream=True, n=2, seed=3, temperature=1.5):
        texts[one.choices[0].index] += one.choices[0].delta.content or ""
    whole = chat(server, n=2, seed=3, temperature=1.5).choices
    assert [one.message.content for one in whole] == [texts[0], texts[1]]


def test_chat_logprobs(server):
    content = chat(server, logprobs=True, top_logprobs=3).choices[0].logprobs.content
    assert all(len(one.top_logprobs) == 3 for one in content)


def test_chat_max_completion_tokens(server):
    answer = chat(server, max_tokens=None, max_completion_tokens=3)
    assert answer.usage.completion_tokens == 3


def test_chat_simulated_times(server):
    (times,) = chat(server).model_extra["trainyard"]["requests"]
    assert 0 < times["ttft_s"] < times["e2e_s"]


# How tokens are chosen.


def test_temperature_of_zero_is_greedy(server):
    assert text_of(complete(server)) == text_of(complete(server))


def test_seed(server):
    def drawn(seed):
        return text_of(complete(server, temperature=1.0, seed=seed, max_tokens=12))

    assert drawn(5) == drawn(5) != drawn(6)


def test_n(server):
    answer = chat(server, n=3, temperature=1.5, seed=1, max_tokens=12)
    assert len({one.message.content for one in answer.choices}) == 3


def test_top_p(server):
    assert text_of(complete(server, temperature=1.0, top_p=1e-6)) == text_of(complete(server))


@pytest.mark.parametrize("field", [{"top_k": 1}, {"min_p": 1.0}], ids=["top_k", "min_p"])
def test_cuts_of_vllm(server, field):
    drawn = complete(server, temperature=2.0, extra_body=field)
    assert text_of(drawn) == text_of(complete(server))


def test_logit_bias_forces_and_bans(server):
    assert text_of(complete(server, logit_bias={"97": 50, "98": 49})) == "aaaaaa"
    assert text_of(complete(server, logit_bias={"97": -100, "98": 49})) == "bbbbbb"


def test_frequency_penalty_ends_repetition(server):
    bias = {str(97 + i): 90 - i * 0.5 for i in range(26)}
    many = {"max_tokens": 20, "logit_bias": bias, **NO_EOS}
    assert len(set(text_of(complete(server, **many)))) <= 3
    assert len(set(text_of(complete(server, frequency_penalty=2.0, **many)))) > 5


def test_presence_penalty_prefers_new_tokens(server):
    bias = {"97": 90, "98": 89.5, "99": 89}
    alone = set(text_of(complete(server, max_tokens=12, logit_bias=bias, **NO_EOS)))
    some = complete(server, max_tokens=12, logit_bias=bias, presence_penalty=2.0, **NO_EOS)
    assert set(text_of(some)) >= alone


def test_penalties_of_nothing_change_nothing(server):
    none = {"frequency_penalty": 0, "presence_penalty": 0, "logit_bias": {}}
    extra = {"repetition_penalty": 1.0, "min_p": 0.0, "top_k": -1, "min_tokens": 0}
    assert text_of(complete(server, **none, extra_body=extra)) == text_of(complete(server))


def test_labels_and_nulls_change_nothing(server):
    labels = {"user": "u", "safety_identifier": "s", "prompt_cache_key": "k"}
    nulls = dict.fromkeys(("logit_bias", "suffix", "top_k", "reasoning_effort", "stop"))
    answer = complete(server, extra_body={**labels, **nulls, "service_tier": "auto"})
    assert text_of(answer) == text_of(complete(server))


# Where answers end.


@pytest.mark.parametrize("many", [1, 4])
def test_stop(server, many):
    whole = text_of(complete(server, max_tokens=30))
    stop = whole[8:10]
    answer = complete(server, max_tokens=30, stop=[stop, "\x01", "\x02", "\x03"][:many])
    assert text_of(answer) == whole[: whole.index(stop)]
    assert answer.choices[0].finish_reason == "stop"


def test_stop_token_ids_and_min_tokens(server):
    bias = {"logit_bias": {"97": 100}, "max_tokens": 8}
    ended = complete(server, **bias, extra_body={"stop_token_ids": [97]})
    assert (text_of(ended), ended.choices[0].finish_reason) == ("", "stop")
    later = complete(server, **bias, extra_body={"stop_token_ids": [97], "min_tokens": 3})
    assert later.usage.completion_tokens == 4 and "a" not in text_of(later)
    text = complete(server, **bias, stop=["a"], extra_body={"min_tokens": 3})
    assert text_of(text) == "aaa"


# Forms of answers, and tools.


@needs_forms
def test_json_schema(server):
    schema = {"name": "town", "schema": Town.model_json_schema(), "strict": True}
    form = {"type": "json_schema", "json_schema": schema}
    Town.model_validate_json(chat(server, response_format=form, **DRAWN).choices[0].message.content)


@needs_forms
def test_parse_into_a_class(server):
    messages = [{"role": "user", "content": "where?"}]
    answer = server.client.chat.completions.parse(
        model=MODEL, messages=messages, response_format=Town, max_tokens=300
    )
    assert answer.choices[0].message.parsed.kind in ("town", "lake")


@needs_forms
def test_json_object(server):
    form = {"type": "json_object"}
    assert chat(server, response_format=form, **DRAWN).choices[0].message.content[0] == "{"


@needs_forms
def test_a_tool_that_must_be_called(server):
    must = {"tool_choice": "required", "parallel_tool_calls": False}
    (choice,) = chat(server, tools=[TOOL], **must, **DRAWN).choices
    assert choice.finish_reason == "tool_calls"
    assert {one.function.name for one in choice.message.tool_calls} == {"find_town"}


@needs_forms
def test_a_tool_called_by_name_and_its_answer_passed_back(server):
    named = {"type": "function", "function": {"name": "find_town"}}
    said = chat(server, tools=[TOOL], tool_choice=named, **DRAWN).choices[0].message
    (call,) = said.tool_calls
    Town.model_validate_json(call.function.arguments)
    result = {"role": "tool", "tool_call_id": call.id, "content": "Ulm"}
    messages = [{"role": "user", "content": "where?"}, said, result]
    again = server.client.chat.completions.create(
        model=MODEL, messages=messages, tools=[TOOL], max_tokens=2
    )
    assert again.usage.prompt_tokens > 100


def test_tools_that_need_not_be_called(server):
    for choice in ("auto", "none"):
        assert chat(server, tools=[TOOL], tool_choice=choice).choices[0].finish_reason == "length"


# Embeddings.


def test_embedding(server):
    answer = embed(server, "hello")
    assert len(answer.data[0].embedding) == 64
    assert np.linalg.norm(answer.data[0].embedding) == pytest.approx(1, abs=1e-5)


def test_embeddings_of_several(server):
    both = embed(server, ["hello", "there"])
    assert [one.index for one in both.data] == [0, 1]
    assert both.data[1].embedding == pytest.approx(
        embed(server, "there").data[0].embedding, abs=1e-6
    )


def test_embedding_as_floats(server):
    plain = embed(server, "hello", encoding_format="float").data[0].embedding
    assert plain == pytest.approx(embed(server, "hello").data[0].embedding, abs=1e-6)


# What is kept.


def test_kept_answers(server):
    made = chat(server, metadata={"topic": "towns"}, store=True)
    kept = server.client.chat.completions
    assert kept.retrieve(made.id).choices == made.choices
    assert made.id in [one.id for one in kept.list()]
    assert kept.delete(made.id).deleted
    with pytest.raises(openai.NotFoundError):
        kept.retrieve(made.id)


# What is refused.

REFUSED = {
    "temperature": {"temperature": 3},
    "top_p": {"top_p": 0},
    "n": {"n": 99},
    "max_tokens": {"max_tokens": 0},
    "stop": {"stop": list("abcde")},
    "logprobs": {"logprobs": 6},
    "presence_penalty": {"presence_penalty": 2.5},
    "frequency_penalty": {"frequency_penalty": -3},
    "logit_bias": {"logit_bias": {"99999": 1}},
    "stop_token_ids": {"extra_body": {"stop_token_ids": [99999]}},
    "repetition_penalty": {"extra_body": {"repetition_penalty": 0}},
    "suffix": {"suffix": "x"},
    "no_such_field": {"extra_body": {"no_such_field": 1}},
}


@pytest.mark.parametrize("param", REFUSED)
def test_a_bad_field(server, param):
    with pytest.raises(openai.BadRequestError) as error:
        complete(server, **REFUSED[param])
    assert error.value.param.startswith(param)
    assert error.value.type == "invalid_request_error"


def test_a_model_that_is_not_there(server):
    with pytest.raises(openai.NotFoundError) as error:
        complete(server, model="gpt-99")
    assert error.value.code == "model_not_found"


def test_a_prompt_that_is_too_long(server):
    with pytest.raises(openai.BadRequestError) as error:
        complete(server, "x" * 5000)
    assert error.value.code == "context_length_exceeded"


def test_a_picture(server):
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
    with pytest.raises(openai.BadRequestError) as error:
        chat(server, [picture])
    assert error.value.param.startswith("messages")


def test_a_wrong_key(server):
    client = openai.OpenAI(base_url=f"{server.base}/v1", api_key="guess", max_retries=0)
    with pytest.raises(openai.AuthenticationError) as error:
        client.models.list()
    assert error.value.code == "invalid_api_key"


def test_an_endpoint_that_is_not_there(server):
    with pytest.raises(openai.NotFoundError):
        server.client.images.generate(model=MODEL, prompt="a town")


def test_a_name_that_clients_know():
    process = Process("--served-model-name", "gpt-4o")
    assert next(iter(process.client.models.list())).id == "gpt-4o"
    assert complete(process, model="gpt-4o").model == "gpt-4o"
    with pytest.raises(openai.NotFoundError):
        complete(process)
    process.stop()


# Many clients, and those that leave.


def test_many_at_once(server):
    alone = [text_of(complete(server, f"text {i}", max_tokens=4)) for i in range(8)]

    async def ask():
        client = openai.AsyncOpenAI(base_url=f"{server.base}/v1", api_key=KEY, max_retries=0)
        asked = [
            client.completions.create(model=MODEL, prompt=f"text {i}", max_tokens=4, temperature=0)
            for i in range(8)
        ]
        return [text_of(one) for one in await asyncio.gather(*asked)]

    assert asyncio.run(ask()) == alone


def test_an_asynchronous_stream(server):
    async def ask():
        client = openai.AsyncOpenAI(base_url=f"{server.base}/v1", api_key=KEY, max_retries=0)
        stream = await client.completions.create(
            model=MODEL, prompt="hello", max_tokens=6, temperature=0, stream=True
        )
        return "".join([text_of(one) async for one in stream])

    assert asyncio.run(ask()) == text_of(complete(server))


def test_a_stream_that_is_closed(server):
    stream = complete(server, max_tokens=900, stream=True, **NO_EOS)
    next(iter(stream))
    stream.close()
    wait_until(lambda: server.metric("vllm:num_requests_running") == 0)


def test_a_client_that_waits_no_longer(server):
    client = server.client.with_options(timeout=0.3)
    began = time.monotonic()
    with pytest.raises(openai.APITimeoutError):
        client.completions.create(model=MODEL, prompt="x", max_tokens=900, extra_body=WHOLE)
    assert time.monotonic() - began < 30
    wait_until(lambda: server.metric("vllm:num_requests_running") == 0)


def test_raw_responses_and_headers(server):
    raw = server.client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": "hello"}], max_tokens=2
    )
    assert raw.http_response.headers["content-type"] == "application/json"
    assert json.loads(raw.text)["id"] == raw.parse().id
