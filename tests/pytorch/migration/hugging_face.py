import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(10)
config = LlamaConfig(
    vocab_size=32,
    hidden_size=16,
    intermediate_size=32,
    num_hidden_layers=1,
    num_attention_heads=2,
    num_key_value_heads=1,
    attn_implementation="flash_attention_2",
)
model = LlamaForCausalLM(config).to("cuda").eval()
with torch.no_grad():
    logits = model(torch.arange(6, device="cuda")[None]).logits
result = logits[0, -1, :4].tolist()
