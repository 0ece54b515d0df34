// Records of model families (models/families/*.toml): what the keys of a configuration mean. A
// record is data: which keys count and their defaults, expressions (expression.h) for the shape,
// for each layer's kind, and for the parameters that no matrix of the formulas holds.
// docs/formats/family.md has the fields.
//
// Beside the widths of the shape: layer_heads, layer_kv_heads, layer_head_dim and those of latents
// where layers differ in them; is_again where an earlier layer has stored the weights of a layer,
// but for [parameters] own; [parameters] passed, beside a text, by each of its tokens.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::planner {

class FamilyRecord {
 public:
  explicit FamilyRecord(nlohmann::json fields) : fields_(std::move(fields)) {}

  // The expression or value of a section, null where there is none.
  [[nodiscard]] const nlohmann::json& find(std::string_view section, std::string_view key) const;
  [[nodiscard]] const nlohmann::json& section(std::string_view name) const;
  // Whether an expression of the record has this name: a default that none has may come from a
  // record that this one is like, and says nothing here.
  [[nodiscard]] bool mentions(std::string_view key) const;

 private:
  nlohmann::json fields_;
};

// The record of a model_type, those that it is like included; throws InputError
// "model.unsupported" for a type that is not in the table.
[[nodiscard]] FamilyRecord load_family(std::string_view type, std::string_view place);
// Every type that load_family() finds, sorted.
[[nodiscard]] std::vector<std::string> available_families();
// Keys that change no answer in any family: names, tokens, generation, initialisation, dropout.
[[nodiscard]] const nlohmann::json& neutral_keys();

}  // namespace trainyard::planner
