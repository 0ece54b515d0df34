"""Does the server get on with what clients and proxies do besides OpenAI's requests: bodies of no
stated length, several requests at once, HEAD, HTTP/1.0, fields of vLLM at their defaults?"""

import http.client
import importlib.util
import json
import socket

import pytest

needed = ("fastapi", "uvicorn", "openai")
if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
    pytest.skip(f"{', '.join(missing)} missing", allow_module_level=True)

from http_server import MODEL, Process  # noqa: E402

CHAT = "/v1/chat/completions"
ASKED = {"model": MODEL, "messages": [{"role": "user", "content": "hi"}], "max_tokens": 2}
BODY = json.dumps(ASKED).encode()


@pytest.fixture(scope="module")
def server():
    process = Process()
    yield process
    process.stop()


def raw(server, text):
    """All that a connection gives until it is closed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(text)
        found = b""
        while piece := connection.recv(65536):
            found += piece
    return found


def post(server, body, **headers):
    """Status and JSON."""
    return server.post(CHAT, body, {name.replace("_", "-"): one for name, one in headers.items()})


def head_of(version="1.1", **headers):
    told = {"host": "a", "content-type": "application/json", "connection": "close"} | headers
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items())
    return f"POST {CHAT} HTTP/{version}\r\n{lines}\r\n".encode()


def chunked(body):
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def test_a_body_in_chunks_of_no_stated_length_is_served(server):
    found = raw(server, head_of(transfer_encoding="chunked") + chunked(BODY))
    assert found.startswith(b"HTTP/1.1 200")
    assert b'"completion_tokens":2' in found


def test_a_body_in_chunks_has_the_same_limit(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("POST", CHAT)
    connection.putheader("content-type", "application/json")
    connection.putheader("transfer-encoding", "chunked")
    connection.endheaders()
    piece = b"x" * (1 << 20)
    for _ in range(8):
        connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    connection.send(b"1\r\nx\r\n")
    answer = connection.getresponse()
    assert answer.status == 413
    assert "8388608 bytes" in json.load(answer)["error"]["message"]
    connection.close()


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_what_is_no_json_is_told_so(server, kind):
    status, answer = post(server, BODY, content_type=kind)
    assert status == 415
    assert "application/json" in answer["error"]["message"]


def test_json_of_other_names_is_json(server):
    for kind in ("application/json; charset=utf-8", "application/vnd.api+json"):
        assert post(server, BODY, content_type=kind)[0] == 200


def test_a_compressed_body_is_refused(server):
    status, answer = post(server, BODY, content_encoding="gzip")
    assert (status, "Content-Encoding" in answer["error"]["message"]) == (415, True)


def test_requests_behind_each_other_on_a_connection_are_answered_in_turn(server):
    first = b"GET /health HTTP/1.1\r\nhost: a\r\n\r\n"
    found = raw(server, 2 * first + head_of(content_length=len(BODY)) + BODY)
    assert found.count(b"HTTP/1.1 200") == 3
    assert found.rstrip().endswith(b"}")


def test_http_1_0_is_served_also_as_a_stream(server):
    asked = json.dumps(ASKED | {"stream": True}).encode()
    found = raw(server, head_of("1.0", content_length=len(asked)) + asked)
    assert found.startswith(b"HTTP/1.1 200")
    assert found.rstrip().endswith(b"data: [DONE]")
    assert b"transfer-encoding" not in found.lower()


@pytest.mark.parametrize("path", ["/health", "/ping", "/v1/models", "/metrics"])
def test_head_is_get_without_a_body(server, path):
    found = raw(server, f"HEAD {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".encode())
    assert found.startswith(b"HTTP/1.1 200")
    assert found.endswith(b"\r\n\r\n")


def test_the_list_of_models_may_end_with_a_slash(server):
    assert server.get("/v1/models/") == server.get("/v1/models")


def test_the_version_is_trainyards(server):
    import trainyard

    assert json.loads(server.get("/version")) == {"version": trainyard.__version__}


DEFAULTS = {
    "skip_special_tokens": True,
    "spaces_between_special_tokens": True,
    "include_stop_str_in_output": False,
    "use_beam_search": False,
    "priority": 0,
    "add_generation_prompt": True,
    "continue_final_message": False,
}


def test_vllms_fields_are_read_at_the_value_that_changes_nothing(server):
    assert post(server, json.dumps(ASKED | DEFAULTS).encode())[0] == 200


@pytest.mark.parametrize("name", DEFAULTS)
def test_vllms_fields_are_refused_at_another(server, name):
    other = 1 if name == "priority" else not DEFAULTS[name]
    status, answer = post(server, json.dumps(ASKED | {name: other}).encode())
    assert (status, answer["error"]["param"]) == (400, name)


def test_an_image_is_refused_in_words(server):
    part = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    asked = ASKED | {"messages": [{"role": "user", "content": [part]}]}
    _, answer = post(server, json.dumps(asked).encode())
    assert "the model reads text alone, and no 'image_url'" in answer["error"]["message"]


def test_a_message_of_nothing_is_refused_in_words(server):
    asked = ASKED | {"messages": [{"role": "user", "content": None}]}
    _, answer = post(server, json.dumps(asked).encode())
    assert answer["error"]["message"] == "messages.0: content is missing"
