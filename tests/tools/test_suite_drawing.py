"""Are the large random arrays of tools/nki_suite those that NumPy draws, in its order?"""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import drawing, kept

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
    monkeypatch.setattr(drawing, "_FOLLOWED", 3)
    monkeypatch.setattr(kept, "STEP", 8)
    drawing.install(kept.Store())


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


@pytest.fixture
def drawn_now(promising, monkeypatch):
    """Counts the numbers that are drawn, kept ones excepted."""
    counts = []
    pieces = drawing._Function.pieces

    def counting(function, count):
        counts.append(count)
        return pieces(function, count)

    monkeypatch.setattr(drawing._Function, "pieces", counting)
    return counts


def caches_of(random, seed, size):
    """As nki-library makes its FP8 caches: drawn, cast, clipped, cast."""
    random.seed(seed)
    pair = [random.normal(0, 60, size).astype(np.float32) for _ in range(2)]
    clipped = [neuron_dtypes.static_cast(np.clip(one, -240, 240), FP8) for one in pair]
    return [*clipped, random.rand(3)]


FP8 = neuron_dtypes.float8_e4m3


def test_what_other_cases_drew_is_not_drawn_again(drawn_now, monkeypatch):
    monkeypatch.setattr(drawing, "HUGE", 20)
    expected = caches_of(np.random.RandomState(), 42, 57)
    for _ in range(3):
        drawn_now.clear()
        for found, one in zip(caches_of(np.random, 42, 57), expected, strict=True):
            assert_same(found, one)
    assert sum(drawn_now) < 8 * 2  # to put the generator where it belongs
    for size in (21, 57, 100, 23):  # a part of what is kept, or more of it
        expected = caches_of(np.random.RandomState(), 42, size)
        for found, one in zip(caches_of(np.random, 42, size), expected, strict=True):
            assert_same(found, one)
    expected = caches_of(np.random.RandomState(), 43, 57)
    for found, one in zip(caches_of(np.random, 43, 57), expected, strict=True):
        assert_same(found, one)


def test_what_is_kept_is_private(drawn_now):
    for _ in range(3):
        np.random.seed(1)
        found = np.random.rand(50).astype(np.float32)
        assert_same(found, np.random.RandomState(1).rand(50).astype(np.float32))
        found[7:] = 5


def test_uniform_numbers_are_kept_wherever_they_begin(drawn_now):
    def draw(random, before):
        first = random.standard_normal(before), random.integers(9, dtype=np.uint32)
        values = random.uniform(-1, 1, 40).astype(np.float32)
        return *first, values, random.integers(1 << 31, size=3, dtype=np.uint32), random.random(2)

    for before in (3, 3, 4, 33, 1):
        drawn_now.clear()
        expected = draw(np.random.Generator(np.random.PCG64(6)), before)
        for found, one in zip(draw(np.random.default_rng(6), before), expected, strict=True):
            assert_same(found, np.asarray(one))
    assert sum(drawn_now) < 2 * 8


def test_tensors_of_one_generator_are_kept_whatever_their_sizes(drawn_now):
    def draw(random, *sizes):
        return [(random.normal(size=size) * 2.0 + 0.5).astype(np.float16) for size in sizes]

    for sizes in ((30, 5, 40), (30, 5, 40), (21, 9, 45), (3, 70)):
        drawn_now.clear()
        expected = draw(np.random.Generator(np.random.PCG64(6)), *sizes)
        for found, one in zip(draw(np.random.default_rng(6), *sizes), expected, strict=True):
            assert_same(found, one)
    assert sum(drawn_now) < 2 * 8


def test_draws_by_other_ways_are_not_taken_for_the_same(drawn_now):
    theirs = np.random.RandomState()
    unseen = np.random.mtrand._rand  # what scipy draws from
    for unseen_draws in (0, 0, 1, 2):
        theirs.seed(4)
        np.random.seed(4)
        for _ in range(2):
            assert_same(np.random.rand(30).astype("f4"), theirs.rand(30).astype("f4"))
            assert np.random.rand() == theirs.rand()
            assert_same(np.random.rand(9), theirs.rand(9))
            assert_same(unseen.rand(unseen_draws), theirs.rand(unseen_draws))
        with pytest.raises(ValueError, match="scale < 0"):
            np.random.normal(0, -1, 9)
        for _ in range(2):
            parameters = np.zeros(30), np.ones(30)
            assert_same(np.random.uniform(*parameters), theirs.uniform(*parameters))


def test_nothing_is_kept_without_room(drawn_now):
    store = kept.Store(20)
    for _ in range(3):
        drawn_now.clear()
        ours = drawing.Generator(np.random.Generator(np.random.PCG64(1)), store)
        expected = np.random.Generator(np.random.PCG64(1)).random(50)
        assert_same(ours.random(50).astype("f4"), expected.astype("f4"))
        assert sum(drawn_now) == 50


def test_workers_share_what_is_kept(drawn_now):
    for _ in range(2):
        child = os.fork()
        if child == 0:
            np.random.seed(1)
            np.random.rand(50).astype(np.float32)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    np.random.seed(1)
    assert_same(np.random.rand(50).astype("f4"), np.random.RandomState(1).rand(50).astype("f4"))
    assert drawn_now == []


def test_words_between_two_states():
    bits = np.random.PCG64(3)
    first = bits.state["state"]
    for count in (0, 1, 2, 1000, 123456):
        bits.state = np.random.PCG64(3).state
        bits.advance(count)
        assert drawing.words_between(first, bits.state["state"]) == count
