// One run of a program: the environment of values, regions and calls. What an operation means
// stands in its record (graph/ops).
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "graph/evaluate.h"
#include "graph/evaluate/tensor.h"
#include "graph/folds.h"

namespace trainyard::graph {

class Evaluator {
 public:
  Evaluator(const Module& module, const EvaluateLimits& limits)
      : module_(module), limits_(limits) {}

  [[nodiscard]] std::vector<Value> call(const Function& function, std::vector<Value> arguments);
  // A region of the function that runs now, with values for its arguments.
  [[nodiscard]] std::vector<Value> run(const Region& region, std::span<const Value> arguments);

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] const EvaluateLimits& limits() const { return limits_; }

 private:
  struct Frame {
    const Function* function;
    std::vector<Value> values;
  };
  void run_ops(const Region& region);

  const Module& module_;
  EvaluateLimits limits_;
  std::vector<Frame> frames_;
  std::int64_t depth_ = 0;
};

// What the function of an operation is given. `results` are the types it must make.
struct Evaluation {
  Evaluator& evaluator;
  const Op& op;
  std::span<const Value> operands;
  std::vector<Type> results;

  [[nodiscard]] const Value& operand(std::size_t i) const { return operands[i]; }
  [[nodiscard]] const Type& result() const { return results.at(0); }
  [[nodiscard]] Shape list(std::string_view name) const;  // of integers
  // A list that may be absent; then `otherwise`, `size` times.
  [[nodiscard]] Shape list_or(std::string_view name, std::size_t size,
                              std::int64_t otherwise) const;
  [[noreturn]] void refuse(std::string_view rule, std::string_view found) const;
  void require(bool holds, std::string_view rule) const;
};

// Whether every result is of numbers, in the format of its operand.
[[nodiscard]] bool folds_numbers(const Evaluation& e);
// Sums and products of formats narrower than T accumulate in T: whoever folds rounds once, at the
// end, as XLA and the machine do.
template <typename T>
[[nodiscard]] T fold(OpKind kind, T a, T b);

using Results = std::vector<Value>;

// An operand of a product in MXFP8 (graph/precision.h) as its blocks hold it.
[[nodiscard]] Value mx_rounded(const Evaluation& e);
// Weights as memory holds them: words and scales, or elements and tags.
[[nodiscard]] std::vector<Value> mx_words(const Evaluation& e);
[[nodiscard]] std::vector<Value> sparse_elements(const Evaluation& e);
[[nodiscard]] Value linear_scan(const Evaluation& e);  // graph/linear_scan.h
// What is left of weights without the smallest of their neighbours.
[[nodiscard]] Value pruned(const Evaluation& e);

// The functions of CHLO by name, on one or more operands of one type.
// Nothing for a name that it does not know.
[[nodiscard]] std::optional<Results> evaluate_chlo(std::string_view name, const Evaluation& e);

}  // namespace trainyard::graph
