"""PyTorch on the simulated device: `make torch` runs these tests, where PyTorch is."""

import pytest


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    import torch
    import torch_neuronx

    monkeypatch.setenv("NEURON_COMPILE_CACHE_URL", "")  # what is tested is compiled
    torch._dynamo.reset()
    torch.manual_seed(0)
    yield
    torch.set_default_device(None)  # a script's, whose mode Dynamo would see in later tests
    torch_neuronx.discard()
