"""The HTTP server: OpenAI's endpoints over the exact engine, on FastAPI.

Only the loopback address is meant; there is no TLS. Times in answers and metrics are simulated.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse
from starlette.exceptions import HTTPException

from trainyard.serving import answers, exact, protocol, status
from trainyard.serving.answers import Answer
from trainyard.serving.metrics import Metrics
from trainyard.serving.protocol import ApiError, ChatRequest, CompletionRequest
from trainyard.serving.worker import Ticket, Update, Worker

POLL_SECONDS = 0.1  # between looks whether the client is still there
BODY_BYTES_MAX = 8 << 20
SEED_STEP = 0x9E3779B97F4A7C15  # between the choices of a request: odd, and far apart


@dataclass(frozen=True)
class Options:
    """How the server serves. created: a Unix time for answers, which no metric reads."""

    api_key: str | None = None
    timeout: float = 600.0  # seconds of the wall clock for an answer
    waiting_max: int = 2048  # requests that are not over
    start_after: int = 0
    created: int = 0
    usd_per_hour: float | None = None


class State:
    """What the endpoints share."""

    def __init__(self, engine: exact.Engine, options: Options) -> None:
        self.engine, self.options, self.model = engine, options, engine.model
        limits = engine.limits
        settings = {
            "block_size": limits.block_tokens,
            "num_gpu_blocks": limits.blocks,
            "enable_prefix_caching": limits.caches_prefixes,
        }
        self.metrics = Metrics(self.model.name, settings, options.usd_per_hour)
        self.worker: Worker | None = None
        self.seeds = 0

    def start(self) -> None:
        """In the event loop."""
        server = exact.Server(self.engine)
        loop = asyncio.get_running_loop()
        self.worker = Worker(server, self.metrics, loop, self.options.start_after)
        self.worker.start()

    def tickets(
        self,
        body: Any,
        prompts: list[list[int]],
        most: int | None,
        logprobs: int | None,
        stops: list[str],
    ) -> list[Ticket]:
        """n requests for each prompt. Raises ApiError where one is too long or too many wait."""
        assert self.worker is not None
        many = body.n or 1
        if self.worker.failure:
            raise ApiError(500, f"the engine has failed: {self.worker.failure}", "server_error")
        if self.worker.waiting + many * len(prompts) > self.options.waiting_max:
            text = f"more than {self.options.waiting_max} requests wait: try again later"
            raise ApiError(429, text, "rate_limit_error", code="rate_limit_exceeded")
        context = self.engine.limits.context_max
        found = []
        for prompt in prompts:
            if not prompt:
                raise ApiError(400, "a prompt has a token at least", param="prompt")
            room = context - len(prompt)
            asked = min(room, context) if most is None else most
            if asked > room or room < 1:
                text = (
                    f"This model's maximum context length is {context} tokens. However, you "
                    f"requested {len(prompt) + (most or 1)} tokens ({len(prompt)} in the messages, "
                    f"{most or 1} in the completion)."
                )
                raise ApiError(400, text, param="messages", code="context_length_exceeded")
            self.seeds += 1  # of bodies without a seed: the server's, in the order they came
            base = self.seeds if body.seed is None else body.seed
            for choice in range(many):  # equal seeds would give equal answers
                sampling = body.sampling(base + choice * SEED_STEP, logprobs)
                request = exact.Asked(prompt, asked, sampling, body.arrival)
                found.append(Ticket(request, tuple(stops), body.ignore_eos))
        return found


async def _updates(state: State, request: Request, tickets: list[Ticket]) -> AsyncIterator[Any]:
    """(ticket's place, update) as they come, until all are over. Raises ApiError where an answer
    fails; cancels what is left where the client leaves or the time is over."""
    assert state.worker is not None
    state.worker.submit(tickets)
    places = {asyncio.ensure_future(one.queue.get()): i for i, one in enumerate(tickets)}
    clock = asyncio.get_running_loop().time
    looked = clock()
    end = looked + state.options.timeout
    try:
        while places:
            done, _ = await asyncio.wait(
                places, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if clock() >= looked + POLL_SECONDS:  # also where tokens come faster than that
                looked = clock()
                if await request.is_disconnected():
                    return
                if looked > end:
                    text = f"no answer within {state.options.timeout:g} s of the host's clock"
                    raise ApiError(504, text, "timeout_error", code="timeout")
            for one in sorted(done, key=places.__getitem__):
                i = places.pop(one)
                update: Update = one.result()
                _check(update)
                yield i, update
                if update.reason is None:
                    places[asyncio.ensure_future(tickets[i].queue.get())] = i
    finally:
        if places:
            state.worker.cancel(tickets)
        for one in places:
            one.cancel()


def _check(update: Update) -> None:
    if update.reason == "rejected":
        text = "the request does not fit the cache, or too many requests wait"
        raise ApiError(429, text, "rate_limit_error", code="rate_limit_exceeded")
    if update.reason in ("abort", "error"):
        text = update.error or "the request was cancelled"
        raise ApiError(503, text, "server_error", code="engine_stopped")


def create_app(engine: exact.Engine, options: Options | None = None) -> FastAPI:
    """The application, for uvicorn. The engine's thread lives as long as it."""
    state = State(engine, options or Options())

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.start()
        yield
        assert state.worker is not None
        await asyncio.to_thread(state.worker.close)

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.serving = state
    _add_errors(app)
    _add_guard(app, state)
    _add_endpoints(app, state)
    return app


def _add_errors(app: FastAPI) -> None:
    def answer(error: ApiError) -> JSONResponse:
        return JSONResponse(error.body, error.status)

    @app.exception_handler(ApiError)
    async def api(_: Request, error: ApiError) -> JSONResponse:
        return answer(error)

    @app.exception_handler(RequestValidationError)
    async def validation(_: Request, error: RequestValidationError) -> JSONResponse:
        return answer(protocol.of_validation(list(error.errors())))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        text = f"{request.method} {request.url.path}: {error.detail}"
        return answer(ApiError(error.status_code, text))


def _add_guard(app: FastAPI, state: State) -> None:
    """Keys and the size of bodies, before a body is read."""
    key = state.options.api_key

    @app.middleware("http")
    async def guard(request: Request, call: Any) -> Any:
        path = request.url.path
        if key and path.startswith("/v1"):
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            if not hmac.compare_digest(given.encode(), key.encode()):
                error = ApiError(401, "Incorrect API key provided", code="invalid_api_key")
                return JSONResponse(error.body, error.status)
        length = request.headers.get("content-length")
        if request.method == "POST" and (length is None or not length.isdigit()):
            error = ApiError(411, "a body says how long it is (Content-Length)")
            return JSONResponse(error.body, error.status)
        if length is not None and int(length) > BODY_BYTES_MAX:
            error = ApiError(413, f"a body has up to {BODY_BYTES_MAX} bytes")
            return JSONResponse(error.body, error.status)
        return await call(request)


def _add_endpoints(app: FastAPI, state: State) -> None:
    model = state.model

    @app.get("/health")
    async def health() -> Any:
        if state.worker is None or state.worker.failure:
            return PlainTextResponse("the engine has failed", 503)
        return PlainTextResponse("")

    @app.get("/")
    async def page() -> Any:
        sheet = status.sheet_of(model.name, state.metrics.registry.collect())
        return HTMLResponse(sheet.page())

    @app.get("/metrics")
    async def metrics() -> Any:
        return PlainTextResponse(state.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/v1/models")
    async def models() -> Any:
        return {"object": "list", "data": [_card(state)]}

    @app.get("/v1/models/{name:path}")
    async def one_model(name: str) -> Any:
        _check_model(state, name)
        return _card(state)

    @app.post("/v1/completions")
    async def completions(body: CompletionRequest, request: Request) -> Any:
        _check_model(state, body.model)
        prompts = _prompts(state, body)
        tickets = state.tickets(body, prompts, body.max_tokens, body.logprobs, body.stops())
        shape = _Shape("cmpl", "text_completion", body.logprobs is not None, False)
        return await _answer(state, request, body, tickets, prompts, shape)

    @app.post("/v1/chat/completions")
    async def chats(body: ChatRequest, request: Request) -> Any:
        _check_model(state, body.model)
        prompt = model.chat([(one.role, one.text()) for one in body.messages])
        if body.top_logprobs is not None and not body.logprobs:
            raise ApiError(400, "top_logprobs needs logprobs", param="top_logprobs")
        logprobs = (body.top_logprobs or 0) if body.logprobs else None
        most = body.max_completion_tokens or body.max_tokens
        tickets = state.tickets(body, [prompt], most, logprobs, body.stops())
        shape = _Shape("chatcmpl", "chat.completion", bool(body.logprobs), True)
        return await _answer(state, request, body, tickets, [prompt], shape)


def _card(state: State) -> dict[str, Any]:
    return {
        "id": state.model.name,
        "object": "model",
        "created": state.options.created,
        "owned_by": "trainyard",
        "max_model_len": state.engine.limits.context_max,
    }


def _check_model(state: State, name: str) -> None:
    if name and name != state.model.name:
        text = f"The model `{name}` does not exist; this server has `{state.model.name}`"
        raise ApiError(404, text, param="model", code="model_not_found")


def _prompts(state: State, body: CompletionRequest) -> list[list[int]]:
    given: Any = body.prompt
    if isinstance(given, str) or (given and isinstance(given[0], int)):
        given = [given]
    if not 1 <= len(given) <= protocol.MANY:
        raise ApiError(400, f"a body has 1 to {protocol.MANY} prompts", param="prompt")
    vocabulary = state.model.config.vocabulary
    prompts = []
    for one in given:
        ids = state.model.tokenizer.encode(one) if isinstance(one, str) else list(one)
        if any(not 0 <= token < vocabulary for token in ids):
            raise ApiError(400, f"tokens are 0 to {vocabulary - 1}", param="prompt")
        prompts.append(ids)
    return prompts


@dataclass(frozen=True)
class _Shape:
    """How an endpoint's answers look."""

    prefix: str
    object: str
    logprobs: bool
    is_chat: bool

    def choice(self, answer: Answer) -> dict[str, Any]:
        """A whole one."""
        found: dict[str, Any] = {"index": answer.index, "finish_reason": answer.reason}
        if self.is_chat:
            found["message"] = {"role": "assistant", "content": answer.text, "refusal": None}
            found["logprobs"] = answer.chat_logprobs() if self.logprobs else None
        else:
            found["text"] = answer.text
            found["logprobs"] = answer.completion_logprobs() if self.logprobs else None
        return found

    def piece(self, answer: Answer, text: str, is_first: bool) -> dict[str, Any]:
        """Of a streamed one."""
        found: dict[str, Any] = {"index": answer.index, "finish_reason": answer.reason}
        if self.is_chat:
            delta: dict[str, Any] = {"role": "assistant"} if is_first else {}
            found["delta"] = delta | ({"content": text} if text or is_first else {})
            found["logprobs"] = answer.chat_logprobs() if self.logprobs else None
        else:
            found["text"] = text
            found["logprobs"] = answer.completion_logprobs() if self.logprobs else None
        return found


async def _answer(
    state: State,
    request: Request,
    body: Any,
    tickets: list[Ticket],
    prompts: list[list[int]],
    shape: _Shape,
) -> Any:
    if body.stream_options and not body.stream:
        raise ApiError(400, "stream_options needs stream", param="stream_options")
    made = [Answer(state.model, ticket, i) for i, ticket in enumerate(tickets)]
    head = {
        "id": f"{shape.prefix}-{secrets.token_hex(12)}",
        "object": shape.object,
        "created": state.options.created,
        "model": state.model.name,
    }
    state.metrics.observe("request_params_n", body.n or 1)
    state.metrics.observe("request_params_max_tokens", tickets[0].asked.output)
    lengths = [len(one) for one in prompts]
    if body.stream:
        pieces = _stream(state, request, body, made, lengths, shape, head)
        return StreamingResponse(pieces, media_type="text/event-stream")
    async for i, update in _updates(state, request, tickets):
        made[i].take(update)
    return head | {
        "choices": [shape.choice(one) for one in made],
        "usage": answers.usage(lengths, made),
        "trainyard": answers.simulated(made),
    }


async def _stream(
    state: State,
    request: Request,
    body: Any,
    made: list[Answer],
    lengths: list[int],
    shape: _Shape,
    head: dict[str, Any],
) -> AsyncIterator[str]:
    head = head | {"object": "chat.completion.chunk" if shape.is_chat else shape.object}
    wants_usage = bool(body.stream_options and body.stream_options.include_usage)
    extra: dict[str, Any] = {"usage": None} if wants_usage else {}
    begun: set[int] = set()
    try:
        async for i, update in _updates(state, request, [one.ticket for one in made]):
            text = made[i].take(update)
            if not text and made[i].reason is None and not (shape.logprobs or i not in begun):
                continue
            choice = shape.piece(made[i], text, i not in begun)
            begun.add(i)
            last = {"trainyard": answers.simulated([made[i]])} if made[i].reason else {}
            yield _event(head | {"choices": [choice]} | extra | last)
    except ApiError as error:
        yield _event(error.body)
        return
    if wants_usage:
        whole = {"choices": [], "usage": answers.usage(lengths, made)}
        yield _event(head | whole | {"trainyard": answers.simulated(made)})
    yield "data: [DONE]\n\n"


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body)}\n\n"
