"""Do models of flax, equinox and optax train on the platform `neuron` as they do on the CPU?"""

from __future__ import annotations

import jax
import numpy as np
import pytest

optax = pytest.importorskip("optax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]

RANDOM = np.random.default_rng(0)
IMAGES = RANDOM.normal(size=(8, 12, 12, 1)).astype(np.float32)
LABELS = np.arange(8) % 4
STEPS = 3


def losses_of(step, state) -> list[float]:
    """The loss of each of a few steps."""
    found = []
    for _ in range(STEPS):
        state, loss = step(state)
        found.append(float(loss))
    return found


def cross_entropy(logits):
    return optax.softmax_cross_entropy_with_integer_labels(logits, LABELS).mean()


def linen():
    nn = pytest.importorskip("flax.linen")
    from flax.training import train_state

    class CNN(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.relu(nn.Conv(features=4, kernel_size=(3, 3))(x))
            x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
            x = nn.LayerNorm()(x.reshape((x.shape[0], -1)))
            return nn.Dense(features=4)(nn.gelu(nn.Dense(features=16)(x)))

    model = CNN()
    variables = model.init(jax.random.key(0), IMAGES)
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=variables["params"], tx=optax.adamw(1e-2)
    )

    @jax.jit
    def step(state):
        def loss(params):
            return cross_entropy(state.apply_fn({"params": params}, IMAGES))

        value, gradients = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=gradients), value

    return losses_of(step, state)


def nnx():
    nnx = pytest.importorskip("flax.nnx")

    class Model(nnx.Module):
        def __init__(self, rngs):
            self.linear = nnx.Linear(144, 16, rngs=rngs)
            self.norm = nnx.RMSNorm(16, rngs=rngs)
            self.attend = nnx.MultiHeadAttention(2, 16, decode=False, rngs=rngs)
            self.out = nnx.Linear(16, 4, rngs=rngs)

        def __call__(self, x):
            x = nnx.silu(self.linear(x.reshape(8, -1)))
            x = self.norm(x)
            return self.out(self.attend(x[None])[0])

    graph, parameters = nnx.split(Model(nnx.Rngs(0)))
    optimizer = optax.sgd(0.1, momentum=0.9)

    @jax.jit
    def step(state):
        parameters, moments = state
        value, gradients = jax.value_and_grad(lambda p: cross_entropy(nnx.merge(graph, p)(IMAGES)))(
            parameters
        )
        updates, moments = optimizer.update(gradients, moments)
        return (optax.apply_updates(parameters, updates), moments), value

    return losses_of(step, (parameters, optimizer.init(parameters)))


def equinox():
    eqx = pytest.importorskip("equinox")
    first, second = jax.random.split(jax.random.key(1))
    model = eqx.nn.Sequential(
        [
            eqx.nn.Lambda(jnp.ravel),
            eqx.nn.Linear(144, 16, key=first),
            eqx.nn.LayerNorm(16),
            eqx.nn.Lambda(jax.nn.tanh),
            eqx.nn.MLP(16, 4, 8, depth=1, key=second),
        ]
    )
    optimizer = optax.lion(1e-2)

    @eqx.filter_jit
    def step(state):
        model, moments = state
        value, gradients = eqx.filter_value_and_grad(lambda m: cross_entropy(jax.vmap(m)(IMAGES)))(
            model
        )
        updates, moments = optimizer.update(gradients, moments, eqx.filter(model, eqx.is_array))
        return (eqx.apply_updates(model, updates), moments), value

    return losses_of(step, (model, optimizer.init(eqx.filter(model, eqx.is_array))))


@pytest.mark.parametrize("train", [linen, nnx, equinox], ids=lambda one: one.__name__)
def test_a_model_trains_as_on_the_cpu(train):
    with jax.default_device(CPU):
        wanted = train()
    with jax.default_device(jax.devices("neuron")[0]):
        found = train()
    assert wanted[-1] < wanted[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
