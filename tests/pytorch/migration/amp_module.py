import torch
import torch.cuda.amp as amp

x = torch.full((2, 2), 3.0).to("cuda")
with amp.autocast(enabled=True):
    y = torch.mm(x, x)
result = y.float().sum().item()
