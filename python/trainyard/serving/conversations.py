"""What a chat asks of the engine: its prompt, its tools and the form of its answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainyard.serving import forms, tools
from trainyard.serving.guides import Grammar
from trainyard.serving.protocol import ApiError, ChatRequest, Function, ToolChoice
from trainyard.serving.worker import Ticket
from trainyard.usage import UsageError

if TYPE_CHECKING:
    from trainyard.serving.server import State


@dataclass(frozen=True)
class Conversation:
    """A chat as it is served."""

    prompt: list[int]
    tickets: list[Ticket]
    offer: tools.Offer


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
        prompt = state.model.chat(said, body.variables())
    except UsageError as error:  # of the model's template
        raise ApiError(400, str(error), param="messages") from None
    has_form = body.form_of is not None or body.must_call
    grammar = await asyncio.to_thread(_grammar, state, body, functions) if has_form else None
    logprobs = (body.top_logprobs or 0) if body.logprobs else None
    most = body.max_completion_tokens or body.max_tokens
    tickets = state.tickets(body, [prompt], most, logprobs, grammar)
    names = frozenset(one.name for one in functions)
    is_named = isinstance(body.tool_choice, ToolChoice)
    return Conversation(prompt, tickets, tools.Offer(names, body.must_call, is_named))


def _grammar(state: State, body: ChatRequest, functions: list[Function]) -> Grammar | None:
    """The form that answers must have. Raises ApiError for one that is none."""
    if functions and body.form_of:
        text = f"{body.form_of} and tools are not served together; set tool_choice to none"
        raise ApiError(400, text, param=body.form_of)
    if not body.must_call:
        return forms.grammar_of(state, body)
    forms.check_end(body)
    try:
        schemas = [(one.name, one.parameters or {"type": "object"}) for one in functions]
        is_several = body.tool_choice == "required" and body.parallel_tool_calls is not False
        return state.guides().of_calls(schemas, is_several)
    except ValueError as error:
        raise ApiError(400, f"Invalid schema: {error}", param="tools") from None
