"""How fast a kernel is traced: instructions appended to a program per second of CPU time.

Every instruction has three views made for it, is checked against all of its rules, and gets its
source line, call stack and loop index. The host limit is Python itself: the same loop calling the
builtin `dict` with as many keyword arguments, and no views.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np

ITERATIONS = 12_500
PER_ITERATION = 8
REPETITIONS = 5


@nki.jit
def slices(a: nl.NkiTensor) -> nl.NkiTensor:
    """Elementwise instructions on slices of three tiles."""
    x, y, z = (nl.ndarray((128, 512), nl.float32) for _ in range(3))
    nisa.dma_copy(dst=x, src=a)
    nisa.dma_copy(dst=y, src=a)
    for i in range(ITERATIONS):
        j = i % 8 * 64
        nisa.tensor_tensor(dst=z[:, j : j + 64], data1=x[:, 0:64], data2=y[:, 64:128], op=nl.add)
        nisa.tensor_tensor(dst=z[:, j : j + 64], data1=x[:, 0:64], data2=y[:, 64:128], op=nl.add)
        nisa.tensor_tensor(dst=z[0:64, 0:64], data1=x[0:64, 0:64], data2=y[0:64, 0:64], op=nl.add)
        nisa.tensor_tensor(dst=z[0:64, 0:64], data1=x[0:64, 0:64], data2=y[0:64, 0:64], op=nl.add)
        nisa.tensor_tensor(dst=z[:, 0:64], data1=x[:, 0:64], data2=y[:, 0:64], op=nl.subtract)
        nisa.tensor_tensor(dst=z[:, 0:64], data1=x[:, 0:64], data2=y[:, 0:64], op=nl.subtract)
        nisa.tensor_tensor(dst=z[:, 0:9], data1=x[:, 0:9], data2=y[:, 0:9], op=nl.multiply)
        nisa.tensor_tensor(dst=z[:, 0:9], data1=x[:, 0:9], data2=y[:, 0:9], op=nl.multiply)
    return a


def calls_of_a_builtin() -> None:
    """The loop of `slices` with nothing behind the calls."""
    x, y, z = 1.0, 2.0, 3.0
    call = dict
    for _ in range(ITERATIONS):
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)
        call(dst=z, data1=x, data2=y, op=nl.add)


def rate(what: Callable[[], object]) -> float:
    """Instructions per second of the fastest repetition."""
    fastest = float("inf")
    for _ in range(REPETITIONS):
        begin = time.process_time()
        what()
        fastest = min(fastest, time.process_time() - begin)
    return ITERATIONS * PER_ITERATION / fastest


def rows() -> list[dict[str, object]]:
    """One row: tracing beside plain calls."""
    data = np.zeros((128, 512), np.float32)
    return [
        {
            "name": "tracing a kernel in Python, three views an instruction",
            "value": rate(lambda: slices.trace(data)),
            "unit": "instructions/s",
            "host_limit": rate(calls_of_a_builtin),
        }
    ]
