// What a step of the planned engine takes: seconds and joules in two tables, of a piece of a prompt
// by its tokens and those before it, of a decoding step by its requests and their context.
#pragma once

#include <cstdint>
#include <vector>

#include "serving/scheduler.h"

namespace trainyard::serving {

struct StepCost {
  double seconds = 0, joules = 0;
};

// Of the seconds of a pass: what nothing hides of its collectives, and its fixed costs.
struct PassParts {
  double collectives = 0, launches = 0;
};

// Costs at the points of a grid, linear between them. Rows are those of `rows`.
class CostTable {
 public:
  // `parts`: of each point, or none where nobody says. Throws InputError "serve.table" where the
  // axes do not rise, or a cost is missing or not finite.
  CostTable(std::vector<double> rows, std::vector<double> columns, std::vector<double> seconds,
            std::vector<double> joules, const std::vector<PassParts>& parts = {});

  // Throws InputError "serve.table" outside the grid: a table answers what it was made for.
  [[nodiscard]] StepCost at(double row, double column) const;
  [[nodiscard]] bool covers(double row, double column) const;
  [[nodiscard]] PassParts parts_at(double row, double column) const;

 private:
  [[nodiscard]] double between(const std::vector<double>& values, double row, double column) const;

  std::vector<double> rows_, columns_, seconds_, joules_;
  std::vector<double> collectives_, launches_;  // of `parts`
};

struct StepCosts {
  CostTable prefill;  // tokens of the piece, tokens before it
  CostTable decode;   // requests, tokens of the context of each in the mean
  // The context of a decoding step is that of its longest request, as for programs compiled for
  // buckets of it, and not the mean.
  bool by_longest = false;
  StepCost launch = {};         // of each piece of a prompt, and of a decoding step
  StepCost scheduling = {};     // of the host, for each step
  StepCost swapped_block = {};  // of a block's way to the host, or back
};

// Of a whole step, one launch after the other.
[[nodiscard]] StepCost cost_of(const Step& step, const StepCosts& costs);
// Of its seconds, what is not computing.
[[nodiscard]] StepParts parts_of(const Step& step, const StepCosts& costs);
// The context of all requests of a decoding step together, as the table's axis means it.
[[nodiscard]] std::int64_t total_context(const Step& step, const StepCosts& costs);
// Of a step that decodes only, of so much context in all.
[[nodiscard]] StepCost decode_cost(std::int64_t requests, std::int64_t context,
                                   const StepCosts& costs);

}  // namespace trainyard::serving
