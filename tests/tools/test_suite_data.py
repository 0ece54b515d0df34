"""Are the numbers that tools/nki_suite draws at once those of a loop over the blocks?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import kept
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


def test_weights_of_all_experts_are_made_once_for_the_same_state():
    made = []
    store = kept.Store()

    def gen_weights(hidden, intermediate, expert, mx_dtype):
        made.append(hidden)
        packed = np.random.randint(0, 1 << 32, (expert, hidden, intermediate), np.uint32)
        scales = [np.random.randint(0, 99, shape, np.uint8) for shape in ((3, 5), (2, 1, 7))]
        return packed.view(mx_dtype), scales[0], packed[:, :1].view(mx_dtype), scales[1]

    run = data.keeping(gen_weights, store, lambda *arrays: arrays)
    for seed in (1, 1, 1, 2, 1):
        np.random.seed(seed)
        expected = gen_weights(3, 5, 2, neuron_dtypes.float8_e4m3fn_x4)
        following = np.random.rand(3)
        np.random.seed(seed)
        found = run(3, 5, 2, neuron_dtypes.float8_e4m3fn_x4)
        for one, other in zip(found, expected, strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            assert one.tobytes() == other.tobytes()
        assert np.random.rand(3).tobytes() == following.tobytes()
        found[0].view(np.uint32)[:] = 0
    assert len(made) == 5 + 3  # for the first and second of seed 1, and the first of seed 2
