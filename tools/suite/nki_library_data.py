"""nki-library's random MX data, drawn all at once.

Its generator draws four numbers for every 8 x 4 block in a Python loop, which is most of the time
of the cases that use it. These are the same numbers: the words that NumPy's generator gives are
read as the loop would read them, and its state afterwards is the one the loop would leave.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from suite import kept

_HEIGHT, _WIDTH = 8, 4  # of the block that shares a scale
_WORDS_AT_ONCE = 1 << 20

_Draws = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]


class _Words:
    """The 32-bit words that NumPy's global generator gives next."""

    def __init__(self) -> None:
        self._state: Any = np.random.get_state()
        self._source = np.random.RandomState()
        self._source.set_state(self._state)

    def take(self, count: int) -> npt.NDArray[np.int64]:
        return self._source.randint(0, 1 << 32, count, np.uint32).astype(np.int64)

    def leave_after(self, count: int) -> None:
        """Puts the global generator where it is once `count` words are used."""
        self._source.set_state(self._state)
        for first in range(0, count, _WORDS_AT_ONCE):
            self._source.randint(0, 1 << 32, min(_WORDS_AT_ONCE, count - first), np.uint32)
        np.random.set_state(self._source.get_state())


def _next_below(words: npt.NDArray[np.int64], mask: int, limit: int) -> npt.NDArray[np.int64]:
    """Where a bounded draw that begins at each word ends: words above `limit` are drawn again."""
    places = np.where((words & mask) <= limit, np.arange(words.size), words.size)
    return np.minimum.accumulate(places[::-1])[::-1]


def _blocks_in(words: npt.NDArray[np.int64], count: int) -> tuple[_Draws, int]:
    """The draws of at most `count` blocks that lie within `words`, and the words they use.

    A block draws a row below 7, a column below 3 (each by masking and drawing again), a sign of one
    bit and a double of two words.
    """
    end = words.size
    row = _next_below(words, 7, 6)
    column = np.append(_next_below(words, 3, 2), [end, end])[row + 1]
    following = np.append(np.minimum(column + 4, end + 1), [end + 1, end + 1]).tolist()
    starts, at = [], 0
    while len(starts) < count and following[at] <= end:
        starts.append(at)
        at = following[at]
    row = row[starts]
    column = column[starts]
    high, low = words[column + 2] >> 5, words[column + 3] >> 6
    fraction = (high * 67108864.0 + low) / 9007199254740992.0
    draws = (words[row] & 7, words[column] & 3, 2 * (words[column + 1] & 1) - 1, fraction)
    return draws, at


def _draw_blocks(count: int) -> _Draws:
    """Row, column, sign and fraction of `count` blocks, as the loop draws them."""
    source, used, found = _Words(), 0, 0
    words = np.empty(0, np.int64)
    parts = []
    while found < count:
        wanted = min(_WORDS_AT_ONCE, 8 * (count - found) + 64)
        words = np.append(words, source.take(wanted))
        draws, taken = _blocks_in(words, count - found)
        parts.append(draws)
        found, used, words = found + draws[0].size, used + taken, words[taken:]
    source.leave_after(used)
    rows, columns, signs, fractions = zip(*parts, strict=True)
    return tuple(np.concatenate(part) for part in (rows, columns, signs, fractions))


def _with_a_largest(data: npt.NDArray[np.float64], largest: float) -> None:
    """Gives one element of every block the largest exponent, so that quantising is exact."""
    down, across = data.shape[0] // _HEIGHT, data.shape[1] // _WIDTH
    rows, columns, signs, fractions = _draw_blocks(down * across)
    block = np.arange(down * across)
    values = signs * (1.0 + fractions * 0.5) * largest
    data[block // across * _HEIGHT + rows, block % across * _WIDTH + columns] = values


def keeping(make: Any, store: kept.Store, result: Callable[..., Any]) -> Any:
    """`make`, which makes the MX weights of all experts, for all cases that want the same."""

    @functools.wraps(make)
    def run(hidden: int, intermediate: int, expert: int, mx_dtype: Any) -> Any:
        def made() -> Any:
            weights = make(hidden, intermediate, expert, mx_dtype)
            return list(weights), np.random.get_state()

        begin = np.random.get_state()
        about = (make.__name__, hidden, intermediate, expert, str(mx_dtype), begin)
        weights, state = store.made(kept.name_of(*about), (mx_dtype, np.uint8) * 2, made)
        np.random.set_state(state)
        return result(*weights)

    return run


def install(store: kept.Store) -> None:
    """Puts the generator in the place of the checkout's; call it before its tests are imported."""
    from test.integration.nkilib.utils import tensor_generators as theirs

    slow = theirs.generate_stabilized_mx_data

    def generate_stabilized_mx_data(
        mx_dtype: Any, shape: tuple[int, int], val_range: float = 1.0
    ) -> tuple[Any, Any, Any]:
        if val_range == 0 or shape[0] % _HEIGHT or shape[1] % _WIDTH:
            return slow(mx_dtype, shape, val_range)
        limit = theirs.get_mx_fp_max(mx_dtype)
        data = (np.random.random(shape) * 2 - 1) * limit
        _with_a_largest(data, 2 ** theirs.get_mx_max_exp(mx_dtype))
        packed = theirs.static_cast(
            data.astype(np.float32), theirs.NL_TO_DT_DTYPE.get(mx_dtype, mx_dtype)
        )
        upper = min(255, int(np.log2(val_range / limit) + 127))
        shape_of_scales = (shape[0] // _HEIGHT, shape[1] // _WIDTH)
        scale = np.random.randint(max(0, upper - 10), upper + 1, shape_of_scales, np.uint8)
        return theirs.dequantize_mx_golden(packed, scale), packed, scale

    theirs.generate_stabilized_mx_data = generate_stabilized_mx_data
    from test.integration.nkilib.core.mlp import test_mlp_common as weights

    weights.gen_moe_mx_weights = keeping(
        weights.gen_moe_mx_weights, store, weights.MxAllTokensWeights
    )
