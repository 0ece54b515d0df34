"""Documents that commands read (studies, plans, measurements, configurations, groups of ranks),
damaged in their structure: values of another type or size, keys that are missing or unknown.

Damaged bytes rarely remain a document; these do, so that what reads values meets odd ones.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**31, 2**63, 2**64, 10**30, 1.5, -0.0, 1e308, 1e-320),
    *(float("nan"), float("inf"), "", "x", "0", "1e3", "llama3-8b", "\x00", "../..", "é" * 40),
    *([], [[]], [None], [1, "a"], {}, {"a": 1}, "a" * 5000),
)
KEYS = ("x", "model", "value", "ask", "")


@dataclass(frozen=True)
class Document:
    """What a command reads from a file of that name."""

    file: str
    content: Any
    command: tuple[str, ...]

    def text(self, content: Any) -> str:
        """The content as the file has it."""
        if self.file.endswith(".toml"):
            return _as_toml(content)
        if self.file.endswith(".jsonl") and isinstance(content, list):
            return "\n".join(json.dumps(line) for line in content)
        return json.dumps(content)


def _as_toml(content: Any) -> str:
    """Sections as inline tables, which TOML takes for the same."""
    if isinstance(content, dict):
        return "".join(f"{_quoted(key)} = {_value(one)}\n" for key, one in content.items())
    return _value(content)


def _quoted(text: object) -> str:
    return json.dumps(str(text))


def _value(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        pairs = (f"{_quoted(key)} = {_value(one)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    return _quoted(value)


def _paths(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inner: Any = ()
    if isinstance(content, dict):
        inner = content.items()
    if isinstance(content, list):
        inner = enumerate(content)
    for key, one in inner:
        yield from _paths(one, (*path, key))


def damaged(content: Any, draw: random.Random) -> Any:
    """The content with one to three values changed, left out, added or doubled."""
    content = copy.deepcopy(content)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        places = list(_paths(content))
        if not places:
            return draw.choice(ODD)
        *path, last = draw.choice(places)
        holder = content
        for key in path:
            holder = holder[key]
        how = draw.randrange(4)
        if how == 0:
            del holder[last]
        elif how == 1:
            _grow(holder, last, draw)
        else:
            holder[last] = draw.choice(ODD)
    return content


def _grow(holder: Any, last: Any, draw: random.Random) -> None:
    if isinstance(holder, dict):
        holder[draw.choice((*KEYS, f"{last}_"))] = draw.choice(ODD)
    else:
        holder.append(draw.choice((*ODD, holder[last])))


_TRAIN = ("plan", "train", "llama3-8b", "--tokens", "1e9")
_LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "num_hidden_layers": 4,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "intermediate_size": 8192,
    "vocab_size": 32000,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "rope_scaling": {"factor": 8.0, "rope_type": "llama3"},
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
}
_MIXTURE = {
    "architectures": ["Qwen3MoeForCausalLM"],
    "model_type": "qwen3_moe",
    "hidden_size": 2048,
    "num_hidden_layers": 4,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "intermediate_size": 6144,
    "moe_intermediate_size": 768,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
    "vocab_size": 151936,
}
_TITAN = {
    "training": {"local_batch_size": 1, "global_batch_size": 64, "seq_len": 4096},
    "parallelism": {
        "data_parallel_replicate_degree": 1,
        "data_parallel_shard_degree": 8,
        "fsdp_reshard_after_forward": "always",
        "tensor_parallel_degree": 8,
        "context_parallel_degree": 1,
        "pipeline_parallel_degree": 1,
        "pipeline_parallel_schedule": "1F1B",
    },
    "activation_checkpoint": {"mode": "full"},
}
_NXD = {
    "trainer": {"devices": 32, "num_nodes": 2},
    "distributed_strategy": {
        "tensor_model_parallel_size": 8,
        "pipeline_model_parallel_size": 1,
        "zero1": True,
        "sequence_parallel": True,
    },
    "data": {"micro_batch_size": 1, "global_batch_size": 64, "seq_length": 4096},
    "model": {"activations_checkpoint_granularity": "full"},
}

DOCUMENTS = {
    "study": Document(
        "study.toml",
        {
            "study": {"ask": "serving"},
            "axes": {"machine": ["trn2"], "batch": [1, 8]},
            "fixed": {"model": "llama3-8b"},
        },
        ("sweep", "{}"),
    ),
    "study of plans": Document(
        "study.toml",
        {
            "study": {"ask": "plan"},
            "axes": {"machine": ["trn2-ultraserver"], "chips": [64], "price": ["own"]},
            "fixed": {"model": "llama3-8b", "tokens": 1e9, "global_batch": 64},
        },
        ("sweep", "{}"),
    ),
    "measurements": Document(
        "rows.toml",
        {
            "row": {
                "model": "llama3-8b",
                "phase": "prefill",
                "value": 0.41,
                "ask": {"tp": 8, "input": 4096, "weights": "bf16"},
            }
        },
        (*_TRAIN, "--on", "trn2", "--chips", "16", "--calibrate", "{}"),
    ),
    "TorchTitan's plan": Document(
        "plan.toml", _TITAN, (*_TRAIN, "--on", "h100", "--chips", "64", "--plan", "{}")
    ),
    "nxd's plan": Document(
        "plan.json", _NXD, (*_TRAIN, "--on", "trn2", "--chips", "16", "--plan", "{}")
    ),
    "groups": Document(
        "groups.json",
        {"replica_groups": [[0, 1], [2, 3]]},
        ("cc-test", "allr", "-b", "8", "-e", "8", "--custom-replica-groups", "{}"),
    ),
    "counts": Document(
        "counts.json",
        {"counts": [[1, 2], [3, 4]]},
        ("cc-test", "alltoallv", "-r", "2", "--counts", "{}"),
    ),
    "configuration": Document("config.json", _LLAMA, ("fit", "{}", "--on", "trn2")),
    "mixture": Document("config.json", _MIXTURE, ("compare", "{}", "--on", "trn2")),
    "arrivals": Document(
        "arrivals.jsonl",
        [
            {"timestamp": 0, "input_length": 128, "output_length": 8, "hash_ids": [1, 2]},
            {"timestamp": 27, "input_length": 64, "output_length": 4, "hash_ids": [1]},
        ],
        ("plan", "serve", "llama3-8b", "--on", "trn2", "--trace", "{}"),
    ),
}
