"""What a chat asks of the engine: its prompt, its tools and the form of its answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainyard.serving import tools
from trainyard.serving.guides import Grammar
from trainyard.serving.protocol import ApiError, ChatRequest, Function
from trainyard.serving.worker import Ticket
from trainyard.usage import UsageError

if TYPE_CHECKING:
    from trainyard.serving.server import State


@dataclass(frozen=True)
class Conversation:
    """A chat as it is served. functions: that an answer may call."""

    prompt: list[int]
    tickets: list[Ticket]
    functions: frozenset[str]


async def prepare(state: State, body: ChatRequest) -> Conversation:
    """Raises ApiError for what cannot be served."""
    if body.top_logprobs is not None and not body.logprobs:
        raise ApiError(400, "top_logprobs needs logprobs", param="top_logprobs")
    functions = body.offered()
    said = [one.said() for one in body.messages]
    if functions:
        kinds = [{"type": "function", "function": one.told()} for one in functions]
        said = tools.told(said, kinds)
    try:
        prompt = state.model.chat(said)
    except UsageError as error:  # of the model's template
        raise ApiError(400, str(error), param="messages") from None
    has_form = body.response_format is not None or body.must_call
    grammar = await asyncio.to_thread(_grammar, state, body, functions) if has_form else None
    logprobs = (body.top_logprobs or 0) if body.logprobs else None
    most = body.max_completion_tokens or body.max_tokens
    tickets = state.tickets(body, [prompt], most, logprobs, grammar)
    return Conversation(prompt, tickets, frozenset(one.name for one in functions))


def _grammar(state: State, body: ChatRequest, functions: list[Function]) -> Grammar | None:
    """The form that answers must have. Raises ApiError for one that is none."""
    form = body.response_format
    is_json = form is not None and form.type != "text"
    if is_json and functions:
        text = "response_format and tools are not served together; set tool_choice to none"
        raise ApiError(400, text, param="response_format")
    if not is_json and not body.must_call:
        return None
    if body.ignore_eos:
        raise ApiError(400, "an answer that has a form ends with it", param="ignore_eos")
    param = "response_format" if is_json else "tools"
    try:
        if form and form.json_schema:
            return state.guides().of_schema(form.json_schema.form)
        if is_json:
            return state.guides().of_object()
        schemas = [(one.name, one.parameters or {"type": "object"}) for one in functions]
        is_several = body.tool_choice == "required" and body.parallel_tool_calls is not False
        return state.guides().of_calls(schemas, is_several)
    except ValueError as error:
        raise ApiError(400, f"Invalid schema: {error}", param=param) from None
