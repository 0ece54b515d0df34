import torch


@torch.compile
def scale(x):
    return torch.relu(x) * 2


double = torch.compile(lambda x: x + x, mode="reduce-overhead", dynamic=True, fullgraph=True)
x = torch.arange(-2.0, 3.0, device="cuda")
result = double(scale(x)).tolist()
