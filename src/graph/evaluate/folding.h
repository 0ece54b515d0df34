// What operations that fold with a region share.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "graph/evaluate/evaluator.h"
#include "graph/folds.h"

namespace trainyard::graph {

// Results that fold typed numbers: fold(zero, i, kind) makes result i in the computing type of
// `zero`. Nothing where the region does more than simple folds, or they are of no numbers.
template <typename Fold>
[[nodiscard]] std::optional<Results> folded_results(const Evaluation& e, const Region& body,
                                                    Fold fold) {
  const auto kinds = simple_folds(body);
  if (!kinds || !folds_numbers(e)) return std::nullopt;
  Results results;
  for (std::size_t i = 0; i < e.results.size(); ++i) {
    results.push_back(with_number_of(e.results[i].element,
                                     [&](auto zero) { return fold(zero, i, (*kinds)[i]); }));
  }
  return results;
}

// Results that have these bytes.
[[nodiscard]] inline Results results_of(const Evaluation& e, std::vector<Content> made) {
  Results results;
  for (std::size_t i = 0; i < made.size(); ++i)
    results.push_back(make_value(e.results[i], std::move(made[i])));
  return results;
}

}  // namespace trainyard::graph
