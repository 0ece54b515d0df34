"""PyTorch on the simulated Trainium, by one line:

    import torch_neuronx

    model = torch.compile(model, backend="neuron")   # tensors of the host, or of the device
    model = model.to("neuron")                       # the device, also without torch.compile

Trainyard's package of this name; AWS's original is used instead where it is installed, unless
TRAINYARD_NKI=1. docs/pytorch.md of Trainyard has the details.
"""

import torch
from trainyard.torch import device as _device
from trainyard.torch import dynamo as _dynamo
from trainyard.torch import kernels as _kernels
from trainyard.torch.breaks import explain
from trainyard.torch.errors import TorchError
from trainyard.torch.kernels import nki_op
from trainyard.torch.programs import Launch, statistics, timing
from trainyard.torch.queue import queue as _queue

_kernels.register()
_device.register()
_dynamo.register()

discard = _queue.discard

__all__ = ["Launch", "TorchError", "discard", "explain", "nki_op", "statistics", "timing"]
