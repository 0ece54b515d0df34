import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, n: tl.constexpr):
    pass


x = torch.zeros(4, device="cuda")
