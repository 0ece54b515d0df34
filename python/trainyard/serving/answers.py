"""Answers in OpenAI's shapes: text piece by piece, log-probabilities, usage, and the simulated
times in the field `trainyard`."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from trainyard import _core
from trainyard.serving import tools
from trainyard.serving.models import Model
from trainyard.serving.sampling import Chosen
from trainyard.serving.worker import Ticket, Update


@dataclass
class Answer:
    """One choice: its tokens so far, and how much of its text has been given out."""

    model: Model
    ticket: Ticket
    index: int
    chosen: list[Chosen] = field(default_factory=list)
    text: str = ""
    given: int = 0  # characters
    told: int = 0  # tokens whose log-probabilities were given
    offer: tools.Offer = tools.NOTHING  # what it may call
    echoed: str = ""  # the prompt, where the body asks for it before the text
    has_text: bool = True  # else the prompt alone is asked for, and what is computed is not given
    is_told: bool = False  # whether the prompt's log-probabilities were given
    calls: tuple[tools.Call, ...] = ()
    told_arguments: list[int] = field(default_factory=list)  # characters, of each call that is told
    call_ids: list[str] = field(default_factory=list)
    reason: str | None = None
    record: dict[str, Any] | None = None

    def add(self, update: Update) -> None:
        """A token, or the end."""
        if update.chosen is not None and self.has_text:
            self.chosen.append(update.chosen)
        self.reason, self.record = update.reason, update.record
        if self.reason == "stop" and not self.has_text:
            self.reason = "length"

    def take(self, update: Update) -> str:
        """Adds it. Returns what can be given out now."""
        self.add(update)
        return self.piece()

    def piece(self) -> str:
        """What can be given out now of what was added. Calls are in `calls`: when they are whole,
        or as they grow where the answer is nothing else."""
        self.text = self._text()
        safe = self.text if self.reason else self.text[: len(self.text) - self._held_back()]
        if self.offer.names:
            parts = tools.parts_of(safe if self.offer.must else self.text, self.offer)
            self.calls = parts.calls
            if self.reason or self.offer.must:
                safe = self.text = parts.text
            else:
                safe = safe[: tools.safe_length(safe)]
            if self.calls and self.reason == "stop" and not self.offer.is_named:
                self.reason = "tool_calls"  # OpenAI and vLLM say "stop" of a named one
        piece = safe[self.given :]
        self.given = max(self.given, len(safe))
        return piece

    def _text(self) -> str:
        """Of all its tokens, up to the first stop sequence."""
        ids = [one.token for one in self.chosen]
        if ids and self.ticket.ends_with(ids[-1], self.model.stops):
            ids.pop()
        decode = self.model.tokenizer.decode
        end = self.ticket.stop_of(ids, decode) if self.ticket.stops else None
        return decode(ids)[:end]

    def _held_back(self) -> int:
        """Characters at the end that may become something else: a broken byte sequence, or the
        beginning of a stop sequence."""
        text = self.text
        broken = len(text) - len(text.rstrip("\ufffd"))
        longest = max((len(stop) for stop in self.ticket.stops), default=1) - 1
        for length in range(min(longest, len(text)), 0, -1):
            if any(stop.startswith(text[-length:]) for stop in self.ticket.stops):
                return max(broken, length)
        return broken

    def fresh_calls(self) -> list[dict[str, Any]]:
        """Those that were not told yet, with their places; of one that was, what its arguments have
        grown by."""
        found: list[dict[str, Any]] = []
        for place, one in enumerate(self.calls):
            if place == len(self.call_ids):
                self.call_ids.append(f"call_{secrets.token_hex(12)}")
            if place == len(self.told_arguments):
                self.told_arguments.append(len(one.arguments))
                function = {"name": one.name, "arguments": one.arguments}
                named = {"id": self.call_ids[place], "type": "function"}
                found.append({"index": place, **named, "function": function})
            elif fresh := one.arguments[self.told_arguments[place] :]:
                self.told_arguments[place] = len(one.arguments)
                found.append({"index": place, "function": {"arguments": fresh}})
        return found

    @property
    def has_fresh_calls(self) -> bool:
        """Whether fresh_calls() has any."""
        lengths = [len(one.arguments) for one in self.calls]
        return lengths != self.told_arguments

    def forget_told(self) -> None:
        """Nothing was told yet, to who keeps the whole answer."""
        self.told, self.told_arguments, self.is_told = 0, [], False

    def _words(self, token: int) -> dict[str, Any]:
        text = self.model.tokenizer.decode([token])
        return {"token": text, "bytes": list(text.encode())}

    def chat_logprobs(self) -> dict[str, Any]:
        """Of the tokens that were not told yet."""
        fresh, self.told = self.chosen[self.told :], len(self.chosen)
        return {
            "content": [
                self._words(one.token)
                | {
                    "logprob": one.logprob,
                    "top_logprobs": [
                        self._words(token) | {"logprob": logprob} for token, logprob in one.top
                    ],
                }
                for one in fresh
            ],
            "refusal": None,
        }

    def _by_text(self, chosen: Chosen) -> dict[str, float]:
        """The alternatives; of several with the same text the likeliest."""
        found: dict[str, float] = {}
        for token, logprob in chosen.top:
            found.setdefault(self.model.tokenizer.decode([token]), logprob)
        return found

    def completion_logprobs(self) -> dict[str, Any]:
        """Likewise, as /v1/completions has them."""
        decode = self.model.tokenizer.decode
        prompt = self._scored_prompt() if self.ticket.asked.scores is not None else []
        places = [len(decode([one.token for one in prompt[:i]])) for i in range(len(prompt))]
        for i in range(self.told, len(self.chosen)):
            before = decode([one.token for one in self.chosen[:i]])
            places.append(len(self.echoed) + len(before))
        fresh = [*prompt, *self.chosen[self.told :]]
        self.told, self.is_told = len(self.chosen), True
        return {
            "tokens": [decode([one.token]) for one in fresh],
            "token_logprobs": [one.logprob for one in fresh],
            "top_logprobs": [None if one.logprob is None else self._by_text(one) for one in fresh],
            "text_offset": places,
        }

    def _scored_prompt(self) -> list[Chosen]:
        """Its tokens, unless they were told. Nothing comes before the first, which has no
        log-probability."""
        asked = self.ticket.asked
        if self.is_told or asked.scores is None:
            return []
        behind = (asked.scores[place] for place in range(1, len(asked.prompt)))
        return [Chosen(asked.prompt[0]), *behind]


def usage(prompts: list[int], answers: list[Answer]) -> dict[str, Any]:
    """Tokens of a body's prompts, each counted once, and of all its answers."""
    written = sum(len(one.chosen) for one in answers)
    cached = sum(one.record["cached"] for one in answers if one.record)
    return {
        "prompt_tokens": sum(prompts),
        "completion_tokens": written,
        "total_tokens": sum(prompts) + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def simulated(answers: list[Answer]) -> dict[str, Any]:
    """The field `trainyard`: simulated seconds and joules of each answer."""
    found: dict[str, Any] = {"clock": "simulated", "requests": [_times(one) for one in answers]}
    if answers and answers[0].model.is_placeholder:
        found["tokens"] = "placeholders"
    return found


def _times(answer: Answer) -> dict[str, Any]:
    record = answer.record
    if record is None or record["first_token"] < 0:
        return {"request": answer.ticket.number}
    scale = _core.TICKS_PER_SECOND

    def between(first: str, last: str) -> float:
        return (record[last] - record[first]) / scale

    several = record["output"] - 1
    return {
        "request": answer.ticket.number,
        "arrival_s": record["arrival"] / scale,
        "queue_s": between("arrival", "first_scheduled"),
        "ttft_s": between("arrival", "first_token"),
        "tpot_s": between("first_token", "end") / several if several else None,
        "e2e_s": between("arrival", "end"),
        "prefill_s": record["prefill_ticks"] / scale,
        "prefill_steps": record["chunks"],
        "decode_s": record["decode_ticks"] / scale,
        "decode_steps": record["decodes"],
        "joules": record["joules"],
        "cached_tokens": record["cached"],
        "preemptions": record["preemptions"],
    } | ({"replica": record["replica"]} if "replica" in record else {})
