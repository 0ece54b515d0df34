"""Are the large random arrays of tools/nki_suite those that NumPy draws, in its order?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import drawing

SHAPE = (7, 11)
LEGACY = {
    "normal": lambda random: random.normal(1.5, 60, SHAPE),
    "standard_normal": lambda random: random.standard_normal(SHAPE),
    "randn": lambda random: random.randn(*SHAPE),
    "uniform": lambda random: random.uniform(-0.1, 0.1, size=SHAPE),
    "random_sample": lambda random: random.random_sample(SHAPE),
    "random": lambda random: random.random(SHAPE),
    "rand": lambda random: random.rand(*SHAPE),
}
GENERATOR = {
    "normal": lambda random: random.normal(size=SHAPE),
    "standard_normal": lambda random: random.standard_normal(SHAPE),
    "uniform": lambda random: random.uniform(low=-1, high=2, size=SHAPE),
    "random": lambda random: random.random(SHAPE),
}


def doubled_in_place(drawn):
    drawn *= 2
    return drawn


USES = {
    "in place": doubled_in_place,
    "whole": np.asarray,
    "float32": lambda drawn: drawn.astype(np.float32),
    "scaled": lambda drawn: (drawn * 0.25 + 3 - np.float64(1)).astype(np.float32),
    "divided": lambda drawn: (-drawn / np.sqrt(np.float64(7))).astype(np.float16),
    "reversed": lambda drawn: 1 - drawn,
    "clipped": lambda drawn: neuron_dtypes.static_cast(
        np.clip(drawn, -0.5, 0.5), neuron_dtypes.bfloat16
    ),
    "fp8": lambda drawn: neuron_dtypes.static_cast(
        drawn * 480.0 - 240.0, neuron_dtypes.float8_e4m3
    ),
    "row": lambda drawn: drawn[3],
    "reshaped": lambda drawn: drawn.reshape(-1),
    "sum": lambda drawn: drawn.sum(),
    "compared": lambda drawn: drawn > 0.5,
    "with an array": lambda drawn: drawn * np.arange(11.0),
    "absolute": lambda drawn: np.abs(drawn),
    "stacked": lambda drawn: np.stack([drawn, drawn]),
}


@pytest.fixture
def promising(monkeypatch):
    """numpy.random as drawing.install() leaves it, with a small array counted as large."""
    for name in (*dir(np.random),):
        monkeypatch.setattr(np.random, name, getattr(np.random, name))
    monkeypatch.setattr(drawing, "LARGE", 20)
    monkeypatch.setattr(drawing, "_AT_ONCE", 6)
    drawing.install()


def assert_same(found, expected):
    found = np.asarray(found)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", LEGACY)
def test_the_global_generator_draws_the_same(name, use, promising):
    theirs = np.random.RandomState(5)
    np.random.seed(5)
    for _ in range(3):  # the second normal number of a pair may wait from one draw to the next
        assert_same(np.random.normal(size=3), theirs.normal(size=3))
        drawn = LEGACY[name](np.random)
        assert isinstance(drawn, drawing.Drawn)
        assert_same(USES[use](drawn), USES[use](LEGACY[name](theirs)))
        assert np.random.randint(1000) == theirs.randint(1000)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", GENERATOR)
def test_a_generator_draws_the_same(name, use, promising):
    theirs = np.random.Generator(np.random.PCG64(5))
    ours = np.random.default_rng(5)
    for _ in range(3):
        drawn = GENERATOR[name](ours)
        assert isinstance(drawn, drawing.Drawn)
        assert_same(USES[use](drawn), USES[use](GENERATOR[name](theirs)))
        assert ours.integers(1000) == theirs.integers(1000)


def test_promises_keep_their_order_and_may_be_used_again(promising):
    theirs = np.random.RandomState(1)
    np.random.seed(1)
    first, second, unused = np.random.randn(50), np.random.rand(30), np.random.randn(40)
    expected = theirs.randn(50), theirs.rand(30), theirs.randn(40)
    assert unused.shape == (40,)
    assert_same(np.random.rand(2), theirs.rand(2))
    for _ in range(2):
        assert_same(second.astype(np.float32), expected[1].astype(np.float32))
        assert_same(first.astype(np.float32), expected[0].astype(np.float32))
    first[:2] = 7
    assert first[1] == 7
    assert_same(first.astype(np.float64)[2:], expected[0][2:])
    assert_same((first * 2)[:3], np.array([14, 14, expected[0][2] * 2]))


def test_a_promise_outlives_a_new_seed(promising):
    np.random.seed(1)
    waiting = np.random.randn(50)
    np.random.seed(2)
    assert_same(np.random.randn(50).astype(np.float64), np.random.RandomState(2).randn(50))
    assert_same(waiting, np.random.RandomState(1).randn(50))


def test_a_huge_array_stays_a_promise_as_float32(promising, monkeypatch):
    monkeypatch.setattr(drawing, "HUGE", 40)
    cast = neuron_dtypes.static_cast
    np.random.seed(3)
    theirs = np.random.RandomState(3)
    for size in (40, 41):
        drawn = np.random.normal(0, 60, size).astype(np.float32)
        expected = theirs.normal(0, 60, size).astype(np.float32)
        assert isinstance(drawn, drawing.Drawn) is (size > 40)
        assert drawn.dtype == np.float32
        assert_same(
            cast(np.clip(drawn, -240, 240), neuron_dtypes.float8_e4m3),
            cast(np.clip(expected, -240, 240), neuron_dtypes.float8_e4m3),
        )
        assert_same(drawn * 0.1, expected * 0.1)
        assert_same(drawn, expected)


def test_small_draws_and_arrays_of_parameters_are_arrays(promising):
    assert isinstance(np.random.randn(3), np.ndarray)
    assert isinstance(np.random.randn(), float)
    assert isinstance(np.random.uniform(np.zeros(30), 1.0), np.ndarray)
    assert isinstance(np.random.default_rng(1).random(50, dtype=np.float32), np.ndarray)
