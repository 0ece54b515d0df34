"""How the families of decoders that the exact engine computes differ from each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from trainyard.serving.experts import Experts
from trainyard.serving.llama import Config
from trainyard.serving.rotations import Rotation

SLIDING, FULL = "sliding_attention", "full_attention"  # as layer_types has them


@dataclass(frozen=True)
class Family:
    """How a family's layers differ from Llama's.

    extras: weights of a layer besides, by their names here. names: in safetensors, where they are
    others than Llama's. window: where config.json names none. whole_every: a layer of so many sees
    all tokens, the others a window; 0: a window is every layer's. fields: keys of config.json that
    are read besides.
    """

    extras: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    gate: str = "silu"
    scales_embeddings: bool = False  # by the root of their width
    norms_around_one: bool = False  # a norm multiplies by 1 + its weight
    window: int = 0
    whole_every: int = 0
    layout: str = ""  # of experts in safetensors: "each", "joined"; "": none
    fields: tuple[str, ...] = ()

    def complete(self, config: Config) -> Config:
        """The shapes with what the family does."""
        scale = float(config.hidden) ** 0.5 if self.scales_embeddings else 1.0
        return replace(config, gate=self.gate, embedding_scale=scale)

    def kinds(self, found: dict[str, Any], layers: int) -> tuple[str, ...]:
        """What each layer sees, from config.json."""
        said = found.get("layer_types")
        if isinstance(said, list):
            return tuple(map(str, said))
        if not self.window_of(found):
            return (FULL,) * layers
        every = int(found.get("sliding_window_pattern") or self.whole_every)
        first = int(found.get("max_window_layers", 0)) if "use_sliding_window" in found else 0
        return tuple(
            FULL if i < first or (every and (i + 1) % every == 0) else SLIDING
            for i in range(layers)
        )

    def window_of(self, found: dict[str, Any]) -> int:
        """Tokens that a layer with a window sees, by config.json; 0: no layer has one."""
        if "sliding_window" not in self.fields or not found.get("use_sliding_window", True):
            return 0
        return int(found.get("sliding_window", self.window) or 0)

    def invent(self, config: Config, window: int = 64) -> Config:
        """The shapes of weights that nobody has trained: the first layer with a window where the
        family has them, the last one without."""
        made = self.complete(config)
        if self.whole_every:
            every = min(self.whole_every, config.layers)
            kinds = self.kinds(
                {"sliding_window": window, "sliding_window_pattern": every}, config.layers
            )
            made = replace(made, windows=tuple(window if k == SLIDING else 0 for k in kinds))
        if "query_pre_attn_scalar" in self.fields:
            made = replace(made, query_scale=24**-0.5)
        if "attn_logit_softcapping" in self.fields:
            made = replace(made, score_cap=50.0, logit_cap=30.0)
        if "rope_local_base_freq" in self.fields:
            rates = (Rotation(1e6, "linear", 8.0), Rotation(1e4))
            made = replace(made, rotations=tuple(rates[one > 0] for one in made.windows))
        if self.layout:
            bound = 7.0 if self.layout == "joined" else None
            made = replace(made, experts=Experts(8, 2, config.hidden, True, bound))
        return made


BIASES = ("attn_q_bias", "attn_k_bias", "attn_v_bias")
NORMS = ("attn_q_norm", "attn_k_norm")
BEHIND = {  # of Gemma 2 and 3: norms before and behind each half of a layer
    "attn_post_norm": "post_attention_layernorm.weight",
    "ffn_norm": "pre_feedforward_layernorm.weight",
    "ffn_post_norm": "post_feedforward_layernorm.weight",
}
WINDOWS = ("sliding_window", "layer_types")
EXPERT_BIASES = ("ffn_router_bias", "ffn_gate_bias", "ffn_up_bias", "ffn_down_bias")
FAMILIES = {  # by model_type of config.json
    "llama": Family(),
    "mistral": Family(window=4096, fields=WINDOWS),
    "qwen2": Family(BIASES, fields=(*WINDOWS, "use_sliding_window", "max_window_layers")),
    "qwen3": Family(NORMS, fields=(*WINDOWS, "use_sliding_window", "max_window_layers")),
    "gemma": Family(gate="gelu", scales_embeddings=True, norms_around_one=True),
    "gemma2": Family(
        ("attn_post_norm", "ffn_post_norm"),
        BEHIND,
        "gelu",
        scales_embeddings=True,
        norms_around_one=True,
        window=4096,
        whole_every=2,
        fields=(
            *WINDOWS,
            "query_pre_attn_scalar",
            "attn_logit_softcapping",
            "final_logit_softcapping",
        ),
    ),
    "gemma3_text": Family(
        (*NORMS, "attn_post_norm", "ffn_post_norm"),
        BEHIND,
        "gelu",
        scales_embeddings=True,
        norms_around_one=True,
        window=4096,
        whole_every=6,
        fields=(
            *WINDOWS,
            "sliding_window_pattern",
            "query_pre_attn_scalar",
            "rope_local_base_freq",
        ),
    ),
    "gpt_oss": Family(
        (*BIASES, "attn_output_bias", "attn_sinks", *EXPERT_BIASES),
        {"ffn_router": "mlp.router.weight", "ffn_router_bias": "mlp.router.bias"},
        window=128,
        whole_every=2,
        layout="joined",
        fields=WINDOWS,
    ),
    "mixtral": Family(
        names={
            "ffn_router": "block_sparse_moe.gate.weight",
            "ffn_gate": "block_sparse_moe.experts.{}.w1.weight",
            "ffn_up": "block_sparse_moe.experts.{}.w3.weight",
            "ffn_down": "block_sparse_moe.experts.{}.w2.weight",
        },
        layout="each",
        fields=WINDOWS,
    ),
    "qwen3_moe": Family(
        NORMS,
        {
            "ffn_router": "mlp.gate.weight",
            "ffn_gate": "mlp.experts.{}.gate_proj.weight",
            "ffn_up": "mlp.experts.{}.up_proj.weight",
            "ffn_down": "mlp.experts.{}.down_proj.weight",
        },
        layout="each",
        fields=(*WINDOWS, "use_sliding_window", "max_window_layers", "norm_topk_prob"),
    ),
}
