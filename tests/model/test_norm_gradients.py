"""Are gradients of norms right, and as short as their engines allow, in any form?"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from narrow_errors import errors
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
norms = importlib.import_module("forms.norms")
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(23)
FORMS = [(form.name, name) for form in norms.CLASSES for name in form.forms]
BY_NAME = {form.name: form.forms for form in norms.CLASSES}


def gradients(norm):
    return lambda g, *arguments: jax.vjp(norm, *arguments)[1](g)


@pytest.mark.parametrize(("kind", "form"), FORMS)
@pytest.mark.parametrize(("rows", "columns"), [(300, 1024), (130, 4096), (64, 200)])
def test_values_are_right(kind, form, rows, columns):
    """Rows that leave partitions idle; a mean that is large beside the distances from it."""
    x = (RANDOM.normal(size=(1, rows, columns)) + 4).astype(BF16)
    weight = RANDOM.normal(size=columns).astype(BF16)
    gradient = RANDOM.normal(size=x.shape).astype(BF16)
    function, arguments = gradients(BY_NAME[kind][form]), (gradient, x, weight)
    for error, allowed in errors(function, arguments):
        assert error <= 2 * allowed + 1e-3


@pytest.mark.parametrize(
    ("kind", "form", "times"),
    [
        ("RMS norm", "mean, rsqrt", 2.15),
        ("RMS norm", "Hugging Face", 2.15),
        ("layer norm", "moments", 2.75),
        ("layer norm", "mean of squares", 2.95),
    ],
)
def test_the_array_adds_what_a_gradient_sums(kind, form, times):
    """Scaled and added by the other engines, these took 2.3 to 3.6 times the bound."""
    x = jax.ShapeDtypeStruct((1, 8192, 4096), BF16)
    weight = jax.ShapeDtypeStruct((4096,), BF16)
    seconds = model.compile(gradients(BY_NAME[kind][form]), x, x, weight, cores=2).time().seconds
    bound = 3 * 2 * 8192 * 4096 / (4.7e12 / 4)
    assert seconds <= times * bound
