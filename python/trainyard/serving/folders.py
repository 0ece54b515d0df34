"""Folders as transformers writes them: config.json, safetensors and tokenizer.json, to models that
the exact engine serves. What config.json or the weights have besides is refused by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from trainyard.files import read_json
from trainyard.serving import templates
from trainyard.serving.experts import ALPHA, Experts
from trainyard.serving.families import BIASES, FAMILIES, FULL, SLIDING, Family
from trainyard.serving.llama import Config
from trainyard.serving.products import Weights
from trainyard.serving.rotations import Rotation, of_layers
from trainyard.serving.words import Model, Words, core_of, need
from trainyard.usage import UsageError

# Of config.json, where they are set: layers of this engine have none of it.
REFUSED = ("mlp_bias", "quantization_config", "use_bidirectional_attention", "mlp_only_layers")
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
    "attn_sinks": "self_attn.sinks",
}
JOINED = {  # of GPT-OSS: all experts in one tensor, columns of gate and up in turn
    "ffn_gate": ("mlp.experts.gate_up_proj", 0),
    "ffn_up": ("mlp.experts.gate_up_proj", 1),
    "ffn_gate_bias": ("mlp.experts.gate_up_proj_bias", 0),
    "ffn_up_bias": ("mlp.experts.gate_up_proj_bias", 1),
    "ffn_down": ("mlp.experts.down_proj", None),
    "ffn_down_bias": ("mlp.experts.down_proj_bias", None),
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
        is_matrix = value.ndim == 2 and "embed_tokens" not in name and not name.endswith("_bias")
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
    names = _names(config, family, _extras(found, family))
    for layer in range(config.layers):
        before = f"model.layers.{layer}."
        for ours, theirs in names.items():
            weights[f"blk.{layer}.{ours}"] = _taken(held, before, theirs, config)
        if family.layout == "joined":
            weights |= _joined(held, before, f"blk.{layer}.")
    weights["token_embd"] = held.take("model.embed_tokens.weight")
    weights["output_norm"] = held.take("model.norm.weight")
    tied = found.get("tie_word_embeddings", "lm_head.weight" not in held)
    weights["head"] = (
        np.ascontiguousarray(weights["token_embd"].T) if tied else held.take("lm_head.weight")
    )
    held.check_read()
    core = core_of(folder / "tokenizer.json")
    special = {name: number for name in SPECIAL if (number := core.token_to_id(name)) is not None}
    stops = _ends(folder, found, core)
    template = templates.load(folder, core)
    return Model(folder.name, config, weights, Words(core), stops, special, template=template)


def _ends(folder: Path, found: dict[str, Any], core: Any) -> frozenset[int]:
    """Tokens that end an answer: of config.json, of generation_config.json, where models that chat
    name the end of a turn, and the tokenizer's own."""
    ends: set[int] = set()
    path = folder / "generation_config.json"
    generation = read_json(path) if path.is_file() else {}
    for file, said in (("config.json", found), (path.name, generation)):
        value = said.get("eos_token_id") if isinstance(said, dict) else None
        several = value if isinstance(value, list) else [] if value is None else [value]
        for one in several:
            if isinstance(one, bool) or not isinstance(one, int) or one < 0:
                raise UsageError(f"{folder / file}: eos_token_id is a token or some, not {value!r}")
            ends.add(one)
    own = templates.token_of(templates.settings_of(folder), "eos_token")
    number = core.token_to_id(own) if own else None
    return frozenset(ends if number is None else ends | {number})


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


def _names(config: Config, family: Family, extras: tuple[str, ...]) -> dict[str, str]:
    """The weights of a layer, by their names here."""
    names = {ours: f"{theirs}.weight" for ours, theirs in LAYER.items()}
    names |= {ours: EXTRAS[ours] for ours in extras if ours in EXTRAS}
    names |= family.names
    return {
        ours: name
        for ours, name in names.items()
        if family.layout != "joined" or ours not in JOINED
    }


def _taken(held: _Held, before: str, name: str, config: Config) -> np.ndarray:
    """A weight, or those of all experts as one."""
    if "{}" not in name:
        return held.take(before + name)
    assert config.experts is not None
    return np.stack([held.take(before + name.format(i)) for i in range(config.experts.of)])


def _joined(held: _Held, before: str, ours: str) -> Weights:
    whole = {name: held.take(before + name) for name, _ in JOINED.values()}
    return {
        ours + name: np.ascontiguousarray(
            whole[theirs] if place is None else whole[theirs][..., place::2]
        )
        for name, (theirs, place) in JOINED.items()
    }


def _gate(found: dict[str, Any], family: Family) -> str | None:
    """The field of config.json whose activation is another than the family's here."""
    for name in ("hidden_activation", "hidden_act"):  # Gemma's, and everybody's
        if (said := found.get(name)) is not None:
            return None if GATES.get(said) == family.gate else name
    return None


def _refused(found: dict[str, Any], family: Family, kinds: tuple[str, ...]) -> list[str]:
    """Fields of config.json that say what the layers here do not compute."""
    refused = [name for name in REFUSED if found.get(name)]
    if found.get("sliding_window") and "sliding_window" not in family.fields:
        refused.append("sliding_window")
    known = (FULL, SLIDING) if family.window_of(found) else (FULL,)
    if any(one not in known for one in kinds):
        refused.append("layer_types")
    if (name := _gate(found, family)) is not None:
        refused.append(name)
    for name in ("attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar"):
        if found.get(name) and name not in family.fields:
            refused.append(name)
    if found.get("decoder_sparse_step", 1) != 1:
        refused.append("decoder_sparse_step")
    if found.get("swiglu_alpha", ALPHA) != ALPHA:
        refused.append("swiglu_alpha")
    if found.get("partial_rotary_factor", 1.0) != 1.0:
        refused.append("partial_rotary_factor")
    return refused


_LAYERS_MAX, _WIDTH_MAX = 10_000, 1 << 24


def _whole(found: dict[str, Any], key: str, otherwise: Any = None, most: int = _WIDTH_MAX) -> int:
    """Raises KeyError for a key that is missing, ValueError for what no model has so many of."""
    value = found[key] if otherwise is None else found.get(key) or otherwise
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= most:
        raise ValueError(f"{key} is 1 to {most:,}, not {value!r}")
    if value != int(value):
        raise ValueError(f"{key} is a whole number, not {value!r}")
    return int(value)


def _experts(found: dict[str, Any], family: Family) -> Experts | None:
    if not family.layout:
        return None
    return Experts(
        _whole(found, "num_experts" if "num_experts" in found else "num_local_experts"),
        _whole(found, "num_experts_per_tok"),
        _whole(found, "moe_intermediate_size", found.get("intermediate_size", 0)),
        bool(found.get("norm_topk_prob", False)) or "norm_topk_prob" not in family.fields,
        float(found.get("swiglu_limit") or 7.0) if family.layout == "joined" else None,
    )


def _config(folder: Path, found: dict[str, Any], family: Family) -> Config:
    try:
        layers = _whole(found, "num_hidden_layers", most=_LAYERS_MAX)
        kinds = family.kinds(found, layers)
        refused = _refused(found, family, kinds)
        rotations = of_layers(found, kinds)
        if rotations is None:
            refused.append("rope_parameters" if found.get("rope_parameters") else "rope_scaling")
        if refused:
            raise UsageError(
                f"{folder}: not served exactly is what config.json says of {refused[0]}"
            )
        assert rotations is not None
        if len(kinds) != layers:
            raise UsageError(f"{folder}/config.json: layer_types are not num_hidden_layers")
        window = family.window_of(found)
        scaled = found.get("query_pre_attn_scalar")
        heads, hidden = _whole(found, "num_attention_heads"), _whole(found, "hidden_size")
        config = Config(
            layers,
            hidden,
            heads,
            _whole(found, "num_key_value_heads", heads),
            _whole(found, "head_dim", hidden // heads),
            _whole(found, "intermediate_size"),
            _whole(found, "vocab_size"),
            rotations[0].theta,
            float(found.get("rms_norm_eps", 1e-5)),
            _whole(found, "max_position_embeddings", 2048, 1 << 31),
            rotations=() if rotations == (Rotation(rotations[0].theta),) * layers else rotations,
            windows=tuple(window if k == SLIDING else 0 for k in kinds) if SLIDING in kinds else (),
            query_scale=float(scaled) ** -0.5 if scaled else None,
            score_cap=float(found.get("attn_logit_softcapping") or 0),
            logit_cap=float(found.get("final_logit_softcapping") or 0),
            experts=_experts(found, family),
        )
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise UsageError(f"{folder}/config.json: {error!r}") from None
    return family.complete(config)
