"""POST /v1/responses: OpenAI's newer form of a chat, answered whole or as a stream of events.

A body becomes the chat that says the same. Responses are not kept, so that each body has the whole
conversation; what only kept ones have is refused by name.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from trainyard.serving import answers, conversations, protocol
from trainyard.serving.answers import Answer
from trainyard.serving.protocol import ApiError, Body, ChatRequest, Common, Name, Short, Text
from trainyard.serving.replies import PLACEHOLDERS, updates

if TYPE_CHECKING:
    from trainyard.serving.server import State

MANY = protocol.MANY


class TextPart(Body):
    """A piece of a message. What a response gave comes back with the rest of its fields."""

    type: Literal["input_text", "output_text", "text"]
    text: Text
    annotations: list[Any] | None = None
    logprobs: list[Any] | None = None


class MessageItem(Body):
    """Of the conversation."""

    type: Literal["message"] = "message"
    role: Literal["system", "developer", "user", "assistant"]
    content: Text | Annotated[list[TextPart], Field(max_length=MANY)]
    id: Short | None = None
    status: Short | None = None
    phase: Short | None = None

    def message(self) -> dict[str, Any]:
        """As a chat has it."""
        held = self.content
        text = held if isinstance(held, str) else "".join(one.text for one in held)
        return {"role": self.role, "content": text}


class CallItem(Body):
    """A call of a function, of an earlier answer."""

    type: Literal["function_call"]
    call_id: Short
    name: Name
    arguments: Text
    id: Short | None = None
    status: Short | None = None

    def message(self) -> dict[str, Any]:
        """As a chat has it."""
        function = {"name": self.name, "arguments": self.arguments}
        call = {"id": self.call_id, "type": "function", "function": function}
        return {"role": "assistant", "tool_calls": [call]}


class ResultItem(Body):
    """What a called function gave."""

    type: Literal["function_call_output"]
    call_id: Short
    output: Text
    id: Short | None = None
    status: Short | None = None

    def message(self) -> dict[str, Any]:
        """As a chat has it."""
        return {"role": "tool", "tool_call_id": self.call_id, "content": self.output}


class FunctionTool(protocol.Function):
    """A function that may be called; the one kind of tool that is served."""

    type: Literal["function"]


class FunctionChoice(Body):
    """The one function to call."""

    type: Literal["function"]
    name: Name


class Format(Body):
    """Of the text."""

    type: Literal["text", "json_object", "json_schema"]
    name: Name | None = None
    description: Text | None = None
    form: Annotated[dict[str, Any] | None, Field(alias="schema")] = None
    strict: bool | None = None


class TextOptions(Body):
    """How the text is to be."""

    format: Format | None = None
    verbosity: Literal["medium"] | None = None


class ResponseRequest(Common):
    """POST /v1/responses. Fields of Common that OpenAI has for chats alone are served, too."""

    input: Text | Annotated[list[MessageItem | CallItem | ResultItem], Field(min_length=1)]
    instructions: Text | None = None
    max_output_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    tools: Annotated[list[FunctionTool], Field(max_length=MANY, default_factory=list)]
    tool_choice: Literal["none", "auto", "required"] | FunctionChoice | None = None
    parallel_tool_calls: bool | None = None
    text: TextOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = 1
    background: Literal[False] = False
    truncation: Literal["disabled"] = "disabled"
    include: Annotated[list[Any], Field(max_length=0)] | None = None

    def chat(self) -> ChatRequest:
        """The chat that asks for the same."""
        said = [{"role": "user", "content": self.input}] if isinstance(self.input, str) else []
        said += [] if isinstance(self.input, str) else [one.message() for one in self.input]
        if self.instructions is not None:
            said.insert(0, {"role": "system", "content": self.instructions})
        made = self.model_dump(include=set(Common.model_fields), exclude_unset=True)
        made |= {"messages": said, "max_tokens": self.max_output_tokens}
        made["parallel_tool_calls"] = self.parallel_tool_calls
        made["response_format"] = self._format()
        if self.tools:
            kinds = [one.model_dump(exclude={"type"}, exclude_none=True) for one in self.tools]
            made["tools"] = [{"type": "function", "function": one} for one in kinds]
        choice = self.tool_choice
        if isinstance(choice, FunctionChoice):
            choice = {"type": "function", "function": {"name": choice.name}}  # type: ignore[assignment]
        made["tool_choice"] = choice if self.tools or choice == "required" else None
        return ChatRequest.model_validate(made)

    def _format(self) -> dict[str, Any] | None:
        form = self.text.format if self.text else None
        if form is None or form.type != "json_schema":
            return None if form is None else {"type": form.type}
        if form.form is None:
            raise ApiError(400, "text.format: a json_schema has a schema", param="text.format")
        schema = {"name": form.name or "answer", "schema": form.form, "strict": form.strict}
        return {"type": "json_schema", "json_schema": schema}


async def answer(state: State, request: Request, body: ResponseRequest) -> Any:
    """To a body, whole or as events."""
    asked = await conversations.prepare(state, body.chat())
    (ticket,) = asked.tickets
    made = Answer(state.model, ticket, 0, offer=asked.offer)
    told = _Told(state, body, made, len(asked.prompt))
    state.metrics.observe("request_params_n", 1)
    state.metrics.observe("request_params_max_tokens", ticket.asked.output)
    if body.stream:
        return StreamingResponse(_stream(state, request, told), media_type="text/event-stream")
    async for found in updates(state, request, [ticket]):
        for _, update in found:
            made.add(update)
    made.piece()
    return told.whole(list(told.items()))


class _Told:
    """A response as it grows."""

    def __init__(self, state: State, body: ResponseRequest, made: Answer, prompt: int) -> None:
        self.made, self._body, self._prompt = made, body, prompt
        self._message = f"msg_{secrets.token_hex(12)}"
        self._head = {
            "id": f"resp_{secrets.token_hex(12)}",
            "object": "response",
            "created_at": state.options.created,
            "model": body.model or state.model.name,
        }
        if state.model.is_placeholder:
            self._head["system_fingerprint"] = PLACEHOLDERS

    def message(self, text: str, status: str) -> dict[str, Any]:
        """The answer's text."""
        part = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
        held = {"role": "assistant", "content": part if status != "in_progress" else []}
        return {"type": "message", "id": self._message, "status": status} | held

    @property
    def is_cut(self) -> bool:
        """Whether its tokens were used up."""
        return self.made.reason == "length"

    def items(self) -> Iterator[dict[str, Any]]:
        """What the answer has: its text, where it has one, and its calls."""
        if self.made.text or not self.made.calls:
            yield self.message(self.made.text, "incomplete" if self.is_cut else "completed")
        self.made.forget_told()
        for made, call in zip(self.made.calls, self.made.fresh_calls(), strict=True):
            yield {
                "type": "function_call",
                "id": f"fc_{secrets.token_hex(12)}",
                "call_id": call["id"],
                **call["function"],
                "status": "completed" if made.is_whole else "incomplete",
            }

    def whole(self, items: list[dict[str, Any]], status: str = "") -> dict[str, Any]:
        """The response with these items. status: empty, the answer is over."""
        is_over = not status
        body = self._body
        cut = {"reason": "max_output_tokens"} if is_over and self.is_cut else None
        found = self._head | {
            "status": status or ("incomplete" if cut else "completed"),
            "error": None,
            "incomplete_details": cut,
            "instructions": body.instructions,
            "max_output_tokens": body.max_output_tokens,
            "metadata": body.metadata or {},
            "output": items,
            "parallel_tool_calls": body.parallel_tool_calls is not False,
            "temperature": body.temperature,
            "text": {"format": {"type": "text"}},
            "tool_choice": "auto",
            "tools": [one.model_dump() | {"strict": bool(one.strict)} for one in body.tools],
            "top_p": body.top_p,
            "truncation": "disabled",
        }
        if body.text and body.text.format:
            found["text"] = {
                "format": body.text.format.model_dump(by_alias=True, exclude_none=True)
            }
        if body.tool_choice is not None:
            choice = body.tool_choice
            found["tool_choice"] = choice if isinstance(choice, str) else choice.model_dump()
        if not is_over:
            return found
        used = answers.usage([self._prompt], [self.made])
        cached = used["prompt_tokens_details"]["cached_tokens"]
        found["usage"] = {
            "input_tokens": used["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": cached},
            "output_tokens": used["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": used["total_tokens"],
        }
        return found | {"trainyard": answers.simulated([self.made])}


class _Events:
    """Events of a stream, numbered."""

    def __init__(self) -> None:
        self._number = -1

    def of(self, kind: str, **fields: Any) -> str:
        """One of them, as it is sent."""
        self._number += 1
        body = {"type": kind, "sequence_number": self._number} | fields
        return f"event: {kind}\ndata: {json.dumps(body)}\n\n"

    def part(self, kind: str, item: dict[str, Any], **fields: Any) -> str:
        """Of the text, the first part of the first item."""
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        return self.of(kind, **place, **fields)


async def _stream(state: State, request: Request, told: _Told) -> AsyncIterator[str]:
    events, made = _Events(), told.made
    begun = told.message("", "in_progress")
    empty = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    yield events.of("response.created", response=told.whole([], "in_progress"))
    yield events.of("response.in_progress", response=told.whole([], "in_progress"))
    has_text = False
    try:
        async for found in updates(state, request, [made.ticket]):
            text = "".join(made.take(update) for _, update in found)
            if not text:
                continue
            if not has_text:
                has_text = True
                yield events.of("response.output_item.added", output_index=0, item=begun)
                yield events.part("response.content_part.added", begun, part=empty)
            yield events.part("response.output_text.delta", begun, delta=text, logprobs=[])
    except ApiError as error:
        body = error.body["error"]
        yield events.of("error", **{name: body[name] for name in ("message", "param", "code")})
        return
    items = list(told.items())
    for place, item in enumerate(items):
        if item["type"] == "message":
            if not has_text:
                yield events.of("response.output_item.added", output_index=place, item=begun)
                yield events.part("response.content_part.added", begun, part=empty)
            (part,) = item["content"]
            yield events.part("response.output_text.done", begun, text=part["text"], logprobs=[])
            yield events.part("response.content_part.done", begun, part=part)
        else:
            for event in _call(events, place, item):
                yield event
        yield events.of("response.output_item.done", output_index=place, item=item)
    whole = told.whole(items)
    yield events.of(f"response.{whole['status']}", response=whole)


def _call(events: _Events, place: int, item: dict[str, Any]) -> Iterator[str]:
    """A call is whole when it is told."""
    start = item | {"arguments": "", "status": "in_progress"}
    yield events.of("response.output_item.added", output_index=place, item=start)
    at = {"item_id": item["id"], "output_index": place}
    kind = "response.function_call_arguments"
    yield events.of(f"{kind}.delta", **at, delta=item["arguments"])
    yield events.of(f"{kind}.done", **at, arguments=item["arguments"], name=item["name"])
