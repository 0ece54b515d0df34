"""Does stablehlo_suite find what a test program checks, and compare it as the program says?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from stablehlo import compare, programs

INTERPRETER = """\
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @add() {
  %0 = stablehlo.constant dense<2> : tensor<i4>
  %1 = stablehlo.add %0, %0 : tensor<i4>
  check.expect_almost_eq_const %1, dense<4> : tensor<i4> {tolerance = 0.5 : f64}
  func.return
}

// -----

func.func @sine() {
  %0 = stablehlo.constant dense<0.0> : tensor<f64>
  %1 = stablehlo.sine %0 : tensor<f64>
  check.expect_almost_eq %0, %1, tolerance = 0.1 : tensor<f64>
  func.return
}
"""

DATA = """\
module @jit_main {
  func.func public @main() -> (tensor<2xf32> {jax.result_info = ""}) {
    %0 = call @inputs() : () -> tensor<2xf32>
    %1 = call @expected() : () -> tensor<2xf32>
    %2 = stablehlo.abs %0 : tensor<2xf32>
    stablehlo.custom_call @check.expect_close(%2, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    return %2 : tensor<2xf32>
  }
}
"""  # noqa: E501


def test_checks_of_an_interpreter_test_become_results(tmp_path: Path):
    path = tmp_path / "file.mlir"
    path.write_text(INTERPRETER)
    first, second = programs.interpreter_programs(path)
    assert first.checks == [("expect_almost_eq", 0.5)]
    assert "func.func public @main() -> (tensor<i4>, tensor<i4>) {" in first.text
    assert "%wanted_0 = stablehlo.constant dense<4> : tensor<i4>" in first.text
    assert "func.return %1, %wanted_0 : tensor<i4>, tensor<i4>" in first.text
    assert second.checks == [("expect_almost_eq", 0.1)]
    assert "check." not in second.text


def test_checks_of_a_data_program_become_results(tmp_path: Path):
    path = tmp_path / "file.mlir"
    path.write_text(DATA)
    program = programs.data_program(path)
    assert program.checks == [("expect_close", 1e-3)]
    assert "@main() -> (tensor<2xf32>, tensor<2xf32>) {" in program.text
    assert "return %2, %1 : tensor<2xf32>, tensor<2xf32>" in program.text
    assert "custom_call" not in program.text


@pytest.mark.parametrize(
    ("rule", "tolerance", "actual", "wanted", "passes"),
    [
        ("expect_eq", 0, np.nan, np.nan, True),
        ("expect_eq", 0, 1.0, np.nextafter(np.float32(1), np.float32(2)), False),
        ("expect_close", 0, 1.0, np.nextafter(np.float32(1), np.float32(2)), True),
        ("expect_close", 0, -1e-45, 1e-45, True),  # two steps apart, across zero
        ("expect_close", 0, 1.0, 1.00001, False),
        ("expect_almost_eq", 1e-4, 1.0, 1.00005, True),
        ("expect_almost_eq", 1e-4, 1.0, 1.0005, False),
        ("expect_almost_eq", 1e-4, np.inf, np.inf, True),
    ],
)
def test_comparisons(rule, tolerance, actual, wanted, passes):
    made = [np.array([value], np.float32) for value in (actual, wanted)]
    assert compare.holds(rule, tolerance, *made) is passes
