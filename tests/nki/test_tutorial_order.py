"""Do the steps of AWS's matrix multiplication tutorial come out in the order that AWS reports?

TRAINYARD_NEURON_SDK names the folder nki of AWS's documentation; without it the test is skipped.
"""

import os
import sys
from pathlib import Path

import pytest
import trainyard

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from silicon import neuron_sdk
from silicon.rows import Row

CHECKOUT = os.environ.get("TRAINYARD_NEURON_SDK")
pytestmark = pytest.mark.skipif(CHECKOUT is None, reason="TRAINYARD_NEURON_SDK is not set")


def time_us(step: str) -> float:
    workload = f"bf16 matmul [2048,4096]x[4096,2048] {step}"
    row = Row("", "trn1", "", workload, "latency", 0.0, "", "")
    case = neuron_sdk.finder(Path(CHECKOUT))(row)
    machine = trainyard.load_machine("trn1")
    return case.kernel.bench(**case.arguments, machine=machine).time_ns / 1e3


def test_each_step_of_the_matrix_product_gains_time():
    # 51.80, 42.96, 22.07 and 6.97 ms for 4,096 x 8,192 x 8,192.
    steps = ("tiled", "hoisted loads", "blocked free dims", "fully optimised")
    times = [time_us(step) for step in steps]
    assert times == sorted(times, reverse=True)
    assert times[0] > 2 * times[-1]
