"""Answers as they go out: whole or streamed, until all of a body's are over or nobody listens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import StreamingResponse

from trainyard.serving import answers
from trainyard.serving.answers import Answer
from trainyard.serving.protocol import ApiError
from trainyard.serving.tools import NOTHING, Offer
from trainyard.serving.worker import Ticket, Update

if TYPE_CHECKING:
    from trainyard.serving.server import State

POLL_SECONDS = 0.1  # between looks whether the client is still there
FAILURES = ("rejected", "lost", "abort", "error", "failed")
PLACEHOLDERS = "planned: times of the model, tokens that mean nothing"
POLLED = 100  # clients that are looked at so often; more of them more rarely


async def updates(
    state: State, request: Request, tickets: list[Ticket]
) -> AsyncIterator[list[tuple[int, Update]]]:
    """(ticket's place, update) as they come, those together that are there at once, until all are
    over. Raises ApiError where an answer fails; cancels what is left where the client leaves or the
    time is over."""
    assert state.worker is not None
    box = tickets[0].box
    places = {ticket: i for i, ticket in enumerate(tickets)}
    state.worker.submit(tickets)
    clock = asyncio.get_running_loop().time
    looked = clock()
    end = looked + state.options.timeout
    try:
        while places:
            pause = POLL_SECONDS * max(1.0, state.worker.waiting / POLLED)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(box.ready.wait(), pause)
            box.ready.clear()
            if clock() >= looked + pause:  # also where tokens come faster than that
                looked = clock()
                if await request.is_disconnected():
                    return
                if looked > end:
                    text = f"no answer within {state.options.timeout:g} s of the host's clock"
                    raise ApiError(504, text, "timeout_error", code="timeout")
            found: list[tuple[int, Update]] = []
            failed: Update | None = None
            while box.held:
                ticket, update = box.held.popleft()
                if update.reason in FAILURES:
                    failed = update
                    break
                found.append((places[ticket], update))
                if update.reason is not None:
                    del places[ticket]
            if found:
                yield found
            if failed:
                raise _error_of(failed)
    finally:
        if places:
            state.worker.cancel(tickets)


def _error_of(update: Update) -> ApiError:
    if update.reason == "rejected":
        text = "the request does not fit the cache, or too many requests wait"
        return ApiError(429, text, "rate_limit_error", code="rate_limit_exceeded")
    if update.reason == "lost":
        return ApiError(503, update.error, "server_error", code="device_lost")
    if update.reason == "failed":
        text = f"the step that computed this request failed: {update.error}"
        return ApiError(500, text, "server_error", code="step_failed")
    text = update.error or "the request was cancelled"
    return ApiError(503, text, "server_error", code="engine_stopped")


@dataclass(frozen=True)
class Shape:
    """How an endpoint's answers look."""

    prefix: str
    object: str
    logprobs: bool
    is_chat: bool

    def choice(self, answer: Answer) -> dict[str, Any]:
        """A whole one."""
        found: dict[str, Any] = {"index": answer.index, "finish_reason": answer.reason}
        if self.is_chat:
            text = answer.text or None if answer.calls else answer.text
            message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
            if answer.calls:
                message["tool_calls"] = answer.fresh_calls()
                for one in message["tool_calls"]:
                    del one["index"]  # which pieces of a stream have
            found["message"] = message
            found["logprobs"] = answer.chat_logprobs() if self.logprobs else None
        else:
            found["text"] = answer.echoed + answer.text
            found["logprobs"] = answer.completion_logprobs() if self.logprobs else None
        return found

    def piece(self, answer: Answer, text: str, is_first: bool) -> dict[str, Any]:
        """Of a streamed one."""
        found: dict[str, Any] = {"index": answer.index, "finish_reason": answer.reason}
        if self.is_chat:
            delta: dict[str, Any] = {"role": "assistant"} if is_first else {}
            calls = answer.fresh_calls()
            delta |= {"content": text} if text or (is_first and not calls) else {}
            found["delta"] = delta | ({"tool_calls": calls} if calls else {})
            found["logprobs"] = answer.chat_logprobs() if self.logprobs else None
        else:
            found["text"] = answer.echoed + text if is_first else text
            found["logprobs"] = answer.completion_logprobs() if self.logprobs else None
        return found


async def answer(
    state: State,
    request: Request,
    body: Any,
    tickets: list[Ticket],
    prompts: list[list[int]],
    shape: Shape,
    offer: Offer = NOTHING,
    echoed: list[str] | None = None,
) -> Any:
    """To a body, whole or streamed. offer: what an answer may call. echoed: texts before the
    answers to each prompt; none where it is empty."""
    if body.stream_options and not body.stream:
        raise ApiError(400, "stream_options needs stream", param="stream_options")
    made = [Answer(state.model, ticket, i, offer=offer) for i, ticket in enumerate(tickets)]
    for i, one in enumerate(made):
        one.echoed = echoed[i // (body.n or 1)] if echoed else ""
        one.has_text = getattr(body, "max_tokens", None) != 0
    head = {
        "id": f"{shape.prefix}-{secrets.token_hex(12)}",
        "object": shape.object,
        "created": state.options.created,
        "model": body.model or state.model.name,
    }
    if state.model.is_placeholder:
        head["system_fingerprint"] = PLACEHOLDERS
    state.metrics.observe("request_params_n", body.n or 1)
    state.metrics.observe("request_params_max_tokens", tickets[0].asked.output)
    lengths = [len(one) for one in prompts]
    if body.stream:
        pieces = _stream(state, request, body, made, lengths, shape, head)
        return StreamingResponse(pieces, media_type="text/event-stream")
    async for found in updates(state, request, tickets):
        for i, update in found:
            made[i].add(update)
    for one in made:
        one.piece()
    whole = _whole(head, made, lengths, shape)
    await _keep(state, body, whole)
    return whole


def _whole(
    head: dict[str, Any], made: list[Answer], lengths: list[int], shape: Shape
) -> dict[str, Any]:
    return head | {
        "choices": [shape.choice(one) for one in made],
        "usage": answers.usage(lengths, made),
        "trainyard": answers.simulated(made),
    }


async def _keep(state: State, body: Any, whole: dict[str, Any]) -> None:
    """Before its client hears that the answer is over. One that nobody waited for is not whole."""
    is_whole = all(one["finish_reason"] for one in whole["choices"])
    if state.store is not None and body.store is not False and is_whole:
        metadata = {"metadata": body.metadata} if body.metadata else {}
        try:
            await asyncio.to_thread(state.store.keep, whole | metadata)
        except sqlite3.Error as error:  # the disk is full: with store=false it is answered
            raise ApiError(507, f"the answer was not kept: {error}", "server_error") from None


async def _stream(
    state: State,
    request: Request,
    body: Any,
    made: list[Answer],
    lengths: list[int],
    shape: Shape,
    head: dict[str, Any],
) -> AsyncIterator[str]:
    whole_head = head
    head = head | {"object": "chat.completion.chunk" if shape.is_chat else shape.object}
    wants_usage = bool(body.stream_options and body.stream_options.include_usage)
    is_running = wants_usage and body.stream_options.continuous_usage_stats
    extra: dict[str, Any] = {"usage": None} if wants_usage else {}
    begun: set[int] = set()

    def events(i: int, update: Update) -> str:
        text = made[i].take(update)
        has_news = text or made[i].has_fresh_calls
        if not (has_news or made[i].reason or shape.logprobs or i not in begun):
            return ""
        choice = shape.piece(made[i], text, i not in begun)
        begun.add(i)
        last = {"trainyard": answers.simulated([made[i]])} if made[i].reason else {}
        if is_running:
            last["usage"] = answers.usage([lengths[i // (body.n or 1)]], [made[i]])
        return _event(head | {"choices": [choice]} | extra | last)

    try:
        async for found in updates(state, request, [one.ticket for one in made]):
            if text := "".join(events(i, update) for i, update in found):
                yield text
    except ApiError as error:
        yield _event(error.body)
        return
    for one in made:
        one.forget_told()
    try:
        await _keep(state, body, _whole(whole_head, made, lengths, shape))
    except ApiError as error:
        yield _event(error.body)
        return
    if wants_usage:
        whole = {"choices": [], "usage": answers.usage(lengths, made)}
        yield _event(head | whole | {"trainyard": answers.simulated(made)})
    yield "data: [DONE]\n\n"


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body)}\n\n"
