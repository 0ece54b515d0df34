"""Are published configurations of families that transformers' defaults say little of counted as
their makers print them, in every form that they write their keys in, or refused by name?"""

import json

import pytest
from trainyard import _core

HUNYUAN = {
    "model_type": "hunyuan_v1_moe",
    "hidden_size": 4096,
    "intermediate_size": 3072,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "num_experts": 64,
    "moe_topk": [8] * 32,
    "moe_intermediate_size": [3072] * 32,
    "num_shared_expert": [1] * 32,
    "use_qk_norm": True,
    "use_mixed_mlp_moe": True,
    "use_cla": False,
    "use_mla": False,
    "q_lora_rank": None,
    "dense_list": [4096, 0],
    "tie_word_embeddings": True,
    "vocab_size": 128167,
}
MINIMAX = {
    "model_type": "minimax_m1",
    "hidden_size": 6144,
    "intermediate_size": 9216,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "attn_type_list": ([0] * 7 + [1]) * 10,
    "num_local_experts": 32,
    "num_experts_per_tok": 2,
    "layernorm_mlp_alpha": 3.5565588200778455,
    "postnorm": True,
    "rotary_dim": 64,
    "shared_intermediate_size": 0,
    "shared_moe_mode": "sigmoid",
    "vocab_size": 200064,
}
ARCTIC = {
    "model_type": "arctic",
    "hidden_size": 7168,
    "intermediate_size": 4864,
    "num_hidden_layers": 35,
    "num_attention_heads": 56,
    "num_key_value_heads": 8,
    "num_local_experts": 128,
    "num_experts_per_tok": 2,
    "moe_layer_frequency": 1,
    "parallel_attn_mlp_res": True,
    "use_residual": True,
    "vocab_size": 32000,
}
COMMAND_A = {
    "model_type": "cohere2",
    "hidden_size": 12288,
    "intermediate_size": 36864,
    "num_hidden_layers": 64,
    "num_attention_heads": 96,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "layer_switch": 4,
    "use_parallel_block": True,
    "use_parallel_embedding": True,
    "vocab_size": 256000,
}

# Keys that transformers does not read, and that these makers write all the same.
FALCON = {
    "model_type": "falcon_h1",
    "hidden_size": 5120,
    "intermediate_size": 21504,
    "num_hidden_layers": 72,
    "num_attention_heads": 20,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "mamba_d_conv": 4,
    "mamba_d_ssm": 4096,
    "mamba_d_state": 256,
    "mamba_n_groups": 2,
    "mamba_n_heads": 32,
    "mlp_expansion_factor": 8,
    "tie_word_embeddings": False,
    "vocab_size": 261120,
}
APERTUS = {
    "model_type": "apertus",
    "hidden_size": 8192,
    "intermediate_size": 43008,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "post_norm": False,
    "qk_norm": True,
    "tie_word_embeddings": False,
    "vocab_size": 131072,
}
MINIMAX_2 = {"model_type": "minimax_m2", "mlp_intermediate_size": 8192}
DOTS = {
    "model_type": "dots1",
    "hidden_size": 4096,
    "intermediate_size": 10944,
    "num_hidden_layers": 62,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "head_dim": 128,
    "first_k_dense_replace": 1,
    "moe_intermediate_size": 1408,
    "moe_layer_freq": 1,
    "n_routed_experts": 128,
    "n_shared_experts": 2,
    "num_experts_per_tok": 6,
    "sliding_window": None,
    "tie_word_embeddings": False,
    "vocab_size": 152064,
}


def read(config, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    return json.loads(_core.model_document(str(path)))["model"]


@pytest.mark.parametrize(
    ("config", "total", "active"),
    [
        # Those of transformers 5.24, built on the meta device with these shapes.
        (HUNYUAN, 80_393_183_232, 13e9),
        (HUNYUAN | {"moe_topk": 8, "num_shared_expert": 1}, 80_393_183_232, 13e9),
        (MINIMAX, 456_089_655_296, 47e9),  # 45.9 without the embedding
        (MINIMAX | {"model_type": "minimax_text_01"}, 456_089_655_296, 47e9),
        # As the makers print them.
        (ARCTIC, 479e9, 17e9),
        (COMMAND_A, 111e9, 111e9),
        (FALCON, 33.64e9, 33.64e9 - 1.337e9),
        (APERTUS, 70.6e9, 69.5e9),
        (MINIMAX_2, 229e9, 10.41e9),
        (DOTS, 142.8e9, 13.4e9),
    ],
)
def test_parameters_are_those_of_the_maker(config, total, active, tmp_path):
    found = read(config, tmp_path)
    assert found["parameters"] == pytest.approx(total, rel=0 if total % 1000 else 0.002)
    assert found["active"] == pytest.approx(active, rel=0.02)


def test_mamba_beside_attention_keeps_its_state(tmp_path):
    found = read(FALCON, tmp_path)
    assert found["parameters"] == pytest.approx(33.6e9, rel=0.002)
    assert found["kv_bytes_per_token"] == 72 * 2 * 4 * 128 * 2
    assert found["state_bytes"] == 72 * 2 * (4096 * 256 + (4096 + 2 * 2 * 256) * 4)


def test_a_layer_of_lightning_attention_keeps_a_state_and_no_tokens(tmp_path):
    found = read(MINIMAX, tmp_path)
    assert found["kv_bytes_per_token"] == 10 * 2 * 8 * 128 * 2


@pytest.mark.parametrize(
    ("config", "label", "says"),
    [
        (HUNYUAN | {"use_cla": True}, "model.unsupported", "use_cla"),
        (HUNYUAN | {"moe_topk": [8] * 31 + [4]}, "model.range", "experts_per_token"),
        (MINIMAX | {"attn_type_list": []}, "model.unsupported", "attn_type_list"),
        (MINIMAX | {"shared_intermediate_size": 512}, "model.unsupported", "shared_"),
        (ARCTIC | {"moe_layer_frequency": 2}, "model.unsupported", "moe_layer_frequency"),
        (APERTUS | {"qk_norm": False}, "model.unsupported", "qk_norm"),
        (DOTS | {"moe_layer_freq": 2}, "model.unsupported", "moe_layer_freq"),
        ({"model_type": "nemotron-nas", "block_configs": []}, "model.unsupported", "nemotron-nas"),
        ({"model_type": "funnel"}, "model.unsupported", "funnel"),
        ({"model_type": "qwen3_omni_moe"}, "model.unsupported", "qwen3_omni_moe"),
    ],
)
def test_what_no_record_says_is_refused_by_name(config, label, says, tmp_path):
    with pytest.raises(_core.InputError) as error:
        read(config, tmp_path)
    assert {one.label for one in error.value.violations} == {label}
    assert says in str(error.value)
