"""The HTTP server: OpenAI's endpoints over the exact engine, on FastAPI.

Only the loopback address is meant; there is no TLS. Times in answers and metrics are simulated.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

import trainyard
from trainyard.serving import (
    conversations,
    embedding,
    encoder,
    forms,
    losses,
    placeholders,
    protocol,
    responses,
    several,
    status,
    stepping,
    stored,
    tokens,
)
from trainyard.serving.encoder import EncoderEngine
from trainyard.serving.guides import Grammar, Guides
from trainyard.serving.losses import Loss
from trainyard.serving.metrics import Metrics
from trainyard.serving.pace import Pace
from trainyard.serving.protocol import (
    ApiError,
    ChatRequest,
    CompletionRequest,
    EmbeddingRequest,
)
from trainyard.serving.replies import Shape, answer
from trainyard.serving.responses import ResponseRequest
from trainyard.serving.several import Replicas, Router
from trainyard.serving.store import Store
from trainyard.serving.worker import Mailbox, Ticket, Worker
from trainyard.usage import UsageError

BODY_BYTES_MAX = 8 << 20
TOO_LONG = f"a body has up to {BODY_BYTES_MAX} bytes"
SEED_STEP = 0x9E3779B97F4A7C15  # between the choices of a request: odd, and far apart


@dataclass(frozen=True)
class Options:
    """How the server serves. created: a Unix time for answers, which no metric reads."""

    api_key: str | None = None
    timeout: float = 600.0  # seconds of the wall clock for an answer
    waiting_max: int = 2048  # requests that are not over
    start_after: int = 0
    created: int = 0
    encoder: str = encoder.DEFAULT
    store: Path | None = None  # where finished answers are kept
    losses: tuple[Loss, ...] = ()
    replicas: int = 1  # of the engine, which get requests by `routing`
    readers: int = 0  # besides, which read prompts for them
    routing: str = "least"
    pace: Pace | None = None  # None: the simulated clock waits for nobody
    usd_per_hour: float | None = None
    origins: tuple[str, ...] = ()  # of web pages whose scripts may ask; none without

    @property
    def engines(self) -> int:
        """Replicas and readers."""
        return self.replicas + self.readers


class State:
    """What the endpoints share."""

    def __init__(self, engine: Any, options: Options) -> None:
        self.engine, self.options, self.model = engine, options, engine.model
        losses.check(options.losses, options.engines)
        if options.readers:
            engine.join()
        limits = engine.limits
        settings = {
            "block_size": limits.block_tokens,
            "num_gpu_blocks": limits.pages,
            "enable_prefix_caching": limits.caches_prefixes,
        }
        self.metrics = Metrics(self.model.name, settings, options.usd_per_hour)
        self.adapters = {one.name: number for number, one in enumerate(engine.adapted)}
        self.worker: Worker | None = None
        self.seeds = 0
        self.store = Store(self.options.store) if self.options.store else None
        self._guides: Guides | None = None
        self._encoder: EncoderEngine | None = None

    def start(self) -> None:
        """In the event loop."""
        kind = placeholders.Server if self.model.is_placeholder else stepping.Server
        server: Any = kind(self.engine)
        options = self.options
        if options.engines > 1:
            router = Router(options.routing, self.engine.limits.block_tokens)
            engines = several.engines_of(self.engine, options.engines)
            servers = [kind(one) for one in engines]
            server = Replicas(servers, router, options.losses, options.readers)
        loop = asyncio.get_running_loop()
        self.worker = Worker(
            server,
            self.metrics,
            loop,
            options.start_after,
            options.losses if options.engines == 1 else (),
            options.pace,
        )
        self.worker.start()

    def check_model(self, name: str) -> None:
        """Raises ApiError for a model that this server does not have; no name is its own."""
        if name and name != self.model.name and name not in self.adapters:
            known = ", ".join(f"`{one}`" for one in (self.model.name, *self.adapters))
            text = f"The model `{name}` does not exist; this server has {known}"
            raise ApiError(404, text, param="model", code="model_not_found")

    def check_ids(self, ids: list[int], param: str) -> None:
        """Raises ApiError for tokens that the vocabulary does not have."""
        vocabulary = self.model.config.vocabulary
        if any(not 0 <= token < vocabulary for token in ids):
            raise ApiError(400, f"tokens are 0 to {vocabulary - 1}", param=param)

    def guides(self) -> Guides:
        """Made when first asked for. Raises ApiError where their package is missing, and where the
        engine has no tokens."""
        self.check_tokens("forms of answers", None)
        if self._guides is None:
            try:
                self._guides = Guides(self.model)
            except UsageError as error:
                raise ApiError(400, str(error), code="unsupported") from None
        return self._guides

    def check_tokens(self, what: str, param: str | None) -> None:
        """Raises ApiError where the engine computes none."""
        if self.model.is_placeholder:
            text = f"{what} need tokens that are computed; this server's are placeholders"
            raise ApiError(400, text, param=param, code="unsupported")

    def encoder(self) -> EncoderEngine:
        """Likewise."""
        self.check_tokens("embeddings", "model")
        if self._encoder is None:
            try:
                loaded = encoder.load(self.options.encoder)
            except UsageError as error:
                raise ApiError(400, str(error), code="unsupported") from None
            self._encoder = EncoderEngine(loaded, self.engine.machine)
            self._encoder.on_compile = self.engine.on_compile
        return self._encoder

    def tickets(
        self,
        body: Any,
        prompts: list[list[int]],
        most: int | None,
        logprobs: int | None,
        grammar: Grammar | None = None,
    ) -> list[Ticket]:
        """n requests for each prompt. Raises ApiError where one is too long or too many wait."""
        if logprobs is not None:
            self.check_tokens("log-probabilities", "logprobs")
        stops, adapter = body.stops(), self.adapters.get(body.model, -1)
        assert self.worker is not None
        many = body.n or 1
        if self.worker.failure:
            raise ApiError(500, f"the engine has failed: {self.worker.failure}", "server_error")
        if self.worker.lost:
            raise ApiError(503, self.worker.lost, "server_error", code="device_lost")
        if self.worker.waiting + many * len(prompts) > self.options.waiting_max:
            text = f"more than {self.options.waiting_max} requests wait: try again later"
            raise ApiError(429, text, "rate_limit_error", code="rate_limit_exceeded")
        context = self.engine.limits.context_max
        found, box = [], Mailbox(tells_tokens=bool(body.stream))
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
                sampling = body.sampling(
                    base + choice * SEED_STEP,
                    logprobs,
                    self.model.config.vocabulary,
                    self.model.stops,
                )
                guide = grammar.guide() if grammar else None
                request = stepping.Asked(
                    prompt, asked, sampling, body.arrival, adapter, guide, body.ignore_eos
                )
                stop_ids = frozenset(body.stop_token_ids)
                found.append(
                    Ticket(request, tuple(stops), body.ignore_eos, stop_ids, body.min_tokens, box)
                )
        return found


def create_app(engine: Any, options: Options | None = None) -> FastAPI:
    """The application, for uvicorn. The engine's thread lives as long as it.

    engine: exact.Engine, or placeholders.Engine.
    """
    state = State(engine, options or Options())

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.start()
        yield
        assert state.worker is not None
        await asyncio.to_thread(state.worker.close)
        if state.store is not None:
            state.store.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.serving = state
    _add_errors(app)
    app.add_middleware(Guard, key=state.options.api_key)
    if state.options.origins:  # outermost: a browser asks first, and sends no key with that
        app.add_middleware(
            CORSMiddleware,
            allow_origins=state.options.origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["x-request-id"],
        )
    _add_endpoints(app, state)
    _add_answers(app, state)
    stored.add_endpoints(app, state)
    tokens.add_endpoints(app, state)
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
        path = request.url.path
        text = f"{request.method} {path}: {error.detail}"
        if error.status_code == 404 and (meant := _near(app, path)):
            text += f"; {meant} is served"
        return answer(ApiError(error.status_code, text))


def _near(app: FastAPI, path: str) -> str | None:
    """The path that is served where the /v1 of a base URL was left out, or written twice."""
    tail = re.sub(r"^(/v1)*(?=/)", "", path)
    served = {getattr(route, "path", "") for route in app.routes}
    return next((one for one in (f"/v1{tail}", tail) if one in served and one != "/"), None)


class Guard:
    """Keys and the size of bodies, before a body is read. Plain ASGI: Starlette's own middleware of
    functions takes half a millisecond of a request."""

    def __init__(self, app: Any, key: str | None) -> None:
        self._app, self._key = app, key

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As ASGI has it."""
        is_http = scope["type"] == "http"
        headers = dict(scope["headers"]) if is_http else {}
        if is_http:
            send = _named(send, headers.get(b"x-request-id", b""))
        error = self._refusal(scope, headers) if is_http else None
        if error is not None:
            await JSONResponse(error.body, error.status)(scope, receive, send)
            return
        if is_http and scope["method"] == "HEAD":  # whose body uvicorn leaves out
            scope = scope | {"method": "GET"}
        if b"transfer-encoding" in headers:  # a body that does not say how long it is
            receive = _measured(receive)
        await self._app(scope, receive, send)

    def _refusal(self, scope: Any, headers: dict[bytes, bytes]) -> ApiError | None:
        if self._key and scope["path"].startswith(("/v1", *tokens.PATHS)):
            given = headers.get(b"authorization", b"").removeprefix(b"Bearer ")
            if not hmac.compare_digest(given, self._key.encode()):
                return ApiError(401, "Incorrect API key provided", code="invalid_api_key")
        length = headers.get(b"content-length")
        if length is not None and int(length) > BODY_BYTES_MAX:
            return ApiError(413, TOO_LONG)
        has_body = length not in (None, b"0") or b"transfer-encoding" in headers
        if scope["method"] == "POST" and has_body:
            kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
            if kind != b"application/json" and not kind.endswith(b"+json"):
                return ApiError(415, "a body is JSON, and says so (Content-Type: application/json)")
            if headers.get(b"content-encoding", b"identity").lower() != b"identity":
                return ApiError(415, "a body is not compressed (Content-Encoding)")
        return None


def _named(send: Callable[[Any], Awaitable[None]], given: bytes) -> Callable[..., Awaitable[None]]:
    """What sends an answer with the name of its request: the client's, or one of ours."""
    name = given if 0 < len(given) <= 200 else f"req_{secrets.token_hex(16)}".encode()

    async def told(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"x-request-id", name)]
            message = message | {"headers": headers}
        await send(message)

    return told


def _measured(receive: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    """What receives a body, up to the size that one may have."""
    got = 0

    async def counted() -> Any:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > BODY_BYTES_MAX:
            raise HTTPException(413, TOO_LONG)
        return message

    return counted


def _add_endpoints(app: FastAPI, state: State) -> None:
    model = state.model

    @app.post("/ping")
    @app.get("/ping")
    @app.get("/health")
    async def health() -> Any:
        if state.worker is None or state.worker.failure:
            return PlainTextResponse("the engine has failed", 503)
        if state.worker.lost:
            return PlainTextResponse(state.worker.lost, 503)
        return PlainTextResponse("")

    @app.get("/")
    async def page() -> Any:
        sheet = status.sheet_of(model.name, state.metrics.registry.collect())
        return HTMLResponse(sheet.page())

    @app.get("/version")
    async def version() -> Any:
        return {"version": trainyard.__version__}

    @app.get("/metrics")
    async def metrics() -> Any:
        return PlainTextResponse(state.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/v1/models/")
    @app.get("/v1/models")
    async def models() -> Any:
        names = [model.name, *state.adapters]
        if _has_encoder(state):
            names.append(state.options.encoder)
        return {"object": "list", "data": [_card(state, name) for name in names]}

    @app.get("/v1/models/{name:path}")
    async def one_model(name: str) -> Any:
        if name != state.options.encoder or not _has_encoder(state):
            state.check_model(name)
        return _card(state, name)

    @app.post("/v1/embeddings")
    async def embeddings(body: EmbeddingRequest) -> Any:
        return await embedding.answer(state, body)


def _add_answers(app: FastAPI, state: State) -> None:
    @app.post("/v1/completions")
    async def completions(body: CompletionRequest, request: Request) -> Any:
        state.check_model(body.model)
        body.check()
        prompts = _prompts(state, body)
        most = None if body.max_tokens is None else max(1, body.max_tokens)
        has_form = body.form_of is not None
        grammar = await asyncio.to_thread(forms.grammar_of, state, body) if has_form else None
        tickets = state.tickets(body, prompts, most, body.logprobs, grammar)
        if body.echo and body.logprobs is not None:
            for one in tickets:
                one.asked.scores = {}
        shape = Shape("cmpl", "text_completion", body.logprobs is not None, False)
        echoed = _echoed(state, body) if body.echo else []
        return await answer(state, request, body, tickets, prompts, shape, echoed=echoed)

    @app.post("/v1/chat/completions")
    async def chats(body: ChatRequest, request: Request) -> Any:
        state.check_model(body.model)
        asked = await conversations.prepare(state, body)
        shape = Shape("chatcmpl", "chat.completion", bool(body.logprobs), True)
        return await answer(state, request, body, asked.tickets, [asked.prompt], shape, asked.offer)

    @app.post("/v1/responses")
    async def responds(body: ResponseRequest, request: Request) -> Any:
        state.check_model(body.model)
        return await responses.answer(state, request, body)


def _has_encoder(state: State) -> bool:
    if state.model.is_placeholder:
        return False
    return encoder.is_there(state.options.encoder)


def _card(state: State, name: str) -> dict[str, Any]:
    card = {"id": name, "object": "model", "created": state.options.created}
    card["owned_by"] = "trainyard"
    if name in state.adapters:
        card |= {"root": name, "parent": state.model.name}
    is_encoder = name == state.options.encoder
    most = encoder.LENGTHS[-1] if is_encoder else state.engine.limits.context_max
    return card | {"max_model_len": most}


def _given(body: CompletionRequest) -> list[Any]:
    """Its prompts, each a text or tokens."""
    prompt: Any = body.prompt
    return (
        [prompt] if isinstance(prompt, str) or (prompt and isinstance(prompt[0], int)) else prompt
    )


def _echoed(state: State, body: CompletionRequest) -> list[str]:
    decode = state.model.tokenizer.decode
    return [one if isinstance(one, str) else decode(one) for one in _given(body)]


def _prompts(state: State, body: CompletionRequest) -> list[list[int]]:
    given = _given(body)
    if not 1 <= len(given) <= protocol.MANY:
        raise ApiError(400, f"a body has 1 to {protocol.MANY} prompts", param="prompt")
    words = state.model.tokenizer
    encode = words.prompt if body.add_special_tokens else words.encode
    prompts = []
    for one in given:
        if not isinstance(one, str):
            state.check_ids(one, "prompt")
        prompts.append(encode(one) if isinstance(one, str) else list(one))
    return prompts
