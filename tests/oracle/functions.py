"""Functions of the Scalar engine, and the Vector engine's exponential."""

from __future__ import annotations

import math

import numpy as np

from oracle.values import F32, cast, column, operate, wide

FUNCTIONS = {
    "copy": lambda x: x,
    "square": lambda x: x * x,
    "relu": lambda x: np.where((x > 0) | np.isnan(x), x, F32(0)),
    "abs": np.abs,
    "sign": lambda x: np.copysign(np.sign(x), x),
}


def activation(data, op, dtype, scale=1.0, bias=0.0):
    """The result in dst's dtype and as float32, which is what the reductions see."""
    x = FUNCTIONS[op](wide(data) * column(scale) + column(bias)).astype(F32)
    return cast(x, dtype), x


def activate2(data, op, dtype, imm0, imm1, op0, op1, reverse0=False, reverse1=False):
    x = operate(op0, wide(data), column(imm0), reverse0)
    x = FUNCTIONS[op](operate(op1, x, column(imm1), reverse1)).astype(F32)
    return cast(x, dtype), x


def exponential(src, max_value):
    """exp of the rounded difference, in float64."""
    return np.exp((wide(src) - column(max_value)).astype(F32).astype(np.float64))


# --- the other functions, in float64

_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _normal(x):
    """The normal distribution function."""
    return 0.5 * _erfc(-x / np.sqrt(2))


def _density(x):
    return np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)


def _gated(slope):
    return lambda x: x * _sigmoid(slope * x)


def _gated_derivative(slope):
    def derivative(x):
        s = _sigmoid(slope * x)
        return s * (1 + slope * x * (1 - s))

    return derivative


SMOOTH = {
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "arctan": np.arctan,
    "tanh": np.tanh,
    "sigmoid": _sigmoid,
    "softplus": lambda x: np.logaddexp(0, x),
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "gelu": lambda x: x * _normal(x),
    "gelu_dx": lambda x: _normal(x) + x * _density(x),
    "gelu_apprx_tanh": lambda x: x * _sigmoid(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)),
    "gelu_apprx_sigmoid": _gated(1.702),
    "gelu_apprx_sigmoid_dx": _gated_derivative(1.702),
    "silu": _gated(1.0),
    "silu_dx": _gated_derivative(1.0),
    "erf": _erf,
    "erf_dx": lambda x: 2 / np.sqrt(np.pi) * np.exp(-x * x),
}

GATED = {name for name in SMOOTH if name.startswith(("gelu", "silu", "mish"))}
EDGES = (-1e30, 1e30)  # where all of them have long become constant or linear


def evaluate(op, x, parameter=0.0):
    """A function of float32 values: exact steps in float32, or float64 rounded once."""
    if op == "prelu":
        return np.where(x > 0, x, x * np.asarray(parameter, F32)).astype(F32)
    if op in FUNCTIONS:
        return np.asarray(FUNCTIONS[op](x)).astype(F32)
    x = x.astype(np.float64)
    if op in GATED:  # finite, so that there is no 0 * infinity; minus zero left of a minimum
        result = (
            SMOOTH[op](np.clip(x, *EDGES))
            if op.endswith("_dx")
            else SMOOTH[op](np.where(np.isneginf(x), EDGES[0], x))
        )
        return np.where((result == 0) & (x < 0), -0.0, result).astype(F32)
    return SMOOTH[op](x).astype(F32)
