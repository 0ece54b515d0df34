"""Folders as transformers writes them: config.json, safetensors and tokenizer.json, to models that
the exact engine serves. What config.json or the weights have besides is refused by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from trainyard.files import read_json
from trainyard.serving.families import BIASES, FAMILIES, Family
from trainyard.serving.llama import Config, Weights
from trainyard.serving.words import Model, Words, core_of, need
from trainyard.usage import UsageError

# Of config.json, where they are set: layers of this engine have none of it.
REFUSED = ("rope_scaling", "mlp_bias", "quantization_config")
GATES = {"silu": "silu", "gelu_pytorch_tanh": "gelu"}
SPECIAL = (
    *("<|im_start|>", "<|im_end|>", "</s>", "<|endoftext|>"),
    *("<bos>", "<start_of_turn>", "<end_of_turn>"),
)

# Names of a layer's weights in safetensors, by those here.
LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


EXTRAS = {
    "attn_q_bias": "self_attn.q_proj.bias",
    "attn_k_bias": "self_attn.k_proj.bias",
    "attn_v_bias": "self_attn.v_proj.bias",
    "attn_output_bias": "self_attn.o_proj.bias",
    "attn_q_norm": "self_attn.q_norm.weight",
    "attn_k_norm": "self_attn.k_norm.weight",
}
UNREAD = re.compile(r"rotary_emb\.inv_freq$")  # of older files, which config.json says again


class _Held:
    """The tensors of a folder, and which of them were read."""

    def __init__(self, folder: Path, dtype: Any, around_one: bool) -> None:
        safetensors = need("safetensors", "safetensors", "a folder of weights")
        load_file = need("safetensors.numpy", "safetensors", "a folder of weights").load_file
        self._folder, self._dtype, self._around_one = folder, dtype, around_one
        self._held: dict[str, np.ndarray] = {}
        self._read: set[str] = set()
        for file in sorted(folder.glob("*.safetensors")):
            try:
                self._held |= load_file(str(file))
            except (OSError, safetensors.SafetensorError) as error:
                raise UsageError(f"{file} cannot be read: {error}") from None

    def __contains__(self, name: str) -> bool:
        return name in self._held

    def take(self, name: str) -> np.ndarray:
        """A tensor as the step functions take it. Raises UsageError where there is none."""
        if name not in self._held:
            raise UsageError(f"{self._folder}: no safetensors file holds {name}")
        self._read.add(name)
        value = np.asarray(self._held[name], np.float32)
        if self._around_one and name.endswith("norm.weight"):
            value = 1 + value
        is_matrix = value.ndim == 2 and "embed_tokens" not in name
        return np.ascontiguousarray(value.T if is_matrix else value).astype(self._dtype)

    def check_read(self) -> None:
        """Raises UsageError for what nobody has read: the model computes something with it."""
        left = [name for name in self._held if name not in self._read and not UNREAD.search(name)]
        left = [name for name in left if name != "lm_head.weight"]  # of tied words, a copy
        if left:
            raise UsageError(f"{self._folder}: not served exactly is {min(left)} of its weights")


def load(folder: Path, dtype: Any) -> Model:
    """The model of a folder. Raises UsageError."""
    found = read_json(folder / "config.json")
    if not isinstance(found, dict):
        raise UsageError(f"{folder}/config.json is no object of JSON")
    family = _family(folder, found)
    config = _config(folder, found, family)
    held = _Held(folder, dtype, family.norms_around_one)
    weights: Weights = {}
    extras = _extras(found, family)
    for layer in range(config.layers):
        names = {ours: f"{theirs}.weight" for ours, theirs in LAYER.items()}
        names |= {ours: EXTRAS[ours] for ours in extras}
        for ours, theirs in names.items():
            weights[f"blk.{layer}.{ours}"] = held.take(f"model.layers.{layer}.{theirs}")
    weights["token_embd"] = held.take("model.embed_tokens.weight")
    weights["output_norm"] = held.take("model.norm.weight")
    tied = found.get("tie_word_embeddings", "lm_head.weight" not in held)
    weights["head"] = (
        np.ascontiguousarray(weights["token_embd"].T) if tied else held.take("lm_head.weight")
    )
    held.check_read()
    core = core_of(folder / "tokenizer.json")
    special = {name: number for name in SPECIAL if (number := core.token_to_id(name)) is not None}
    ends = found.get("eos_token_id")
    stops = frozenset(ends if isinstance(ends, list) else [ends] if ends is not None else [])
    return Model(folder.name, config, weights, Words(core), stops, special)


def _family(folder: Path, found: dict[str, Any]) -> Family:
    kind = found.get("model_type")
    family = FAMILIES.get(kind) if isinstance(kind, str) else None
    if family is None:
        raise UsageError(
            f"{folder}: the exact engine serves {', '.join(FAMILIES)}, not {kind!r}; "
            "trainyard plan serve plans every model"
        )
    return family


def _extras(found: dict[str, Any], family: Family) -> tuple[str, ...]:
    if not found.get("attention_bias"):
        return family.extras
    return tuple(dict.fromkeys((*family.extras, *BIASES, "attn_output_bias")))


def _gate(found: dict[str, Any], family: Family) -> str | None:
    """The field of config.json whose activation is another than the family's here."""
    for name in ("hidden_activation", "hidden_act"):  # Gemma's, and everybody's
        if (said := found.get(name)) is not None:
            return None if GATES.get(said) == family.gate else name
    return None


def _refused(found: dict[str, Any], family: Family) -> list[str]:
    """Fields of config.json that say what the layers here do not compute."""
    refused = [name for name in REFUSED if found.get(name)]
    # Qwen's files name a window whether it is used or not.
    if found.get("sliding_window") and found.get("use_sliding_window", True):
        refused.append("sliding_window")
    if any(one != "full_attention" for one in found.get("layer_types") or ()):
        refused.append("layer_types")
    if (name := _gate(found, family)) is not None:
        refused.append(name)
    # transformers 5 writes rope_parameters, older ones rope_theta and rope_scaling.
    rope = found.get("rope_parameters") or {}
    is_one = isinstance(rope, dict) and (not rope or "rope_theta" in rope)  # for all layers
    if not is_one or rope.get("rope_type", "default") != "default":
        refused.append("rope_parameters")
    return refused


def _config(folder: Path, found: dict[str, Any], family: Family) -> Config:
    refused = _refused(found, family)
    if refused:
        raise UsageError(f"{folder}: not served exactly is what config.json says of {refused[0]}")
    rope = found.get("rope_parameters") or {}
    try:
        heads, hidden = int(found["num_attention_heads"]), int(found["hidden_size"])
        config = Config(
            int(found["num_hidden_layers"]),
            hidden,
            heads,
            int(found.get("num_key_value_heads", heads)),
            int(found.get("head_dim") or hidden // heads),
            int(found["intermediate_size"]),
            int(found["vocab_size"]),
            float(rope.get("rope_theta", found.get("rope_theta", 1e4))),
            float(found.get("rms_norm_eps", 1e-5)),
            int(found.get("max_position_embeddings", 2048)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{folder}/config.json: {error!r}") from None
    return family.complete(config)
