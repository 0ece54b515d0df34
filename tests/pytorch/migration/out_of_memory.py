import torch

result = 0
try:
    x = torch.ones(4, device="cuda:0")
    result = x.sum().item()
except torch.cuda.OutOfMemoryError as error:
    result = str(error)
