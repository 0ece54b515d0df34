// A replica of a model on chips as the analytic model sees it: what its steps take, how many tokens
// its cache holds, what it draws and costs. Layers take simulated time where somebody above gives
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/layer_pass.h"
#include "planner/rates.h"
#include "serving/step_costs.h"

namespace trainyard::serving {

// Formats by name; empty weights: those that the planner chooses are named by whoever asks.
struct ReplicaPlan {
  std::string model = {}, machine = {};
  planner::Plan plan = {};  // one stage
  std::string weights = "bf16", cache = "bf16";
  planner::Purchase purchase = {};
  std::vector<std::string> settings = {};
  std::int32_t requests_max = 1;  // at once, of all groups
  std::int32_t draft_tokens = 0;
  std::int32_t draft_layers =
      0;  // the first ones of the model, which guess; 0: guesses cost nothing
};

struct Replica {
  double chips = 1;
  std::vector<std::int32_t> windows = {};  // of groups of layers, as the scheduler takes them
  // That fit, in the layers of one group, beside weights, activations and states of requests_max.
  double cache_tokens = 0;
  std::int64_t requests_max = 1;                 // as asked for, or as many states as fit
  double cache_bytes_per_token = 0;              // of all chips and all layers
  double group_bytes_per_token = 0;              // of those of a group
  double state_bytes = 0;                        // of a request, likewise
  double idle_watts = 0;                         // of all chips
  std::optional<double> provisioned_watts = {};  // of a chip, all in
  std::optional<double> usd_per_hour = {};       // of a chip
  std::vector<std::string> unknown = {};         // figures that somebody has to supply
  double system_chips = 1;
  std::int64_t experts = 0;  // of the model
  double weight_bytes = 0;   // of a chip
  // To another replica like it, over the links that join both, of all chips at once; by the network
  // where the two are no one scale-up domain.
  double send_bytes_per_second = 0, send_latency = 0, send_joules_per_byte = 0;
};

// `prompt`: tokens read at once, for the room of activations. Throws InputError, also "serve.fit"
// where not even one request of `context` tokens fits.
[[nodiscard]] Replica describe_replica(const ReplicaPlan& plan, double prompt, double context);

// The points of both tables, each axis rising.
struct CostGrid {
  std::vector<double> chunks, behind;      // of prompts
  std::vector<double> requests, contexts;  // of decoding
};
enum class CostPhase : std::uint8_t { prefill, decode };
// All layers at a point of the grid: tokens of a prompt behind others, or requests that have so
// many in the cache. `cores`: of a chip.
[[nodiscard]] planner::LayerPass replica_layers(const ReplicaPlan& plan, CostPhase phase,
                                                double row, double column, std::int64_t cores);
// Seconds of all layers at a point of the grid, or nothing: by the formulas.
using LayerTimes =
    std::function<std::optional<planner::LayerSeconds>(CostPhase phase, double row, double column)>;

[[nodiscard]] StepCosts replica_costs(const ReplicaPlan& plan, const CostGrid& grid,
                                      const LayerTimes& simulated = {});

}  // namespace trainyard::serving
