"""Are arrays that tools/nki_suite compares in pieces judged as nki-library judges the whole?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import nki_library_comparisons as comparisons


def in_fives(monkeypatch):
    monkeypatch.setattr(comparisons, "LARGE", 6)
    monkeypatch.setattr(comparisons, "AT_ONCE", 5)


def all_close(a, b, rtol=1e-5, atol=0.0):
    """As nki-library's: relative to the largest finite element of b."""
    largest = np.max(np.abs(b[np.isfinite(b)]))
    finite = np.isfinite(b)
    same = np.array_equal(np.isfinite(a), finite)
    return same and bool(np.all(np.abs(a[finite] - b[finite]) <= atol + rtol * largest))


@pytest.mark.parametrize("place", [0, 4, 5, 16])
def test_pieces_are_compared_as_the_whole(place, monkeypatch):
    in_fives(monkeypatch)
    compare = comparisons.in_pieces(all_close)
    b = np.linspace(-3, 2, 17).astype(np.float32)
    b[7] = np.inf
    for difference in (0.0, 0.14, 0.16, np.nan):
        a = b.copy()
        a[place] += difference
        assert compare(a, b, rtol=0.05) is all_close(a, b, rtol=0.05)
        assert compare(a, b, rtol=0.05) is (difference in (0.0, 0.14))


def test_arrays_of_two_dtypes_are_compared_as_they_are(monkeypatch):
    in_fives(monkeypatch)
    sizes = []
    compare = comparisons.in_pieces(lambda a, b: sizes.append(a.size) or True)
    assert compare(np.zeros(17, np.float16), np.zeros(17, np.float32))
    assert sizes == [17]


class Whole:
    """A class of nki-library's that compares, in short."""

    def __init__(self, golden, **limits):
        self.golden, self.limits, self.said = golden, limits, []

    def __call__(self):
        return self

    def _print_with_log(self, text):
        self.said.append(text)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3", "float16"])
@pytest.mark.parametrize(("difference", "passes"), [(0.0, True), (0.25, True), (1.0, False)])
def test_an_output_in_its_dtype_is_compared_by_cosine_and_tolerance(
    dtype, difference, passes, monkeypatch
):
    in_fives(monkeypatch)
    dtype = getattr(neuron_dtypes, dtype, np.float16)
    golden = np.linspace(-2, 2, 17).astype(dtype).reshape(17, 1)

    def make(golden, **limits):
        class Validator(Whole):
            def __init__(self):
                super().__init__(golden, **limits)

        return Validator

    limits = {"rtol": 0.2, "atol": 0.0, "min_cosine_similarity": 0.9, "min_pass_rate": 1.0}
    run = comparisons.cosine_in_pieces(
        make, lambda a, b, rtol, atol, verbose: all_close(a, b, rtol, atol)
    )
    actual = golden.astype(np.float32)
    actual[11] += difference
    validator = run(golden, **limits, name="out")()
    assert validator.validate(actual.astype(dtype).reshape(-1).view(np.uint8)) is passes
    assert "out" in validator.said[0]
    assert run(golden[:3], **limits, name="out") is not None
    assert not hasattr(run(golden[:3], **limits, name="out"), "validate")
    rates = {**limits, "min_pass_rate": 0.9}
    assert not hasattr(run(golden, **rates, name="out"), "validate")


def test_the_cosine_is_that_of_the_whole(monkeypatch):
    in_fives(monkeypatch)
    a, b = np.random.default_rng(1).normal(size=(2, 4, 8)).astype(np.float32)
    whole = np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b))
    cosine, close = comparisons.likeness(a, b, lambda *_: True)
    assert cosine == pytest.approx(whole, rel=1e-6)
    assert close


def test_only_elements_that_differ_or_are_not_finite_are_compared(monkeypatch):
    in_fives(monkeypatch)
    judged = []
    compare = comparisons.in_pieces(lambda a, b: judged.append((a.tolist(), b.tolist())) or True)
    b = np.arange(1.0, 16.0)
    b[6] = np.inf
    a = b.copy()
    a[11] = -3
    assert compare(a, b)
    assert judged == [([np.inf, 15], [np.inf, 15]), ([-3, 15], [12, 15])]
    judged.clear()
    assert compare(a[:6], b[:6])
    assert judged == [(a[:6].tolist(), b[:6].tolist())]  # small ones are left to the checkout
