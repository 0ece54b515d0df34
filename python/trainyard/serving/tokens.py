"""vLLM's endpoints of the tokenizer: /tokenize, of a text or of messages, and /detokenize."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import FastAPI
from pydantic import ConfigDict, Field, model_validator

from trainyard.serving.protocol import MANY, ApiError, Body, Message, Short, Text, Variable
from trainyard.usage import UsageError

if TYPE_CHECKING:
    from trainyard.serving.server import State

PATHS = ("/tokenize", "/detokenize")


class TokenizeRequest(Body):
    """POST /tokenize. Messages become the prompt that a chat of them has."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    prompt: Text | None = None
    messages: Annotated[list[Message], Field(min_length=1, max_length=MANY)] | None = None
    add_special_tokens: bool | None = None  # true of a text, false of messages
    return_token_strs: bool = False
    add_generation_prompt: Literal[True] = True
    continue_final_message: Literal[False] = False
    chat_template_kwargs: Annotated[dict[Short, Variable], Field(max_length=32)] | None = None

    @model_validator(mode="after")
    def _fits(self) -> TokenizeRequest:
        if (self.prompt is None) == (self.messages is None):
            raise ValueError("one of prompt and messages is needed")
        if self.messages is not None and self.add_special_tokens:
            raise ValueError("add_special_tokens: the chat template writes those of messages")
        return self

    def ids(self, state: State) -> list[int]:
        """Raises ApiError for messages that the model's template refuses."""
        words = state.model.tokenizer
        if self.messages is None:
            text = self.prompt or ""
            return words.encode(text) if self.add_special_tokens is False else words.prompt(text)
        said = [one.said() for one in self.messages]
        try:
            return state.model.chat(said, self.chat_template_kwargs)
        except UsageError as error:
            raise ApiError(400, str(error), param="messages") from None


class DetokenizeRequest(Body):
    """POST /detokenize."""

    model_config = ConfigDict(extra="forbid", strict=True)
    model: str = ""
    tokens: Annotated[list[int], Field(max_length=1 << 20)]


def add_endpoints(app: FastAPI, state: State) -> None:
    """Of both."""

    @app.post("/tokenize")
    async def tokenize(body: TokenizeRequest) -> dict[str, Any]:
        state.check_model(body.model)
        ids = body.ids(state)
        if body.return_token_strs:
            state.check_tokens("texts of tokens", "return_token_strs")
        decode = state.model.tokenizer.decode
        return {
            "count": len(ids),
            "max_model_len": state.engine.limits.context_max,
            "tokens": ids,
            "token_strs": [decode([one]) for one in ids] if body.return_token_strs else None,
        }

    @app.post("/detokenize")
    async def detokenize(body: DetokenizeRequest) -> dict[str, Any]:
        state.check_model(body.model)
        state.check_tokens("texts of tokens", "tokens")
        state.check_ids(body.tokens, "tokens")
        return {"prompt": state.model.tokenizer.decode(body.tokens)}
