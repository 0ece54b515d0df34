import functools

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from transformers import LlamaConfig, LlamaForCausalLM

zeros = functools.partial(torch.zeros, device="cuda")
DEV = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"


class Square(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=64,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
)
model = LlamaForCausalLM._from_config(config, attn_implementation="sdpa").cuda().eval()
batch = {
    "input_ids": torch.randint(0, 64, (2, 7)),
    "attention_mask": torch.ones(2, 7, dtype=torch.long),
}
batch = {k: v.cuda(non_blocking=True) for k, v in batch.items()}
fast = torch.compile(model, mode="reduce-overhead", fullgraph=True)
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
with torch.inference_mode(), sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    start.record()
    logits = fast(**batch).logits
    end.record()
torch.cuda.synchronize(device="cuda:0")
took = start.elapsed_time(end)
x = torch.arange(6.0, device=DEV).reshape(2, 3).requires_grad_()
(Square.apply(x) + zeros(3)).sum().backward()
result = [logits.float().mean().item(), x.grad.sum().item()]
print(f"{torch.cuda.memory_reserved()} bytes, {took:.3f} ms")
