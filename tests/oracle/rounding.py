"""Stochastic rounding: between the neighbours of a format, by 32 random bits an element."""

from __future__ import annotations

import numpy as np

from oracle.randoms import random_words, seeded


def lane_words(seed, engine, lanes, n):
    """n words of each lane (of 128) of an engine, counted Tensor, Vector, Scalar, GpSimd, Sync."""
    words, _ = random_words([seeded(seed, engine * 128 + lane, 6) for lane in lanes], n)
    return words


def cast_at_random(x, dtype, words):
    """float32 to a narrower float: up when the discarded 32-bit fraction plus the word carries."""
    dtype = np.dtype(dtype)
    patterns = np.arange(2 ** (8 * dtype.itemsize - 1), dtype=f"u{dtype.itemsize}")
    with np.errstate(invalid="ignore"):  # signalling NaN
        magnitudes = patterns.view(dtype).astype(np.float64)
    magnitudes = magnitudes[np.isfinite(magnitudes)]
    beyond = 2 * magnitudes[-1] - magnitudes[-2]  # where the next number would lie
    steps = np.append(magnitudes, beyond)
    size = np.abs(x.astype(np.float64))
    low = np.clip(np.searchsorted(magnitudes, size, "right") - 1, 0, None)
    below, above = steps[low], steps[low + 1]
    fraction = np.floor((np.minimum(size, beyond) - below) / (above - below) * 2.0**32)
    up = fraction + words.astype(np.float64) >= 2.0**32
    rounded = np.where(up, above, below)
    rounded = np.where(rounded >= beyond, np.inf, rounded)
    return np.where(np.isnan(x), np.nan, np.copysign(rounded, x)).astype(np.float32).astype(dtype)
