"""May several threads of Python call kernels at the same time?"""

import gc
import sys
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


@nki.jit
def many_registers(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for i in range(16):
        row = nisa.register_alloc(i)
        nl.store(out[nl.ds(row, 1)], nl.load(x[i : i + 1]))
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


def test_a_kernel_may_wait_for_a_thread_that_calls_another():
    with ThreadPoolExecutor(1) as threads:

        @nki.jit
        def kernel(x):
            tile = nl.load(x)
            (inner,) = threads.map(negated, [X + 1])
            np.testing.assert_array_equal(inner, -(X + 1))
            assert not gc.isenabled()  # the outer trace goes on
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            nl.store(out, tile)
            return out

        np.testing.assert_array_equal(kernel(X), X)
    assert gc.isenabled()


def test_threads_that_take_turns_often_trace_what_they_trace_alone():
    x = np.ones((64, 32), np.float32)
    alone = str(many_registers.trace(x).program)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            traced = list(threads.map(many_registers.trace, [x] * 16))
    finally:
        sys.setswitchinterval(interval)
    assert {str(one.program) for one in traced} == {alone}


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
