"""Tools that a model may call, in the words that Hermes and Qwen use: what a prompt says of them,
and which calls an answer has.

A call is `<tool_call>`, an object with `name` and `arguments`, `</tool_call>`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

BEGIN, END = "<tool_call>", "</tool_call>"
TAIL_OF_CALL = f"}}\n{END}"

HEAD = """# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
"""
TAIL = """
</tools>

For each function call, return a json object with function name and arguments within \
<tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>"""


def head_of(name: str) -> str:
    """Of a call, up to its arguments."""
    return f'{BEGIN}\n{{"name": "{name}", "arguments": '


_BEFORE, _BEHIND = map(re.escape, head_of("|").split("|"))
_FORCED = re.compile(f'\n?{_BEFORE}([^"]*){_BEHIND}')


@dataclass(frozen=True)
class Offer:
    """Functions that an answer may call. must: it is calls and nothing else; is_named: of the one
    function that was asked for by its name."""

    names: frozenset[str] = frozenset()
    must: bool = False
    is_named: bool = False


NOTHING = Offer()


@dataclass(frozen=True)
class Call:
    """Of a function: its name, and its arguments as JSON, which end anywhere where tokens did."""

    name: str
    arguments: str
    is_whole: bool = True

    def text(self) -> str:
        """As a model writes it."""
        return f"{head_of(self.name)}{self.arguments}{TAIL_OF_CALL}"


def told(
    messages: Sequence[tuple[str, str]], tools: Sequence[dict[str, Any]]
) -> list[tuple[str, str]]:
    """Messages (role, text) that tell of the tools: at the end of the system's, which is made where
    there is none."""
    words = HEAD + "\n".join(json.dumps(one) for one in tools) + TAIL
    found = list(messages)
    if found and found[0][0] == "system":
        return [("system", f"{found[0][1]}\n\n{words}"), *found[1:]]
    return [("system", words), *found]


def response(text: str) -> str:
    """What a tool answered, as a user's message."""
    return f"<tool_response>\n{text}\n</tool_response>"


@dataclass(frozen=True)
class Parts:
    """An answer's text besides its calls, and the calls that are whole."""

    text: str
    calls: tuple[Call, ...]


def parts_of(text: str, offer: Offer) -> Parts:
    """Of an answer so far. One that must call is calls as a guide wrote them, of which the last may
    not be whole: what there is of its arguments counts, and a name that is not whole is nothing."""
    return Parts("", _forced(text)) if offer.must else _free(text, offer.names)


def _forced(text: str) -> tuple[Call, ...]:
    calls: list[Call] = []
    decoder, at = json.JSONDecoder(), 0
    while head := _FORCED.match(text, at):
        at = head.end()
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return *calls, Call(head[1], text[at:], is_whole=False)
        calls.append(Call(head[1], text[at:end]))
        at = end + len(TAIL_OF_CALL)
    return tuple(calls)


def _free(text: str, names: frozenset[str]) -> Parts:
    """What is no call of a function by one of these names stays text; so does a call that is not
    whole."""
    calls: list[Call] = []
    kept: list[str] = []
    rest = text
    while (at := rest.find(BEGIN)) >= 0:
        end = rest.find(END, at)
        if end < 0:
            break
        call = _call(rest[at + len(BEGIN) : end], names)
        end += len(END)
        if call is None:
            kept.append(rest[:end])
        else:
            calls.append(call)
            kept.append(rest[:at])
        rest = rest[end:]
    whole = "".join([*kept, rest])
    return Parts("" if calls and not whole.strip() else whole, tuple(calls))


def safe_length(text: str) -> int:
    """Characters at the beginning of an answer that begin no call."""
    at = text.find(BEGIN)
    if at >= 0:
        return at
    for length in range(min(len(BEGIN) - 1, len(text)), 0, -1):
        if BEGIN.startswith(text[-length:]):
            return len(text) - length
    return len(text)


def _call(text: str, names: frozenset[str]) -> Call | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != {"name", "arguments"}:
        return None
    name, arguments = found["name"], found["arguments"]
    if not isinstance(name, str) or name not in names or not isinstance(arguments, dict):
        return None
    return Call(name, json.dumps(arguments))
