"""What NKI refuses since release 0.3, as its migration guide lists it."""

import warnings

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import InputError

X = np.zeros((4, 4), np.float32)


def test_a_platform_target():
    with pytest.raises(TypeError, match="NEURON_PLATFORM_TARGET_OVERRIDE"):
        nki.jit(platform_target="trn2")


@pytest.mark.parametrize("level", ["0.3", "0.7"])
@pytest.mark.parametrize("buffer", [nl.sbuf, nl.psum, nl.hbm, nl.private_hbm])
def test_results_outside_of_shared_hbm(buffer, level):
    with pytest.raises(InputError, match=r"(?s)kernel\.output.*test_refusals\.py.*shared_hbm"):
        nki.jit(lambda x: nl.ndarray(x.shape, x.dtype, buffer=buffer), compatibility=level)(X)


@pytest.mark.parametrize("buffer", [nl.sbuf, nl.psum])
def test_results_on_chip_of_any_level(buffer):
    with pytest.raises(InputError, match=r"kernel\.output"):
        nki.jit(lambda x: nl.ndarray(x.shape, x.dtype, buffer=buffer))(X)


def in_private_hbm(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


def test_a_result_in_hbm_as_nki_0_2_had_it_runs_with_a_warning():
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    with pytest.warns(DeprecationWarning, match="in_private_hbm: it returns a tensor of nl.hbm"):
        np.testing.assert_array_equal(nki.jit(in_private_hbm)(x), x)


def test_results_of_a_grid_in_the_cores_own_hbm():
    with pytest.raises(InputError, match=r"kernel\.output"):
        nki.jit(in_private_hbm)[2](X)


def test_zero_of_either_type_fills_integers():
    @nki.jit
    def zeros(value):
        tile, out = (nl.ndarray((4, 4), nl.uint8, buffer=b) for b in (nl.sbuf, nl.shared_hbm))
        nisa.memset(dst=tile, value=value)
        nisa.dma_copy(dst=out, src=tile)
        return out

    assert not zeros(0.0).any() and not zeros(0).any()
    with pytest.raises(InputError, match=r"memset\.value"):
        zeros(2.0)


def test_arguments_may_be_returned():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(nki.jit(lambda x: x)(X), X)


def test_functions_of_the_first_generation():
    import neuronxcc.nki.language as old

    with pytest.raises(InputError, match=r"neuronxcc\.mixed"):
        nki.jit(lambda x: old.ndarray((4, 4), old.float32))(X)


def test_a_grid_that_the_runtime_is_not_configured_for(monkeypatch):
    kernel = nki.jit(lambda x: x)
    monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "1")
    kernel(X)
    kernel[1](X)
    monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "2")
    with pytest.raises(ValueError, match=r"kernel\[2\]"):
        nki.jit(lambda x: x, compatibility="0.6")(X)
    with pytest.raises(ValueError, match=r"kernel\[2\]"):
        kernel[1](X)
    kernel(X)  # since NKI 0.7 the variable sets the degree
    kernel[2](X)
    nki.simulate(kernel)(X)  # has no runtime


@pytest.mark.parametrize("timed", [False, True])
def test_a_grid_larger_than_the_machine_has(timed):
    kernel = nki.jit(lambda x: x)[2]
    with pytest.raises(InputError, match=r"system\.cores"):
        kernel.run(X, machine=trainyard.load_machine("trn1"), timed=timed)
    kernel.run(X, machine=trainyard.load_machine("trn2"), timed=timed)


def test_a_tensor_of_a_kernel_that_has_ended_can_be_looked_at_and_not_used():
    kept = []

    @nki.jit
    def keeps(x):
        kept.append(nl.load(x))
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, kept[0])
        return out

    @nki.jit
    def uses(x):
        nl.store(nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm), kept[0])

    x = np.ones((4, 4), np.float32)
    keeps(x)
    assert (
        repr(kept[0]) == "NkiTensor(of a kernel that has ended, shape=(4, 4), dtype=float32, sbuf)"
    )
    for use in (
        lambda: kept[0].base_tensor,
        lambda: kept[0][0:2],
        lambda: kept[0].reshape((4, 2, 2)),
        lambda: uses(x),
    ):
        with pytest.raises(InputError, match=r"tensor\.ended"):
            use()
