import torch
from torch import nn

torch.manual_seed(1)
layer = nn.LayerNorm(6).cuda()
x = torch.arange(12.0).view(2, 6).pin_memory().cuda(non_blocking=True)
assert x.is_cuda and layer.weight.is_cuda
result = layer(x).sum(1).cpu().tolist()
