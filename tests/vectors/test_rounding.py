"""Does stochastic rounding give the bits that its random words say, and the right share of them?"""

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from lab import check
from oracle.rounding import cast_at_random, lane_words
from trainyard import settings

TENSOR, VECTOR, SCALAR = 0, 1, 2
FLOATS = (
    ml_dtypes.bfloat16,
    np.float16,
    ml_dtypes.float8_e4m3,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
)


def machine(*overrides):
    return trainyard.load_machine("trn3").with_overrides(list(overrides))


def run(kernel, inputs, chosen, timed=False):
    with settings.using(machine=chosen, timed=timed):
        return kernel(*inputs)


def casting(engine, dtype):
    @nki.jit
    def kernel(x):
        tile, narrow = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, dtype)
        nisa.dma_copy(dst=tile, src=x)
        nisa.tensor_copy(dst=narrow, src=tile, engine=engine)
        out = nl.ndarray(x.shape, dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=narrow)
        return out

    return kernel


@nki.jit
def product(a, b):
    left, right = nl.ndarray(a.shape, a.dtype), nl.ndarray(b.shape, b.dtype)
    nisa.dma_copy(dst=left, src=a)
    nisa.dma_copy(dst=right, src=b)
    total = nl.ndarray((a.shape[1], b.shape[1]), nl.bfloat16, buffer=nl.psum)
    nisa.nc_matmul(dst=total, stationary=left, moving=right)
    copy = nl.ndarray(total.shape, total.dtype)
    nisa.tensor_copy(dst=copy, src=total)
    out = nl.ndarray(total.shape, total.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=copy)
    return out


def numbers(shape):
    """Every binade of the formats, their edges and what lies beyond them."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-30, 20, shape)
    special = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        240.0,
        250.0,
        448.0,
        460.0,
        65504.0,
        65519.0,
        3e38,
    ]
    x[:, : len(special)] = special
    return x.astype(np.float32)


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize(("engine", "index"), [("vector", VECTOR), ("scalar", SCALAR)])
def test_casts_take_the_words_of_their_engine_and_lane(engine, index, dtype):
    x = numbers((128, 96))
    chosen = machine("policy.cast_rounding=stochastic", "policy.stochastic_rounding_seed=7")
    kernel = casting(getattr(nisa.engine, engine), np.dtype(dtype).name)
    wanted = cast_at_random(x, dtype, lane_words(7, index, range(128), 96))
    check(run(kernel, [x], chosen), wanted)
    check(run(kernel, [x], chosen, timed=True), wanted)


@pytest.mark.parametrize("columns", [40, 1100])
def test_results_in_psum_take_the_words_of_the_tensor_engine(columns):
    rng = np.random.default_rng(6)
    a = rng.integers(-9, 10, (64, 128)).astype(ml_dtypes.bfloat16)
    b = rng.integers(-9, 10, (64, columns)).astype(ml_dtypes.bfloat16)
    exact = a.astype(np.float32).T @ b.astype(np.float32)
    chosen = machine("policy.psum_rounding=stochastic", "policy.stochastic_rounding_seed=3")
    words = lane_words(3, TENSOR, range(128), columns)
    wanted = cast_at_random(exact, ml_dtypes.bfloat16, words)
    check(run(product, [a, b], chosen), wanted)
    check(run(product, [a, b], chosen, timed=True), wanted)
    nearest = exact.astype(ml_dtypes.bfloat16)
    assert (nearest != wanted).any()
    check(run(product, [a, b], machine("policy.cast_rounding=stochastic")), nearest)


def test_the_share_rounded_up_is_the_discarded_fraction():
    fractions = np.arange(128, dtype=np.float32) / 128
    x = np.repeat((1 + fractions / 128)[:, None], 2000, axis=1)
    chosen = machine("policy.cast_rounding=stochastic")
    up = run(casting(nisa.engine.vector, "bfloat16"), [x], chosen).astype(np.float32) > 1
    deviations = np.sqrt(fractions * (1 - fractions) / 2000)
    assert np.all(np.abs(up.mean(axis=1) - fractions) <= 5 * deviations)


def test_the_environment_chooses_rounding_and_seed(monkeypatch):
    x = numbers((128, 32))
    kernel = casting(nisa.engine.vector, "bfloat16")
    nearest = x.astype(ml_dtypes.bfloat16)
    check(run(kernel, [x], None), nearest)
    monkeypatch.setenv("NEURON_RT_STOCHASTIC_ROUNDING_SEED", "11")
    check(run(kernel, [x], None), nearest)
    monkeypatch.setenv("NEURON_RT_STOCHASTIC_ROUNDING_EN", "1")
    wanted = cast_at_random(x, ml_dtypes.bfloat16, lane_words(11, VECTOR, range(128), 32))
    check(run(kernel, [x], None), wanted)
    monkeypatch.setenv("NEURON_RT_STOCHASTIC_ROUNDING_EN", "0")
    check(run(kernel, [x], machine("policy.cast_rounding=stochastic")), nearest)


@pytest.mark.parametrize(("variable", "value"), [("EN", "yes"), ("SEED", "-1"), ("SEED", "x")])
def test_an_environment_that_names_no_rounding_is_refused(monkeypatch, variable, value):
    monkeypatch.setenv(f"NEURON_RT_STOCHASTIC_ROUNDING_{variable}", value)
    with pytest.raises(ValueError, match=variable):
        run(casting(nisa.engine.vector, "bfloat16"), [numbers((2, 16))], None)
