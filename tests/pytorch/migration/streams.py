import torch

start = torch.cuda.Event(enable_timing=True)
stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    x = torch.ones(2, device="cuda")
start.record()
