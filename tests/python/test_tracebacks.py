"""Do errors in plain Python show the user's lines, and not the way through Trainyard?"""

import traceback

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError


def helper(tile):
    nisa.tensor_copy(dst=tile, src=tile[0:64, :])


@nki.jit
def wrong(x):
    helper(nl.load(x))
    return x


@nki.jit
def unwritten(x):
    out = nl.ndarray((128, 4), nl.float32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=nl.ndarray((128, 4), nl.float32, buffer=nl.sbuf))
    return out


X = np.ones((128, 4), np.float32)


def frames(error) -> list[str]:
    return [frame.name for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize("call", [wrong, lambda x: wrong.run(x), lambda x: wrong.bench(x)])
def test_an_error_of_the_kernel_has_the_lines_of_the_user(call, monkeypatch):
    monkeypatch.delenv("TRAINYARD_TRACEBACK", raising=False)
    with pytest.raises(InputError) as caught:
        call(X)
    found = [name for name in frames(caught.value) if name != "<lambda>"]
    assert found[0].startswith("test_an_error") and found[-2:] == ["wrong", "helper"]
    assert len(found) <= 4  # a frame of bench() is what may remain


def test_a_fault_of_the_run_has_the_call_only():
    with pytest.raises(Fault) as caught:
        unwritten(X)
    assert frames(caught.value) == ["test_a_fault_of_the_run_has_the_call_only"]


def test_the_environment_asks_for_all(monkeypatch):
    monkeypatch.setenv("TRAINYARD_TRACEBACK", "full")
    with pytest.raises(InputError) as caught:
        wrong(X)
    assert "_run" in frames(caught.value)
