// One pass through all layers as programs see it: the blocks that one core runs, how often, and the
// collectives between them, with the seconds that formulas say of the same. Equal cores and equal
// layers take as long, whatever the plan, so that one core is simulated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/blocks.h"
#include "planner/collectives.h"
#include "planner/forward.h"

namespace trainyard::planner {

// The cores that share a layer: of one tensor-parallel group, and of all that share experts.
struct Cores {
  std::int64_t group = 1, all = 1;
  ExpertLayout experts = ExpertLayout::even;
};

struct LayerStep {
  Block block = {};
  double times = 1;                     // in the pass
  bool is_again = false;                // the backward pass runs it forward once more
  std::optional<double> modelled = {};  // seconds of all times; none: formulas do not tell it apart
};

struct LayerPass {
  std::string phase = {};  // "prefill", "decode", "microbatch"
  Plan plan = {};
  double batch = 0;  // requests at once of a step, sequences of a microbatch; of a prefill 0
  Recompute recompute = Recompute::none;

  std::string why = {};   // it has no steps
  std::string what = {};  // "prefill of 512 tokens"
  std::vector<LayerStep> steps = {};
  std::vector<LayerStep> variants = {};  // as they would be otherwise
  std::vector<Collective> collectives = {};
  Work modelled = {};                   // of all layers
  std::vector<std::string> notes = {};  // what is not in it, and what is assumed
};

// `cores`: of a chip. Samples and tokens of a pass as forward.h counts them; of a step, more than
// one token are guesses that are checked together.
[[nodiscard]] LayerPass prefill_layers(const Model& model, const Chip& chip, const Plan& plan,
                                       const Pass& pass, std::int64_t cores);
[[nodiscard]] LayerPass decode_layers(const Model& model, const Chip& chip, const Plan& plan,
                                      const Pass& pass, std::int64_t cores);
// Forward and backward, through all stages.
[[nodiscard]] LayerPass microbatch_layers(const Model& model, const Chip& chip, const Plan& plan,
                                          const Training& training, std::int64_t cores);

}  // namespace trainyard::planner
