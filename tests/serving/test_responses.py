"""Does the official client get responses, OpenAI's newer form of a chat?"""

import importlib.util

import pytest

NEEDED = ("openai", "fastapi", "uvicorn")
missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    pytest.skip(
        f"{', '.join(missing)} missing: pip install -r tools/serving-requirements.txt",
        allow_module_level=True,
    )

import openai  # noqa: E402
from http_server import MODEL, Process, chat  # noqa: E402
from test_openai_client import TOOL, Town, needs_forms  # noqa: E402


@pytest.fixture(scope="module")
def server():
    process = Process("--context", "2048", "--cache-blocks", "512")
    yield process
    process.stop()


def respond(server, asked="hello", **options):
    options = {"max_output_tokens": 6, "temperature": 0} | options
    return server.client.responses.create(model=MODEL, input=asked, **options)


def test_response(server):
    found = respond(server)
    assert found.output_text == chat(server).choices[0].message.content
    assert (found.status, found.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert found.usage.output_tokens == 6 and found.usage.total_tokens > 6
    (times,) = found.model_extra["trainyard"]["requests"]
    assert times["ttft_s"] > 0


def test_response_to_a_conversation_with_instructions(server):
    first = respond(server)
    said = [{"role": "user", "content": "hello"}, *first.output]
    said += [{"role": "user", "content": [{"type": "input_text", "text": "and?"}]}]
    found = respond(server, said, instructions="Be brief.")
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": first.output_text},
        {"role": "user", "content": "and?"},
    ]
    same = server.client.chat.completions.create(
        model=MODEL, messages=messages, max_tokens=6, temperature=0
    )
    assert found.output_text == same.choices[0].message.content
    assert found.usage.input_tokens == same.usage.prompt_tokens
    assert found.instructions == "Be brief."


def test_response_streamed(server):
    events = list(respond(server, stream=True))
    assert [one.sequence_number for one in events] == list(range(len(events)))
    kinds = [one.type.removeprefix("response.") for one in events]
    assert kinds[:4] == ["created", "in_progress", "output_item.added", "content_part.added"]
    assert kinds[-4:] == [
        *("output_text.done", "content_part.done", "output_item.done", "incomplete")
    ]
    text = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    assert text == events[-1].response.output_text == respond(server).output_text


def test_response_streamed_by_the_clients_helper(server):
    with server.client.responses.stream(
        model=MODEL, input="hello", max_output_tokens=6, temperature=0
    ) as stream:
        kinds = {event.type for event in stream}
    assert "response.output_text.delta" in kinds


@needs_forms
def test_response_parsed_into_a_class(server):
    found = server.client.responses.parse(
        model=MODEL, input="where?", text_format=Town, max_output_tokens=300
    )
    assert found.output_parsed.kind in ("town", "lake") and found.status == "completed"


@needs_forms
@pytest.mark.parametrize("stream", [False, True])
def test_response_that_calls_a_function(server, stream):
    tool = {"type": "function", **TOOL["function"], "strict": True}
    more = {"tools": [tool], "tool_choice": {"type": "function", "name": "find_town"}}
    more |= {"temperature": 1.0, "max_output_tokens": 300, "extra_body": {"seed": 1}}
    found = respond(server, "where?", stream=stream, **more)
    if stream:
        events = list(found)
        (done,) = [e for e in events if e.type == "response.function_call_arguments.done"]
        found = events[-1].response
        assert done.arguments == found.output[0].arguments
    (call,) = found.output
    assert (call.type, call.name) == ("function_call", "find_town")
    Town.model_validate_json(call.arguments)
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "Ulm"}
    again = respond(server, [{"role": "user", "content": "where?"}, call, result], tools=[tool])
    assert again.usage.input_tokens > found.usage.input_tokens


@needs_forms
def test_response_whose_call_is_cut(server):
    tool = {"type": "function", **TOOL["function"]}
    more = {"tools": [tool], "tool_choice": "required", "max_output_tokens": 60}
    found = respond(server, "where?", extra_body={"seed": 1}, **more)
    (call,) = found.output
    assert (found.status, call.status, call.name) == ("incomplete", "incomplete", "find_town")
    assert call.arguments.startswith("{")
    (done,) = [
        event
        for event in respond(server, "where?", stream=True, extra_body={"seed": 1}, **more)
        if event.type == "response.function_call_arguments.done"
    ]
    assert done.arguments == call.arguments


@pytest.mark.parametrize(
    ("param", "value"),
    [
        *(("previous_response_id", "resp_1"), ("background", True), ("max_output_tokens", 0)),
        *(("tools", [{"type": "web_search"}]), ("include", ["file_search_call.results"])),
    ],
)
def test_response_with_what_is_not_served(server, param, value):
    with pytest.raises(openai.BadRequestError) as error:
        respond(server, **{param: value})
    assert error.value.param.startswith(param)
