"""Do public models of flax and equinox run and train unmodified, with the numbers of the CPU?

A model is skipped where its package is not installed:
`pip install --no-deps equimo esm2quinox flaxmodels h5py requests filelock`.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest

optax = pytest.importorskip("optax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(0)
KEY = jax.random.key(0)


def of_equinox(model, *arguments):
    """Parameters, a function of them and the arguments, and the arguments."""
    import equinox as eqx

    parameters, static = eqx.partition(model, eqx.is_inexact_array)
    return parameters, lambda p, *a: eqx.combine(p, static)(*a), arguments


def of_flax(model, *arguments, **how):
    variables = model.init(KEY, *arguments, **how)
    return variables, lambda v, *a: model.apply(v, *a, **how), arguments


def image(*shape):
    return RANDOM.uniform(size=shape).astype(np.float32)


def vision_transformer():
    models = pytest.importorskip("equimo.models")
    model = models.VisionTransformer(
        64, 3, 192, 16, num_heads=3, depths=[4], num_classes=10, key=KEY
    )
    return of_equinox(model, image(3, 64, 64))


def convnext():
    models = pytest.importorskip("equimo.models")
    model = models.ConvNeXt(depths=[1, 1, 2, 1], dims=[16, 32, 64, 128], num_classes=10, key=KEY)
    return of_equinox(model, image(3, 64, 64))


def protein_language_model():
    esm = pytest.importorskip("esm2quinox")
    model = esm.ESM2(num_layers=3, embed_size=80, num_heads=5, token_dropout=False, key=KEY)
    parameters, function, arguments = of_equinox(model, esm.tokenise(["SPIDERMANISREAL"])[0])
    return parameters, lambda *a: function(*a).logits, arguments


def resnet():
    models = pytest.importorskip("flaxmodels")
    model = models.ResNet18(output="logits", pretrained=None, normalize=False, num_classes=10)
    return of_flax(model, image(2, 32, 32, 3), train=False)


def values_of(model, device, mode=None) -> list[np.ndarray]:
    """The outputs, then the outputs behind one step of training."""
    parameters, function, arguments = jax.device_put(model[0], device), model[1], model[2]
    sgd = optax.sgd(1e-3)
    options = {"compiler_options": {"mode": mode}} if mode else {}

    def loss(parameters):
        outputs = function(parameters, *arguments)
        return jnp.mean((outputs - jnp.arange(outputs.shape[-1]) / outputs.shape[-1]) ** 2)

    def step(parameters):
        value, gradients = jax.value_and_grad(loss)(parameters)
        updates, _ = sgd.update(gradients, sgd.init(parameters), parameters)
        return value, optax.apply_updates(parameters, updates)

    with jax.default_device(device):
        outputs = jax.jit(function, **options)(parameters, *arguments)
        before, trained = jax.jit(step, **options)(parameters)
        after = jax.jit(loss, **options)(trained)
    return [np.asarray(each) for each in (outputs, before, after)]


MODELS = [vision_transformer, convnext, protein_language_model, resnet]
# The gradient of convnext's depthwise convolutions finds no room in SBUF (sbuf.capacity).
RUNS = [(make, "reference") for make in MODELS] + [
    (make, "machine") for make in MODELS if make is not convnext
]


@pytest.mark.parametrize(("make", "mode"), RUNS)
def test_a_public_model_runs_and_trains_as_on_the_cpu(make, mode):
    with jax.default_device(CPU):
        model = make()
    wanted = values_of(model, CPU)
    found = values_of(model, jax.devices("neuron")[0], mode)
    assert wanted[2] < wanted[1]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-3 * np.abs(other).max())
