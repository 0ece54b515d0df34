"""Do @nki.jit kernels run inside of jax.jit?"""

import jax
import jax.numpy as jnp
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

A = np.linspace(-3, 3, 128 * 64, dtype=np.float32).reshape(128, 64)
CPU = jax.devices("cpu")[0]


@nki.jit
def scaled(x, factor):
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def in_place(x):
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=x, src=tile)
    return x


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_a_kernel_is_an_operation_among_others(on_neuron, mode):
    @jax.jit
    def layer(x):
        return jnp.tanh(scaled(x + 1, 3.0)).sum(1)

    options = {"mode": mode}
    found = jax.jit(layer, compiler_options=options)(A)
    np.testing.assert_allclose(found, np.tanh((A + 1) * 3).sum(1), rtol=1e-4, atol=1e-4)


def test_the_same_kernel_twice_and_in_a_loop(on_neuron):
    def steps(x):
        return jax.lax.fori_loop(0, 3, lambda i, y: scaled(scaled(y, 2.0), 0.25), x)

    found = jax.jit(steps, compiler_options={"mode": "machine"})(A)
    np.testing.assert_allclose(found, A / 8, rtol=1e-6)


def test_its_time_is_part_of_the_program(on_neuron):
    def cost(function):
        compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(A).compile()
        return compiled.cost_analysis()["seconds"]

    assert cost(lambda x: scaled(x, 2.0)) > 1e-6
    assert cost(lambda x: scaled(scaled(x, 2.0), 2.0)) > 1.5 * cost(lambda x: scaled(x, 2.0))


def test_what_a_custom_call_cannot_do_is_refused_with_a_reason(on_neuron):
    with pytest.raises(ValueError, match="in_place writes its argument 0"):
        jax.jit(in_place)(A)
    with pytest.raises(ValueError, match="without a grid"):
        jax.jit(lambda x: scaled[2](x, 2.0))(A)


def test_another_platform_does_not_have_it():
    with jax.default_device(CPU), pytest.raises(Exception, match="AwsNeuronCustomNativeKernel"):
        jax.jit(lambda x: scaled(x, 2.0))(A)
