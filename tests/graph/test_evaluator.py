"""Does the golden evaluator compute what JAX computes on the CPU?"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import jax_programs
import numpy as np
import pytest
import trainyard
from jax import lax
from trainyard import graph

CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(7)


def both(function, *arguments, platform: str = "cpu"):
    """What the evaluator and JAX make of a call, as two lists of arrays."""
    artifact = jax_programs.artifact_of(function, *arguments, version="1.17.0", platform=platform)
    module = graph.read(artifact)
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    return graph.evaluate(module, *arguments), [np.asarray(array) for array in wanted]


def check(function, *arguments, tolerance: float = 1e-5, platform: str = "cpu"):
    for made, wanted in zip(*both(function, *arguments, platform=platform), strict=True):
        assert made.dtype == wanted.dtype
        assert made.shape == wanted.shape
        if wanted.dtype.kind in "fcV":
            wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(
                made.astype(wide), wanted.astype(wide), rtol=tolerance, atol=tolerance
            )
        else:
            np.testing.assert_array_equal(made, wanted)


def random_like(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "fV":
        return RANDOM.normal(size=array.shape).astype(array.dtype)
    return array


@pytest.mark.parametrize("name", jax_programs.PROGRAMS)
def test_the_sample_programs(name: str):
    function, arguments = jax_programs.PROGRAMS[name]
    coarse = name in ("softmax", "narrow")  # 8 bits of mantissa and fewer
    check(function, *[random_like(a) for a in arguments], tolerance=2e-2 if coarse else 1e-5)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32])
@pytest.mark.parametrize(
    "function",
    [
        lax.add,
        lax.sub,
        lax.mul,
        lax.div,
        lax.rem,
        lax.max,
        lax.shift_left,
        lax.shift_right_arithmetic,
        lax.shift_right_logical,
        lax.bitwise_xor,
    ],
)
def test_integers_wrap_as_xla_has_them(function, dtype):
    info = np.iinfo(dtype)
    special = np.array([info.min, info.min + 1, -1 if info.min else 7, 0, 1, 2, info.max], dtype)
    a, b = np.repeat(special, len(special)), np.tile(special, len(special))
    check(function, a, b)


@pytest.mark.parametrize("to", ["int8", "uint8", "int32", "uint32", "bool", "float16", "bfloat16"])
def test_conversions_saturate_and_round(to: str):
    special = [0.0, -0.0, 0.5, 1.5, 2.5, -1.5, 127.9, 128, -129, 300, -1e10, 3e9, np.inf, -np.inf]
    values = np.array([*special, np.nan, 65504, 65520, 1e-8], np.float32)
    (made,), (wanted,) = both(lambda x: x.astype(to), values)
    assert made.dtype == wanted.dtype
    np.testing.assert_array_equal(made.astype(np.float64), wanted.astype(np.float64))


@pytest.mark.parametrize(
    "to", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3", "float8_e3m4", "float8_e4m3b11fnuz"]
)
def test_every_half_precision_number_narrows_as_ml_dtypes_has_it(to: str):
    values = np.arange(65536, dtype=np.uint16).view(np.float16)
    dtype = getattr(jnp, to).dtype
    module = graph.read(
        jax_programs.artifact_of(lambda x: x.astype(dtype), values, version="1.17.0")
    )
    (made,) = graph.evaluate(module, values)
    with np.errstate(all="ignore"):
        wanted = values.astype(dtype)
    nan = np.isnan(wanted.astype(np.float32))
    np.testing.assert_array_equal(np.isnan(made.astype(np.float32)), nan)
    np.testing.assert_array_equal(made.view(np.uint8)[~nan], wanted.view(np.uint8)[~nan])


@pytest.mark.parametrize("shape", [(), (1,), (5,), (4, 3), (3, 5), (2, 3, 4)])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
def test_threefry_gives_the_bits_of_the_cpu(shape, dtype):
    key = np.array([12, 34], np.uint32)
    check(lambda k: jax.random.bits(jax.random.wrap_key_data(k), shape, dtype), key)


@pytest.mark.parametrize("algorithm", [0, 1, 2])
@pytest.mark.parametrize("shape", [(3,), (8,), (4, 3), (2, 2, 5)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
def test_the_bit_generators_give_the_bits_of_the_cpu(algorithm, shape, dtype):
    state = np.array([1, 2, 3, 4], np.uint32)
    check(
        lambda s: lax.rng_bit_generator(
            s, shape, dtype=dtype, algorithm=lax.RandomAlgorithm(algorithm)
        ),
        state,
    )


@pytest.mark.parametrize("left_side", [True, False])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("transpose_a", [True, False])
def test_triangular_solve(left_side, lower, transpose_a):
    a = RANDOM.normal(size=(2, 3, 3)).astype(np.float32) + 4 * np.eye(3, dtype=np.float32)
    b = RANDOM.normal(size=(2, 3, 3)).astype(np.float32)
    check(
        lambda a, b: lax.linalg.triangular_solve(
            a, b, left_side=left_side, lower=lower, transpose_a=transpose_a
        ),
        a,
        b,
        platform="tpu",  # where it stays one operation; LAPACK does it on the CPU
    )


@pytest.mark.parametrize("name", ["cholesky", "lgamma", "erf_inv", "digamma", "fft", "ifft2"])
def test_functions_of_their_own(name: str):
    x = RANDOM.uniform(0.1, 0.9, size=(2, 4, 4)).astype(np.float32)
    functions = {
        "cholesky": lambda x: lax.linalg.cholesky(x @ x.mT + jnp.eye(4), symmetrize_input=False),
        "lgamma": jax.scipy.special.gammaln,
        "erf_inv": lax.erf_inv,
        "digamma": lax.digamma,
        "fft": jnp.fft.fft,
        "ifft2": jnp.fft.ifft2,
    }
    check(functions[name], x, platform="tpu", tolerance=2e-5)


@pytest.mark.parametrize("mantissa_bits", [0, 3])
def test_reduce_precision(mantissa_bits: int):
    values = np.array([np.inf, 1.0, 1.1, 3e38, 1e-30, -2.75], np.float32)
    check(lambda x: lax.reduce_precision(x, 5, mantissa_bits), values)


@pytest.mark.parametrize(("mantissa_bits", "wanted"), [(0, np.inf), (3, np.nan)])
def test_reduce_precision_keeps_nan_only_where_there_is_a_mantissa(mantissa_bits, wanted):
    # As StableHLO's interpreter tests have it; XLA's CPU keeps the NaN.
    value = np.array([np.nan], np.float32)
    artifact = jax_programs.artifact_of(lambda x: lax.reduce_precision(x, 5, mantissa_bits), value)
    (made,) = graph.evaluate(graph.read(artifact), value)
    np.testing.assert_array_equal(made, [wanted])


@pytest.mark.parametrize("function", [jnp.arccos, jnp.arcsin, jnp.arctan, jnp.sinh, jnp.tan])
def test_complex_functions(function):
    z = (RANDOM.normal(size=6) + 1j * RANDOM.normal(size=6)).astype(np.complex64)
    check(function, z, tolerance=1e-4)


def test_bits_are_cast_between_formats_of_any_width():
    words = np.array([0x0123456789ABCDEF, 0xF0], np.uint64).view(np.uint32)
    check(lambda x: lax.bitcast_convert_type(x, jnp.uint8), words)
    check(lambda x: lax.bitcast_convert_type(x, jnp.float32), words)


def test_a_value_larger_than_the_host_is_refused():
    module = graph.read(b"""
      func.func @main(%x: tensor<f32>) -> tensor<f32> {
        %y = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1048576x1048576xf32>
        return %x : tensor<f32>
      }""")
    with pytest.raises(trainyard.InputError, match=r"host.memory: broadcast_in_dim needs"):
        graph.evaluate(module, np.float32(1))


def test_top_k_is_in_total_order():
    x = np.array([-0.0, 0.0, 0.0, -0.0, np.nan, -np.nan, 1, -np.inf], np.float32)
    made, wanted = both(lambda x: lax.top_k(x, 8), x)
    np.testing.assert_array_equal(made[1], wanted[1])
    np.testing.assert_array_equal(np.signbit(made[0]), np.signbit(wanted[0]))


def test_exponentially_scaled_bessel_function():
    check(lax.bessel_i1e, np.array([0, -0.5, 3, 39.9, 40.1, -700, 1e6, np.nan], np.float32))
