"""Writes families.json: greedy tokens of small models of several families by transformers, which
tests of the exact engine compare with. Needs torch and transformers: run it with a Python that has
them. Weights are drawn by name, so that the tests can write the same folders without either.

  python tests/serving/make_families.py
"""

from __future__ import annotations

import json
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
FAMILIES = {
    "llama-biased": ("LlamaConfig", {"attention_bias": True}),
    "mistral": ("MistralConfig", {"sliding_window": None}),
    "qwen2": ("Qwen2Config", {"tie_word_embeddings": False}),
    "qwen3": ("Qwen3Config", {"head_dim": 32, "tie_word_embeddings": False}),
    "gemma": ("GemmaConfig", {"head_dim": 32}),
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


def main() -> None:
    import torch
    import transformers

    found: dict[str, Any] = {}
    for name, (kind, changes) in FAMILIES.items():
        config = getattr(transformers, kind)(**SHAPE, **changes)
        model = transformers.AutoModelForCausalLM.from_config(config).float().eval()
        shapes = {}
        with torch.no_grad():
            for tensor, value in model.named_parameters():
                value.copy_(torch.from_numpy(drawn(tensor, tuple(value.shape))))
                shapes[tensor] = list(value.shape)
            answers = []
            for prompt in prompts():
                ids = list(prompt)
                for _ in range(ANSWER):
                    logits = model(torch.tensor([ids])).logits[0, -1]
                    two = logits.topk(2).values
                    assert two[0] - two[1] > 1e-3, f"{name}: two logits tie"
                    ids.append(int(logits.argmax()))
                answers.append(ids[len(prompt) :])
        told = json.loads(config.to_json_string(use_diff=False))
        kept = {key: told[key] for key in sorted(told) if told[key] is not None}
        found[name] = {"config": kept, "shapes": shapes, "answers": answers}
    found["transformers"] = transformers.__version__
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
