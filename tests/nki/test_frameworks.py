"""Do tensors of frameworks, and arrays of any byte order, go in and come out?

Skipped where a framework is not installed.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest


@nki.jit
def double(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.multiply(nl.load(x), 2.0))
    return out


@nki.jit
def increment(x):
    nl.store(x, nl.add(nl.load(x), 1.0))


class TestTorch:
    @pytest.mark.parametrize("name", ["float32", "bfloat16", "float16", "int32", "uint8"])
    def test_tensors_go_in_and_come_out(self, name):
        torch = pytest.importorskip("torch")
        x = torch.arange(24, dtype=getattr(torch, name)).reshape(4, 6)
        found = double(x)
        assert isinstance(found, torch.Tensor) and found.dtype == x.dtype
        assert torch.equal(found.float(), 2 * x.float())

    def test_bits_of_float8_are_kept(self):
        torch = pytest.importorskip("torch")
        x = torch.arange(96, dtype=torch.uint8).reshape(4, 24).view(torch.float8_e5m2)
        found = nki.jit(lambda a: a)(x)
        assert torch.equal(found.view(torch.uint8), x.view(torch.uint8))

    def test_written_tensors_change_in_place(self):
        torch = pytest.importorskip("torch")
        x = torch.zeros(6, 4)
        increment(x)
        increment(x.T)
        assert (x == 2).all()


def test_jax_arrays_go_in_and_come_out():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(24, dtype="float32").reshape(4, 6)
    found = double(x)
    assert isinstance(found, jax.Array)
    np.testing.assert_array_equal(np.asarray(found), 2 * np.asarray(x))


@pytest.mark.parametrize("dtype", [">f4", ">i4", ">u2", ">f2"])
def test_arrays_of_the_other_byte_order(dtype):
    @nki.jit
    def plus_constant(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tile, added = nl.load(x), nl.load(nl.shared_constant(np.array([[1, 2, 3]], dtype)))
        nisa.tensor_tensor(dst=tile, data1=tile, data2=added, op=nl.add)
        nl.store(out, tile)
        return out

    result = plus_constant(np.array([[10, 20, 30]], dtype))
    assert result.dtype.isnative
    np.testing.assert_array_equal(result, [[11, 22, 33]])


def test_a_written_input_keeps_its_byte_order():
    given = np.array([[1, 2, 3]], ">f4")

    @nki.jit
    def clears(x):
        nisa.dma_copy(dst=x, src=nl.zeros(x.shape, x.dtype))

    clears(given)
    assert given.dtype == np.dtype(">f4") and not given.any()
