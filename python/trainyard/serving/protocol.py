"""OpenAI's requests and errors: what the server accepts, with its limits, and how it refuses.

Fields that OpenAI has and this server does not compute are refused by name, not ignored. Needs
pydantic, which comes with FastAPI.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from trainyard.serving.sampling import Sampling

MANY = 128  # texts or messages of a body, stop sequences aside
Text = Annotated[str, Field(max_length=1_000_000)]
Stop = str | list[Annotated[str, Field(min_length=1, max_length=200)]] | None


class ApiError(Exception):
    """An answer in OpenAI's error shape."""

    def __init__(
        self,
        status: int,
        message: str,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


class StreamOptions(BaseModel):
    """Of a streamed answer."""

    model_config = ConfigDict(extra="forbid")
    include_usage: bool = False


class Common(BaseModel):
    """What completions and chats have in common. `arrival` is simulated seconds, not OpenAI's."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    top_k: Annotated[int, Field(ge=-1, le=1_000_000)] = 0
    n: Annotated[int, Field(ge=1, le=16)] | None = 1
    stop: Stop = None
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    user: str | None = None
    ignore_eos: bool = False
    arrival: Annotated[float, Field(ge=0, le=1e7)] = 0.0

    def stops(self) -> list[str]:
        """The stop sequences. Raises ApiError for more than OpenAI's four."""
        found = [self.stop] if isinstance(self.stop, str) else list(self.stop or [])
        if len(found) > 4 or "" in found:
            raise ApiError(400, "stop is up to 4 sequences, none of them empty", param="stop")
        return found

    def sampling(self, seed: int, logprobs: int | None) -> Sampling:
        """How its tokens are chosen."""
        return Sampling(
            1.0 if self.temperature is None else self.temperature,
            1.0 if self.top_p is None else self.top_p,
            max(0, self.top_k),
            seed % 2**63,
            logprobs,
        )


class CompletionRequest(Common):
    """POST /v1/completions."""

    prompt: Text | list[int] | list[Text] | list[list[int]]
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = 16
    logprobs: Annotated[int, Field(ge=0, le=5)] | None = None
    echo: Literal[False] | None = False


class Part(BaseModel):
    """A piece of a message."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["text"]
    text: Text


class Message(BaseModel):
    """Of a chat."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["system", "developer", "user", "assistant"]
    content: Text | Annotated[list[Part], Field(max_length=MANY)]
    name: str | None = None

    def text(self) -> str:
        """Its content as one text."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content)


class ChatRequest(Common):
    """POST /v1/chat/completions."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=MANY)]
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    logprobs: bool | None = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None


def of_validation(errors: list[dict[str, Any]]) -> ApiError:
    """The first thing that is wrong with a body, in OpenAI's shape."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part != "body"]
    param = ".".join(place) or None
    if first["type"] == "extra_forbidden":
        return ApiError(400, f"{param} is not supported by this server", param=param)
    if first["type"] in ("json_invalid", "missing") and param is None:
        return ApiError(400, "the body is no JSON object")
    message = first["msg"] if param is None else f"{param}: {first['msg']}"
    return ApiError(400, message, param=param)
