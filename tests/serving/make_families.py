"""Writes families.json: greedy tokens of small models of several families by transformers, which
tests of the exact engine compare with. Needs torch and transformers: run it with a Python that has
them. Weights are drawn by name, so that the tests can write the same folders without either.

  python tests/serving/make_families.py
"""

from __future__ import annotations

import json
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("families.json")
SHAPE = {
    "num_hidden_layers": 2,
    "hidden_size": 96,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "intermediate_size": 160,
    "vocab_size": 200,
    "max_position_embeddings": 256,
    "eos_token_id": 199,
    "bos_token_id": 198,
    "pad_token_id": 197,
}
ROPES: dict[str, dict[str, Any]] = {
    "llama3": {
        **{"rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0, "low_freq_factor": 1.0},
        **{"high_freq_factor": 4.0, "original_max_position_embeddings": 32},
    },
    "yarn": {
        **{"rope_type": "yarn", "rope_theta": 15e4, "factor": 32.0, "beta_fast": 32.0},
        **{"beta_slow": 1.0, "original_max_position_embeddings": 64, "truncate": False},
    },
    "gemma3": {
        "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}
FAMILIES = {
    "llama-biased": ("LlamaConfig", {"attention_bias": True}),
    "llama-scaled": ("LlamaConfig", {"rope_parameters": ROPES["llama3"]}),
    "mistral": ("MistralConfig", {"sliding_window": None}),
    "mistral-windows": ("MistralConfig", {"sliding_window": 24}),
    "qwen2": ("Qwen2Config", {"tie_word_embeddings": False}),
    "qwen3": ("Qwen3Config", {"head_dim": 32, "tie_word_embeddings": False}),
    "qwen2-windows": (
        "Qwen2Config",
        {"use_sliding_window": True, "sliding_window": 21, "max_window_layers": 1},
    ),
    "gemma": ("GemmaConfig", {"head_dim": 32}),
    "gemma2": (
        "Gemma2Config",
        {
            **{"head_dim": 32, "sliding_window": 20, "query_pre_attn_scalar": 24},
            **{"attn_logit_softcapping": 3.0, "final_logit_softcapping": 2.0},
        },
    ),
    "gemma3": (
        "Gemma3TextConfig",
        {
            **{"num_hidden_layers": 3, "head_dim": 32, "sliding_window": 35},
            **{"layer_types": ["sliding_attention"] * 2 + ["full_attention"]},
            **{"query_pre_attn_scalar": 24, "rope_parameters": ROPES["gemma3"]},
        },
    ),
    "gpt-oss": (
        "GptOssConfig",
        {
            **{"head_dim": 32, "sliding_window": 19, "num_local_experts": 8},
            **{"num_experts_per_tok": 2, "rope_parameters": ROPES["yarn"]},
        },
    ),
    "mixtral": ("MixtralConfig", {"num_local_experts": 4, "num_experts_per_tok": 2}),
    "qwen3-moe": (
        "Qwen3MoeConfig",
        {
            **{"head_dim": 32, "num_experts": 16, "num_experts_per_tok": 4},
            **{"moe_intermediate_size": 48, "norm_topk_prob": False},
        },
    ),
}
LENGTHS, ANSWER = (3, 16, 41, 70), 10


def drawn(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A tensor of a folder, from its name alone."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    values = random.standard_normal(shape)
    if name.endswith("norm.weight"):
        return (1 + 0.3 * values).astype(np.float32)  # Gemma's: times 2 in the mean
    scale = 0.3 if len(shape) == 1 else 0.05 if "embed" in name else shape[1] ** -0.5
    return (scale * values).astype(np.float32)


def prompts() -> list[list[int]]:
    """Of several lengths, of pieces and blocks and between them."""
    random = np.random.default_rng(1)
    return [random.integers(0, 197, length).tolist() for length in LENGTHS]


def answers_of(name: str, folder: str) -> list[list[int]]:
    """Greedy answers of a folder, each asked alone."""
    import torch
    import transformers

    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    answers = []
    for prompt in prompts():
        ids = list(prompt)
        for _ in range(ANSWER):
            with torch.no_grad():
                logits = model.eval()(torch.tensor([ids])).logits[0, -1]
            two = logits.topk(2).values
            assert two[0] - two[1] > 1e-3, f"{name}: two logits tie"
            ids.append(int(logits.argmax()))
        answers.append(ids[len(prompt) :])
    return answers


def main() -> None:
    import transformers
    from safetensors.numpy import load_file, save_file

    found: dict[str, Any] = {}
    for name, (kind, changes) in FAMILIES.items():
        config = getattr(transformers, kind)(**(SHAPE | changes))
        with tempfile.TemporaryDirectory() as folder:
            transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
            file = Path(folder) / "model.safetensors"
            shapes = {tensor: list(value.shape) for tensor, value in load_file(file).items()}
            drawn_ones = {tensor: drawn(tensor, tuple(shape)) for tensor, shape in shapes.items()}
            save_file(drawn_ones, file, {"format": "pt"})
            answers = answers_of(name, folder)
        told = json.loads(config.to_json_string(use_diff=False))
        kept = {key: told[key] for key in sorted(told) if told[key] is not None}
        found[name] = {"config": kept, "shapes": shapes, "answers": answers}
    found["transformers"] = transformers.__version__
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
