import torch

torch.manual_seed(3)
weight = torch.nn.Parameter(torch.eye(4, device="cuda"))
scaler = torch.amp.GradScaler("cuda", enabled=False)
with torch.autocast(device_type="cuda", dtype=torch.float16):
    made = torch.ones(2, 4, device="cuda") @ weight
assert made.dtype == torch.bfloat16
scaler.scale(made.float().sum()).backward()
result = weight.grad.sum().item()
