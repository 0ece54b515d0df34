import torch

torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
x = torch.ones(256, device="cuda")
torch.cuda.synchronize()
text = f"{torch.cuda.max_memory_allocated() / 1e6:.1f} MB of {torch.cuda.get_device_name(0)}"
assert text.startswith("0.0 MB") or "MB" in text
free, everything = torch.cuda.mem_get_info()
assert 0 < free <= everything and torch.cuda.memory_reserved() >= 0
result = x.sum().item()
