"""Does the server outlive slow clients, cut connections, a kill and a lost core?"""

import asyncio
import importlib.util
import json
import random
import re
import resource
import socket
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

missing = [name for name in ("openai", "fastapi", "uvicorn") if not importlib.util.find_spec(name)]
if missing:
    pytest.skip(
        f"{', '.join(missing)} missing: pip install -r tools/serving-requirements.txt",
        allow_module_level=True,
    )

import openai  # noqa: E402
from http_server import TERMINATED, Process, chat, complete, wait_until  # noqa: E402
from trainyard.serving import patience, replies  # noqa: E402
from trainyard.serving.losses import Loss  # noqa: E402
from trainyard.serving.protocol import ApiError  # noqa: E402
from trainyard.usage import UsageError  # noqa: E402

CLIENTS = 2000
MODEL_OF_MANY = "random-1x64"


def bytes_of(fields, path="/v1/completions", **headers):
    body = json.dumps({"prompt": "x", "max_tokens": 2, "temperature": 0} | fields).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def resident(process):
    """MiB."""
    text = Path(f"/proc/{process.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


async def ask_slowly(port, number, gate):
    """Sends a request in pieces, some time apart, and reads its answer slowly."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    given = bytes_of({"prompt": f"client {number}", "max_tokens": 1, "stream": number % 2 == 0})
    for first in range(0, len(given), 60):
        writer.write(given[first : first + 60])
        await writer.drain()
        await asyncio.sleep(0.2)
        if first == 60:
            await gate.wait()  # all are connected, and none of them is done
    answer = b""
    while piece := await reader.read(64):
        answer += piece
        await asyncio.sleep(0)
    writer.close()
    return answer


def test_two_thousand_slow_clients_are_all_answered():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < CLIENTS + 200:
        pytest.skip(f"the limit of open files is {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * CLIENTS)), hard))
    server = Process("--queue", "3000", model=MODEL_OF_MANY)
    try:
        alone = complete(server, "client 1", max_tokens=1, model=MODEL_OF_MANY).choices[0].text
        before = resident(server)

        async def ask():
            gate = asyncio.Event()
            asked = [
                asyncio.ensure_future(ask_slowly(server.port, i, gate)) for i in range(CLIENTS)
            ]
            await asyncio.sleep(3)
            began = time.monotonic()  # somebody who is not slow is answered meanwhile
            await asyncio.to_thread(complete, server, "quick", max_tokens=2, model=MODEL_OF_MANY)
            waited = time.monotonic() - began
            gate.set()
            return waited, await asyncio.gather(*asked)

        waited, answers = asyncio.run(ask())
        assert waited < 10
        assert all(one.startswith(b"HTTP/1.1 200") for one in answers)
        assert all(b"[DONE]" in one for one in answers[::2])
        assert json.loads(answers[1].partition(b"\r\n\r\n")[2])["choices"][0]["text"] == alone
        assert resident(server) < before + 200
        wait_until(lambda: server.metric("vllm:num_requests_waiting") == 0)
    finally:
        assert server.stop() == TERMINATED


def test_cut_connections_leave_nothing_behind():
    server = Process()
    chance = random.Random(5)
    try:
        for number in range(120):
            given = bytes_of({"max_tokens": 40, "stream": number % 3 == 0, "ignore_eos": True})
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(given[: chance.randrange(len(given) + 40)])
                time.sleep(chance.random() / 40)
                if number % 2:  # a reset, not an end
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        wait_until(lambda: complete(server, "after", max_tokens=3).usage.completion_tokens == 3)
        wait_until(
            lambda: (
                server.metric("vllm:num_requests_running")
                + server.metric("vllm:num_requests_waiting")
                == 0
            )
        )
    finally:
        assert server.stop() == TERMINATED


@pytest.fixture(scope="module")
def hasty():
    server = Process("--patience", "0.5")
    yield server
    server.stop()


@pytest.mark.parametrize("many", [0, 30, -5])
def test_a_request_that_never_becomes_whole_is_cut(hasty, many):
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=20) as raw:
        raw.sendall(bytes_of({})[:many])
        head, _, body = raw.makefile("rb").read().partition(b"\r\n\r\n")
    assert b" 408 " in head
    assert json.loads(body)["error"]["type"] == "invalid_request_error"
    complete(hasty)


def test_what_is_no_http_is_refused_in_the_same_shape(hasty):
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=20) as raw:
        raw.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
        head, _, body = raw.makefile("rb").read().partition(b"\r\n\r\n")
    assert b" 400 " in head
    assert set(json.loads(body)["error"]) == {"message", "type", "param", "code"}


def test_a_whole_request_has_all_the_time_of_its_answer(hasty):
    answer = complete(hasty, max_tokens=400, extra_body={"ignore_eos": True})
    assert answer.usage.completion_tokens == 400  # takes the host longer than its patience


def test_a_client_that_does_not_read_is_cut():
    async def run():
        made = object.__new__(patience.protocol_of(0.05))
        aborted = asyncio.Event()
        made.loop = asyncio.get_running_loop()
        made.transport = SimpleNamespace(abort=aborted.set)
        made.flow = SimpleNamespace(pause_writing=lambda: None, resume_writing=lambda: None)
        made.pause_writing()
        made.resume_writing()
        await asyncio.sleep(0.1)
        assert not aborted.is_set()
        made.pause_writing()
        await asyncio.wait_for(aborted.wait(), 5)

    asyncio.run(run())


def test_finished_answers_outlive_a_kill(tmp_path):
    path = str(tmp_path / "answers.sqlite")
    server = Process("--store", path)
    kept = chat(server, "one", metadata={"who": "a"})
    streamed = list(chat(server, "two", stream=True, logprobs=True))
    text = complete(server, "three")
    hidden = chat(server, "four", store=False)
    begun = threading.Thread(target=lose, args=(server,))
    begun.start()
    wait_until(lambda: server.metric("vllm:num_requests_running") > 0)
    server.process.kill()
    server.process.wait(timeout=30)
    begun.join(timeout=60)
    again = Process("--store", path)
    try:
        stored = again.client.chat.completions
        found = stored.retrieve(kept.id)
        assert found.choices[0].message.content == kept.choices[0].message.content
        assert found.usage == kept.usage
        assert found.model_extra["trainyard"] == kept.model_extra["trainyard"]
        other = stored.retrieve(streamed[0].id)
        said = "".join(one.choices[0].delta.content or "" for one in streamed)
        assert other.choices[0].message.content == said
        assert len(other.choices[0].logprobs.content) == 6
        assert [one.id for one in stored.list()] == [kept.id, streamed[0].id]
        assert [one.id for one in stored.list(limit=1, order="desc")] == [streamed[0].id, kept.id]
        with pytest.raises(openai.NotFoundError):
            stored.retrieve(hidden.id)
        assert json.loads(again.get(f"/v1/completions/{text.id}"))["choices"][0]["text"] == (
            text.choices[0].text
        )
        assert stored.delete(kept.id).deleted
        with pytest.raises(openai.NotFoundError):
            stored.delete(kept.id)
        assert chat(again, "one").choices[0].message.content == kept.choices[0].message.content
    finally:
        assert again.stop() == TERMINATED


def lose(server):
    with pytest.raises(openai.APIError):
        endless(server)


def endless(server):
    return complete(server, max_tokens=900, extra_body={"ignore_eos": True})


def test_without_a_store_nothing_is_found(hasty):
    with pytest.raises(openai.NotFoundError, match="--store"):
        hasty.client.chat.completions.retrieve("chatcmpl-1")


def test_a_file_that_is_no_store_is_refused(tmp_path):
    from trainyard.serving.store import Store

    (tmp_path / "text").write_text("this is no database, and long enough to be read as one" * 99)
    for path in (tmp_path / "text", tmp_path / "none" / "file"):
        with pytest.raises(UsageError, match=str(path)):
            Store(path)


def test_an_answer_that_a_full_disk_does_not_keep_is_an_error(tmp_path):
    from trainyard.serving.store import Store

    store = Store(tmp_path / "file")
    pages = store._core.execute("pragma page_count").fetchone()[0]
    store._core.execute(f"pragma max_page_count = {pages}")
    whole = {"id": "a", "object": "text_completion", "model": "m", "text": "x" * 100_000}
    state = SimpleNamespace(store=store)
    body = SimpleNamespace(store=None, metadata=None)
    with pytest.raises(ApiError, match=r"not kept: .*full") as error:
        asyncio.run(replies._keep(state, body, whole | {"choices": [{"finish_reason": "stop"}]}))
    assert error.value.status == 507
    assert store.find("text_completion", "a") is None


def test_a_store_keeps_the_newest(tmp_path):
    from trainyard.serving.store import Store

    store = Store(tmp_path / "file", rows_max=3)
    for number in range(5):
        store.keep({"id": f"a{number}", "object": "text_completion", "model": "m"})
    found, has_more = store.page("text_completion", 10, None, False, "m")
    assert [one["id"] for one in found] == ["a2", "a3", "a4"] and not has_more
    assert store.page("text_completion", 1, "a2", False, None) == ([found[1]], True)
    assert store.page("text_completion", 9, None, False, "other") == ([], False)


def test_a_core_that_is_lost_fails_requests_at_once():
    server = Process("--fault", "core@5ms=down")
    try:
        with pytest.raises(openai.InternalServerError, match=r"lost at 0\.005 s") as error:
            endless(server)
        assert error.value.status_code == 503 and error.value.code == "device_lost"
        with pytest.raises(openai.InternalServerError, match="lost"):
            chat(server)
        with pytest.raises(openai.APIError):
            server.client.embeddings.create(model="all-MiniLM-L6-v2", input="x")
        assert server.metric("trn3_device_losses_total") == 1
        status, _ = server.post("/health", b"")
        assert status != 200
    finally:
        assert server.stop() == TERMINATED


def test_a_stream_of_a_lost_core_ends_with_the_error():
    server = Process("--fault", "core@5ms=down")
    try:
        stream = complete(server, max_tokens=900, stream=True, extra_body={"ignore_eos": True})
        with pytest.raises(openai.APIError, match="lost"):
            list(stream)
    finally:
        assert server.stop() == TERMINATED


def test_a_core_that_comes_back_gives_the_same_answers_later():
    options = {"max_tokens": 60, "extra_body": {"ignore_eos": True}}
    whole, lossy = (
        Process(),
        Process("--fault", "core@1ms=down+20ms", "--fault", "core@22ms=down+1s"),
    )
    try:
        wanted, found = (complete(one, "some words", **options) for one in (whole, lossy))
        assert found.choices[0].text == wanted.choices[0].text
        (a,), (b,) = (one.model_extra["trainyard"]["requests"] for one in (wanted, found))
        assert b["e2e_s"] > a["e2e_s"] + 1.015
        assert b["preemptions"] == 2
        assert lossy.metric("trn3_device_losses_total") == 2
    finally:
        assert [whole.stop(), lossy.stop()] == [TERMINATED] * 2


@pytest.mark.parametrize("text", ["", "core@2s", "chip:1@2s=down", "core@-1s=down", "core@2=down"])
def test_a_fault_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="no fault"):
        Loss.parse(text)
