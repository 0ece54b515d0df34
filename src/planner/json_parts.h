// Parts of the planner's JSON documents.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/forward.h"
#include "planner/intervals.h"
#include "planner/layer_pass.h"
#include "planner/memory.h"
#include "planner/timing.h"

namespace trainyard::planner {

[[nodiscard]] nlohmann::json json_of(const Model& model);
[[nodiscard]] nlohmann::json json_of(const Plan& plan);
[[nodiscard]] nlohmann::json json_of(const Serving& serving);
[[nodiscard]] nlohmann::json json_of(const Training& training);
[[nodiscard]] nlohmann::json json_of(const Timed& timed);
[[nodiscard]] nlohmann::json json_of(const MemoryNeed& memory, const Chip& chip);
// `bound`: the same work where everything reaches its peak.
[[nodiscard]] nlohmann::json json_of(const Work& work, double seconds, const Work& bound);
// Blocks as they are simulated, with what they stand for.
[[nodiscard]] nlohmann::json json_of(const LayerPass& pass);
// By name: its value, bracket, unit and what moves it most.
[[nodiscard]] nlohmann::json json_of(const Bracketed& bracketed);

}  // namespace trainyard::planner
