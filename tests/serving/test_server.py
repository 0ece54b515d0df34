"""Does the server answer as OpenAI's clients expect, refuse what is wrong, and end well?"""

import asyncio
import base64
import gzip
import importlib.util
import json
import re
import socket
import subprocess
import sys
import threading
import time

import pytest

NEEDED = ("openai", "fastapi", "uvicorn")
missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    pytest.skip(
        f"{', '.join(missing)} missing: pip install -r tools/serving-requirements.txt",
        allow_module_level=True,
    )

import openai  # noqa: E402
from http_server import MODEL, TERMINATED, Process, chat, complete, wait_until  # noqa: E402


@pytest.fixture(scope="module")
def server():
    process = Process()
    yield process
    process.stop()


def test_models_are_listed(server):
    assert MODEL in [card.id for card in server.client.models.list().data]
    assert server.client.models.retrieve(MODEL).id == MODEL


def test_it_is_healthy(server):
    assert server.get("/health") == ""


def test_a_chat_has_an_answer_usage_and_simulated_times(server):
    answer = chat(server)
    assert answer.choices[0].finish_reason == "length"
    assert answer.choices[0].message.role == "assistant"
    assert answer.usage.completion_tokens == 6
    (times,) = answer.model_extra["trainyard"]["requests"]
    assert 0 < times["ttft_s"] < 0.01
    assert times["e2e_s"] == pytest.approx(times["ttft_s"] + 5 * times["tpot_s"])
    assert times["joules"] > 0


def test_the_same_chat_again_has_the_same_answer(server):
    assert chat(server).choices[0].message.content == chat(server).choices[0].message.content


def test_a_stream_gives_the_same_text_in_pieces(server):
    pieces = list(chat(server, stream=True, stream_options={"include_usage": True}))
    text = "".join(one.choices[0].delta.content or "" for one in pieces if one.choices)
    assert text == chat(server).choices[0].message.content
    assert pieces[0].choices[0].delta.role == "assistant"
    assert [one.choices[0].finish_reason for one in pieces if one.choices][-1] == "length"
    assert pieces[-1].usage.completion_tokens == 6


def test_a_stream_of_a_completion_gives_the_same_text(server):
    text = "".join(one.choices[0].text for one in complete(server, stream=True))
    assert text == complete(server).choices[0].text


@pytest.mark.parametrize("prompt", ["ab", [97, 98]])
def test_a_prompt_may_be_text_or_tokens(server, prompt):
    answer = complete(server, prompt)
    assert answer.usage.prompt_tokens == 2
    assert answer.choices[0].text == complete(server, "ab").choices[0].text


@pytest.mark.parametrize("prompt", [["ab", "cd"], [[97, 98], [99, 100]]])
def test_several_prompts_have_an_answer_each(server, prompt):
    answer = complete(server, prompt)
    assert [one.index for one in answer.choices] == [0, 1]
    assert answer.choices[1].text == complete(server, "cd").choices[0].text


def test_n_gives_so_many_choices_that_differ(server):
    answer = chat(server, n=3, temperature=1.5, seed=1, max_tokens=12)
    assert len({one.message.content for one in answer.choices}) == 3
    assert answer.usage.completion_tokens == 36


def test_a_seed_is_of_all_choices(server):
    def drawn(seed):
        answer = chat(server, n=2, temperature=1.5, seed=seed, max_tokens=12)
        return [one.message.content for one in answer.choices]

    assert drawn(5) == drawn(5)
    assert not set(drawn(5)) & set(drawn(6))


def test_a_seed_gives_the_same_draws(server):
    def drawn(seed):
        return complete(server, temperature=1.0, seed=seed, max_tokens=12).choices[0].text

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)


def test_without_a_seed_draws_differ(server):
    texts = {complete(server, temperature=1.5, max_tokens=12).choices[0].text for _ in range(3)}
    assert len(texts) == 3


def test_top_k_of_one_is_greedy(server):
    drawn = complete(server, temperature=2.0, extra_body={"top_k": 1})
    assert drawn.choices[0].text == complete(server).choices[0].text


def test_a_tiny_top_p_is_greedy(server):
    drawn = complete(server, temperature=1.0, top_p=1e-6)
    assert drawn.choices[0].text == complete(server).choices[0].text


@pytest.mark.parametrize("stream", [False, True])
def test_a_stop_sequence_ends_an_answer_before_it(server, stream):
    whole = complete(server, max_tokens=30).choices[0].text
    stop = whole[8:10]
    answer = complete(server, max_tokens=30, stop=[stop], stream=stream)
    if stream:
        pieces = list(answer)
        text, reason = "".join(one.choices[0].text for one in pieces), pieces[-1].choices[0]
        reason = reason.finish_reason
    else:
        text, reason = answer.choices[0].text, answer.choices[0].finish_reason
    assert text == whole[: whole.index(stop)]
    assert reason == "stop"


def test_logprobs_of_a_completion(server):
    logprobs = complete(server, logprobs=3).choices[0].logprobs
    assert len(logprobs.tokens) == len(logprobs.token_logprobs) == 6
    for best, top in zip(logprobs.token_logprobs, logprobs.top_logprobs, strict=True):
        assert best == max(top.values())
    assert logprobs.text_offset[0] == 0


def test_logprobs_of_a_chat(server):
    content = chat(server, logprobs=True, top_logprobs=4).choices[0].logprobs.content
    assert len(content) == 6
    assert all(len(one.top_logprobs) == 4 for one in content)
    assert all(one.logprob == one.top_logprobs[0].logprob for one in content)


def test_a_message_may_have_parts(server):
    parts = [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
    assert chat(server, parts).choices[0].message.content == chat(server).choices[0].message.content


def test_max_completion_tokens_is_the_newer_name(server):
    answer = chat(server, max_tokens=None, extra_body={"max_completion_tokens": 2})
    assert answer.usage.completion_tokens == 2


def test_a_known_beginning_is_counted(server):
    text = "a beginning of many tokens " * 4
    complete(server, text)
    assert complete(server, text).usage.prompt_tokens_details.cached_tokens >= 96


BAD = [
    ({"temperature": 2.5}, "temperature"),
    ({"temperature": -1}, "temperature"),
    ({"top_p": 0}, "top_p"),
    ({"n": 0}, "n"),
    ({"n": 17}, "n"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"stop": ["a"] * 5}, "stop"),
    ({"logprobs": 9}, "logprobs"),
    ({"suffix": "x"}, "suffix"),
    ({"best_of": 2}, "best_of"),
    ({"logit_bias": {"x": 1}}, "logit_bias"),
    ({"prompt": []}, "prompt"),
    ({"prompt": ""}, "prompt"),
    ({"prompt": [700]}, "prompt"),
    ({"prompt": {"text": "x"}}, "prompt"),
    ({"stream_options": {"include_usage": True}}, "stream_options"),
    ({"arrival": -1}, "arrival"),
]


@pytest.mark.parametrize(("fields", "param"), BAD)
def test_a_bad_field_is_named(server, fields, param):
    body = {"model": MODEL, "prompt": "x"} | fields
    status, answer = server.post("/v1/completions", json.dumps(body).encode())
    assert status == 400
    assert answer["error"]["type"] == "invalid_request_error"
    assert answer["error"]["param"].startswith(param)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"prompt": "x"',
        b"\xff\xfe",
        b'{"model": "random-2x64"}',
        b'{"prompt": "\\ud800"}',
        b'{"prompt": "x", "temperature": NaN}',
        b"[" * 100_000,
        b'{"prompt": "x", "seed": 1' + b"0" * 5000 + b"}",
    ],
    ids=range(11),
)
def test_a_malformed_body_has_openais_shape(server, body):
    status, answer = server.post("/v1/completions", body)
    assert status == 400
    assert set(answer["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize(("body", "at"), [(b"nonsense", 0), (b'{"prompt": "x",}', 15), (b"{", 1)])
def test_what_is_no_json_is_said_with_its_place_and_no_field(server, body, at):
    status, answer = server.post("/v1/completions", body)
    assert (status, answer["error"]["param"]) == (400, None)
    assert "no JSON" in answer["error"]["message"]
    assert answer["error"]["message"].endswith(f"at character {at}")


def test_an_unknown_model_is_not_found(server):
    with pytest.raises(openai.NotFoundError) as error:
        server.client.completions.create(model="gpt-99", prompt="x")
    assert error.value.code == "model_not_found"


def test_an_unknown_path_has_openais_shape(server):
    status, answer = server.post("/v1/images", b"{}")
    assert status == 404
    assert "/v1/images" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("content", "param"),
    [
        ([{"type": "image_url", "image_url": {"url": "x"}}], "messages.0.content.0.type"),
        ([{"type": "text", "text": "a"}, {"type": "text"}], "messages.0.content.1.text"),
        (5, "messages.0.content"),
    ],
)
def test_of_several_kinds_the_nearest_is_named(server, content, param):
    body = {"model": MODEL, "messages": [{"role": "user", "content": content}]}
    status, answer = server.post("/v1/chat/completions", json.dumps(body).encode())
    assert (status, answer["error"]["param"]) == (400, param)


@pytest.mark.parametrize("context", ["1000", "1024"])
def test_the_context_is_what_is_asked_for(context):
    process = Process("--context", context)
    (card,) = (one for one in process.client.models.list() if one.id == MODEL)
    assert card.max_model_len == int(context)
    process.stop()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--context", "4096"), "--cache-blocks 256, or --context 2048"),
        (("--context", "1000000", "--cache-blocks", "65536"), "places for tokens"),
        (("--ep", "perhaps"), "--ep is no, yes, auto"),
        (("--ep", "yes"), "whole experts lie on several cores"),
    ],
)
def test_what_there_is_no_room_for_is_refused(asked, says):
    assert says in Process.refusal(*asked)


def test_what_is_longer_than_the_context_is_refused(server):
    with pytest.raises(openai.BadRequestError) as error:
        complete(server, "x" * 3000)
    assert error.value.code == "context_length_exceeded"


def test_a_body_that_is_too_large_is_refused(server):
    headers = {"content-length": str(9 << 20)}
    status, _ = server.post("/v1/completions", b"{}", headers)
    assert status == 413


def test_metrics_have_vllms_names_and_count(server):
    before = server.metric("vllm:generation_tokens_total")
    complete(server, max_tokens=9)
    assert server.metric("vllm:generation_tokens_total") == before + 9
    text = server.get("/metrics")
    for name, kind in (
        ("vllm:num_requests_running", "gauge"),
        ("vllm:num_requests_waiting", "gauge"),
        ("vllm:kv_cache_usage_perc", "gauge"),
        ("vllm:prefix_cache_queries_total", "counter"),
        ("vllm:prefix_cache_hits_total", "counter"),
        ("vllm:num_preemptions_total", "counter"),
        ("vllm:prompt_tokens_total", "counter"),
        ("vllm:request_success_total", "counter"),
        ("vllm:time_to_first_token_seconds", "histogram"),
        ("vllm:inter_token_latency_seconds", "histogram"),
        ("vllm:request_time_per_output_token_seconds", "histogram"),
        ("vllm:e2e_request_latency_seconds", "histogram"),
        ("vllm:request_queue_time_seconds", "histogram"),
        ("vllm:iteration_tokens_total", "histogram"),
        ("vllm:cache_config_info", "gauge"),
        ("trn3_sim_time_seconds_total", "counter"),
        ("trn3_energy_joules_total", "counter"),
    ):
        assert f"# TYPE {name} {kind}" in text


def test_the_first_page_shows_the_metrics(server):
    complete(server, max_tokens=5)
    text = server.get("/")
    packed = re.search(r'id="document">([^<]*)<', text)[1]
    sheet = json.loads(gzip.decompress(base64.b64decode(packed)))
    values, times = (part for part in sheet["parts"] if part["kind"] == "table")
    tokens = next(row for row in values["rows"] if row[0] == "vllm:generation_tokens_total")
    assert tokens[1] == server.metric("vllm:generation_tokens_total")
    first = next(row for row in times["rows"] if row[0] == "vllm:time_to_first_token_seconds")
    assert first[1] == server.metric("vllm:time_to_first_token_seconds_count")
    assert 0 < first[3] <= first[4]


def test_metrics_are_of_the_simulated_clock(server):
    answer = complete(server, max_tokens=4)
    (times,) = answer.model_extra["trainyard"]["requests"]
    before = server.metric("vllm:time_to_first_token_seconds_sum")
    again = complete(server, "another text", max_tokens=4)
    (times,) = again.model_extra["trainyard"]["requests"]
    gained = server.metric("vllm:time_to_first_token_seconds_sum") - before
    assert gained == pytest.approx(times["ttft_s"], rel=1e-6)


def test_many_clients_at_once_get_what_one_gets_alone(server):
    alone = [complete(server, f"text {i}", max_tokens=4).choices[0].text for i in range(12)]

    async def ask():
        client = openai.AsyncOpenAI(base_url=f"{server.base}/v1", api_key="x", max_retries=0)
        asked = [
            client.completions.create(model=MODEL, prompt=f"text {i}", max_tokens=4, temperature=0)
            for i in range(12)
        ]
        return [one.choices[0].text for one in await asyncio.gather(*asked)]

    assert asyncio.run(ask()) == alone


def test_a_client_that_leaves_is_cancelled(server):
    def aborted():
        text = server.get("/metrics")
        found = re.findall(r'finished_reason="abort".*\} (\S+)', text)
        return sum(map(float, found))

    before = aborted()
    stream = complete(server, max_tokens=900, stream=True, extra_body={"ignore_eos": True})
    next(iter(stream))
    stream.close()
    wait_until(lambda: aborted() >= before + 1)
    body = json.dumps({"prompt": "x", "max_tokens": 900, "ignore_eos": True}).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        head = f"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
        raw.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        wait_until(lambda: server.metric("vllm:num_requests_running") == 1)
    wait_until(lambda: aborted() >= before + 2)
    wait_until(lambda: server.metric("vllm:num_requests_running") == 0 or complete(server))


def test_a_key_is_asked_for_and_arrivals_order_requests():
    process = Process("--start-after", "2", key="secret")
    try:
        status, answer = process.post("/v1/completions", b"{}")
        assert status == 401
        assert answer["error"]["code"] == "invalid_api_key"
        found = {}

        def ask(arrival):
            extra = {"arrival": arrival}
            answer = complete(process, f"at {arrival}", max_tokens=2, extra_body=extra)
            (found[arrival],) = answer.model_extra["trainyard"]["requests"]

        threads = [threading.Thread(target=ask, args=(at,)) for at in (2.0, 0.5)]
        for one in threads:
            one.start()
            time.sleep(0.3)
        for one in threads:
            one.join(timeout=60)
        assert found[0.5]["arrival_s"] == pytest.approx(0.5)
        assert found[2.0]["arrival_s"] == pytest.approx(2.0)
        assert found[0.5]["queue_s"] == 0
    finally:
        assert process.stop() == TERMINATED


def test_too_many_requests_are_told_so():
    process = Process("--queue", "2", "--start-after", "3")
    try:
        body = json.dumps({"prompt": "x", "n": 3}).encode()
        status, answer = process.post("/v1/completions", body)
        assert status == 429
        assert answer["error"]["code"] == "rate_limit_exceeded"
    finally:
        assert process.stop() == TERMINATED


def test_sigterm_ends_it_and_kill_does_not_keep_the_port():
    process = Process()
    complete(process)
    process.process.kill()
    process.process.wait(timeout=30)
    again = Process("--grace", "1")
    complete(again)
    with pytest.raises(subprocess.CalledProcessError):  # its port is taken
        subprocess.run(
            [sys.executable, "-m", "trainyard", "serve", MODEL, "--port", str(again.port)],
            check=True,
            capture_output=True,
            timeout=60,
        )
    assert again.stop() == TERMINATED
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", again.port), timeout=5).close()
