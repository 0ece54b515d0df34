// How every value of a function would best lie: shardings that its author gave are passed on along
// factors, forwards and backwards, until nothing changes.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "graph/partition/factors.h"

namespace trainyard::graph {

// What the author says of values. Dimensions that are not open stay as they are.
using Given = std::map<ValueId, Sharding>;

class Propagation {
 public:
  // `function` has no calls; `given`: of arguments, results of constraints and of manual
  // computations. `wanted`: of the function's results, where asked for. The function outlives it.
  Propagation(const Function& function, const Facts& facts, const Given& given,
              std::vector<std::optional<Sharding>> wanted);

  [[nodiscard]] const Sharding& of(ValueId value) const { return lies_[same_[value]]; }
  [[nodiscard]] const Factors* factors(const Op& op) const;

 private:
  enum class Way : std::uint8_t { forward, backward };

  void prepare(const Region& region);
  void pass(const Region& region, Way way);
  void pass(const Op& op, Way way);
  void pass_loop(const Op& op, Way way);
  void pass_factors(const Op& op, const Factors& factors, Way way);
  void extend(ValueId value, const Sharding& by);

  const Function& function_;
  const Facts& facts_;
  std::vector<std::optional<Sharding>> wanted_;
  std::map<const Op*, std::optional<Factors>> factors_;
  std::vector<Sharding> lies_;
  std::vector<ValueId> same_;  // of what a loop hands on, one value stands for all
  bool is_changed_ = false;
};

// Whether an operation is a call of that target.
[[nodiscard]] bool is_target(const Op& op, std::string_view target);

}  // namespace trainyard::graph
