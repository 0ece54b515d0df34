"""Rotary positions: how fast each pair of a head turns, scaled as config.json says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

# Of rope_parameters, by the scaling that reads them.
SCALINGS = {
    "default": (),
    "linear": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
    "yarn": ("factor", "original_max_position_embeddings"),
}
OPTIONAL = {"yarn": ("attention_factor", "beta_fast", "beta_slow", "truncate")}
NAMES = ("rope_theta", "rope_type", "type")


@dataclass(frozen=True)
class Rotation:
    """Of a layer's queries and keys: base of the rates, and how they are scaled for long contexts.

    low, high: turns within `original` positions between which a rate is scaled in part.
    stretch: of cosine and sine.
    """

    theta: float
    scaling: str = "default"
    factor: float = 1.0
    low: float = 1.0
    high: float = 32.0
    original: int = 0
    stretch: float = 1.0
    truncates: bool = True

    def rates(self, head: int) -> np.ndarray:
        """Radians a position of each pair: float32 [head / 2], as transformers computes them."""
        plain = self.theta ** (-np.arange(0, head, 2, dtype=np.float32) / head)
        if self.scaling == "linear":
            return plain / np.float32(self.factor)
        if self.scaling == "llama3":
            turns = np.float32(self.original) * plain / np.float32(2 * math.pi)
            share = np.clip((turns - self.low) / (self.high - self.low), 0, 1)
            return ((1 - share) * plain / self.factor + share * plain).astype(np.float32)
        if self.scaling == "yarn":
            share = self._kept(head)
            return (plain / self.factor * (1 - share) + plain * share).astype(np.float32)
        return plain

    def _kept(self, head: int) -> np.ndarray:
        """The share of its own rate that each pair keeps (YaRN, 2309.00071)."""

        def pair(turns: float) -> float:
            return (
                head * math.log(self.original / (turns * 2 * math.pi)) / (2 * math.log(self.theta))
            )

        first, last = pair(self.high), pair(self.low)
        if self.truncates:
            first, last = math.floor(first), math.ceil(last)
        first, last = max(first, 0), min(last, head - 1)
        width = (last - first) or 0.001
        ramp = (np.arange(head // 2, dtype=np.float32) - first) / np.float32(width)
        return 1 - np.clip(ramp, 0, 1)


def read(said: dict[str, Any]) -> Rotation | None:
    """Of one entry of rope_parameters. None: it names what is not computed here."""
    scaling = said.get("rope_type", said.get("type", "default"))
    needed = SCALINGS.get(scaling)
    if needed is None or any(not isinstance(said.get(one), int | float) for one in needed):
        return None
    known = {*NAMES, *needed, *OPTIONAL.get(scaling, ())}
    if any(value is not None and name not in known for name, value in said.items()):
        return None
    factor = float(said.get("factor") or 1.0)
    made = Rotation(float(said["rope_theta"]), scaling, factor)
    original = int(said.get("original_max_position_embeddings") or 0)
    if scaling == "llama3":
        low, high = float(said["low_freq_factor"]), float(said["high_freq_factor"])
        return Rotation(made.theta, scaling, factor, low, high, original)
    if scaling == "yarn":
        stretch = said.get("attention_factor")
        if stretch is None:
            stretch = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
        low, high = float(said.get("beta_slow") or 1), float(said.get("beta_fast") or 32)
        truncates = bool(said.get("truncate", True))
        return Rotation(made.theta, scaling, factor, low, high, original, float(stretch), truncates)
    return made


def of_layers(found: dict[str, Any], kinds: tuple[str, ...]) -> tuple[Rotation, ...] | None:
    """The rotation of each layer, by its kind as layer_types has it. None: not computed here.

    transformers 5 writes rope_parameters, for each kind of layers where they differ; older files
    have rope_theta, rope_scaling, and of Gemma 3 rope_local_base_freq.
    """
    theta = float(found.get("rope_theta") or found.get("default_theta") or 1e4)
    rope = found.get("rope_parameters") or {}
    scaled = found.get("rope_scaling") or {}
    if not isinstance(rope, dict) or not isinstance(scaled, dict):
        return None
    by_kind: dict[str, Rotation | None] = {}
    for kind in dict.fromkeys(kinds):
        said = rope.get(kind, rope)
        if not isinstance(said, dict):
            return None
        if rope is said and any(isinstance(one, dict) for one in rope.values()):
            return None  # of some kinds of layers, and not of this one
        local = found.get("rope_local_base_freq") if kind == "sliding_attention" else None
        if not rope:
            said = {} if local else scaled
        by_kind[kind] = read({"rope_theta": float(local or theta), **said})
    made = tuple(by_kind[kind] for kind in kinds)
    return tuple(one for one in made if one) if all(made) else None
