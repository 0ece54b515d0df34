"""Do tensors of frameworks go in and come out? Skipped where a framework is not installed."""

import nki
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
