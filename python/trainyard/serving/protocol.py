"""OpenAI's requests and errors: what the server accepts, with its limits, and how it refuses.

Fields that OpenAI has and this server does not compute are refused by name, not ignored. Needs
pydantic, which comes with FastAPI.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from trainyard.serving import tools
from trainyard.serving.sampling import Sampling

MANY = 128  # texts or messages of a body, stop sequences aside
Text = Annotated[str, Field(max_length=1_000_000)]
Short = Annotated[str, Field(max_length=512)]
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
    store: bool | None = None  # false: not kept, where the server keeps answers
    metadata: Annotated[dict[str, Short], Field(max_length=16)] | None = None
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


Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Called(BaseModel):
    """A function with its arguments, as JSON."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    arguments: Text


class ToolCall(BaseModel):
    """Of an earlier answer."""

    model_config = ConfigDict(extra="forbid")
    id: str
    type: Literal["function"]
    function: Called


class Message(BaseModel):
    """Of a chat."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Text | Annotated[list[Part], Field(max_length=MANY)] | None = None
    name: str | None = None
    refusal: str | None = None
    tool_calls: Annotated[list[ToolCall], Field(min_length=1, max_length=MANY)] | None = None
    tool_call_id: str | None = None

    @model_validator(mode="after")
    def _fits(self) -> Message:
        if self.tool_calls and self.role != "assistant":
            raise ValueError("tool_calls are the assistant's")
        if (self.tool_call_id is not None) != (self.role == "tool"):
            raise ValueError("tool_call_id belongs to the role tool")
        if self.content is None and not self.tool_calls:
            raise ValueError("content is missing")
        return self

    def said(self) -> tuple[str, str]:
        """Role and text, calls and answers of tools in the words of tools.py."""
        if isinstance(self.content, list):
            text = "".join(part.text for part in self.content)
        else:
            text = self.content or ""
        if self.role == "tool":
            return "user", tools.response(text)
        made = [tools.Call(one.function.name, one.function.arguments) for one in self.calls()]
        return self.role, "\n".join([*([text] if text else []), *(one.text() for one in made)])

    def calls(self) -> list[ToolCall]:
        """Of tools."""
        return self.tool_calls or []


class Function(BaseModel):
    """That a model may call."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    description: Text | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None

    def told(self) -> dict[str, Any]:
        """As a prompt has it."""
        return self.model_dump(exclude_none=True, exclude={"strict"})


class Tool(BaseModel):
    """Functions are the one kind that is served."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["function"]
    function: Function


class Named(BaseModel):
    """A function by its name."""

    model_config = ConfigDict(extra="forbid")
    name: Name


class ToolChoice(BaseModel):
    """The one tool to call."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["function"]
    function: Named


class Schema(BaseModel):
    """Of an answer, with a name that nobody reads."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    description: Text | None = None
    form: Annotated[dict[str, Any], Field(alias="schema")]
    strict: bool | None = None


class ResponseFormat(BaseModel):
    """Text, a JSON object, or JSON of a schema."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["text", "json_object", "json_schema"]
    json_schema: Schema | None = None

    @model_validator(mode="after")
    def _fits(self) -> ResponseFormat:
        if (self.json_schema is not None) != (self.type == "json_schema"):
            raise ValueError("json_schema belongs to the type json_schema")
        return self


class ChatRequest(Common):
    """POST /v1/chat/completions."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=MANY)]
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    logprobs: bool | None = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    tools: Annotated[list[Tool], Field(min_length=1, max_length=MANY)] | None = None
    tool_choice: Literal["none", "auto", "required"] | ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    response_format: ResponseFormat | None = None

    def offered(self) -> list[Function]:
        """Functions that may be called. Raises ApiError where they are not to be told apart, or
        the one that must be called is none of them."""
        if self.tools is None or self.tool_choice == "none":
            if self.tool_choice not in (None, "none"):
                raise ApiError(400, "tool_choice needs tools", param="tool_choice")
            return []
        found = [one.function for one in self.tools]
        if len({one.name for one in found}) < len(found):
            raise ApiError(400, "two tools have the same name", param="tools")
        if isinstance(self.tool_choice, ToolChoice):
            name = self.tool_choice.function.name
            found = [one for one in found if one.name == name]
            if not found:
                raise ApiError(400, f"no tool is named {name}", param="tool_choice")
        return found

    @property
    def must_call(self) -> bool:
        """Whether the answer is calls and nothing else."""
        return self.tool_choice == "required" or isinstance(self.tool_choice, ToolChoice)


class EmbeddingRequest(BaseModel):
    """POST /v1/embeddings."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    input: Text | list[int] | list[Text] | list[list[int]]
    encoding_format: Literal["float", "base64"] = "float"
    user: str | None = None


def of_validation(errors: list[dict[str, Any]]) -> ApiError:
    """The first thing that is wrong with a body, in OpenAI's shape."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part not in ("body", "query")]
    param = ".".join(place) or None
    if first["type"] == "extra_forbidden":
        return ApiError(400, f"{param} is not supported by this server", param=param)
    if first["type"] in ("json_invalid", "missing") and param is None:
        return ApiError(400, "the body is no JSON object")
    message = first["msg"] if param is None else f"{param}: {first['msg']}"
    return ApiError(400, message, param=param)
