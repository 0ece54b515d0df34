"""Random numbers: Marsaglia's xorwow, state words x, y, z, w, v, d."""

from __future__ import annotations

import numpy as np

from oracle.values import F32, cast, column, from_patterns, rows


def xorwow(state):
    x, y, z, w, v, d = (int(word) for word in state)
    t = x ^ (x >> 2)
    x, y, z, w = y, z, w, v
    v = (v ^ (v << 4) ^ (t ^ (t << 1))) & 0xFFFFFFFF
    d = (d + 362437) & 0xFFFFFFFF
    return (d + v) & 0xFFFFFFFF, [x, y, z, w, v, d]


def random_words(states, n):
    """n words a lane and the states after them; a lane has one state, or four in turn."""
    lanes = np.asarray(states, np.uint32).reshape(len(states), -1, 6)
    words, after = np.empty((len(lanes), n), np.uint32), np.empty_like(lanes)
    count = lanes.shape[1]
    for p, lane in enumerate(lanes):
        lane = [list(state) for state in lane]
        for i in range(-(-n // count) * count):  # the states of a lane step together
            word, lane[i % count] = xorwow(lane[i % count])
            if i < n:
                words[p, i] = word
        after[p] = lane
    return words, after.reshape(len(states), -1)


def rng(states, n, dtype):
    words, after = random_words(states, n)
    return from_patterns(words, dtype), after


def rand2(states, n, low, high, dtype):
    words, _ = random_words(states, n)
    unit = words.astype(F32) * F32(2.0**-32)
    return cast(column(low) + (column(high) - column(low)) * unit, dtype)


def dropout(states, data, prob):
    words, _ = random_words(states, rows(data).shape[1])
    dropped = words < np.float64(column(prob)) * 2.0**32
    return np.where(dropped, np.zeros((), data.dtype), rows(data))


def _mixed(z):
    z = ((z ^ (z >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    z = ((z ^ (z >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return z ^ (z >> 16)


def seeded(seed, lane, count):
    """The first state words of a lane: splitmix32 of (seed, lane), see DEVIATIONS.md."""
    counter = _mixed((_mixed(seed) + lane) & 0xFFFFFFFF)
    words = []
    for _ in range(count):
        counter = (counter + 0x9E3779B9) & 0xFFFFFFFF
        words.append(_mixed(counter))
    return np.array(words, np.uint32)
