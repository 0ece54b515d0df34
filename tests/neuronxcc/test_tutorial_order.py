"""Do the steps of AWS's Mamba tutorial come out in the order that AWS reports?

TRAINYARD_NKI_SAMPLES names a checkout of aws-neuron/nki-samples; without it the tests are skipped.
"""

import os
import sys
from pathlib import Path

import pytest
import trainyard

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from silicon import samples
from silicon.rows import Row

CHECKOUT = os.environ.get("TRAINYARD_NKI_SAMPLES")
pytestmark = pytest.mark.skipif(CHECKOUT is None, reason="TRAINYARD_NKI_SAMPLES is not set")


def time_us(version: str, channels: int, length: int) -> float:
    workload = f"fused Mamba {version} channels {channels} seq {length}"
    case = samples.finder(Path(CHECKOUT))(Row("", "trn1", "", workload, "latency", 0.0, "", ""))
    machine = trainyard.load_machine("trn1")
    return case.kernel.bench(**case.arguments, machine=machine).time_ns / 1e3


def test_keeping_the_loads_of_a_channel_tile_gains_time():
    # 2.34 ms against 1.61: delta and u are loaded once for all states.
    assert time_us("v2", 4096, 512) < 0.9 * time_us("v1", 4096, 512)


def test_tiling_the_sequence_gains_time_on_long_ones():
    # 4.4 ms against 3.3.
    assert time_us("v3", 4096, 1024) < time_us("v2", 4096, 1024)
