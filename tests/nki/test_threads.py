"""May several threads of Python call kernels at the same time?"""

import gc
from concurrent.futures import ThreadPoolExecutor

import neuronxcc.nki as old
import neuronxcc.nki.language as old_nl
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

X = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)


@nki.jit
def negated(x):
    tile = nl.load(x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=-1.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nl.store(out, tile)
    return out


def negated_by_the_first_generation():
    @old.jit
    def kernel(x):
        out = old_nl.ndarray(x.shape, dtype=x.dtype, buffer=old_nl.shared_hbm)
        old_nl.store(out, old_nl.negative(old_nl.load(x)))
        return out

    return kernel


@pytest.mark.parametrize("make", [lambda: negated, negated_by_the_first_generation])
def test_each_gets_its_own_values(make):
    kernel = make()
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(kernel, [X + i for i in range(12)]))
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result, -(X + i))
    assert gc.isenabled()


def test_a_trace_belongs_to_its_thread(trace):
    def declares():
        return nl.ndarray((4, 4), nl.float32)

    declares()
    with ThreadPoolExecutor(1) as threads, pytest.raises(RuntimeError, match="inside a kernel"):
        threads.submit(declares).result()


def test_a_kernel_called_in_a_trace_is_part_of_it():
    np.testing.assert_array_equal(nki.jit(lambda x: negated(x))(X), -X)
    other = negated_by_the_first_generation()
    np.testing.assert_array_equal(nki.jit(lambda x: (other(X), negated(x))[1])(X), -X)
