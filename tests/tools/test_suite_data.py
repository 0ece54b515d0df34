"""Are the numbers that tools/nki_suite draws at once those of a loop over the blocks?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from suite import nki_library_data as data


def one_block_after_the_other(count):
    """The draws as nki-library makes them: row, column, sign, fraction."""
    return [
        (
            np.random.randint(0, 7),
            np.random.randint(0, 3),
            np.random.choice([-1, 1]),
            np.random.random(),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", [1, 7, 5000])
@pytest.mark.parametrize("at_once", [64, 1 << 20])
def test_the_same_numbers_and_the_same_state(count, at_once, monkeypatch):
    monkeypatch.setattr(data, "_WORDS_AT_ONCE", at_once)
    np.random.seed(count)
    np.random.normal()  # leaves a second normal number for later, which has to stay
    begin = np.random.get_state()
    expected = one_block_after_the_other(count)
    after = np.random.normal(size=3), np.random.random(3)
    np.random.set_state(begin)
    draws = data._draw_blocks(count)
    np.testing.assert_array_equal(np.array(expected).T, draws)
    np.testing.assert_array_equal(after[0], np.random.normal(size=3))
    np.testing.assert_array_equal(after[1], np.random.random(3))
