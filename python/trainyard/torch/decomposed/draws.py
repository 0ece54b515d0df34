"""Counts that are drawn: Poisson and binomial numbers. Where few are expected, by comparing a
uniform number with the sums of their probabilities; else by Hoermann's transformed rejection ("The
transformed rejection method for generating Poisson random variables", 1993; "The generation of
binomial random variates", 1993), the first kept of some rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

FEW = 10.0  # expected
TERMS = 64  # of sums: more have a probability under 1e-27 there
ROUNDS = 16  # each is kept with more than 80 %: one number in 10^11 is of none


def _wide(x: Any) -> Any:
    return x.float() if x.itemsize < 4 or not x.is_floating_point() else x


def _by_sums(logarithm: Callable[[Any], Any], like: Any) -> Any:
    """`logarithm`: of the probabilities of counts, along a last dimension."""
    counts = torch.arange(TERMS, device=like.device, dtype=like.dtype)
    sums = logarithm(counts).exp().cumsum(-1)
    uniform = torch.rand(like.shape, device=like.device, dtype=like.dtype)
    return (uniform.unsqueeze(-1) > sums).sum(-1).to(like.dtype)


def _first(counts: Any, kept: Any) -> Any:
    place = kept.to(torch.int32).argmax(0, keepdim=True)
    return counts.gather(0, place.long()).squeeze(0)


def _pairs(like: Any) -> tuple[Any, Any]:
    """Uniform numbers of -1/2 to 1/2 and of 0 to 1, a row for each round."""
    shape = (ROUNDS, *like.shape)
    u, v = (torch.rand(shape, device=like.device, dtype=like.dtype) for _ in range(2))
    return u - 0.5, v.clamp(min=2.0**-25)


def poisson(rates: Any, generator: Any = None) -> Any:
    rate = _wide(rates)
    low = rate.clamp(max=FEW)

    def logarithm(k: Any) -> Any:
        mean = low.unsqueeze(-1)
        return torch.xlogy(k, mean) - mean - torch.lgamma(k + 1)

    few = _by_sums(logarithm, low)
    high = rate.clamp(min=FEW)
    b = 0.931 + 2.53 * high.sqrt()
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    u, v = _pairs(high)
    us = 0.5 - u.abs()
    counts = ((2 * a / us + b) * u + high + 0.43).floor()
    quick = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    left = v.log() + inverse.log() - (a / (us * us) + b).log()
    right = counts * high.log() - high - torch.lgamma(counts.clamp(min=0) + 1)
    possible = (counts >= 0) & ~((us < 0.013) & (v > us))
    many = _first(counts, quick | (possible & (left <= right)))
    return torch.where(rate < FEW, few, many).to(rates.dtype)


def binomial(count: Any, prob: Any, generator: Any = None) -> Any:
    """Of the rarer outcome, then of the one that was asked for."""
    count, prob = torch.broadcast_tensors(count, prob)
    n, asked = _wide(count), _wide(prob)
    p = torch.minimum(asked, 1 - asked)
    is_few = n * p < FEW
    rare = torch.where(is_few, p, 0.0)

    def logarithm(k: Any) -> Any:
        of, at = n.unsqueeze(-1), rare.unsqueeze(-1)
        ways = torch.lgamma(of + 1) - torch.lgamma(k + 1) - torch.lgamma((of - k).clamp(min=0) + 1)
        made = ways + torch.xlogy(k, at) + (of - k) * torch.log1p(-at)
        return torch.where(k <= of, made, -torch.inf)

    few = _by_sums(logarithm, n)
    size, share = torch.where(is_few, 40.0, n), torch.where(is_few, 0.5, p)
    spread = (size * share * (1 - share)).sqrt()
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * share
    u, v = _pairs(size)
    us = 0.5 - u.abs()
    counts = ((2 * a / us + b) * u + size * share + 0.5).floor()
    quick = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
    possible = (counts >= 0) & (counts <= size)
    inside = counts.clamp(min=0).minimum(size)
    mode = ((size + 1) * share).floor()
    left = (v * (2.83 + 5.1 / b) * spread / (a / (us * us) + b)).log()
    right = torch.lgamma(mode + 1) + torch.lgamma(size - mode + 1)
    right = right - torch.lgamma(inside + 1) - torch.lgamma(size - inside + 1)
    right = right + (inside - mode) * (share / (1 - share)).log()
    made = torch.where(is_few, few, _first(counts, quick | (possible & (left <= right))))
    return torch.where(asked > 0.5, n - made, made).to(count.dtype)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.poisson.default": poisson,
    "aten.binomial.default": binomial,
}
