#include "planner/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/config.h"
#include "planner/read_parts.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

// Far above any model, low enough that products of three stay exact in a double.
constexpr std::int64_t width_max = 1 << 20;
constexpr std::int64_t layers_max = 10'000;

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
  const double h = real(m.hidden);
  const bool has_text = config.find({"text_dim", "cross_attention_dim"}) != nullptr;
  m.kinds = {{.count = m.layers,
              .heads = {m.heads, m.heads, m.head_dim},
              .ffn = m.ffn,
              .mixing = 4 * h * h + (has_text ? 4 * h * h : 0) + 2 * h,
              .passed = 2 * h * real(m.ffn)}};
  m.text_tokens = has_text ? 512 : 0;
  m.tokens_per_sample = config.whole_or({"tokens_per_sample"}, 0, 1 << 26);
  m.steps = config.whole_or({"num_inference_steps"}, 50, 10'000, 1);
  if (m.tokens_per_sample == 0) {
    config.report("model.missing_key",
                  "a diffusion model is told how many tokens it works on: latent frames x height x "
                  "width over the patch",
                  "tokens_per_sample", "nothing", "add tokens_per_sample");
  }
}

// What is said of the text alone holds for nearly all weights; of another part, it is not modelled.
const json* quantization_within(const json& fields, Config& config) {
  const json* found = nullptr;
  for (const auto& [key, part] : fields.items()) {
    if (!part.is_object()) continue;
    const auto own = part.find("quantization_config");
    if (own == part.end() || own->is_null()) continue;
    if (key == "text_config") {
      found = &*own;
    } else {
      config.report("model.unsupported", "the text or the whole model is quantised",
                    key + ".quantization_config", "a part", "state it for the whole model");
    }
  }
  return found;
}

}  // namespace

Model read_fields(const json& fields, std::string_view place) {
  Config config(fields, std::string(place));
  Model m{.type = config.word("model_type").substr(0, 60)};
  m.name = m.title = m.type;
  const std::string class_name = config.word("_class_name");
  if (m.type == "resnet") {
    read_resnet(m, config);
  } else if (!class_name.empty()) {
    m.type = class_name.substr(0, 60);
    read_diffusion(m, config);
  } else {
    read_family(m, fields, place);
  }
  config.finish();
  const json* bits = config.find({"quantization_config"});
  if (bits == nullptr) bits = quantization_within(fields, config);
  if (bits == nullptr)
    m.stored_bits = plain_bits(m, config);
  else
    m.stored_bits = stored_bits(m, *bits, config);
  config.finish();
  return m;
}

}  // namespace trainyard::planner
