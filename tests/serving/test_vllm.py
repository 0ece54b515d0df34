"""What clients ask of a server that they take for vLLM: its tokenizer's endpoints, forms of answers
by its names, scripts of web pages, names of requests."""

import importlib.util
import json
import urllib.error
import urllib.request

import pytest

needed = ("fastapi", "uvicorn", "openai")
if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
    pytest.skip(f"{', '.join(missing)} missing", allow_module_level=True)

from http_server import MODEL, Process, chat, complete  # noqa: E402
from trainyard.commands import serve  # noqa: E402
from trainyard.usage import UsageError  # noqa: E402

ORIGIN = "http://localhost:3000"
KEY = "secret"
SAID = [{"role": "user", "content": "hi"}]
needs_forms = pytest.mark.skipif(
    importlib.util.find_spec("llguidance") is None, reason="llguidance missing"
)


@pytest.fixture(scope="module")
def server():
    process = Process("--allowed-origins", f'["{ORIGIN}"]', key=KEY)
    yield process
    process.stop()


def ask(server, path, body=None, method=None, **headers):
    """Status, headers and what was said."""
    told = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    told |= {name.replace("_", "-"): one for name, one in headers.items()}
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.base + path, sent, told, method=method)
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers, answer.read().decode()


def told(server, path, body):
    """The answer to a body that is served."""
    status, _, text = ask(server, path, body)
    assert status == 200, text
    return json.loads(text)


def refusal(server, path, body):
    status, _, text = ask(server, path, body)
    assert status == 400
    return json.loads(text)["error"]


def test_a_text_becomes_tokens_and_tokens_a_text(server):
    found = told(server, "/tokenize", {"model": MODEL, "prompt": "hi", "return_token_strs": True})
    assert found == {
        "count": 2,
        "max_model_len": 1024,
        "tokens": [104, 105],
        "token_strs": ["h", "i"],
    }
    assert told(server, "/detokenize", {"tokens": found["tokens"]}) == {"prompt": "hi"}


def test_messages_become_the_prompt_of_their_chat(server):
    found = told(server, "/tokenize", {"messages": SAID})
    assert found["count"] == chat(server, "hi").usage.prompt_tokens
    assert bytes(found["tokens"]) == b"user: hi\nassistant: "


@pytest.mark.parametrize(
    ("path", "body", "param", "says"),
    [
        ("/tokenize", {}, None, "one of prompt and messages"),
        ("/tokenize", {"prompt": "a", "messages": SAID}, None, "one of prompt and messages"),
        ("/tokenize", {"prompt": 5}, "prompt", "string"),
        ("/tokenize", {"messages": SAID, "add_special_tokens": True}, None, "chat template"),
        ("/tokenize", {"prompt": "a", "new": 1}, "new", "not supported"),
        ("/detokenize", {"tokens": [1, 512]}, "tokens", "0 to 511"),
        ("/detokenize", {"tokens": "hi"}, "tokens", "list"),
    ],
)
def test_what_is_no_text_and_no_tokens_is_named(server, path, body, param, says):
    error = refusal(server, path, body)
    assert error["param"] == param
    assert says in error["message"]


@pytest.mark.parametrize("path", ["/tokenize", "/v1/models"])
def test_the_key_is_of_the_tokenizer_too(server, path):
    body = {"prompt": "a"} if path == "/tokenize" else None
    assert ask(server, path, body, authorization="Bearer other")[0] == 401


def test_an_unknown_model_has_no_tokens(server):
    assert ask(server, "/tokenize", {"model": "gpt-99", "prompt": "a"})[0] == 404


DRAWN = {"max_tokens": 60, "temperature": 1.0, "seed": 3}


@needs_forms
@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ({"choice": ['a "quoted" one', "é\nb"]}, {'a "quoted" one', "é\nb"}),
        ({"regex": "[ab]-[0-9]"}, {f"{letter}-{digit}" for letter in "ab" for digit in range(10)}),
        ({"json": {"enum": ["x", 1]}}, {'"x"', "1"}),
        ({"json": '{"enum": [7]}'}, {"7"}),
        ({"grammar": 'start: "p" ("q" | "r")'}, {"pq", "pr"}),
    ],
    ids=["choice", "regex", "json", "text of json", "grammar"],
)
def test_structured_outputs_of_chats_and_completions(server, form, wanted):
    extra = {"extra_body": {"structured_outputs": form}}
    (choice,) = chat(server, **DRAWN, **extra).choices
    assert choice.message.content in wanted and choice.finish_reason == "stop"
    assert complete(server, **DRAWN, **extra).choices[0].text in wanted


@needs_forms
def test_a_completion_has_a_response_format_as_with_vllm(server):
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"enum": [1, 2]}}}
    answer = complete(server, **DRAWN, extra_body={"response_format": form})
    assert answer.choices[0].text in ("1", "2")


@needs_forms
@pytest.mark.parametrize(
    ("fields", "param", "says"),
    [
        ({"structured_outputs": {}}, "structured_outputs", "one of json"),
        ({"structured_outputs": {"regex": "a", "choice": ["b"]}}, "structured_outputs", "one of"),
        ({"structured_outputs": {"choice": []}}, "structured_outputs.choice", "at least 1"),
        ({"structured_outputs": {"choice": [""]}}, "structured_outputs", "empty"),
        ({"structured_outputs": {"regex": "["}}, "structured_outputs", "regex"),
        ({"structured_outputs": {"grammar": "start: ("}}, "structured_outputs", "Invalid"),
        ({"structured_outputs": {"json": "[1]"}}, "structured_outputs", "object"),
        ({"structured_outputs": {"json": "{"}}, "structured_outputs", "Invalid"),
        (
            {"structured_outputs": {"regex": "a"}, "response_format": {"type": "json_object"}},
            "structured_outputs",
            "say the same",
        ),
        ({"structured_outputs": {"regex": "a"}, "ignore_eos": True}, "ignore_eos", "ends with"),
        ({"chat_template_kwargs": {"x": [1]}}, "chat_template_kwargs.x", ""),
        ({"reasoning_effort": "huge"}, "reasoning_effort", ""),
        ({"suffix": "x"}, "suffix", "not supported"),
        ({"return_token_ids": True}, "return_token_ids", ""),
    ],
)
def test_a_form_that_is_none_is_named(server, fields, param, says):
    error = refusal(server, "/v1/chat/completions", {"model": MODEL, "messages": SAID} | fields)
    assert error["param"] == param
    assert says in error["message"]


def test_what_no_template_reads_changes_nothing(server):
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "include_reasoning": True}
    asked = chat(server, reasoning_effort="low", extra_body=extra)
    assert asked.choices[0].message.content == chat(server).choices[0].message.content


def test_scripts_of_a_page_that_is_allowed_may_ask(server):
    asks = {"access_control_request_method": "POST", "access_control_request_headers": "x-a"}
    path = "/v1/chat/completions"
    status, headers, _ = ask(
        server, path, method="OPTIONS", origin=ORIGIN, authorization="", **asks
    )
    assert (status, headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert headers["access-control-allow-headers"] == "x-a"
    assert ask(server, path, method="OPTIONS", origin="http://other", **asks)[0] == 400
    assert ask(server, "/v1/models", origin=ORIGIN)[1]["access-control-allow-origin"] == ORIGIN
    assert "access-control-allow-origin" not in ask(server, "/v1/models", origin="http://other")[1]
    refused = ask(server, "/v1/models", origin=ORIGIN, authorization="Bearer other")
    assert (refused[0], refused[1]["access-control-allow-origin"]) == (401, ORIGIN)


@pytest.mark.parametrize(
    "text", ["localhost:3000", "http://a/b", "[1]", "[", "", "http://a,", "*x"]
)
def test_an_origin_that_is_none_is_named(text):
    with pytest.raises(UsageError, match="--allowed-origins is"):
        serve.origins_of(text)


@pytest.mark.parametrize("text", ["http://a,https://b:1", '["http://a", "https://b:1"]'])
def test_origins_are_read_with_commas_and_as_vllm_does(text):
    assert serve.origins_of(text) == ("http://a", "https://b:1")


def test_a_request_has_the_name_that_its_client_gave_it(server):
    assert ask(server, "/v1/models", x_request_id="mine")[1]["x-request-id"] == "mine"
    names = {ask(server, "/health")[1]["x-request-id"] for _ in range(2)}
    assert len(names) == 2
    assert chat(server)._request_id.startswith("req_")


@pytest.mark.parametrize("path", ["/chat/completions", "/v1/v1/chat/completions"])
def test_a_base_url_with_another_v1_is_told_the_path(server, path):
    status, _, text = ask(server, path, {})
    assert (status, "/v1/chat/completions is served" in text) == (404, True)


def test_a_ping_may_be_a_post(server):
    assert ask(server, "/ping", method="POST")[0] == 200


def test_an_empty_body_is_no_json(server):
    status, _, text = ask(server, "/v1/completions", method="POST", content_length="0")
    assert (status, "no JSON object" in text) == (400, True)
