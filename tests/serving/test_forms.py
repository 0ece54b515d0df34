"""Do answers have the form that was asked for: JSON, JSON of a schema, calls of tools?"""

import importlib.util
import json

import pytest

NEEDED = ("openai", "fastapi", "uvicorn", "llguidance")
missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    pytest.skip(
        f"{', '.join(missing)} missing: pip install -r tools/serving-requirements.txt",
        allow_module_level=True,
    )

import openai  # noqa: E402
import pydantic  # noqa: E402
from http_server import Process, chat  # noqa: E402
from trainyard.serving import answers, guides, models, tools, worker  # noqa: E402
from trainyard.serving.sampling import Chosen  # noqa: E402


@pytest.fixture(scope="module")
def server():
    process = Process("--draft", "ngram:2", "--cache-blocks", "512", "--context", "2048")
    yield process
    process.stop()


class Place(pydantic.BaseModel):
    """Small, so that an answer of random weights is over soon."""

    model_config = pydantic.ConfigDict(extra="forbid")
    kind: str = pydantic.Field(pattern=r"^(town|lake)$")
    depth: int = pydantic.Field(ge=0, le=99)
    is_near: bool


TOOL = {
    "type": "function",
    "function": {
        "name": "find_place",
        "description": "Looks a place up.",
        "parameters": Place.model_json_schema(),
    },
}
OTHER = {
    "type": "function",
    "function": {
        "name": "stop-now",
        "parameters": {
            "$defs": {"why": {"enum": ["late", "done"]}},
            "type": "object",
            "properties": {"why": {"$ref": "#/$defs/why"}},
            "required": ["why"],
            "additionalProperties": False,
        },
    },
}
DRAWN = {"temperature": 1.0, "max_tokens": 300}
NAMED = {"type": "function", "function": {"name": "stop-now"}}


@pytest.mark.parametrize("seed", range(4))
def test_an_answer_keeps_the_schema(server, seed):
    form = {
        "type": "json_schema",
        "json_schema": {"name": "place", "schema": Place.model_json_schema(), "strict": True},
    }
    (choice,) = chat(server, response_format=form, seed=seed, **DRAWN).choices
    Place.model_validate_json(choice.message.content, strict=True)
    assert choice.finish_reason == "stop"


def test_the_client_reads_an_answer_into_its_class(server):
    answer = server.client.chat.completions.parse(
        model="random-2x64",
        messages=[{"role": "user", "content": "where?"}],
        response_format=Place,
        max_tokens=300,
    )
    assert answer.choices[0].message.parsed.kind in ("town", "lake")


def test_a_json_object_is_one_as_far_as_it_goes(server):
    (choice,) = chat(server, response_format={"type": "json_object"}, **DRAWN, seed=3).choices
    assert choice.message.content.startswith("{")
    if choice.finish_reason == "stop":
        assert isinstance(json.loads(choice.message.content), dict)


def test_several_answers_have_the_form_each(server):
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"enum": ["a", "bc"]}}}
    answer = chat(server, response_format=form, n=4, **DRAWN, logprobs=True, top_logprobs=3)
    assert {json.loads(one.message.content) for one in answer.choices} <= {"a", "bc"}
    for one in answer.choices:
        assert all(len(each.top_logprobs) <= 3 for each in one.logprobs.content)


def test_a_form_of_text_is_none(server):
    plain = chat(server).choices[0].message.content
    assert chat(server, response_format={"type": "text"}).choices[0].message.content == plain


@pytest.mark.parametrize(
    ("choice", "tools_", "names"),
    [
        ("required", [TOOL], {"find_place"}),
        ("required", [TOOL, OTHER], {"find_place", "stop-now"}),
        (NAMED, [TOOL, OTHER], {"stop-now"}),
    ],
    ids=["one", "two", "named"],
)
def test_a_tool_that_must_be_called_is(server, choice, tools_, names):
    answer = chat(server, tools=tools_, tool_choice=choice, parallel_tool_calls=False, **DRAWN)
    (one,) = answer.choices
    assert one.finish_reason == ("stop" if isinstance(choice, dict) else "tool_calls")
    assert one.message.content is None
    (call,) = one.message.tool_calls
    assert call.type == "function" and call.id.startswith("call_")
    assert call.function.name in names
    arguments = json.loads(call.function.arguments)
    if call.function.name == "find_place":
        Place.model_validate(arguments)
    else:
        assert arguments["why"] in ("late", "done")


def streamed_calls(pieces):
    """(name, arguments) of each call, as a client puts them together; the end's reason."""
    found = []
    for piece in pieces:
        delta = piece.choices[0].delta
        assert not delta.content
        for one in delta.tool_calls or []:
            if one.index == len(found):
                assert one.id.startswith("call_") and one.type == "function"
                found.append([one.function.name, ""])
            else:  # of the last one
                assert one.index == len(found) - 1 and one.id is one.function.name is None
            found[-1][1] += one.function.arguments
    return found, pieces[-1].choices[0].finish_reason


def whole_calls(choice):
    return [[one.function.name, one.function.arguments] for one in choice.message.tool_calls or []]


@pytest.mark.parametrize(
    ("choice", "reason"), [("required", "tool_calls"), (NAMED, "stop")], ids=["required", "named"]
)
def test_a_call_that_is_cut_is_a_call_as_far_as_it_goes(server, choice, reason):
    """As OpenAI and vLLM have it, whole and streamed: at each number of tokens."""
    how = {"tools": [TOOL, OTHER], "tool_choice": choice, "seed": 5, "temperature": 1.0}
    how["parallel_tool_calls"] = False
    (uncut,) = chat(server, **how, max_tokens=300).choices
    ((name, arguments),) = whole_calls(uncut)
    before = len(tools.head_of(name))
    for most in (1, before - 1, before, before + 1, before + len(arguments) // 2, 300):
        (one,) = chat(server, **how, max_tokens=most).choices
        made = arguments[: most - before]  # a token a letter
        assert whole_calls(one) == ([[name, made]] if most >= before else [])
        assert not one.message.content
        assert one.finish_reason == (reason if most == 300 else "length")
        pieces = list(chat(server, stream=True, **how, max_tokens=most))
        assert streamed_calls(pieces) == (whole_calls(one), one.finish_reason)


def test_several_calls_are_streamed_as_they_grow(server):
    how = {"tools": [OTHER], "tool_choice": "required", **DRAWN}
    for seed in range(3):
        (whole,) = chat(server, **how, seed=seed).choices
        pieces = list(chat(server, stream=True, **how, seed=seed))
        assert streamed_calls(pieces) == (whole_calls(whole), whole.finish_reason)
        given = [one for one in pieces if one.choices[0].delta.tool_calls]
        assert len(given) > len(whole.message.tool_calls)


def test_several_calls_may_follow_each_other(server):
    counts = set()
    for seed in range(6):
        answer = chat(server, tools=[OTHER], tool_choice="required", seed=seed, **DRAWN)
        counts.add(len(answer.choices[0].message.tool_calls))
    assert max(counts) > 1


def test_calls_and_what_they_gave_are_told_to_the_model(server):
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "user", "content": "what is f of 1?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "42"},
    ]
    asked = {"model": "random-2x64", "max_tokens": 3, "temperature": 0}
    answer = server.client.chat.completions.create(messages=messages, **asked)
    said = "user: what is f of 1?\n"
    said += 'assistant: <tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>\n'
    said += "user: <tool_response>\n42\n</tool_response>\nassistant: "
    assert answer.usage.prompt_tokens == len(said)


def test_tools_are_told_of_unless_none_is_to_be_called(server):
    plain = chat(server).usage.prompt_tokens
    assert chat(server, tools=[TOOL]).usage.prompt_tokens > plain + 300
    assert chat(server, tools=[TOOL], tool_choice="none").usage.prompt_tokens == plain


MESSAGE = {"role": "user", "content": "x"}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "nothing"}}}


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"response_format": {"type": "xml"}}, "response_format"),
        ({"response_format": {"type": "json_schema"}}, "response_format"),
        ({"response_format": SCHEMA}, "response_format"),
        ({"response_format": {"type": "json_object"}, "tools": [TOOL]}, "response_format"),
        ({"response_format": {"type": "json_object"}, "ignore_eos": True}, "ignore_eos"),
        ({"tools": []}, "tools"),
        ({"tools": [TOOL, TOOL]}, "tools"),
        ({"tools": [{"type": "web_search"}]}, "tools"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "tools"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tools": [TOOL], "tool_choice": "maybe"}, "tool_choice"),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}},
            "tool_choice",
        ),
        (
            {
                "tools": [
                    {"type": "function", "function": {"name": "f", "parameters": {"type": "no"}}}
                ],
                "tool_choice": "required",
            },
            "tools",
        ),
        ({"messages": [MESSAGE | {"tool_call_id": "x"}]}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "assistant", "content": None}]}, "messages"),
        ({"messages": [MESSAGE | {"tool_calls": []}]}, "messages"),
    ],
)
def test_what_is_no_form_is_refused_by_name(server, fields, param):
    body = {"model": "random-2x64", "messages": [MESSAGE]} | fields
    status, answer = server.post("/v1/chat/completions", json.dumps(body).encode())
    assert status == 400
    assert answer["error"]["param"].startswith(param)
    assert answer["error"]["type"] == "invalid_request_error"


def test_refusals_are_the_clients_errors(server):
    with pytest.raises(openai.BadRequestError, match="Invalid type"):
        chat(server, response_format=SCHEMA)


def told_piecewise(text, names):
    """What a stream gives out of an answer of random-2x64, a token a letter."""
    model = models.load("random-2x64")
    answer = answers.Answer(model, worker.Ticket(None), 0, offer=tools.Offer(frozenset(names)))
    pieces, calls = [], []
    for letter in text.encode():
        pieces.append(answer.take(worker.Update(Chosen(letter))))
        calls += answer.fresh_calls()
    pieces.append(answer.take(worker.Update(reason="stop")))
    return "".join(pieces), calls + answer.fresh_calls(), answer


CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "</b>"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("text", "content", "many"),
    [
        ("no call at all <tool", "no call at all <tool", 0),
        (CALL, "", 1),
        (f"{CALL}\n{CALL}", "", 2),
        (f"let me see {CALL} done", "let me see  done", 1),
        (CALL[:-3], CALL[:-3], 0),
        (CALL.replace('"f"', '"g"'), CALL.replace('"f"', '"g"'), 0),
        (CALL.replace("{", "[", 1), CALL.replace("{", "[", 1), 0),
    ],
)
def test_calls_are_found_in_free_text(text, content, many):
    streamed, calls, answer = told_piecewise(text, {"f"})
    assert streamed == answer.text == content
    assert [one["index"] for one in calls] == list(range(many))
    assert all(json.loads(one["function"]["arguments"]) == {"a": "</b>"} for one in calls)
    assert answer.reason == ("tool_calls" if many else "stop")


def test_a_grammar_reads_back_as_calls():
    model = models.load("random-2x64")
    made = guides.Guides(model).of_calls([("f", {"type": "object"})], is_several=True)
    guide = made.guide()
    text = tools.Call("f", '{"a":[1,2.5,null]}').text() * 1
    for letter in f"{text}\n{text}".encode():
        assert guide.allowed()[letter]
        guide.take(letter)
    assert guide.allowed()[511]
    assert tools.parts_of(f"{text}\n{text}", tools.Offer(frozenset("f"))).calls[1].name == "f"
    assert len(tools.parts_of(f"{text}\n{text}", tools.Offer(frozenset("f"), must=True)).calls) == 2
