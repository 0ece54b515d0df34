"""Architectures that many people use, and that the sizes by name of transformers_suite.py do not
fit: each has what it needs beside them. Tiny configurations of random weights.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent))
import transformers_suite as by_name
from transformers.models.auto import configuration_auto

PICTURE = {"image_size": 64, "num_channels": 3}
SWIN = PICTURE | {"embed_dim": 16, "depths": [1, 1], "num_heads": [2, 2], "patch_size": 4}
SWIN |= {"window_size": 4, "hidden_size": 32}
SOUND = {"conv_dim": (32, 32), "conv_kernel": (10, 3), "conv_stride": (5, 2)}
LATENT = {"num_attention_heads": 4, "num_key_value_heads": 4, "qk_rope_head_dim": 8}
LATENT |= {"qk_nope_head_dim": 8, "v_head_dim": 8, "head_dim": 8, "n_group": 1, "topk_group": 1}
LATENT |= {"kv_lora_rank": 16, "q_lora_rank": 16, "first_k_dense_replace": 1}
LATENT |= {"num_experts_per_tok": 2, "n_routed_experts": 4}
VIDEO = {"num_frames": 4, "image_size": 32, "patch_size": 8, "num_channels": 3}
DETECTS = {"backbone": None, "use_timm_backbone": False, "num_queries": 5} | PICTURE
BACKBONE = {"model_type": "resnet", "embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1]}
DETECTS |= {"backbone_config": BACKBONE | {"layer_type": "basic", "out_features": ["stage2"]}}

# What a configuration has beside its sizes by name; none of them for what is in BARE.
GIVEN: dict[str, dict[str, Any]] = {
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "num_layers": 2},
    "gptj": {"rotary_dim": 4, "n_embd": 32, "n_head": 4},
    "codegen": {"rotary_dim": 4, "n_embd": 32, "n_head": 4},
    "wav2vec2": SOUND,
    "hubert": SOUND,
    "wavlm": SOUND,
    "unispeech": SOUND,
    "sew": SOUND | {"squeeze_factor": 2},
    "data2vec-audio": SOUND,
    "swin": SWIN,
    "swinv2": SWIN,
    "donut-swin": SWIN,
    "convnext": {"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2, "patch_size": 4},
    "convnextv2": {"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2, "patch_size": 4},
    "mamba2": {"num_heads": 8, "head_dim": 8, "n_groups": 2, "chunk_size": 8, "expand": 2},
    "deepseek_v2": LATENT | {"topk_method": "greedy"},
    "deepseek_v3": LATENT,
    "zamba2": {"num_hidden_layers": 3, "layers_block_type": ["mamba", "hybrid", "mamba"]}
    | {"mamba_ngroups": 2, "n_mamba_heads": 8, "mamba_headdim": 8, "attention_head_dim": 16}
    | {"attention_hidden_size": 64, "chunk_size": 8, "num_mem_blocks": 1},
    "layoutlmv3": {"coordinate_size": 6, "shape_size": 4, "visual_embed": False},
    "mobilebert": {"hidden_size": 32, "intra_bottleneck_size": 32, "embedding_size": 32},
    "reformer": {"is_decoder": True, "axial_pos_shape": [4, 4], "axial_pos_embds_dim": [16, 16]},
    "mobilenet_v1": {"depth_multiplier": 0.25},
    "bit": {"embedding_size": 32, "hidden_sizes": [32, 32], "depths": [1, 1], "num_groups": 8},
    "timesformer": VIDEO,
    "videomae": VIDEO | {"tubelet_size": 2},
    "vivit": VIDEO | {"tubelet_size": [2, 8, 8]},
    "nemotron": {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8},
    "esm": {"vocab_size": 96, "pad_token_id": 1, "mask_token_id": 32},
    "mobilevitv2": {"image_size": 64, "patch_size": 2},
    "detr": DETECTS,
    "conditional_detr": DETECTS,
    "table-transformer": DETECTS,
}
# Shapes of the pictures and films that a model is called with beside, or for, its main input.
PIXELS = {
    "vilt": (2, 3, 32, 32),
    "blip": (2, 3, 32, 32),
    "groupvit": (2, 3, 32, 32),
    "timesformer": (2, 4, 3, 32, 32),
    "videomae": (2, 4, 3, 32, 32),
    "vivit": (2, 4, 3, 32, 32),
}
NAMES = """
bert roberta albert electra distilbert xlm-roberta xlnet longformer big_bird deepseek_v3 mamba2
wav2vec2 hubert swin convnext detr gpt_neo gptj zamba2 roformer funnel layoutlm layoutlmv3
mobilebert convbert nystromformer fnet rembert ernie megatron-bert splinter tapas canine yoso mra
visual_bert dpr codegen wavlm unispeech sew data2vec-text data2vec-audio swinv2 donut-swin
convnextv2 deepseek_v2 reformer vilt blip groupvit timesformer videomae vivit esm mobilevitv2
conditional_detr table-transformer mobilenet_v1 bit nemotron bert-generation camembert
"""


def case_of(model_type: str) -> Callable[[], Any]:
    def make() -> tuple[torch.nn.Module, dict[str, Any]]:
        kind = configuration_auto.CONFIG_MAPPING[model_type]
        config = by_name.small_config(kind, GIVEN.get(model_type, {}))
        model = by_name.class_of(model_type)(config)
        given = by_name.inputs_of(model)
        if model_type in PIXELS:
            given["pixel_values"] = torch.randn(PIXELS[model_type])
        return model, given

    return make


cases = {name: case_of(name) for name in NAMES.split()}
