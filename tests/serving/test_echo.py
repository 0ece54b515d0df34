"""Does a completion that echoes its prompt tell what the prompt scored?"""

import importlib.util

import pytest

NEEDED = ("openai", "fastapi", "uvicorn")
missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    pytest.skip(f"{', '.join(missing)} missing", allow_module_level=True)

from http_server import Process, complete  # noqa: E402

NO_EOS = {"extra_body": {"ignore_eos": True}}


@pytest.fixture(scope="module")
def server():
    process = Process()
    yield process
    process.stop()


@pytest.mark.parametrize("stream", [False, True])
def test_completion_echo_with_logprobs(server, stream):
    asked = {"max_tokens": 4, "echo": True, "logprobs": 3, **NO_EOS}
    answer = complete(server, "hello", stream=stream, **asked)
    parts = [one.choices[0].logprobs for one in (answer if stream else [answer])]
    tokens, scores, top, places = (
        [each for part in parts for each in getattr(part, name)]
        for name in ("tokens", "token_logprobs", "top_logprobs", "text_offset")
    )
    assert len(tokens) == len(scores) == len(top) == len(places) == 9
    assert tokens[:5] == list("hello") and places[:6] == [0, 1, 2, 3, 4, 5]
    assert (scores[0], top[0]) == (None, None)
    assert all(score <= 0 for score in scores[1:]) and all(0 < len(one) <= 3 for one in top[1:])


def test_completion_of_a_prompt_alone(server):
    answer = complete(server, "hello", max_tokens=0, echo=True, logprobs=1)
    assert (answer.choices[0].text, answer.usage.completion_tokens) == ("hello", 0)
    assert (answer.choices[0].finish_reason, len(answer.choices[0].logprobs.tokens)) == (
        "length",
        5,
    )
    assert complete(server, "hello", max_tokens=0, echo=True).choices[0].text == "hello"
