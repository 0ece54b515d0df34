"""The form that the answers to a body must have: OpenAI's response_format, or structured_outputs,
which is vLLM's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from trainyard.serving.guides import Grammar, Guides
from trainyard.serving.protocol import ApiError, Formed, ResponseFormat, StructuredOutputs

if TYPE_CHECKING:
    from trainyard.serving.server import State


def grammar_of(state: State, body: Formed) -> Grammar | None:
    """Of a body's answers; None where they have none. Raises ApiError for one that is no form, or
    that this server cannot keep."""
    param = body.form_of
    if param is None:
        return None
    check_end(body)
    form: ResponseFormat | StructuredOutputs = getattr(body, param)
    make = _of_format if isinstance(form, ResponseFormat) else _of_outputs
    try:
        return make(state.guides(), form)
    except ValueError as error:
        raise ApiError(400, f"Invalid schema: {error}", param=param) from None


def check_end(body: Formed) -> None:
    """Raises ApiError where the form's end would not end the answer."""
    if body.ignore_eos:
        raise ApiError(400, "an answer that has a form ends with it", param="ignore_eos")


def _of_format(guides: Guides, form: Any) -> Grammar:
    return guides.of_schema(form.json_schema.form) if form.json_schema else guides.of_object()


def _of_outputs(guides: Guides, form: Any) -> Grammar:
    if form.regex is not None:
        return guides.of_regex(form.regex)
    if form.choice is not None:
        return guides.of_choice(form.choice)
    if form.grammar is not None:
        return guides.of_grammar(form.grammar)
    if form.form is None:
        return guides.of_object()
    schema = json.loads(form.form) if isinstance(form.form, str) else form.form
    if not isinstance(schema, dict):
        raise ValueError("a schema is an object of JSON")
    return guides.of_schema(schema)
