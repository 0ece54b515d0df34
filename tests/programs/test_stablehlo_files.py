"""Are the programs of tests/programs/stablehlo what their generator writes, and are their outputs
what XLA's CPU compiler computes? tests/graph and tests/session run them."""

from __future__ import annotations

import make_stablehlo
import numpy as np
import pytest
import stablehlo_file
from stablehlo_cases.case import CASES

pytest.importorskip("jax")


def test_names_are_used_once():
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


def test_each_case_has_its_file_and_each_file_its_case():
    files = set(stablehlo_file.FOLDER.rglob("*.mlir"))
    assert {make_stablehlo.path_of(case.name) for case in CASES} == files


@pytest.mark.parametrize("family", sorted({case.name.partition("_")[0] for case in CASES}))
def test_outputs_are_the_oracles(family: str):
    stale = []
    for path in sorted((stablehlo_file.FOLDER / family).glob("*.mlir")):
        file = stablehlo_file.read(path)
        made = stablehlo_file.run(file)
        assert len(made) == len(file.outputs), path
        for array, line in zip(made, file.outputs, strict=True):
            # XLA's own last bits may be another host's.
            if not stablehlo_file.agrees(array, line, file.tolerance / 4):
                stale.append(path.stem)
    assert stale == [], "python tests/programs/make_stablehlo.py writes them again"


@pytest.mark.parametrize(
    ("line", "dtype", "shape", "wanted"),
    [
        ("1 -2.5 nan inf", np.float32, (4,), [1, -2.5, np.nan, np.inf]),
        ("0 1", np.bool_, (2,), [False, True]),
        ("4294967295", np.uint32, (1,), [4294967295]),
        ("1 2 3 4", np.complex64, (2,), [1 + 2j, 3 + 4j]),
    ],
)
def test_inputs_as_numbers(line, dtype, shape, wanted):
    np.testing.assert_array_equal(stablehlo_file.input_of(line, dtype, shape), wanted)


def test_drawn_inputs_are_on_the_grid_and_differ_by_seed():
    one, two = (
        stablehlo_file.input_of(f"draw {seed} -1 0.25 9", np.float32, (1000,)) for seed in (1, 2)
    )
    assert set(one) == {-1 + 0.25 * k for k in range(9)}
    assert (one != two).mean() > 0.7


def test_a_type_that_does_not_hold_an_input_is_refused():
    with pytest.raises(ValueError, match="does not hold"):
        stablehlo_file.input_of("0.3", np.float32, (1,))


@pytest.mark.parametrize("tolerance", [0, 1e-4])
@pytest.mark.parametrize("size", [5, 5000])
def test_one_wrong_element_is_seen(size: int, tolerance: float):
    right = np.random.default_rng(1).normal(size=size).astype(np.float32)
    line = stablehlo_file.line_of(right, tolerance)
    assert stablehlo_file.agrees(right, line, tolerance)
    for wrong in (right.copy(), np.roll(right, 1), right[::-1].copy()):
        wrong[size // 2] += 1
        assert not stablehlo_file.agrees(wrong, line, tolerance)
