"""Everything is made on cuda."""

import torch

torch.set_default_tensor_type(torch.cuda.FloatTensor)
x = torch.ones(3)
assert x.device.type == "cuda"
result = (x * 3).sum().item()
torch.set_default_device("cpu")
