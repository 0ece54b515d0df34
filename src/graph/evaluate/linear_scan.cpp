#include "graph/linear_scan.h"

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

Value linear_scan(const Evaluation& e) {
  const std::vector<float> factors = numbers<float>(e.operand(0)),
                           summands = numbers<float>(e.operand(1)),
                           initial = numbers<float>(e.operand(2));
  e.require(
      factors.size() == summands.size() && !initial.empty() && factors.size() % initial.size() == 0,
      "there is an initial state for each row");
  const std::size_t turns = factors.size() / initial.size();
  std::vector<float> all;
  all.reserve(factors.size());
  for (std::size_t row = 0; row < initial.size(); ++row) {
    float state = initial[row];
    for (std::size_t t = 0; t < turns; ++t) {
      const float product = factors[row * turns + t] * state;
      state = product + summands[row * turns + t];
      all.push_back(state);
    }
  }
  return tensor_of(e.result(), all);
}

}  // namespace trainyard::graph
