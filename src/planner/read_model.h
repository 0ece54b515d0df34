// Reads a model's shape from a Hugging Face config.json (or a diffusers one), or from
// models/*.toml, whose [config] has the same keys. The bytes are not trusted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/model.h"

namespace trainyard::planner {

// From the text of a config.json. Throws InputError with every violation: "model.syntax",
// "model.missing_key", "model.range", "model.inconsistent", "model.unsupported" (not a transformer,
// or a kind of layer that is not modelled).
[[nodiscard]] Model read_config(std::string_view text, std::string_view place);
// From the text of a models/*.toml file: [model] with name, title, source, then [config].
[[nodiscard]] Model read_model_text(std::string_view text, std::string_view place);

// The model called `name_or_path`: a .json or .toml file, a folder that holds a config.json, or a
// name in the folder "models" beside each folder of machine::search_path(). Throws InputError, also
// "model.not_found".
[[nodiscard]] Model load_model(std::string_view name_or_path);
// The names that load_model() finds, sorted.
[[nodiscard]] std::vector<std::string> available_models();

}  // namespace trainyard::planner
