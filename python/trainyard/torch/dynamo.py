"""What Dynamo must be told of the device's tensors, which are a Python subclass: they are traced as
plain tensors of a device, not as objects. PyTorch 2.13 has no public way to say so.
"""

from __future__ import annotations

import torch

from trainyard.torch.tensor import NeuronTensor


def register() -> None:
    """Before the first compilation."""
    from torch._dynamo.variables.builder import VariableBuilder

    torch._dynamo.config.traceable_tensor_subclasses.add(NeuronTensor)
    table = VariableBuilder._type_dispatch()
    table[NeuronTensor] = VariableBuilder.wrap_tensor
