"""How the families of decoders that the exact engine computes differ from each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trainyard.serving.llama import Config


@dataclass(frozen=True)
class Family:
    """How a family's layers differ from Llama's. extras: weights of a layer besides, by their names
    here."""

    extras: tuple[str, ...] = ()
    gate: str = "silu"
    scales_embeddings: bool = False  # by the root of their width
    norms_around_one: bool = False  # a norm multiplies by 1 + its weight

    def complete(self, config: Config) -> Config:
        """The shapes with what the family does."""
        scale = float(config.hidden) ** 0.5 if self.scales_embeddings else 1.0
        return replace(config, gate=self.gate, embedding_scale=scale)


BIASES = ("attn_q_bias", "attn_k_bias", "attn_v_bias")
FAMILIES = {  # by model_type of config.json
    "llama": Family(),
    "mistral": Family(),
    "qwen2": Family(BIASES),
    "qwen3": Family(("attn_q_norm", "attn_k_norm")),
    "gemma": Family(gate="gelu", scales_embeddings=True, norms_around_one=True),
}
