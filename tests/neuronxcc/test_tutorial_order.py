"""Do the steps of AWS's Mamba and attention tutorials come out in the order that AWS reports?

TRAINYARD_NKI_SAMPLES names a checkout of aws-neuron/nki-samples; without it the tests are skipped.
"""

import importlib
import os
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import trainyard

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from silicon import samples
from silicon.report import rank_correlation
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


ATTENTION = ("v3", "v4", "v5", "v6", "v7", "v8", "v8a", "v9", "v10", "v11")


def test_the_steps_of_the_attention_tutorial_gain_time(monkeypatch):
    # No times of them are published, only their order: tiling, fewer copies, engines that share
    # the work, the author's own allocation and order.
    folder = "src/nki_samples/tutorials/attention_fwd_performance"
    monkeypatch.syspath_prepend(str(Path(CHECKOUT) / folder))
    kernels = importlib.import_module("attention_kernels")
    machine = trainyard.load_machine("trn2")
    inputs = [np.zeros((128, 4096), ml_dtypes.bfloat16) for _ in range(3)]
    times = [
        getattr(kernels, f"attn_fwd_{step}").bench(*inputs, machine=machine).time_ns
        for step in ATTENTION
    ]
    assert times[:5] == sorted(times[:5], reverse=True)
    assert min(times) == times[-1]
    assert rank_correlation(times, [float(-k) for k in range(len(times))]) > 0.9
