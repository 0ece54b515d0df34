"""A model with its words: weights, tokenizer, and conversations as the model was taught them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from trainyard.files import read_whole
from trainyard.serving.llama import Config
from trainyard.serving.products import Weights
from trainyard.usage import UsageError


class Tokenizer(Protocol):
    """Text to tokens and back."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, without special ones."""
        ...

    def prompt(self, text: str) -> list[int]:
        """Likewise, with the special ones that the tokenizer puts around a text, as a beginning."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens; bytes that are no UTF-8 become U+FFFD."""
        ...

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        """The vocabulary, as llguidance takes it."""
        ...


class Template(Protocol):
    """How a model was taught conversations, where that is not ChatML or Gemma's turns."""

    def encode(
        self, messages: Sequence[tuple[str, str]], variables: Mapping[str, Any]
    ) -> list[int]:
        """The tokens of messages (role, text), and the beginning of the answer. variables: others
        that a template may read."""
        ...


@dataclass(frozen=True)
class Model:
    """A model with its words."""

    name: str
    config: Config
    weights: Weights = field(repr=False)
    tokenizer: Tokenizer = field(repr=False)
    stops: frozenset[int]  # tokens that end an answer
    special: dict[str, int]
    is_placeholder: bool = False  # there are words, and no weights: serving/placeholders.py
    template: Template | None = field(default=None, repr=False)  # of its folder

    def chat(
        self, messages: Sequence[tuple[str, str]], variables: Mapping[str, Any] | None = None
    ) -> list[int]:
        """Messages (role, text) by the model's template, or in ChatML where it has none, and the
        beginning of the answer. variables: others that a template may read.

        Text is never read as a special token. Raises UsageError where the template refuses them.
        """
        if self.template is not None:
            return self.template.encode(messages, variables or {})
        encode = self.tokenizer.encode
        if "<start_of_turn>" in self.special:
            return self._turns(messages)
        if "<|im_start|>" not in self.special:
            text = "".join(f"{role}: {content}\n" for role, content in messages)
            return encode(text + "assistant: ")
        start, end = self.special["<|im_start|>"], self.special["<|im_end|>"]
        ids: list[int] = []
        for role, content in messages:
            ids += [start, *encode(f"{role}\n{content}"), end, *encode("\n")]
        return [*ids, start, *encode("assistant\n")]

    def _turns(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """As Gemma has them: no system's turn, whose words come before the user's."""
        encode, special = self.tokenizer.encode, self.special
        start, end = special["<start_of_turn>"], special["<end_of_turn>"]
        ids = [special["<bos>"]] if "<bos>" in special else []
        before = ""
        for role, content in messages:
            if role in ("system", "developer"):
                before += content + "\n\n"
                continue
            name = "model" if role == "assistant" else "user"
            ids += [start, *encode(f"{name}\n{before}{content}"), end, *encode("\n")]
            before = ""
        if before:
            ids += [start, *encode(f"user\n{before.strip()}"), end, *encode("\n")]
        return [*ids, start, *encode("model\n")]


def need(package: str, install: str, what: str) -> Any:
    """A package that not everybody has. Raises UsageError that says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise UsageError(f"{what} needs the package {install}: pip install {install}") from None


class Words:
    """A tokenizer of the package tokenizers."""

    def __init__(self, core: Any) -> None:
        self._core = core
        core.encode_special_tokens = True  # what a user writes is text

    def encode(self, text: str) -> list[int]:
        """As Tokenizer has it."""
        return list(self._core.encode(text, add_special_tokens=False).ids)

    def prompt(self, text: str) -> list[int]:
        """Likewise."""
        return list(self._core.encode(text, add_special_tokens=True).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """Likewise."""
        return str(self._core.decode(list(ids), skip_special_tokens=False))

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        """Likewise."""
        copy = type(self._core).from_str(self._core.to_str())
        names = [copy.id_to_token(one) for one in (*ends, *special) if one < size]
        copy.add_special_tokens([name for name in dict.fromkeys(names) if name])
        return copy.to_str()


def words_of(path: Path) -> Tokenizer:
    """Of a file tokenizer.json. Raises UsageError where it is none."""
    return Words(core_of(path))


def core_of(path: Path) -> Any:
    """The tokenizer of the package tokenizers. Raises UsageError where the file is none."""
    words = need("tokenizers", "tokenizers", "tokenizer.json")
    try:
        return words.Tokenizer.from_str(read_whole(path).decode())
    except UsageError:
        raise
    except Exception as error:  # the package has no type for what it cannot read
        raise UsageError(f"{path} cannot be read: {error}") from None
