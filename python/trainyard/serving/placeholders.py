"""The planned engine as the HTTP server's engine: the scheduler over tables of step times, with
placeholders for tokens. It computes times, joules and dollars of a model that nobody could run
here; every token of an answer is the same word, and answers say so.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.planner.weight_files import resolve
from trainyard.serving import replicas, stepping, words
from trainyard.serving.llama import Config
from trainyard.serving.sampling import Chosen
from trainyard.serving.transfers import Sent
from trainyard.serving.words import Model, Tokenizer
from trainyard.usage import UsageError

WORD = " dummy"  # the text of a placeholder
END = 2**31 - 1  # the token of an answer that ends by itself, of no vocabulary
CONTEXT = 8192
ANSWER = 256  # tokens of an answer that ends by itself
NOTHING = np.zeros((0, 0), np.float32)  # logits
PIECE = re.compile(r" ?[^\s]{1,5}|\s")


class Pieces:
    """A stand-in for a tokenizer that nobody has: a token is up to five characters of a word, with
    the space before it, which gives 1.3 tokens for an English word. Equal texts have equal tokens,
    so that prompts with the same beginning share it."""

    def encode(self, text: str) -> list[int]:
        """A token for each piece."""
        return [binascii.crc32(piece.encode()) >> 2 for piece in PIECE.findall(text)]

    prompt = encode

    def decode(self, ids: Sequence[int]) -> str:
        """Placeholders, whatever the tokens."""
        return WORD * len(ids)

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        """There are no tokens to guide."""
        raise UsageError("placeholders have no form")


@dataclass(frozen=True)
class Limits:
    """What the server asks of an engine's limits, as memory and the options set them."""

    settings: Any = field(repr=False)

    @property
    def pages(self) -> int:
        """Blocks of one group of layers each."""
        return int(self.settings.blocks)

    @property
    def windows(self) -> list[int]:
        """Of groups of layers."""
        return list(self.settings.windows)

    @property
    def block_tokens(self) -> int:
        """Of a block."""
        return int(self.settings.block_tokens)

    @property
    def caches_prefixes(self) -> bool:
        """Whether prompts share beginnings."""
        return bool(self.settings.caches_prefixes)

    @property
    def context_max(self) -> int:
        """Tokens of a prompt with its answer."""
        return int(self.settings.longest)

    def scheduler(self) -> Any:
        """Its settings."""
        return self.settings


@dataclass(frozen=True)
class Engine:
    """A replica with the words of its model: see exact.Engine for the server's other one."""

    model: Model
    replica: replicas.Replica
    limits: Limits
    answer: int = ANSWER
    adapted: tuple[Any, ...] = ()

    def scheduler(self) -> Any:
        """One for its requests."""
        return _core.ServingScheduler(self.limits.scheduler())

    def forget(self, request: int) -> None:
        """The host's memory holds nothing of a request."""

    def holds(self, request: int) -> bool:
        """It is always there."""
        return True

    def recover(self) -> bool:
        """No cache is lost."""
        return False

    def replicated(self) -> Engine:
        """Nothing of it changes."""
        return self

    def join(self) -> None:
        """Raises UsageError where no figure says how fast replicas of the machine send a cache."""
        if not self.replica.found["send_bytes_per_second"]:
            raise UsageError("no figure says how fast replicas of this machine send a cache")

    def take_out(self, table: Any, tokens: int) -> Sent:
        """Nothing but their number."""
        return Sent(tokens)

    def put_in(self, table: Any, sent: Sent) -> None:
        """There are no values."""

    def send_cost(self, tokens: int) -> tuple[float, float]:
        """Seconds and joules of sending the cache of so many tokens, of all chips at once."""
        found = self.replica.found
        size, state = found["group_bytes_per_token"], found["state_bytes"]
        kept = _core.kept_tokens(found["windows"], tokens)
        fixed = found["send_latency"] + state / found["send_bytes_per_second"]
        seconds = fixed + kept * (size / found["send_bytes_per_second"])
        per_byte = found["send_joules_per_byte"]
        return seconds, state * per_byte + kept * (size * per_byte)

    @property
    def usd_per_hour(self) -> float | None:
        """Of the replica's chips."""
        return self.replica.usd(3600.0)

    @property
    def told(self) -> str:
        """What it is, for people."""
        replica = self.replica
        chips = f"{replica.chips} chip{'s' if replica.chips > 1 else ''}"
        parts = f"{replica.words}, weights {replica.weights}"
        return f"{self.model.name}, planned on {chips} of {replica.asked.machine} ({parts})"


def load(
    asked: replicas.Asked,
    context: int | None = None,
    tokenizer: Path | None = None,
    answer: int = ANSWER,
) -> Engine:
    """The engine of what is asked. context: tokens of a request at most; None: 8,192, or as many as
    the model has places for. tokenizer: tokenizer.json of the model. answer: tokens after which an
    answer ends by itself.

    Raises UsageError and InputError as plan serve does.
    """
    if asked.draft_tokens:
        raise UsageError("the planned engine behind HTTP guesses no tokens")
    described = json.loads(_core.model_document(resolve(asked.model)))["model"]
    places = int(described["context_max"] or CONTEXT)
    context = context or min(CONTEXT, places)
    if context > places:
        raise UsageError(f"{asked.model} has {places} places for tokens, and not {context}")
    name = Path(asked.model).stem if asked.model.endswith(".json") else asked.model
    spoken: Tokenizer = words.words_of(tokenizer) if tokenizer else Pieces()
    # The means choose a plan only where none is asked for: half of a request is its answer.
    replica = replicas.build(asked, context / 2, context / 2, context)
    kinds = frozenset({END})
    model = Model(name, _config(described, context), {}, spoken, kinds, {}, is_placeholder=True)
    return Engine(model, replica, Limits(replica.settings), answer)


def _config(found: dict[str, Any], context: int) -> Config:
    """What answers and their checks need of it."""
    none = dict.fromkeys(("hidden", "heads", "kv_heads", "head", "inner"), 0)
    return Config(
        layers=0,
        vocabulary=int(found["vocabulary"]),
        theta=0.0,
        epsilon=0.0,
        context_max=context,
        **none,
    )


class Server(stepping.Server):
    """The scheduler with step times from tables."""

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self._planned: Engine = engine
        self._token = engine.model.tokenizer.encode(WORD)[-1]

    def _compute(self, prefills: Any, decodes: Any, out: Any, back: Any) -> stepping.Begun:
        """From tables: a placeholder for each request that the step gives a token."""
        moved = sum(len(blocks) for _, blocks in (*out, *back))
        costs = self._planned.replica.costs
        seconds, joules = _core.step_cost(prefills, decodes, moved, costs)
        gives = [number for number, _, _, samples in (*prefills, *decodes) if samples]
        return stepping.Begun(seconds, joules, [stepping.Sampled(one, NOTHING) for one in gives])

    def _take(self, one: stepping.Sampled, ends: stepping.Stops) -> tuple[list[Chosen], bool]:
        live = self.live[one.number]
        written = len(live.tokens) - len(live.asked.prompt) + 1
        shaping = live.asked.sampling.shaping
        own = max(self._planned.answer, shaping.least + 1 if shaping else 0)
        is_last = written == own and not live.asked.ignores_eos
        token = END if is_last else self._token
        live.tokens.append(token)
        return [Chosen(token)], ends(one.number, token)
