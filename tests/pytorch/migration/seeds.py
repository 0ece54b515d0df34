import torch

torch.cuda.manual_seed_all(7)
a = torch.rand(64, device="cuda")
torch.cuda.manual_seed(7)
b = torch.rand(64, device="cuda")
same = torch.equal(a, b)
assert same or a.device.type == "cpu"
result = len(a)
