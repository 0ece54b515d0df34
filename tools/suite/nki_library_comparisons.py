"""nki-library's comparisons of large outputs, a piece at a time.

They make several float64 or float32 arrays of the size of both. Elements that are the same, as most
of an updated cache are, are not compared.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

# Smaller outputs are left to the checkout.
LARGE = 1 << 26
AT_ONCE = 1 << 24

_Array = npt.NDArray[Any]


def install() -> None:
    """Puts the comparison by tolerance in place; call it before tests are imported."""
    from test.integration.nkilib.utils import comparators

    comparators.maxAllClose = in_pieces(comparators.maxAllClose)


def install_in_tests(tests: ModuleType) -> None:
    """Puts the comparison by tolerance and cosine of the attention block in place."""
    tests.make_cosine_similarity_validator = cosine_in_pieces(
        tests.make_cosine_similarity_validator, tests.maxAllClose
    )


def in_pieces(compare: Any) -> Any:
    """`compare`, maxAllClose, for a piece of large arrays after the other."""

    @functools.wraps(compare)
    def run(a: _Array, b: _Array, *args: Any, **given: Any) -> bool:
        is_rate = given.get("min_pass_rate", 1.0) < 1.0
        is_other = args or is_rate or given.get("mode", "max") != "max"
        are_alike = a.shape == b.shape and a.dtype == b.dtype
        if is_other or not are_alike or a.size <= LARGE:
            return compare(a, b, *args, **given)
        largest = functools.cache(lambda: _largest(b))
        return all(
            [
                compare(*_with(largest(), *pair), **given)
                for pair in itertools.starmap(_to_judge, _pieces(a, b))
                if pair[0].size
            ]
        )

    return run


def cosine_in_pieces(make: Any, compare: Any) -> Any:
    """`make`, which makes the class that compares an output by cosine and by `compare`."""

    @functools.wraps(make)
    def run(golden: _Array, *args: Any, **given: Any) -> Any:
        validator = make(golden, *args, **given)
        if golden.size <= LARGE or args or given["min_pass_rate"] < 1.0:
            return validator
        close = functools.partial(compare, rtol=given["rtol"], atol=given["atol"], verbose=1)

        class InPieces(validator):
            """Says of two arrays what `validator` says."""

            def validate(self, inference_output: _Array) -> bool:
                actual = inference_output.view(golden.dtype)
                cosine, are_close = likeness(actual, golden, close)
                self._print_with_log(f"Validating {given['name']}: {cosine=:.6f} {are_close=}")
                return cosine >= given["min_cosine_similarity"] and are_close

        return InPieces

    return run


def likeness(a: _Array, b: _Array, close: Callable[[_Array, _Array], bool]) -> tuple[float, bool]:
    """The cosine of two arrays of any float dtype, and whether all their elements are close."""
    largest = functools.cache(lambda: _largest(b))
    sums = np.zeros(3)
    are_close = True
    for one, other in (map(_float, pair) for pair in _pieces(a, b)):
        sums += np.dot(one, other), np.dot(one, one), np.dot(other, other)
        pair = _to_judge(one, other)
        if pair[0].size:
            are_close = bool(close(*_with(largest(), *pair))) and are_close
    product, of_a, of_b = sums
    return float(product / (np.sqrt(of_a) * np.sqrt(of_b) + 1e-12)), are_close


def _pieces(*arrays: _Array) -> Iterator[tuple[_Array, ...]]:
    """The pieces of arrays of one size, side by side."""
    flat = [array.reshape(-1) for array in arrays]
    for first in range(0, flat[0].size, AT_ONCE):
        yield tuple(array[first : first + AT_ONCE] for array in flat)


def _to_judge(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """The elements of two pieces without those that are the same finite number."""
    differ = np.flatnonzero(~((a == b) & np.isfinite(a)))
    return (a[differ], b[differ]) if 2 * differ.size < a.size else (a, b)


def _with(largest: float, *arrays: _Array) -> list[_Array]:
    """The tolerance is relative to the largest finite element of all, so every piece gets it."""
    return [np.append(array, np.array([largest], array.dtype)) for array in arrays]


def _largest(array: _Array) -> float:
    """The magnitude of the largest finite element."""
    found = 0.0
    for (piece,) in _pieces(array):
        values = np.abs(_float(piece))
        largest = np.max(values, initial=0.0)
        if not np.isfinite(largest):
            largest = np.max(values[np.isfinite(values)], initial=0.0)
        found = max(found, float(largest))
    return found


def _float(array: _Array) -> _Array:
    from neuron_dtypes import static_cast

    return np.asarray(array if array.dtype == np.float64 else static_cast(array, np.float32))
