#include "planner/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "planner/config.h"
#include "planner/read_parts.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

// Far above any model, low enough that products of three stay exact in a double.
constexpr std::int64_t width_max = 1 << 20;
constexpr std::int64_t layers_max = 10'000;

// Feed-forward blocks of two matrices; everything newer has a gate.
constexpr auto ungated = std::to_array<std::string_view>(
    {"gpt2", "gpt_neo", "gpt_neox", "gptj", "opt", "bloom", "falcon", "mpt", "phi", "starcoder2",
     "gpt_bigcode", "bert", "roberta", "distilbert", "vit", "clip_vision_model", "deit", "dinov2"});
constexpr auto encoders = std::to_array<std::string_view>(
    {"bert", "roberta", "distilbert", "vit", "clip_vision_model", "deit", "dinov2"});

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

void read_attention(Model& m, Config& config) {
  m.heads = config.whole({"num_attention_heads", "n_head", "num_heads", "n_heads"}, width_max);
  const bool one_group =
      config.flag("multi_query", false) && !config.flag("new_decoder_architecture", false);
  m.kv_heads = config.whole_or({"num_key_value_heads", "num_kv_heads", "n_kv_heads"},
                               one_group ? 1 : m.heads, width_max, 1);
  m.head_dim = config.whole_or({"head_dim", "attention_head_dim"},
                               std::max<std::int64_t>(1, m.hidden / m.heads), width_max, 1);
  if (m.heads % m.kv_heads != 0 && m.kv_heads <= m.heads) {
    config.report("model.inconsistent", "heads are a multiple of key-value heads",
                  "num_key_value_heads", fmt::format("{} and {}", m.heads, m.kv_heads),
                  "correct one of them");
  }
  m.latent = {.kv_rank = config.whole_or({"kv_lora_rank"}, 0, width_max),
              .q_rank = config.whole_or({"q_lora_rank"}, 0, width_max),
              .nope_dim = config.whole_or({"qk_nope_head_dim"}, 0, width_max),
              .rope_dim = config.whole_or({"qk_rope_head_dim"}, 0, width_max),
              .v_dim = config.whole_or({"v_head_dim"}, 0, width_max)};
  if (m.latent.kv_rank > 0 && (m.latent.nope_dim == 0 || m.latent.v_dim == 0)) {
    config.report("model.missing_key", "latent attention has widths of its heads",
                  "qk_nope_head_dim", "kv_lora_rank alone", "add qk_nope_head_dim and v_head_dim");
  }
}

// Which layers see a window only. A list of layer types says it for each; else all of them.
void read_window(Model& m, Config& config) {
  if (!config.flag("use_sliding_window", true)) return;
  m.window = config.whole_or({"sliding_window"}, 0, 1 << 30);
  m.window_layers = m.window > 0 ? m.layers : 0;
  const json* types = config.find({"layer_types"});
  if (types == nullptr || !types->is_array()) return;
  m.window_layers = 0;
  for (const json& type : *types) {
    const std::string word = type.is_string() ? type.get<std::string>() : "";
    m.window_layers += word == "sliding_attention" ? 1 : 0;
    if (word != "sliding_attention" && word != "full_attention" && word != "attention") {
      config.report("model.unsupported", "layers are full_attention or sliding_attention",
                    "layer_types", word.empty() ? "no word" : word.substr(0, 60),
                    "linear and state-space layers are not modelled");
      return;
    }
  }
  m.window_layers = std::min(m.window_layers, m.layers);
}

void read_feed_forward(Model& m, Config& config) {
  m.experts = config.whole_or({"num_local_experts", "n_routed_experts", "num_experts"}, 0, 65'536);
  if (m.experts == 1) m.experts = 0;
  const bool old = contains(ungated, m.type);
  const auto names = {std::string_view("intermediate_size"), std::string_view("n_inner"),
                      std::string_view("ffn_hidden_size"), std::string_view("ffn_dim"),
                      std::string_view("moe_intermediate_size")};
  m.ffn = old ? config.whole_or(names, 4 * m.hidden, width_max, 1) : config.whole(names, width_max);
  m.gated = !old;
  if (m.experts == 0) return;
  m.experts_per_token =
      config.whole({"num_experts_per_tok", "experts_per_token", "moe_topk", "top_k"}, m.experts);
  m.expert_ffn =
      config.whole_or({"moe_intermediate_size", "expert_ffn_hidden_size"}, m.ffn, width_max, 1);
  m.shared_experts = config.whole_or({"n_shared_experts", "num_shared_experts"}, 0, m.experts);
  if (m.shared_experts == 0 && config.find({"shared_expert_intermediate_size"}) != nullptr)
    m.shared_experts = 1;
  m.dense_layers = config.whole_or({"first_k_dense_replace"}, 0, m.layers);
}

void read_decoder(Model& m, Config& config) {
  m.hidden = config.whole({"hidden_size", "n_embd", "d_model", "dim"}, width_max);
  m.layers = config.whole({"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, layers_max);
  read_attention(m, config);
  read_window(m, config);
  read_feed_forward(m, config);
  m.vocab = config.whole({"vocab_size", "n_vocab"}, 1 << 26);
  const bool old = m.type == "gpt2" || m.type == "falcon" || m.type == "bloom" || m.type == "opt";
  m.tied = config.flag("tie_word_embeddings", old);
  m.context_max = config.whole_or({"max_position_embeddings", "n_positions", "n_ctx", "seq_length"},
                                  0, 1 << 30);
}

void read_encoder(Model& m, Config& config) {
  m.family = Family::encoder;
  m.hidden = config.whole({"hidden_size", "dim"}, width_max);
  m.layers = config.whole({"num_hidden_layers", "n_layers"}, layers_max);
  read_attention(m, config);
  read_feed_forward(m, config);
  m.tied = true;
  m.vocab = config.whole_or({"vocab_size"}, 0, 1 << 26);
  if (m.vocab > 0) {  // text: what it is usually trained with, unless asked otherwise
    m.tokens_per_sample = config.whole_or({"max_position_embeddings"}, 512, 1 << 20, 1);
    return;
  }
  const std::int64_t image = config.whole({"image_size"}, 16'384);
  const std::int64_t patch = config.whole({"patch_size"}, 16'384);
  m.tokens_per_sample = (image / patch) * (image / patch) + 1;
}

// A transformer of the diffusers library: its configuration names the class, and the size of what
// it works on is not in it.
void read_diffusion(Model& m, Config& config) {
  m.family = Family::diffusion;
  m.layers = config.whole({"num_layers"}, layers_max);
  m.heads = m.kv_heads = config.whole({"num_attention_heads"}, width_max);
  m.head_dim = config.whole({"attention_head_dim"}, width_max);
  m.hidden = m.heads * m.head_dim;
  if (m.hidden > width_max) {
    config.report("model.range", fmt::format("the width is at most {}", width_max),
                  "num_attention_heads", fmt::format("{}", m.hidden), "correct the configuration");
    m.hidden = 1;
  }
  m.ffn = config.whole_or({"ffn_dim"}, 4 * m.hidden, width_max * 4, 1);
  m.gated = false;
  m.text_tokens = config.find({"text_dim", "cross_attention_dim"}) != nullptr ? 512 : 0;
  m.tokens_per_sample = config.whole_or({"tokens_per_sample"}, 0, 1 << 26);
  m.steps = config.whole_or({"num_inference_steps"}, 50, 10'000, 1);
  if (m.tokens_per_sample == 0) {
    config.report("model.missing_key",
                  "a diffusion model is told how many tokens it works on: latent frames x height x "
                  "width over the patch",
                  "tokens_per_sample", "nothing", "add tokens_per_sample");
  }
}

double stored_bits(const Config& config) {
  const json* quantization = config.find({"quantization_config"});
  if (quantization != nullptr && quantization->is_object()) {
    const auto method = quantization->find("quant_method");
    const std::string word =
        method != quantization->end() && method->is_string() ? method->get<std::string>() : "";
    if (word == "fp8" || word == "compressed-tensors") return 8;
    if (word == "mxfp4") return 4.25;  // a scale of 8 bits for 32 elements
    if (word == "gptq" || word == "awq") return 4.5;
  }
  return config.word("torch_dtype") == "float32" ? 32 : 16;
}

void refuse_what_is_no_transformer(Config& config) {
  if (config.flag("is_encoder_decoder", false)) {
    config.report("model.unsupported",
                  "a model is a decoder, an encoder, a diffusion transformer or "
                  "a ResNet",
                  "is_encoder_decoder", "an encoder with a decoder",
                  "encoder-decoder models are not modelled");
  } else if (config.find({"num_attention_heads", "n_head", "num_heads", "n_heads"}) == nullptr) {
    const std::string type = config.word("model_type");
    config.report("model.unsupported", "a configuration is of a transformer or a ResNet",
                  "num_attention_heads",
                  type.empty()
                      ? "no attention heads"
                      : fmt::format("model_type {}, without attention heads", type.substr(0, 60)),
                  "name a model with attention, or model_type resnet");
  }
  config.finish();
}

}  // namespace

Model read_fields(const json& fields, std::string_view place) {
  const json* chosen = &fields;
  // Models that also see images keep the language model's configuration inside of theirs.
  if (const auto text = fields.find("text_config"); text != fields.end() && text->is_object())
    chosen = &*text;
  Config config(*chosen, std::string(place));
  Model m{.type = config.word("model_type").substr(0, 60)};
  m.name = m.title = m.type;
  m.stored_bits = stored_bits(config);
  const std::string class_name = config.word("_class_name");
  if (m.type == "resnet") {
    read_resnet(m, config);
  } else if (!class_name.empty()) {
    m.type = class_name.substr(0, 60);
    read_diffusion(m, config);
  } else {
    refuse_what_is_no_transformer(config);
    if (contains(encoders, m.type))
      read_encoder(m, config);
    else
      read_decoder(m, config);
  }
  config.finish();
  return m;
}

}  // namespace trainyard::planner
