"""OpenAI's requests and errors: what the server accepts, with its limits, and how it refuses.

Fields that OpenAI has and this server does not compute are refused by name, not ignored; one that
is null is one that is not given. Needs pydantic, which comes with FastAPI.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from trainyard.serving import tools
from trainyard.serving.sampling import Sampling, Shaping

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


class Body(BaseModel):
    """An object of a request. Unknown fields are refused; null is as if the field were left out,
    which is how clients write what they do not ask for."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _leave_out_nulls(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value is not None}


class StreamOptions(Body):
    """Of a streamed answer. continuous_usage_stats is vLLM's: usage in every event."""

    include_usage: bool = False
    continuous_usage_stats: bool = False
    include_obfuscation: Literal[False] = False


Variable = bool | int | float | Annotated[str, Field(max_length=10_000)]
Penalty = Annotated[float, Field(ge=-2, le=2)]
Bias = Annotated[float, Field(ge=-100, le=100)]


class Common(Body):
    """What completions and chats have in common. From top_k to ignore_eos the fields are vLLM's,
    and `arrival`, simulated seconds, is this server's. The last ones change no answer."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    presence_penalty: Penalty = 0.0
    frequency_penalty: Penalty = 0.0
    logit_bias: Annotated[dict[str, Bias], Field(max_length=300)] = {}
    n: Annotated[int, Field(ge=1, le=16)] | None = 1
    stop: Stop = None
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    store: bool | None = None  # false: not kept, where the server keeps answers
    metadata: Annotated[dict[str, Short], Field(max_length=16)] | None = None
    top_k: Annotated[int, Field(ge=-1, le=1_000_000)] = 0
    min_p: Annotated[float, Field(ge=0, le=1)] = 0.0
    repetition_penalty: Annotated[float, Field(gt=0, le=10)] = 1.0
    min_tokens: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    stop_token_ids: Annotated[list[int], Field(max_length=MANY)] = []
    ignore_eos: bool = False
    arrival: Annotated[float, Field(ge=0, le=1e7)] = 0.0
    # Of vLLM, at the value that changes nothing, which clients write out.
    skip_special_tokens: Literal[True] = True
    spaces_between_special_tokens: Literal[True] = True
    include_stop_str_in_output: Literal[False] = False
    use_beam_search: Literal[False] = False
    priority: Literal[0] = 0
    length_penalty: Annotated[float, Field(ge=1, le=1)] = 1.0
    return_tokens_as_token_ids: Literal[False] = False
    return_token_ids: Literal[False] = False
    detokenize: Literal[True] = True
    user: str | None = None
    safety_identifier: Short | None = None
    prompt_cache_key: Short | None = None
    service_tier: Literal["auto", "default"] | None = None

    def stops(self) -> list[str]:
        """The stop sequences. Raises ApiError for more than OpenAI's four."""
        found = [self.stop] if isinstance(self.stop, str) else list(self.stop or [])
        if len(found) > 4 or "" in found:
            raise ApiError(400, "stop is up to 4 sequences, none of them empty", param="stop")
        return found

    def sampling(
        self, seed: int, logprobs: int | None, vocabulary: int, ends: frozenset[int]
    ) -> Sampling:
        """How its tokens are chosen. ends: tokens that end an answer. Raises ApiError for tokens
        that the vocabulary does not have."""
        return Sampling(
            1.0 if self.temperature is None else self.temperature,
            1.0 if self.top_p is None else self.top_p,
            max(0, self.top_k),
            seed % 2**63,
            logprobs,
            self.min_p,
            self._shaping(vocabulary, ends),
        )

    def _shaping(self, vocabulary: int, ends: frozenset[int]) -> Shaping | None:
        bias = []
        for name, added in self.logit_bias.items():
            if not name.isascii() or not name.isdigit() or int(name) >= vocabulary:
                text = f"logit_bias: tokens are 0 to {vocabulary - 1}, not {name[:20]!r}"
                raise ApiError(400, text, param="logit_bias")
            bias.append((int(name), added))
        if any(not 0 <= one < vocabulary for one in self.stop_token_ids):
            text = f"stop_token_ids: tokens are 0 to {vocabulary - 1}"
            raise ApiError(400, text, param="stop_token_ids")
        several = ends | set(self.stop_token_ids)
        found = Shaping(
            tuple(bias),
            self.presence_penalty,
            self.frequency_penalty,
            self.repetition_penalty,
            self.min_tokens,
            tuple(sorted(one for one in several if one < vocabulary)) if self.min_tokens else (),
        )
        return None if found == Shaping() else found


class Part(Body):
    """A piece of a message."""

    type: Literal["text"]
    text: Text


Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Called(Body):
    """A function with its arguments, as JSON."""

    name: Name
    arguments: Text


class ToolCall(Body):
    """Of an earlier answer."""

    id: str
    type: Literal["function"]
    function: Called


class Message(Body):
    """Of a chat."""

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


class Function(Body):
    """That a model may call."""

    name: Name
    description: Text | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None

    def told(self) -> dict[str, Any]:
        """As a prompt has it."""
        return self.model_dump(exclude_none=True, exclude={"strict"})


class Tool(Body):
    """Functions are the one kind that is served."""

    type: Literal["function"]
    function: Function


class Named(Body):
    """A function by its name."""

    name: Name


class ToolChoice(Body):
    """The one tool to call."""

    type: Literal["function"]
    function: Named


class Schema(Body):
    """Of an answer, with a name that nobody reads."""

    name: Name
    description: Text | None = None
    form: Annotated[dict[str, Any], Field(alias="schema")]
    strict: bool | None = None


class ResponseFormat(Body):
    """Text, a JSON object, or JSON of a schema."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: Schema | None = None

    @model_validator(mode="after")
    def _fits(self) -> ResponseFormat:
        if (self.json_schema is not None) != (self.type == "json_schema"):
            raise ValueError("json_schema belongs to the type json_schema")
        return self


class StructuredOutputs(Body):
    """vLLM's name for the form of an answer: one of these."""

    form: Annotated[dict[str, Any] | Text | None, Field(alias="json")] = None
    json_object: bool | None = None
    regex: Text | None = None
    choice: Annotated[list[Text], Field(min_length=1, max_length=MANY)] | None = None
    grammar: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> StructuredOutputs:
        given = (self.form, self.json_object or None, self.regex, self.choice, self.grammar)
        if sum(one is not None for one in given) != 1:
            raise ValueError("one of json, json_object, regex, choice and grammar is needed")
        if self.choice and "" in self.choice:
            raise ValueError("choice: no text of it is empty")
        return self


class Formed(Common):
    """What answers that may have a form have in common; completions have one with vLLM alone."""

    response_format: ResponseFormat | None = None
    structured_outputs: StructuredOutputs | None = None

    @property
    def form_of(self) -> str | None:
        """The field that says what form an answer has, where one does. Raises ApiError for two."""
        is_form = self.response_format is not None and self.response_format.type != "text"
        if is_form and self.structured_outputs is not None:
            text = "response_format and structured_outputs say the same: leave one of them out"
            raise ApiError(400, text, param="structured_outputs")
        if self.structured_outputs is not None:
            return "structured_outputs"
        return "response_format" if is_form else None


class CompletionRequest(Formed):
    """POST /v1/completions."""

    prompt: Text | list[int] | list[Text] | list[list[int]]
    max_tokens: Annotated[int, Field(ge=0, le=1_000_000)] | None = 16  # 0: the prompt alone
    logprobs: Annotated[int, Field(ge=0, le=5)] | None = None
    echo: bool = False
    add_special_tokens: bool = True  # those that the tokenizer puts around a text; vLLM's
    best_of: Annotated[int, Field(ge=1, le=16)] | None = None

    def check(self) -> None:
        """Raises ApiError for fields that are served alone, and not together."""
        if self.best_of not in (None, self.n or 1):
            text = "best_of: every answer that is computed is given, so that it is n"
            raise ApiError(400, text, param="best_of")
        if self.max_tokens == 0 and not self.echo:
            text = "max_tokens: 0 tokens answer nothing, unless echo gives the prompt back"
            raise ApiError(400, text, param="max_tokens")


class ChatRequest(Formed):
    """POST /v1/chat/completions."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=MANY)]
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    logprobs: bool | None = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    tools: Annotated[list[Tool], Field(min_length=1, max_length=MANY)] | None = None
    tool_choice: Literal["none", "auto", "required"] | ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    modalities: list[Literal["text"]] | None = None
    add_generation_prompt: Literal[True] = True
    continue_final_message: Literal[False] = False
    add_special_tokens: Literal[False] = False  # the template writes them
    echo: Literal[False] = False
    include_reasoning: Literal[True] = True
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None
    chat_template_kwargs: Annotated[dict[Short, Variable], Field(max_length=32)] | None = None

    def variables(self) -> dict[str, Any]:
        """Of a chat template, besides the conversation. One that it does not read changes
        nothing."""
        effort = {"reasoning_effort": self.reasoning_effort} if self.reasoning_effort else {}
        return effort | (self.chat_template_kwargs or {})

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


class EmbeddingRequest(Body):
    """POST /v1/embeddings."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    input: Text | list[int] | list[Text] | list[list[int]]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None  # those that the vectors have
    user: str | None = None


KINDS = ("bool", "int", "float", "str")  # between which a reader chooses, too


def _place_of(error: dict[str, Any]) -> list[str]:
    """The fields on the way to it; kinds between which the reader chose are none."""
    names = [str(part) for part in error["loc"] if part not in ("body", "query")]
    return [one for one in names if not set(one) & set("-[(") and one not in KINDS]


def of_validation(errors: list[dict[str, Any]]) -> ApiError:
    """The first thing that is wrong with a body, in OpenAI's shape."""
    # Of what may be of several kinds, the kind that it comes nearest to says most.
    of_field = [one for one in errors if _place_of(one)[:1] == _place_of(errors[0])[:1]]
    first = max(of_field, key=lambda one: len(_place_of(one)))
    place = _place_of(first)
    param = ".".join(place) or None
    if first["type"] == "extra_forbidden":
        return ApiError(400, f"{param} is not supported by this server", param=param)
    if first["type"] == "json_invalid":  # its place is a character
        text = f"the body is no JSON: {first['ctx']['error']} at character {first['loc'][-1]}"
        return ApiError(400, text)
    if first["type"] in ("missing", "model_attributes_type") and param is None:
        return ApiError(400, "the body is no JSON object")
    if "content" in place and place[-1] == "type" and first["type"] == "literal_error":
        text = f"{param}: the model reads text alone, and no {first['input']!r}"
        return ApiError(400, text, param=param)
    said = first["msg"].removeprefix("Value error, ")
    message = said if param is None else f"{param}: {said}"
    return ApiError(400, message, param=param)
