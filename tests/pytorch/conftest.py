"""PyTorch on the simulated device: `make torch` runs these tests, where PyTorch is."""

import pytest


@pytest.fixture(autouse=True)
def fresh():
    import torch
    import torch_neuronx

    torch._dynamo.reset()
    torch.manual_seed(0)
    yield
    torch_neuronx.discard()
