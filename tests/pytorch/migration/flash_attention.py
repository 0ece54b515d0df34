import torch
from flash_attn import flash_attn_func

torch.manual_seed(4)
q, k, v = (torch.randn(1, 6, heads, 8).to("cuda") for heads in (4, 2, 2))
out = flash_attn_func(q, k, v, dropout_p=0.0, softmax_scale=0.3, causal=True)
assert out.shape == q.shape
result = out.sum((0, 1, 3)).tolist()
