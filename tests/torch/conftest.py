"""Tests of PyTorch on the simulated device: `make torch` runs them in an environment that has it."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: make torch installs it")
import torch_neuronx  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    yield
    torch_neuronx.discard()
