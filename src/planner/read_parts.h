// Parts of the model reader: the fields of a configuration, and of a ResNet.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/model.h"

namespace trainyard::planner {

class Config;

// The shape that the fields of a configuration describe. Throws like read_config().
[[nodiscard]] Model read_fields(const nlohmann::json& fields, std::string_view place);
// Fills `m` from the record of its family (models/families).
void read_family(Model& m, const nlohmann::json& fields, std::string_view place);
// Bits of a stored weight on average: what a quantisation leaves out stays as it is.
[[nodiscard]] double stored_bits(const Model& m, const nlohmann::json& quantization,
                                 Config& config);
// Those of a checkpoint that states no quantisation, but perhaps how its experts are stored.
[[nodiscard]] double plain_bits(const Model& m, Config& config);
// Fills `m` from the configuration of a ResNet.
void read_resnet(Model& m, Config& config);

}  // namespace trainyard::planner
