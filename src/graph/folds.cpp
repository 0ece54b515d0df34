#include "graph/folds.h"

#include <algorithm>
#include <array>

namespace trainyard::graph {

std::optional<std::vector<OpKind>> simple_folds(const Region& region) {
  const std::size_t inputs = region.arguments.size() / 2;
  if (inputs == 0 || region.ops.size() != inputs + 1) return std::nullopt;
  std::vector<OpKind> kinds;
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto folds_pair = [&](const Op& op) {
      const std::array pair{region.arguments[i], region.arguments[inputs + i]};
      return is(op.kind, Trait::fold) && op.operands.size() == 2 &&
             op.results == std::vector{region.ops.back().operands.at(i)} &&
             std::ranges::is_permutation(op.operands, pair);
    };
    const auto found = std::ranges::find_if(region.ops, folds_pair);
    if (found == region.ops.end()) return std::nullopt;
    kinds.push_back(found->kind);
  }
  return kinds;
}

}  // namespace trainyard::graph
