"""Is Scalar's relu the bits of Vector's sum and maximum with plus zero, which becomes it?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

# Every BF16 number: both zeros, subnormals, infinities and NaNs among them.
NUMBERS = (np.arange(2**16, dtype=np.uint32) << 16).view(np.float32).reshape(128, 512)


def bits(limit, bias):
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
        data = nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf)
        limited = nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf)
        column = nl.ndarray((128, 1), nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=data, src=x)
        nisa.memset(dst=column, value=bias)
        if limit is None:
            nisa.activation(dst=limited, op=nl.relu, data=data, bias=column)
        else:
            nisa.tensor_scalar(limited, data, nl.add, column, op1=nl.maximum, operand1=limit)
        nisa.dma_copy(dst=out, src=limited)
        return out

    return np.asarray(nki.simulate(kernel)(NUMBERS)).view(np.uint32)


@pytest.mark.parametrize("bias", [-0.0, 0.0, 1.5, -np.inf])
def test_relu_is_the_maximum_with_plus_zero(bias):
    np.testing.assert_array_equal(bits(None, bias), bits(0.0, bias))


def test_relu_is_not_the_maximum_with_minus_zero():
    assert (bits(None, -0.0) != bits(-0.0, -0.0)).any()
