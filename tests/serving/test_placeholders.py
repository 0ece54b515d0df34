"""Does the planned engine behind HTTP say what `plan serve` says, at the pace that is asked for,
and that its tokens mean nothing?"""

import json
import re
import subprocess
import sys
import threading
import time

import numpy as np
import openai
import pytest
from http_server import TERMINATED, Process
from trainyard import _core
from trainyard.serving import pace, placeholders, replicas
from trainyard.usage import UsageError

MODEL = "llama3-70b"
SERVED = ("--planned", "--on", "trn3-gen2", "--tp", "4")
SECOND = _core.TICKS_PER_SECOND


@pytest.fixture(scope="module")
def server():
    process = Process(*SERVED, model=MODEL)
    yield process
    assert process.stop() == TERMINATED


def chat(server, messages, **options):
    return server.client.chat.completions.create(model=MODEL, messages=messages, **options)


def times(answer):
    return answer.trainyard["requests"][0]


def test_an_answer_says_that_its_tokens_are_placeholders(server):
    answer = chat(server, [{"role": "user", "content": "Why is the sky blue?"}], max_tokens=7)
    assert answer.choices[0].message.content == 7 * placeholders.WORD
    assert answer.choices[0].finish_reason == "length"
    assert "mean nothing" in answer.system_fingerprint
    assert answer.trainyard["tokens"] == "placeholders"
    assert answer.usage.completion_tokens == 7
    # Two bytes of each of 70e9 weights in FP8 at 4 chips' bandwidth take some milliseconds.
    assert 1e-3 < times(answer)["tpot_s"] < 0.1
    whole = chat(server, [{"role": "user", "content": "Why?"}])
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage.completion_tokens == placeholders.ANSWER
    assert whole.choices[0].message.content.count(placeholders.WORD) == placeholders.ANSWER - 1
    full = server.client.completions.create(
        model=MODEL, prompt="Why?", max_tokens=300, extra_body={"ignore_eos": True}
    )
    assert (full.usage.completion_tokens, full.choices[0].finish_reason) == (300, "length")


def test_a_stream_has_the_times_in_its_last_piece(server):
    pieces = list(
        chat(
            server,
            [{"role": "user", "content": "Why?"}],
            max_tokens=5,
            n=2,
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert all("mean nothing" in one.system_fingerprint for one in pieces)
    said = ["", ""]
    for piece in pieces[:-1]:
        for choice in piece.choices:
            said[choice.index] += choice.delta.content or ""
    assert said == [5 * placeholders.WORD] * 2
    assert pieces[-1].usage.completion_tokens == 10
    assert len(pieces[-1].trainyard["requests"]) == 2


def test_the_body_that_vllm_bench_serve_sends_is_served(server):
    # vllm/benchmarks/lib/endpoint_request_func.py, with --ignore-eos and without
    body = {"prompt": "Why?", "max_tokens": 300, "temperature": 0.0, "stream": True}
    body |= {"stream_options": {"include_usage": True}}
    vllms = {"repetition_penalty": 1.0, "logprobs": None}
    for extra, tokens in (({"ignore_eos": True}, 300), ({"min_tokens": 290}, 291), ({}, 256)):
        pieces = list(
            server.client.completions.create(model=MODEL, **body, extra_body=vllms | extra)
        )
        assert pieces[-1].usage.completion_tokens == tokens


def test_a_conversation_finds_what_it_said_before(server):
    said = [{"role": "user", "content": "Tell me all about tensors and engines. " * 30}]
    first = chat(server, said, max_tokens=100)
    assert times(first)["cached_tokens"] == 0
    said += [{"role": "assistant", "content": first.choices[0].message.content}]
    second = chat(server, [*said, {"role": "user", "content": "And then?"}], max_tokens=4)
    prompt = first.usage.prompt_tokens
    assert prompt + 80 < times(second)["cached_tokens"] <= prompt + 100


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"logprobs": True}, "log-probabilities"),
        ({"response_format": {"type": "json_object"}}, "forms of answers"),
        ({"max_tokens": 8192}, "maximum context length"),
    ],
)
def test_what_needs_tokens_is_refused_by_name(server, options, said):
    with pytest.raises(openai.BadRequestError, match=said):
        chat(server, [{"role": "user", "content": "Why?"}], **options)


def test_embeddings_and_strange_tokens_are_refused(server):
    with pytest.raises(openai.BadRequestError, match="embeddings"):
        server.client.embeddings.create(model="", input="Why?")
    body = json.dumps({"prompt": [128_256]}).encode()
    status, said = server.post("/v1/completions", body)
    assert (status, said["error"]["param"]) == (400, "prompt")


def test_times_are_those_of_plan_serve():
    random = np.random.default_rng(3)
    rows = [
        (float(at), int(length), int(output))
        for at, length, output in zip(
            np.cumsum(random.exponential(0.05, 24)),
            random.integers(5, 3000, 24),
            random.integers(2, 90, 24),
            strict=True,
        )
    ]
    server = Process(*SERVED, "--start-after", "24", model=MODEL)
    found = {}

    def ask(number):
        at, length, output = rows[number]
        answer = server.client.completions.create(
            model=MODEL,
            prompt=[number] * length,
            max_tokens=output,
            extra_body={"arrival": at, "ignore_eos": True},
        )
        found[number] = times(answer)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(rows))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    generated = server.metric("vllm:generation_tokens_total")
    assert server.stop() == TERMINATED
    assert generated == sum(output for *_, output in rows)
    engine = placeholders.load(replicas.Asked(MODEL, "trn3-gen2", tp=4), 8192)
    run = _core.simulate_trace(
        [(round(at * SECOND), length, output, ()) for at, length, output in rows],
        0,
        engine.limits.settings,
        engine.replica.costs,
        _core.ServingSimulation(),
    )
    records = {name: np.frombuffer(held, kind) for name, (kind, held) in run.records().items()}
    for number in range(len(rows)):
        ttft = records["first_token"][number] - records["arrival"][number]
        assert found[number]["ttft_s"] == ttft / SECOND
        e2e = records["end"][number] - records["arrival"][number]
        assert found[number]["e2e_s"] == e2e / SECOND


def test_at_a_real_pace_time_passes_as_it_is_simulated():
    server = Process(*SERVED, "--pace", "real", model=MODEL)
    walls, found = {}, {}

    def ask(number):
        time.sleep(0.2 * number)
        began = time.perf_counter()
        answer = chat(server, [{"role": "user", "content": "Why?"}], max_tokens=100)
        walls[number] = time.perf_counter() - began
        found[number] = times(answer)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert server.stop() == TERMINATED
    for number, one in found.items():
        assert one["e2e_s"] <= walls[number] < one["e2e_s"] + 2  # a host that others load
    # They came while others were answered, and a second of the host's apart is one of the clock's.
    arrivals = [found[number]["arrival_s"] for number in range(3)]
    assert arrivals[0] > 0
    assert arrivals[0] < arrivals[1] < arrivals[2] < arrivals[0] + found[0]["e2e_s"]


def refused(*options):
    command = [sys.executable, "-m", "trainyard", "serve", *options, "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr


def test_a_pace_that_the_host_cannot_hold_is_refused():
    code, said = refused("random-2x64", "--pace", "real")
    assert code == 2
    assert "name a factor of at most" in said
    with pytest.raises(UsageError, match=r"at most 0\.02,"):
        pace.check(pace.Pace(1.0), 0.025, 1.0, "it")
    pace.check(pace.Pace(0.02), 0.025, 1.0, "it")


@pytest.mark.parametrize("text", ["fast", "0", "-1", "nan", "inf"])
def test_a_pace_is_a_factor(text):
    with pytest.raises(UsageError, match="a pace is real or a factor"):
        pace.Pace.parse(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((MODEL, "--planned", "--cores", "2"), "--cores is for a server that computes values"),
        (("random-2x64", "--on", "trn2"), "--on is for a server that is --planned"),
        (("random-2x64", "--tp", "4"), "4 cores do not divide heads: 2"),
        (("random-2x64", "--tp", "2", "--cores", "2"), "--cores and --tp are the same"),
        (("llama9-70b", "--planned"), "llama9-70b"),
        ((MODEL, "--planned", "--context", "200000"), "131072 places"),
        (("llama3-405b", "--planned", "--tp", "1", "--weights", "bf16"), "fit"),
        ((MODEL, "--planned", "--tokenizer", "/dev/null"), "tokenizer.json|cannot be read"),
    ],
)
def test_what_cannot_be_planned_is_refused(options, said):
    code, found = refused(*options)
    assert code in (2, 3, 4)
    assert re.search(said, found)
    assert "Traceback" not in found


def test_pieces_are_words():
    pieces = placeholders.Pieces()
    assert len(pieces.encode("The quick brown fox")) == 4
    assert pieces.encode("a b") != pieces.encode("a c")
    assert len(pieces.encode(3 * placeholders.WORD)) == 3
    assert pieces.encode("") == []
