import torch.cuda.amp as amp
import torch

x = torch.full((2, 2), 3.0).to("cuda")
with amp.autocast(enabled=True):
    y = torch.mm(x, x)
result = y.float().sum().item()
