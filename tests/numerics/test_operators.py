"""Do operators and activation functions agree with NumPy, computed in float64 and rounded?"""

import math

import numpy as np
import pytest
from trainyard._core import numerics

RNG = np.random.default_rng(5)
A = RNG.normal(size=5000).astype(np.float32) * 10
B = RNG.normal(size=5000).astype(np.float32) * 10
B[::7] = A[::7]


@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("add", np.add),
        ("subtract", np.subtract),
        ("multiply", np.multiply),
        ("divide", np.divide),
        ("maximum", np.maximum),
        ("minimum", np.minimum),
        ("equal", np.equal),
        ("not_equal", np.not_equal),
        ("less", np.less),
        ("less_equal", np.less_equal),
        ("greater", np.greater),
        ("greater_equal", np.greater_equal),
        ("logical_and", np.logical_and),
        ("logical_or", np.logical_or),
        ("logical_xor", np.logical_xor),
        ("fmod", np.fmod),
        ("mod", np.mod),
    ],
)
def test_operators_are_those_of_numpy(op, function):
    a, b = A.copy(), B.copy()
    a[::5], b[::11] = 0, 1
    with np.errstate(all="ignore"):
        expected = function(a, b).astype(np.float32)
    found = numerics.apply(op, a, b)
    assert np.array_equal(found, expected, equal_nan=True)


def test_power_of_positive_numbers():
    base, exponent = np.abs(A), B / 4
    expected = np.power(base.astype(np.float64), exponent.astype(np.float64)).astype(np.float32)
    assert np.array_equal(numerics.apply("power", base, exponent), expected)


SIGMOID_GELU = 1.702
ACTIVATIONS = {
    "exp": np.exp,
    "tanh": np.tanh,
    "arctan": np.arctan,
    "square": np.square,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "gelu": np.vectorize(lambda x: x * math.erfc(-x / math.sqrt(2)) / 2),
    "gelu_apprx_tanh": lambda x: (
        x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    ),
    "gelu_apprx_sigmoid": lambda x: x / (1 + np.exp(-SIGMOID_GELU * x)),
    "erf": np.vectorize(math.erf),
    "relu": lambda x: np.maximum(x, 0),
    "sign": np.sign,
    "abs": np.abs,
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_are_their_definitions(name):
    x = A[np.abs(A) < 8]
    expected = ACTIVATIONS[name](x.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_max_ulp(numerics.activate(name, x), expected, maxulp=1)


def test_sin_extrapolates_beyond_pi():
    """nki.api.shared: sin(9.0) returns about 27.65 on the Scalar engine, not 0.41."""
    found = numerics.activate("sin", np.float32([9.0, 3.0, -9.0]))
    np.testing.assert_allclose(found, [27.65, math.sin(3.0), -27.65], rtol=2e-4)
