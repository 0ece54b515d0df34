"""Answers that must have a form: JSON, JSON of a schema, calls of tools, by masks over the tokens.

A grammar is compiled once for a body; each of its answers has a guide of its own. Masks are made by
llguidance, which is optional: what needs it says so.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from trainyard.serving.models import Model
from trainyard.serving.tools import TAIL_OF_CALL, head_of
from trainyard.usage import UsageError

PACKAGE = "llguidance"
# JSON without spaces that mean nothing: a model that repeats itself would write them for ever.
PLAIN = {"whitespace_flexible": False}


class Guides:
    """Makes guides for the answers of a model."""

    def __init__(self, model: Model) -> None:
        """Raises UsageError where llguidance is missing."""
        if find_spec(PACKAGE) is None:
            raise UsageError(f"a form of answers needs {PACKAGE}: pip install {PACKAGE}")
        llguidance: Any = importlib.import_module(PACKAGE)
        size, ends = model.config.vocabulary, sorted(model.stops)
        if not ends:
            raise UsageError(f"{model.name} names no token that ends an answer")
        source = model.tokenizer.guided(size, ends, sorted(model.special.values()))
        self._tokens = llguidance.LLTokenizer(source, n_vocab=size, eos_token=ends)
        self._size, self._core = size, llguidance.LLMatcher

    def of_schema(self, schema: dict[str, Any]) -> Grammar:
        """JSON of a schema. Raises ValueError that says what is wrong with it."""
        return self._checked(self._core.grammar_from_json_schema(schema, overrides=PLAIN))

    def of_object(self) -> Grammar:
        """Any JSON object."""
        return self.of_schema({"type": "object"})

    def of_regex(self, pattern: str) -> Grammar:
        """Texts of a regular expression, whole ones. Raises ValueError for one that is none."""
        return self._checked(self._core.grammar_from_regex(pattern))

    def of_choice(self, texts: Sequence[str]) -> Grammar:
        """One of some texts."""
        words = " | ".join(json.dumps(one, ensure_ascii=False) for one in texts)
        return self.of_grammar(f"start: {words}")

    def of_grammar(self, text: str) -> Grammar:
        """Texts of a grammar in Lark's form. Raises ValueError for one that is none."""
        return self._checked(self._core.grammar_from_lark(text))

    def of_calls(self, tools: Sequence[tuple[str, dict[str, Any]]], is_several: bool) -> Grammar:
        """One call of the tools (name, schema of its arguments), or several, as tools.py reads
        them. Raises ValueError that says what is wrong with a schema."""
        for _, schema in tools:
            self.of_schema(schema)  # whose message is about the schema alone
        more = ' ("\\n" call)*' if is_several else ""
        names = [f"call{number}" for number in range(len(tools))]
        lines = [f"start: call{more}", f"call: {' | '.join(names)}"]
        for name, (tool, schema) in zip(names, tools, strict=True):
            head = json.dumps(head_of(tool))
            tail = json.dumps(TAIL_OF_CALL)
            lines.append(f"{name}: {head} {name}_arguments {tail}")
            lines.append(f"{name}_arguments: %json {json.dumps(schema | {'x-guidance': PLAIN})}")
        return self._checked(self._core.grammar_from_lark("\n".join(lines)))

    def _checked(self, grammar: str) -> Grammar:
        is_error, messages = self._core.validate_grammar_with_warnings(grammar, self._tokens)
        if is_error:
            raise ValueError(messages[0].strip().splitlines()[0])
        return Grammar(self._core, self._tokens, grammar, self._size)


class Grammar:
    """A form, for any number of answers."""

    def __init__(self, core: Any, tokens: Any, text: str, size: int) -> None:
        self._core, self._tokens, self._text, self._size = core, tokens, text, size

    def guide(self) -> Guide:
        """Of one answer, from its beginning."""
        return Guide(self._core(self._tokens, self._text), self._size)


class Guide:
    """What the next token of one answer may be."""

    def __init__(self, matcher: Any, size: int) -> None:
        self._matcher, self._size = matcher, size

    def allowed(self) -> np.ndarray:
        """Whether each token may come next: bool [vocabulary]."""
        packed = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        found = np.unpackbits(packed, bitorder="little")[: self._size].astype(bool)
        if self._matcher.is_error() or not found.any():
            raise UsageError(f"the form has no next token: {self._matcher.get_error()}")
        return found

    def take(self, token: int) -> None:
        """The token that came. Raises UsageError for one that may not."""
        if not self._matcher.consume_token(token):
            raise UsageError(f"token {token} does not fit the form: {self._matcher.get_error()}")
