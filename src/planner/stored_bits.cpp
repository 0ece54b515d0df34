// Bits of a weight as a quantised checkpoint stores it, with the scales and zeros of its groups.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "planner/config.h"
#include "planner/read_parts.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

constexpr double unpacked_bits = 16;

// Of a weight that is packed, or nothing where the entry does not say.
using Packed = std::optional<double>;

json field_of(const json& entry, std::string_view key) {
  if (!entry.is_object()) return {};
  const auto found = entry.find(std::string(key));
  return found == entry.end() ? json() : *found;
}

std::string text_of(const json& entry, std::string_view key) {
  const json found = field_of(entry, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

bool is_set(const json& entry, std::string_view key) { return field_of(entry, key) == json(true); }

std::optional<double> whole_number(const json& entry, std::string_view key) {
  const json found = field_of(entry, key);
  if (!found.is_number_integer()) return std::nullopt;
  return found.get<double>();
}

// Counted in a file of weights, of all on average.
Packed counted_bits(const json& entry) {
  const json bits = field_of(entry, "bits");
  if (!bits.is_number() || bits.get<double>() < 1 || bits.get<double>() > 64) return std::nullopt;
  return bits.get<double>();
}

// A scale of 16 bits and a zero for each group; no group: for each row.
Packed gptq_bits(const Model& m, const json& entry) {
  const auto bits = whole_number(entry, entry.contains("bits") ? "bits" : "w_bit");
  const std::string_view key = entry.contains("q_group_size") ? "q_group_size" : "group_size";
  const auto group = entry.contains(std::string(key)) ? whole_number(entry, key) : 128;
  if (!bits || !group) return std::nullopt;
  return *bits + (16 + *bits) / (*group > 0 ? *group : real(m.hidden));
}

// Scales of 32 bits for 64 weights; quantised again, 8 bits each and 32 for 256 of them.
Packed bitsandbytes_bits(const json& entry) {
  const bool is_twice = is_set(entry, "bnb_4bit_use_double_quant");
  const double scale = is_twice ? (8 + 32.0 / 256) / 64 : 32.0 / 64;
  return is_set(entry, "load_in_4bit") ? 4 + scale : 8;
}

Packed compressed_tensors_bits(const json& entry) {
  Packed bits;
  for (const json& group : field_of(entry, "config_groups")) {
    const json weights = field_of(group, "weights");
    const auto own = whole_number(weights, "num_bits");
    if (!own) return std::nullopt;
    const auto size = whole_number(weights, "group_size");
    const bool is_mx = *own == 4 && size == 32;
    const double scale = size && *size > 0 ? (is_mx ? 8 : 16) / *size : 0;
    bits = std::max(bits.value_or(0), *own + scale);
  }
  return bits;
}

// NVIDIA's: a scale of 8 bits for 16 elements of four bits.
Packed modelopt_bits(const json& entry) {
  const std::string algorithm = text_of(entry, "quant_algo");
  if (algorithm == "FP8" || algorithm == "FP8_PB_WO") return 8;
  if (algorithm == "NVFP4") return 4 + 8.0 / 16;
  return std::nullopt;
}

// A scale and a zero of 16 bits for each group.
Packed hqq_bits(const json& entry) {
  const json weights = field_of(field_of(entry, "quant_config"), "weight_quant_params");
  const auto bits = whole_number(weights, "nbits");
  const auto group =
      field_of(weights, "group_size").is_null() ? 64 : whole_number(weights, "group_size");
  if (!bits || !group || *group < 1) return std::nullopt;
  return *bits + 32 / *group;
}

Packed packed_bits(const Model& m, std::string_view method, const json& entry) {
  if (method == "fp8" || method == "fbgemm_fp8" || method == "eetq") return 8;
  if (method == "mxfp4") return 4.25;  // a scale of 8 bits for 32 elements
  if (method == "gptq" || method == "awq") return gptq_bits(m, entry);
  if (method == "bitsandbytes") return bitsandbytes_bits(entry);
  if (method == "compressed-tensors") return compressed_tensors_bits(entry);
  if (method == "modelopt") return modelopt_bits(entry);
  if (method == "hqq") return hqq_bits(entry);
  return std::nullopt;
}

std::string method_of(const json& entry) {
  const std::string method = text_of(entry, "quant_method");
  const bool is_old = is_set(entry, "load_in_4bit") || is_set(entry, "load_in_8bit");
  return method.empty() && is_old ? "bitsandbytes" : method;  // from before it was named
}

// DeepSeek says so beside the rest: MXFP4 has a scale of 8 bits for 32 elements.
Packed bits_of_experts(Config& config) {
  const std::string format = config.word("expert_dtype");
  if (format.empty()) return std::nullopt;
  if (format == "fp4") return 4.25;
  if (format == "fp8") return 8;
  config.report("model.unsupported", "the format of experts is known", "expert_dtype",
                format.substr(0, 60), "state fp4 or fp8, or leave it out and state --weights");
  return std::nullopt;
}

}  // namespace

double plain_bits(const Model& m, Config& config) {
  const double usual =
      config.word(config.find({"dtype"}) ? "dtype" : "torch_dtype") == "float32" ? 32 : 16;
  const auto experts = bits_of_experts(config);
  const Parameters p = parameters(m);
  if (!experts || p.total <= 0) return usual;
  return (p.all_experts * *experts + (p.total - p.all_experts) * usual) / p.total;
}

double stored_bits(const Model& m, const json& quantization, Config& config) {
  const std::string method = method_of(quantization);
  if (method == "counted") {
    if (const Packed bits = counted_bits(quantization)) return *bits;
  }
  const Packed bits = packed_bits(m, method, quantization);
  if (!bits || *bits < 1 || *bits > 32) {
    config.report("model.unsupported", "the bits of a quantised checkpoint are known",
                  "quantization_config", method.empty() ? "no quant_method" : method.substr(0, 60),
                  "name the checkpoint that was quantised, and --weights");
    return unpacked_bits;
  }
  // Embeddings, norms and, of mixtures in four bits, everything but the experts stay as they are.
  const Parameters p = parameters(m);
  if (const auto experts = bits_of_experts(config)) {
    const double others =
        p.total - p.embedding - (m.tied ? 0 : p.output) - m.others - p.all_experts;
    return (p.all_experts * *experts + others * *bits +
            (p.total - p.all_experts - others) * unpacked_bits) /
           p.total;
  }
  const bool only_experts = *bits < 5 && m.experts > 0 && method != "gptq" && method != "awq";
  const double packed =
      only_experts ? p.all_experts : p.total - p.embedding - (m.tied ? 0 : p.output) - m.others;
  if (p.total <= 0) return unpacked_bits;
  return (packed * *bits + (p.total - packed) * unpacked_bits) / p.total;
}

}  // namespace trainyard::planner
