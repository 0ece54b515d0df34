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
  // computations. `wanted`: of the function's results, where asked for. `of_weights`: the axes that
  // weights get where they are contested. The function outlives it.
  Propagation(const Function& function, const Facts& facts, const Given& given,
              std::vector<std::optional<Sharding>> wanted, std::set<std::string> of_weights);

  [[nodiscard]] const Sharding& of(ValueId value) const { return lies_[same_[value]]; }
  [[nodiscard]] const Factors* factors(const Op& op) const;
  // Of an operation's operands.
  [[nodiscard]] Contest& contest(const Op& op);
  // The axes that were contested anywhere.
  [[nodiscard]] const std::set<std::string>& contested() const { return contest_.names; }

 private:
  enum class Way : std::uint8_t { forward, backward };

  void pass_until_nothing_changes();
  void prepare(const Region& region);
  void pass(const Region& region, Way way);
  void pass(const Op& op, Way way);
  void pass_loop(const Op& op, Way way);
  void pass_factors(const Op& op, const Factors& factors, Way way);
  void extend(ValueId value, const Sharding& by);
  // Axes of these names are still to be given to the value.
  [[nodiscard]] std::set<std::string> awaited(ValueId value) const;
  void await(ValueId value, const std::set<std::string>& names);

  const Function& function_;
  const Facts& facts_;
  std::vector<std::optional<Sharding>> wanted_;
  std::map<const Op*, std::optional<Factors>> factors_;
  std::vector<Sharding> lies_;
  std::vector<ValueId> same_;  // of what a loop hands on, one value stands for all
  std::map<ValueId, std::set<std::string>> awaited_;
  Contest contest_;
  bool is_changed_ = false;
};

// Whether an operation is a call of that target.
[[nodiscard]] bool is_target(const Op& op, std::string_view target);

}  // namespace trainyard::graph
