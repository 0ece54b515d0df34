"""What one core does of each layer of a model, by the model's configuration and a plan."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import trainyard
from trainyard.planner.blocks import Attention, Block, Experts, FeedForward, Latent, Norm
from trainyard.planner.layers import FORMATS

P = 128
# As src/planner/read_model.cpp has them.
UNGATED = ("gpt2", "gpt_neo", "gpt_neox", "gptj", "opt", "bloom", "falcon", "mpt", "phi")
LEARNED_POSITIONS = ("gpt2", "gpt_neo", "opt", "bloom", "mpt")


@dataclass(frozen=True)
class Shape:
    """A decoder's layers."""

    layers: int
    hidden: int
    heads: int
    keys: int
    head: int
    inner: int
    gated: bool
    rotary: bool
    vocabulary: int
    experts: int = 0
    chosen: int = 0  # experts of a token
    expert_inner: int = 0
    shared: int = 0  # experts that every token passes through
    dense: int = 0  # leading layers without experts
    window: int = 0
    windowed: int = 0  # layers that see the window only
    latent: Latent | None = None


@dataclass(frozen=True)
class Cores:
    """The cores that share a layer: of one tensor-parallel group, and of all experts."""

    group: int
    all: int


def config_of(model: str) -> dict[str, Any]:
    """The fields of a model's config.json. Raises UsageError where there is none."""
    path = Path(model)
    if path.suffix == ".json":
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    here = Path(trainyard.__file__).resolve().parent
    for folder in (here / "models", *(up / "models" for up in here.parents[:4])):
        if (file := folder / f"{model}.toml").is_file():
            config: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["config"]
            return config
    raise trainyard.UsageError(f"the configuration of {model} is not found beside {here}")


def shape_of(config: Mapping[str, Any]) -> Shape:
    """The shape in a configuration that the analytic model has read."""
    config = config.get("text_config") or config

    def first(*names: str, otherwise: int = 0) -> int:
        return next(
            (int(config[name]) for name in names if config.get(name) is not None), otherwise
        )

    kind = str(config.get("model_type", ""))
    hidden = first("hidden_size", "n_embd", "d_model", "dim")
    layers = first("num_hidden_layers", "n_layer", "num_layers", "n_layers")
    heads = first("num_attention_heads", "n_head", "num_heads", "n_heads")
    one_key = config.get("multi_query") and not config.get("new_decoder_architecture")
    inner = first(
        "intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", otherwise=4 * hidden
    )
    experts = first("num_local_experts", "n_routed_experts", "num_experts")
    window = first("sliding_window") if config.get("use_sliding_window", True) else 0
    kinds = config.get("layer_types") or ["sliding_attention" if window else ""] * layers
    rank = first("kv_lora_rank")
    return Shape(
        layers,
        hidden,
        heads,
        first(
            "num_key_value_heads", "num_kv_heads", "n_kv_heads", otherwise=1 if one_key else heads
        ),
        first("head_dim", otherwise=hidden // heads),
        inner,
        kind not in UNGATED,
        kind not in LEARNED_POSITIONS,
        first("vocab_size", "n_vocab"),
        experts if experts > 1 else 0,
        first("num_experts_per_tok", "experts_per_token", "moe_topk", "top_k"),
        first("moe_intermediate_size", "expert_ffn_hidden_size", otherwise=inner),
        first("n_shared_experts", "num_shared_experts"),
        first("first_k_dense_replace") if experts > 1 else layers,
        window,
        kinds.count("sliding_attention"),
        Latent(
            rank,
            first("q_lora_rank"),
            first("qk_nope_head_dim"),
            first("qk_rope_head_dim"),
            first("v_head_dim"),
        )
        if rank
        else None,
    )


@dataclass(frozen=True)
class Work:
    """Tokens to compute, and how."""

    tokens: int  # of a sequence
    sequences: int
    format: str
    backward: bool = False


def blocks_of(shape: Shape, cores: Cores, work: Work) -> list[tuple[Block, int]]:
    """The blocks that one core runs in a pass through all layers, and how often each.

    Where several groups share one sequence, a core attends for its part of the rows, which see what
    a row sees on average.
    """
    groups = cores.all // cores.group
    whole = Attention(
        work.tokens,
        shape.hidden,
        *heads_of(shape, cores.group),
        shape.head,
        rotary=shape.rotary,
        latent=shape.latent,
        format=work.format,
        backward=work.backward,
    )
    times, part = max(1, work.sequences // groups), whole
    if work.sequences < groups:
        part = whole.sampled(max(1, work.tokens * work.sequences // groups))
    rows = part.rows * times
    found: list[tuple[Block, int]] = []
    for layers, window in ((shape.windowed, shape.window), (shape.layers - shape.windowed, 0)):
        if layers:
            # A window as long as what is seen hides nothing.
            window = window if window < work.tokens else 0
            found.append((replace(part, window=window), layers * times))
    sparse = shape.layers - shape.dense
    how = {"format": work.format, "backward": work.backward}
    if shape.dense:
        inner = max(1, -(-shape.inner // cores.group))
        found.append((FeedForward(rows, shape.hidden, inner, shape.gated, **how), shape.dense))
    if sparse:
        everyone = work.tokens * work.sequences
        found.append((experts_of(shape, cores, everyone, work), sparse))
        if shape.shared:
            inner = max(1, -(-shape.expert_inner * shape.shared // cores.group))
            found.append((FeedForward(rows, shape.hidden, inner, **how), sparse))
    mean = not shape.gated
    share = max(1, -(-rows // cores.group))
    found.append((Norm(share, shape.hidden, mean, work.backward), 2 * shape.layers))
    return _merged(found)


def heads_of(shape: Shape, cores: int) -> tuple[int, int]:
    """Query heads of a key, and keys, of one core. Every head of latent attention has its own."""
    if shape.latent:
        return 1, max(1, -(-shape.heads // cores))
    keys = max(1, -(-shape.keys // cores))
    return max(1, round(max(1.0, shape.heads / cores) / keys)), keys


def experts_of(shape: Shape, cores: Cores, tokens: int, work: Work) -> Experts:
    """Whole experts on each core; with more cores than experts, parts of one."""
    local = max(1, shape.experts // cores.all)
    parts = max(1, cores.all // shape.experts)
    return Experts(
        tokens,
        shape.hidden,
        shape.experts,
        shape.chosen,
        local,
        max(1, -(-shape.expert_inner // parts)),
        format=work.format,
        backward=work.backward,
    )


def split_experts_of(shape: Shape, cores: Cores, tokens: int, work: Work) -> Experts:
    """A part of the inner size of all experts of the group, which compute every token.

    So does AWS's library where neither a capacity nor expert parallelism is asked for:
    ExpertMLPs.forward_all_experts of aws-neuron/neuronx-distributed.
    """
    groups = cores.all // cores.group
    return replace(
        experts_of(shape, cores, tokens, work),
        local=max(1, shape.experts // groups),
        inner=max(1, -(-shape.expert_inner // cores.group)),
        every=True,
    )


def _merged(found: list[tuple[Block, int]]) -> list[tuple[Block, int]]:
    times: dict[Block, int] = {}
    for block, count in found:
        times[block] = times.get(block, 0) + count
    return list(times.items())


def why_no_layers(family: str) -> str:
    """Why a model of such a family has no blocks; empty: it may have some."""
    return "" if family == "decoder" else f"a decoder's layers are simulated, not those of {family}"


def why_not(shape: Shape, format: str) -> str:
    """Why blocks of such a shape cannot be simulated; empty: they can."""
    if not (shape.layers and shape.hidden and shape.heads):
        return "its configuration has no layers, widths or heads under the usual names"
    if format not in FORMATS:
        return f"products in {format} are not simulated; bf16 and fp8 are"
    return ""
