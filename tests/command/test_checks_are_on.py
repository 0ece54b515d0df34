"""Are the checks on wherever a kernel computes, and is there one switch that turns them off?"""

import os

import ml_dtypes
import numpy as np
import pytest
from command_line import KERNELS, X
from trainyard import Fault, settings
from trainyard.commands import exit_codes

UNWRITTEN = f"{KERNELS}:unwritten"
COMMANDS = ("run", "time", "profile")


@pytest.fixture
def unwritten(monkeypatch):
    monkeypatch.syspath_prepend(str(KERNELS.parent))
    import kernels

    return kernels.unwritten


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_with_values_checks(trainyard, command):
    done = trainyard(command, UNWRITTEN, X)
    assert done.code == exit_codes.FAULT
    assert "memory.unwritten" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_the_switch_turns_them_off(trainyard, command):
    assert trainyard(command, "--no-checks", UNWRITTEN, X).code == exit_codes.OK
    off = os.environ | {"TRAINYARD_CHECKS": "0"}
    assert trainyard(command, UNWRITTEN, X, env=off).code == exit_codes.OK


def test_without_values_there_is_nothing_to_check(trainyard):
    assert trainyard("time", "--no-values", UNWRITTEN, X).code == exit_codes.OK


def test_a_call_and_bench_check_too(unwritten):
    x = np.zeros((128, 64), ml_dtypes.bfloat16)
    with pytest.raises(Fault, match=r"memory\.unwritten"):
        unwritten(x)
    with pytest.raises(Fault, match=r"memory\.unwritten"):
        unwritten.bench(x, values=True)
    assert unwritten.bench(x).time_ns > 0
    with settings.using(checks=False):
        unwritten(x)
        unwritten.bench(x, values=True)
