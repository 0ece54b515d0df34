"""Of each kind of configuration that transformers has, a tiny one of random weights: its sizes are
made small by name, whatever the model. What cannot be built so, or does not run on the CPU with
inputs of its main name, is left out. NAMES has the others, those of fewest parameters first; the
first 60 are what `--count 60` runs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import torch
import transformers
from transformers.models.auto import configuration_auto, modeling_auto

# A name's pattern, and the number that integers of such names become; the first that fits counts.
SIZES = (
    (r"num_key_value_heads|num_kv_heads|kv_heads$|multi_query_group_num", 2),
    (r"heads$|n_head$|num_head$", 4),
    (r"head_dim$|attention_head_size|d_kv$|key_value_proj_dim|kv_channels", 8),
    (r"num_conv_pos_embeddings$", 8),
    (r"experts_per_tok|top_?k$|n_group$|topk_group$|num_selected_experts", 1),
    (r"experts$|num_local_experts|n_routed_experts", 4),
    (r"layers?$|n_layer$|depth$|num_blocks$|num_hidden_groups", 2),
    (r"intermediate|ffn|d_ff$|mlp_dim|n_inner|feed_forward", 48),
    (r"vocab_size", 96),
    (r"(token|pad|bos|eos|sep|cls|unk|mask)_(token_)?(id|index)$", 1),
    (r"max_.*position|n_positions|max_seq|n_ctx|max_(source|target)", 64),
    (r"image_size|img_size|input_size", 32),
    (r"patch_size|tubelet", 8),
    (r"num_mel_bins|feature_size", 16),
    (r"(rank|lora|compress).*|.*rank$", 8),
    (r"(hidden|embedding|embed|model|encoder|decoder|projection|proj).*(size|dim|dims)$", 32),
    (r"d_model$|n_embd$|^dim$|hidden_dim$|d_embed$|width$|channels$", 32),
    (r"sliding_window|attention_window|window$", 8),
)
FIXED = r"chunk|num_channels|in_channels|num_labels|type_vocab|kernel|stride|pad$|dilation|groups"
HEADS = (
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_MAPPING_NAMES,
)
PARAMETERS_MAX = 3_000_000


def small(name: str, value: Any) -> Any:
    """The number or the list of numbers that a configuration's field becomes."""
    if isinstance(value, (bool, str)) or value is None or re.search(FIXED, name):
        return value
    if isinstance(value, float):
        return 0.0 if "drop" in name else value
    if isinstance(value, int):
        return next((n for pattern, n in SIZES if re.search(pattern, name)), value)
    if isinstance(value, (list, tuple)) and value and all(type(x) is int for x in value):
        return type(value)(small_list(name, value))
    return value


def small_list(name: str, values: Any) -> list[int]:
    """Depths become 1; widths keep their proportions."""
    if re.search(r"depth|layers|blocks", name):
        return [min(x, 1) for x in values]
    if re.search(r"hidden|dims?$|channels|widths", name) and min(values) >= 16:
        return [max(16, 16 * round(x / min(values))) for x in values]
    return values


def small_config(kind: type, known: dict[str, Any] | None = None) -> Any:
    """known: what fields are, whatever their names say."""
    given: dict[str, Any] = {}
    for name, value in kind().to_dict().items():
        if name in ("model_type", "transformers_version", "architectures") or name[0] == "_":
            continue
        if isinstance(value, dict):
            inner = {key: small(key, each) for key, each in value.items()}
            if inner != value and ("hidden_size" in value or "d_model" in value):
                given[name] = inner
        elif small(name, value) != value:
            given[name] = small(name, value)
    if "num_hidden_layers" in given and "layer_types" in inspect.signature(kind).parameters:
        given["layer_types"] = None
    return kind(**given | (known or {}))


def class_of(model_type: str) -> Any:
    for names in HEADS:
        name = names.get(model_type)
        name = name[0] if isinstance(name, (tuple, list)) else name
        if name and hasattr(transformers, name):
            return getattr(transformers, name)
    return None


def inputs_of(model: Any) -> dict[str, Any]:
    """What the model is called with, by the name of its main input."""
    main, config = model.main_input_name, model.config
    config = getattr(config, "text_config", config) if main == "input_ids" else config
    torch.manual_seed(1)
    tokens = torch.randint(3, 90, (2, 16))
    given = {"input_ids": tokens}
    if main == "pixel_values":
        vision = getattr(config, "vision_config", config)
        size = getattr(vision, "image_size", 32) or 32
        height, width = size if isinstance(size, (list, tuple)) else (size, size)
        channels = getattr(vision, "num_channels", 3)
        given = {"pixel_values": torch.randn(2, channels, height, width)}
        if "input_ids" in inspect.signature(model.forward).parameters and vision is not config:
            given["input_ids"] = tokens
    elif main == "input_features":
        bins = getattr(config, "num_mel_bins", None) or getattr(config, "feature_size", 16)
        given = {"input_features": torch.randn(2, bins, 128)}
    elif main == "input_values":
        given = {"input_values": torch.randn(2, 1600)}
    names = inspect.signature(model.forward).parameters
    if model.config.is_encoder_decoder and "decoder_input_ids" in names:
        given["decoder_input_ids"] = tokens[:, :8]
    if "labels" in names and type(model).__name__.endswith("ForCausalLM"):
        given["labels"] = tokens
    if "use_cache" in names:
        given["use_cache"] = False
    return given


def case_of(model_type: str) -> Callable[[], Any]:
    def make() -> tuple[torch.nn.Module, dict[str, Any]]:
        config = small_config(configuration_auto.CONFIG_MAPPING[model_type])
        model = class_of(model_type)(config)
        return model, inputs_of(model)

    return make


def parameters_of(model_type: str) -> int | None:
    """How many there are, or None for what is too large or cannot be built."""
    try:
        with torch.device("meta"):
            config = small_config(configuration_auto.CONFIG_MAPPING[model_type])
            model = class_of(model_type)(config)
    except Exception:
        return None
    count = sum(each.numel() for each in model.parameters())
    return count if 0 < count <= PARAMETERS_MAX else None


def find_names() -> list[str]:
    """NAMES for another version of transformers; takes some minutes."""
    found = []
    for model_type in configuration_auto.CONFIG_MAPPING_NAMES:
        try:
            parameters = class_of(model_type) and parameters_of(model_type)
            if not parameters:
                continue
            model, given = case_of(model_type)()
            with torch.no_grad():
                model.eval()(**given)
            found.append((parameters, model_type))
        except Exception as error:
            print(model_type, type(error).__name__, str(error)[:100], flush=True)
    return [name for _, name in sorted(found)]


NAMES = """
squeezebert falcon starcoder2 moshi glmasr_encoder recurrent_gemma tipsv2_text_model xglm
nanochat cohere cohere2 arcee ernie4_5 gemma granite_docling_text smollm3 vaultgemma granite_swa
qwen3_vl_text apertus apertus1p5_text gemma2 gemma3_text phi jais2 falcon_mamba mamba
jina_embeddings_v3 clip_text_model biogpt opt muse_glimmer_text gpt_neox lfm3 persimmon mlcd
mlcd_vision_model deberta dinov3_vit deberta-v2 beit data2vec-vision ibert olmo mpnet cwm
eurobert exaone granite helium internlm3 iquestcoder llama ministral3 mistral phi3 exaone4
molmo2_text qwen3 flint diffllama moss_transcribe_diarize_audio qwen2_audio_encoder
sam3_vit_model voxtral_encoder olmo2 olmo3 glm hyperclovax modernbert modernbert-decoder qwen2
seed_oss bitnet stablelm vit_mae ijepa chinese_clip_vision_model clip_vision_model vit vit_msn
doge glm4 clip metaclip_2 mllama deit nomic_bert gte voxtral_realtime_encoder dpt rwkv pixtral
afmoe beam olmo_hybrid sapiens2 qwen3_5_text aimv2_vision_model gpt_bigcode fuyu mpt bloom
whisper marian blenderbot blenderbot-small pegasus bart mvp plbart trocr mbart bailing_hybrid
siglip_vision_model siglip imagegpt openai-gpt gpt-sw3 gpt2 bigbird_pegasus vitdet
tipsv2_vision_model radio dinov2 dinov2_with_registers pixio sam_hq_vision_model
sam_vision_model xlstm mimo_v2_flash prophetnet resnet laguna longt5 t5 glmasr paligemma m2m_100
nllb-moe seamless_m4t seamless_m4t_v2 pegasus_x llava llava_next llava_next_video omniasr
idefics3 smolvlm hrm_text voxtral qwen3_vl_moe_text mt5 umt5 vipllava openai_privacy_filter
mistral3 granitemoe mixtral mellum qwen3_moe flex_olmo minimax_m2 olmoe phimoe deepseek_vl
gpt_oss jamba jetmoe minimax fsmt led muse_spark_text glm4_moe exaone_moe hy_v3 sarvam_moe zaya
inkling2_text lara_mini lfm2 granitemoeshared llama4_text granitemoe_swa minimax_m3_vl_text
inkling2_loop_text kolibri1 qwen2_moe kimi_linear hy_v4 qwen3_5_moe_text qwen3_next video_llava
flava sam3_vision_model internvl_vision bamba qianfan_ocr_vision ultrabert deepseek_v4
qwen4_exp_text idefics2 switch_transformers cohere2_moe aria_text solar_open inkling_text
hyperclovax_vision_v2 granite_docling regnet deepseek_vl_hybrid gpt_neox_japanese
dinov3_convnext cosmos3_omni qwen3_vl falcon_h1 qwen3_vl_moe embedding_gemma2_text poolformer
evolla phi4_multimodal qwen3_omni_moe_thinker yolos glpn segformer pvt_v2 pvt higgs_audio_v2
hiera ctrl focalnet mobilevit cpmant mobilenet_v2 fastspeech2_conformer mgp-str
"""
cases = {name: case_of(name) for name in NAMES.split()}
