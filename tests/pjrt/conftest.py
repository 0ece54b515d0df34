"""JAX programs run on the simulated device; XLA's CPU backend in the same process is the oracle."""

import jax
import pytest


@pytest.fixture(scope="session")
def neuron() -> jax.Device:
    return jax.devices("neuron")[0]


@pytest.fixture
def on_neuron(neuron: jax.Device):
    """Everything in the test runs on the simulated device."""
    with jax.default_device(neuron):
        yield neuron
