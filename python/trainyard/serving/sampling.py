"""How a token is chosen from logits: penalties and biases first, then greedily, or drawn with
temperature, top-k, top-p and min-p."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Shaping:
    """What is added to logits before a token is chosen, as OpenAI's and vLLM's APIs define it."""

    bias: tuple[tuple[int, float], ...] = ()  # (token, added to its logit)
    presence: float = 0.0  # taken off for each token that the answer has
    frequency: float = 0.0  # taken off as often as the answer has it
    repetition: float = 1.0  # divides a logit above 0, of tokens of prompt and answer
    least: int = 0  # tokens of an answer before which none of `ends` may come
    ends: tuple[int, ...] = ()

    def apply(self, logits: np.ndarray, prompt: Sequence[int], answer: Sequence[int]) -> None:
        """In place. logits: float64 [vocabulary]; prompt, answer: tokens so far."""
        for token, added in self.bias:
            logits[token] += added
        if self.repetition != 1:
            seen = np.unique(np.asarray([*prompt, *answer], np.int64))
            held = logits[seen]
            logits[seen] = np.where(held > 0, held / self.repetition, held * self.repetition)
        if answer and (self.presence or self.frequency):
            tokens, counts = np.unique(np.asarray(answer, np.int64), return_counts=True)
            logits[tokens] -= self.presence + self.frequency * counts
        if len(answer) < self.least:
            logits[list(self.ends)] = -np.inf


@dataclass(frozen=True)
class Sampling:
    """As OpenAI's API has them. temperature 0: the largest logit, the first of equal ones."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0  # 0: all
    seed: int | None = 0
    logprobs: int | None = None  # alternatives that are told; None: none
    min_p: float = 0.0  # tokens less likely than this share of the likeliest never come
    shaping: Shaping | None = None


@dataclass(frozen=True)
class Chosen:
    """A token; the log-probabilities are those before penalties, biases, temperature and cuts."""

    token: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()
    margin: float = 0.0  # between the two largest logits


def choose(
    logits: np.ndarray,
    sampling: Sampling,
    random: Any,
    allowed: np.ndarray | None = None,
    prompt: Sequence[int] = (),
    answer: Sequence[int] = (),
) -> Chosen:
    """The next token. logits: float32 [vocabulary]; allowed: bool, tokens that may come, or all;
    prompt, answer: the tokens so far, which penalties count.

    Log-probabilities are of what may come.
    """
    wide = logits.astype(np.float64)
    if allowed is not None:
        wide[~allowed] = -np.inf
    two = np.partition(wide, -2)[-2:]
    margin = float(two[1] - two[0])  # infinite where one token is all that may come
    shaped = _shaped(wide, sampling.shaping, prompt, answer)
    token = int(shaped.argmax())
    if sampling.temperature > 0:
        token = _draw(shaped / sampling.temperature, sampling, random)
    if sampling.logprobs is None:
        return Chosen(token, margin=margin)
    return replace(score(wide, token, sampling.logprobs), margin=margin)


def score(logits: np.ndarray, token: int, many: int) -> Chosen:
    """A token that is known, with its log-probability and the `many` likeliest in its place.
    logits: [vocabulary]."""
    shifted = logits.astype(np.float64) - logits.max()
    logprobs = shifted - np.log(np.exp(shifted).sum())
    ranked = np.argsort(-logprobs, kind="stable")[:many]
    top = tuple((int(one), float(logprobs[one])) for one in ranked if np.isfinite(logprobs[one]))
    return Chosen(token, float(logprobs[token]), top)


def _shaped(
    wide: np.ndarray, shaping: Shaping | None, prompt: Sequence[int], answer: Sequence[int]
) -> np.ndarray:
    if shaping is None:
        return wide
    shaped = wide.copy()
    shaping.apply(shaped, prompt, answer)
    # Where only an end may come, as behind a whole form, the least number of tokens gives way.
    return shaped if np.isfinite(shaped).any() else wide


def _draw(scaled: np.ndarray, sampling: Sampling, random: Any) -> int:
    order = np.argsort(-scaled, kind="stable")
    shares = np.exp(scaled[order] - scaled[order[0]])
    kept = int((shares >= sampling.min_p).sum())  # the likeliest has 1
    if sampling.top_k > 0:
        kept = min(kept, sampling.top_k)
    order, shares = order[:kept], shares[:kept] / shares[:kept].sum()
    if sampling.top_p < 1:
        kept = int(np.searchsorted(np.cumsum(shares), sampling.top_p)) + 1
        order, shares = order[:kept], shares[:kept] / shares[:kept].sum()
    at = int(np.searchsorted(np.cumsum(shares), random.random(), side="right"))
    return int(order[min(at, len(order) - 1)])
