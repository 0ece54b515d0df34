"""How a token is chosen from logits: greedily, or drawn with temperature, top-k and top-p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Sampling:
    """As OpenAI's API has them. temperature 0: the largest logit, the first of equal ones."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0  # 0: all
    seed: int | None = 0
    logprobs: int | None = None  # alternatives that are told; None: none


@dataclass(frozen=True)
class Chosen:
    """A token; the log-probabilities are those before temperature and cuts."""

    token: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()
    margin: float = 0.0  # between the two largest logits


def choose(
    logits: np.ndarray, sampling: Sampling, random: Any, allowed: np.ndarray | None = None
) -> Chosen:
    """The next token. logits: float32 [vocabulary]; allowed: bool, tokens that may come, or all.

    Log-probabilities are of what may come.
    """
    wide = logits.astype(np.float64)
    if allowed is not None:
        wide[~allowed] = -np.inf
    token = int(wide.argmax())
    two = np.partition(wide, -2)[-2:]
    margin = float(two[1] - two[0])  # infinite where one token is all that may come
    if sampling.temperature > 0:
        token = _draw(wide / sampling.temperature, sampling, random)
    if sampling.logprobs is None:
        return Chosen(token, margin=margin)
    shifted = wide - wide.max()
    logprobs = shifted - np.log(np.exp(shifted).sum())
    ranked = np.argsort(-logprobs, kind="stable")[: sampling.logprobs]
    top = tuple((int(one), float(logprobs[one])) for one in ranked if np.isfinite(logprobs[one]))
    return Chosen(token, float(logprobs[token]), top, margin)


def _draw(scaled: np.ndarray, sampling: Sampling, random: Any) -> int:
    order = np.argsort(-scaled, kind="stable")
    if sampling.top_k > 0:
        order = order[: sampling.top_k]
    shares = np.exp(scaled[order] - scaled[order[0]])
    shares /= shares.sum()
    if sampling.top_p < 1:
        kept = int(np.searchsorted(np.cumsum(shares), sampling.top_p)) + 1
        order, shares = order[:kept], shares[:kept] / shares[:kept].sum()
    at = int(np.searchsorted(np.cumsum(shares), random.random(), side="right"))
    return int(order[min(at, len(order) - 1)])
