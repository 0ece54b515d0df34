"""LoRA adapters of folders as peft writes them: adapter_config.json, adapter_model.safetensors.

The adapters of a server lie side by side in matrices of all of them (products.product), so that
requests of any adapters share a step.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from trainyard.files import read_json
from trainyard.serving.llama import Config
from trainyard.serving.products import OWNERS, Weights
from trainyard.usage import UsageError

FILE = "adapter_model.safetensors"
NAME = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(.+)\.lora_([AB])\.weight")
TARGETS = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
# Of adapter_config.json, where they are set: this engine computes none of it.
REFUSED = (
    *("use_dora", "modules_to_save", "rank_pattern", "alpha_pattern", "layer_replication"),
    *("trainable_token_indices", "fan_in_fan_out"),
)
RANK_MAX = 256


@dataclass(frozen=True)
class Adapter:
    """A named one: matrices by "blk.L.name", A as [in, rank] and B, scaled, as [rank, out]."""

    name: str
    rank: int
    down: dict[str, np.ndarray] = field(repr=False)
    up: dict[str, np.ndarray] = field(repr=False)


def parse(text: str) -> tuple[str, Path]:
    """Of "name=path". Raises UsageError."""
    name, _, path = text.partition("=")
    if not re.fullmatch(r"[A-Za-z0-9][\w.:/-]{0,127}", name) or not path:
        raise UsageError(f"{text!r} is no adapter: write NAME=FOLDER")
    return name, Path(path)


def load(name: str, folder: Path, config: Config) -> Adapter:
    """The adapter of a folder, for a model of these shapes.

    Raises UsageError, which names the file, for what is damaged, does not fit or is not computed.
    """
    rank, scale = _settings(folder)
    held = _tensors(folder / FILE)
    shapes = _shapes(config)
    parts: dict[str, dict[str, np.ndarray]] = {"A": {}, "B": {}}
    for key, value in held.items():
        match = NAME.fullmatch(key)
        if not match or match[2] not in TARGETS or int(match[1]) >= config.layers:
            raise UsageError(f"{folder / FILE}: {key} is of no matrix that has adapters here")
        ours = TARGETS[match[2]]
        if config.experts and ours.startswith("ffn"):
            raise UsageError(f"{folder / FILE}: {key} is of experts, which have no adapters here")
        rows, columns = shapes[ours]
        wanted = (rank, rows) if match[3] == "A" else (columns, rank)
        if value.shape != wanted:
            raise UsageError(f"{folder / FILE}: {key} is {value.shape}, and {wanted} is needed")
        parts[match[3]][f"blk.{match[1]}.{ours}"] = np.asarray(value, np.float32).T
    if not parts["A"] or set(parts["A"]) != set(parts["B"]):
        raise UsageError(f"{folder / FILE}: lora_A and lora_B belong together")
    scaled = {key: value * np.float32(scale) for key, value in parts["B"].items()}
    return Adapter(name, rank, parts["A"], scaled)


def _settings(folder: Path) -> tuple[int, float]:
    """Rank and scale. Raises UsageError."""
    path = folder / "adapter_config.json"
    found = read_json(path)
    if not isinstance(found, dict) or found.get("peft_type") != "LORA":
        raise UsageError(f"{path}: peft_type is LORA")
    refused = [name for name in REFUSED if found.get(name)]
    if found.get("bias", "none") != "none":
        refused.append("bias")
    if refused:
        raise UsageError(f"{path}: not computed is what it says of {refused[0]}")
    rank, alpha = found.get("r"), found.get("lora_alpha")
    if not isinstance(rank, int) or not 1 <= rank <= RANK_MAX:
        raise UsageError(f"{path}: r is 1 to {RANK_MAX}, not {rank!r}")
    if (
        not isinstance(alpha, int | float)
        or isinstance(alpha, bool)
        or not abs(alpha) <= float(np.finfo(np.float32).max)
    ):
        raise UsageError(f"{path}: lora_alpha is a number, not {alpha!r}")
    return rank, alpha / (rank**0.5 if found.get("use_rslora") else rank)


def _tensors(path: Path) -> dict[str, np.ndarray]:
    if importlib.util.find_spec("safetensors") is None:
        raise UsageError("an adapter needs the package safetensors: pip install safetensors")
    import safetensors
    from safetensors.numpy import load_file

    try:
        found: dict[str, np.ndarray] = load_file(str(path))
    except (OSError, safetensors.SafetensorError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return found


def _shapes(config: Config) -> dict[str, tuple[int, int]]:
    mixed, kept = config.heads * config.head, config.kv_heads * config.head
    return {
        "attn_q": (config.hidden, mixed),
        "attn_k": (config.hidden, kept),
        "attn_v": (config.hidden, kept),
        "attn_output": (mixed, config.hidden),
        "ffn_gate": (config.hidden, config.inner),
        "ffn_up": (config.hidden, config.inner),
        "ffn_down": (config.inner, config.hidden),
    }


def stacked(adapters: Sequence[Adapter], config: Config, dtype: Any) -> Weights:
    """What a model's weights get besides for these adapters, numbered from 0."""
    if not adapters:
        return {}
    owners = np.repeat(np.arange(len(adapters)), [one.rank for one in adapters])
    found: Weights = {OWNERS: owners.astype(np.int32)}
    for key in sorted({key for one in adapters for key in one.down}):
        rows, columns = _shapes(config)[key.rpartition(".")[2]]
        down = [one.down.get(key, np.zeros((rows, one.rank), np.float32)) for one in adapters]
        up = [one.up.get(key, np.zeros((one.rank, columns), np.float32)) for one in adapters]
        found[f"{key}.lora_a"] = np.ascontiguousarray(np.concatenate(down, 1)).astype(dtype)
        found[f"{key}.lora_b"] = np.ascontiguousarray(np.concatenate(up, 0)).astype(dtype)
    return found


def merged(weights: Weights, adapter: Adapter) -> Weights:
    """The model as if the adapter were a part of it."""
    found = dict(weights)
    for key, down in adapter.down.items():
        whole = np.asarray(weights[key], np.float32) + down @ adapter.up[key]
        found[key] = whole.astype(weights[key].dtype)
    return found
