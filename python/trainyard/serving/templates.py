"""Conversations as a folder's chat template writes them: Jinja, as transformers renders it.

A template runs in a sandbox. It is told no date (`strftime_now` is not defined), so that the same
conversation always has the same tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from trainyard.files import read_json, read_whole
from trainyard.serving.words import Template, need
from trainyard.usage import UsageError

OURS = ("messages", "add_generation_prompt", "tools")  # variables that no body gives
NAMES = ("bos_token", "eos_token", "pad_token", "unk_token")
PRIVATE = range(0xE000, 0xF8FF)  # characters that no text means anything by


class Refused(UsageError):
    """A conversation that the template does not write, in its words."""


def settings_of(folder: Path) -> dict[str, Any]:
    """tokenizer_config.json; empty where there is none. Raises UsageError."""
    path = folder / "tokenizer_config.json"
    found = read_json(path) if path.is_file() else {}
    if not isinstance(found, dict):
        raise UsageError(f"{path} is no object of JSON")
    return found


def token_of(settings: dict[str, Any], name: str) -> str | None:
    """A special token that tokenizer_config.json names, as text or as an object."""
    found = settings.get(name)
    text = found.get("content") if isinstance(found, dict) else found
    return text if isinstance(text, str) else None


def load(folder: Path, core: Any) -> Template | None:
    """The chat template of a folder, by the file that transformers takes first; None: it has none.
    core: its tokenizer, of the package tokenizers. Raises UsageError."""
    settings = settings_of(folder)
    file = folder / "chat_template.jinja"
    if file.is_file():
        try:
            source: Any = read_whole(file).decode()
        except UnicodeDecodeError as error:
            raise UsageError(f"{file} is no text: {error}") from None
    else:
        file = folder / "tokenizer_config.json"
        source = settings.get("chat_template")
        if isinstance(source, list):  # several by name
            named = [one for one in source if isinstance(one, dict)]
            source = next((a.get("template") for a in named if a.get("name") == "default"), None)
    if source is None:
        return None
    if not isinstance(source, str):
        raise UsageError(f"{file}: chat_template is no text")
    tokens = {name: token_of(settings, name) or "" for name in NAMES}
    return Jinja(str(file), source, tokens, core)


class Jinja:
    """A template with its tokenizer."""

    def __init__(self, place: str, source: str, tokens: dict[str, str], core: Any) -> None:
        """Raises UsageError for a template that cannot be read, or where jinja2 is missing."""
        jinja2 = need("jinja2", "jinja2", f"the chat template of {place}")
        sandbox = need("jinja2.sandbox", "jinja2", "a chat template")
        environment = sandbox.ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _as_json
        environment.globals["raise_exception"] = _refuse
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateError as error:
            raise UsageError(f"{place}: the chat template cannot be read: {error}") from None
        self._error = jinja2.TemplateError
        self._tokens, self._core = tokens, core
        self._roles = {} if "developer" in source else {"developer": "system"}

    @cached_property
    def _special(self) -> dict[str, int]:
        held = self._core.get_added_tokens_decoder()
        return {one.content: number for number, one in held.items() if one.special}

    @cached_property
    def _marked(self) -> Any:
        """The tokenizer that reads special tokens in a text."""
        copy = type(self._core).from_str(self._core.to_str())
        copy.encode_special_tokens = False
        return copy

    def encode(
        self, messages: Sequence[tuple[str, str]], variables: Mapping[str, Any]
    ) -> list[int]:
        """The tokens of messages (role, text), and the beginning of the answer. variables: others
        that the template may read. What these hold is never read as a special token. Raises
        Refused."""
        for name in (*OURS, *NAMES):
            if name in variables:
                raise Refused(f"the chat template's {name} is not for a body to say")
        pattern = re.compile("|".join(map(re.escape, sorted(self._special, key=len)[::-1])) or "$.")
        texts = [text for _, text in messages]
        texts += [one for one in variables.values() if isinstance(one, str)]
        if not any(pattern.search(text) for text in texts):
            text = self._render(messages, variables)
            return list(self._marked.encode(text, add_special_tokens=False).ids)
        # Behind its first character a special token in a message gets one that no message has.
        held = set().union(*texts)
        mark = next(chr(one) for one in PRIVATE if chr(one) not in held)

        def broken(found: re.Match[str]) -> str:
            return found[0][0] + mark + found[0][1:]

        told = {
            name: pattern.sub(broken, one) if isinstance(one, str) else one
            for name, one in variables.items()
        }
        text = self._render([(role, pattern.sub(broken, text)) for role, text in messages], told)
        ids: list[int] = []
        for piece in re.split(f"({pattern.pattern})", text):
            if piece in self._special:
                ids.append(self._special[piece])
            elif piece:
                plain = self._core.encode(piece.replace(mark, ""), add_special_tokens=False)
                ids += plain.ids
        return ids

    def _render(self, messages: Sequence[tuple[str, str]], variables: Mapping[str, Any]) -> str:
        told = [{"role": self._roles.get(role, role), "content": text} for role, text in messages]
        try:
            return str(
                self._template.render(
                    messages=told, add_generation_prompt=True, **self._tokens, **variables
                )
            )
        except Refused:
            raise
        except (self._error, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Refused(f"the chat template does not write these messages: {error}") from None


def _as_json(value: Any, **options: Any) -> str:
    """As transformers has it: characters of other scripts stay, nothing is escaped for HTML."""
    return json.dumps(value, ensure_ascii=False, **options)


def _refuse(message: str) -> None:
    raise Refused(f"the chat template refuses these messages: {message}")
