"""Do forms of one function compute the same, and take the same time? Those of benchmarks/forms."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
NAMES = (
    "attention",
    "rotary",
    "norms",
    "group_norms",
    "gated",
    "losses",
    "embeddings",
    "recurrences",
    "convolutions",
    "heads",
    "recurrent",
    "linear_attention",
    "dropout",
)
FAMILIES = {name: importlib.import_module(f"forms.{name}") for name in NAMES}
attention, rotary, losses = (FAMILIES[name] for name in ("attention", "rotary", "losses"))
CLASSES = [
    form for each in FAMILIES.values() for form in getattr(each, "CLASSES", None) or [each.CLASS]
]
FORMS = [(form, name) for form in CLASSES for name in form.forms]
RANDOM = np.random.default_rng(11)


def drawn(form):
    """Small arguments."""
    return [
        RANDOM.integers(0, form.integers_below, size=a.shape).astype(a.dtype)
        if jnp.issubdtype(a.dtype, jnp.integer)
        else np.asarray(RANDOM.normal(size=a.shape), a.dtype)
        for a in form.small()
    ]


@pytest.mark.parametrize(("form", "name"), FORMS, ids=lambda value: getattr(value, "name", value))
def test_all_forms_of_a_class_compute_one_function(form, name):
    arguments = drawn(form)
    first = next(iter(form.forms.values()))
    wide = [jnp.asarray(a, jnp.float32 if a.dtype == jnp.bfloat16 else a.dtype) for a in arguments]
    wanted = first(*wide)
    found = form.forms[name](*wide)
    np.testing.assert_allclose(found, wanted, rtol=2e-2, atol=2e-2)


def seconds(function, *shapes):
    return model.compile(function, *shapes).time().seconds


def of_best(form, names, gradient):
    """The seconds of each beside the first one's."""
    times = []
    for name in names:
        function = form.forms[name]
        shapes = form.arguments_of(function, form.arguments(1), gradient)
        times.append(seconds(form.gradient(function) if gradient else function, *shapes))
    return [each / times[0] for each in times]


@pytest.mark.parametrize("gradient", [False, True])
def test_attention_takes_the_same_time_in_each_form(gradient):
    names = ["grouped einsum", "Hugging Face", "repeated heads", "one batch (bmm)", "vmap"]
    assert max(of_best(attention.CLASS, names, gradient)) < 1.1


def test_rotary_gradients_take_the_same_time():
    names = ["split", "rotate_half", "roll", "vmap"]
    assert max(of_best(rotary.CLASS, names, True)) < 1.1


def test_the_gradient_of_a_loss_over_a_long_vocabulary_has_room():
    form = losses.CLASS
    for name in ("log_softmax, take", "logsumexp", "shifted"):
        function = form.forms[name]
        shapes = form.arguments_of(function, form.arguments(1), True)
        assert seconds(form.gradient(function), *shapes) < 3e-3


def test_short_rows_share_partitions():
    """Each instruction had one row a partition, which took three to five times as long."""
    form = FAMILIES["heads"].CLASS
    function = form.forms["mean, rsqrt"]
    assert seconds(function, *form.arguments(1)) < 120e-6
    shapes = form.arguments_of(function, form.arguments(1), True)
    assert seconds(form.gradient(function), *shapes) < 320e-6


def test_gradients_of_depthwise_kernels_are_no_products():
    """18 ms where each of 4,096 channels is a product of its own, 1.3 where the kernel of the
    image's gradient is read crosswise for a dimension of one element."""

    def causal(x, w):
        how = {"window_strides": (1,), "padding": [(3, 0)], "feature_group_count": x.shape[1]}
        return jax.lax.conv_general_dilated(x, w, **how)

    shapes = [jax.ShapeDtypeStruct(s, jnp.bfloat16) for s in ((8, 4096, 256), (4096, 1, 4))]
    assert seconds(causal, *shapes) < 140e-6
    gradient = lambda x, w, d: jax.vjp(causal, x, w)[1](d)  # noqa: E731
    assert seconds(gradient, *shapes, shapes[0]) < 0.7e-3


def two_slices_of_each(x, w):
    """Slices of two values that are read one after the other, of three parts."""
    y, z = jnp.tanh(x) * w, x * w + 1
    left = jnp.concatenate([y[:, 256:], -y[:, :256]], 1)
    right = jnp.concatenate([z[:, :128], z[:, 256:], z[:, 128:256]], 1)
    return left * right


def test_slices_go_before_arithmetic():
    x, w = (RANDOM.normal(size=(256, 512)).astype(np.float32) for _ in range(2))
    compiled = model.compile(two_slices_of_each, x, w)
    wanted = two_slices_of_each(jnp.asarray(x), jnp.asarray(w))
    np.testing.assert_allclose(compiled(x, w), wanted, rtol=1e-4, atol=1e-5)


def test_terms_that_are_rounded_on_purpose_are_not_summed_before():
    """Products that a narrow format holds before a sum, as simulated quantisation has it."""

    def summed(x, y):
        terms = jnp.einsum("bij,bkj->bik", x, y)
        return terms.astype(jnp.float8_e4m3fn).astype(jnp.float32).sum(0)

    x = RANDOM.integers(-3, 4, size=(3, 8, 16)).astype(np.float32)
    y = RANDOM.integers(-3, 4, size=(3, 8, 16)).astype(np.float32)
    terms = np.einsum("bij,bkj->bik", x, y)
    wanted = terms.astype(jnp.float8_e4m3fn).astype(np.float32).sum(0)
    assert (wanted != terms.sum(0)).any()
    np.testing.assert_array_equal(model.compile(summed, x, y)(x, y), wanted)
