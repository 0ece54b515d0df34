#include "graph/evaluate/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/host_memory.h"
#include "graph/ops/record.h"
#include "graph/values.h"
#include "numerics/float_environment.h"

namespace trainyard::graph {

namespace {

bool is_plain(const Type& type) {
  if (type.kind == Type::Kind::token) return true;
  if (type.kind == Type::Kind::tuple) return std::ranges::all_of(type.parts, is_plain);
  return type.kind == Type::Kind::tensor && type.quantized.empty();
}

// A result is computed as numbers and then stored.
void require_memory(const Evaluation& e) {
  std::int64_t bytes = 0;
  for (const Type& type : e.results) {
    if (type.kind == Type::Kind::tensor && type.is_static()) bytes += 2 * type.bytes();
  }
  if (base::fits_host_memory(bytes)) return;
  throw base::host_memory_error(bytes, fmt::format("{} needs", name(e.op.kind)),
                                e.evaluator.module().describe(e.op.location));
}

}  // namespace

Shape Evaluation::list(std::string_view name) const {
  const auto all = op.integers(name);
  return {all.begin(), all.end()};
}

Shape Evaluation::list_or(std::string_view name, std::size_t size, std::int64_t otherwise) const {
  return op.find(name) == nullptr ? Shape(size, otherwise) : list(name);
}

void Evaluation::refuse(std::string_view rule, std::string_view found) const {
  throw base::InputError({fmt::format("graph.{}", name(op.kind)), std::string(rule),
                          evaluator.module().describe(op.location), std::string(found),
                          "write the program without it, or run this part on the host"});
}

void Evaluation::require(bool holds, std::string_view rule) const {
  if (holds) return;
  std::string types;
  for (const Value& value : operands) types += (types.empty() ? "" : ", ") + to_string(value.type);
  for (const Type& type : results) types += " -> " + to_string(type);
  refuse(rule, types);
}

std::vector<Value> Evaluator::call(const Function& function, std::vector<Value> arguments) {
  if (function.is_declaration() || arguments.size() != function.body.arguments.size()) {
    throw base::InputError({"graph.call", "a called function has a body and as many arguments",
                            function.name, fmt::format("{} arguments", arguments.size()),
                            "export the program again"});
  }
  if (++depth_ > limits_.call_depth_max) {
    throw base::InputError({"graph.call", "calls do not nest without end", function.name,
                            fmt::format("{} calls", depth_), "a function must not call itself"});
  }
  frames_.push_back({&function, std::vector<Value>(function.types.size())});
  std::vector<Value> results = run(function.body, arguments);
  frames_.pop_back();
  --depth_;
  return results;
}

std::vector<Value> Evaluator::run(const Region& region, std::span<const Value> arguments) {
  base::check(arguments.size() == region.arguments.size(), "a region gets its arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    frames_.back().values[region.arguments[i]] = arguments[i];
  }
  run_ops(region);
  std::vector<Value> results;
  for (const ValueId value : region.ops.back().operands) {
    results.push_back(frames_.back().values[value]);
  }
  return results;
}

void Evaluator::run_ops(const Region& region) {
  std::vector<Value> operands;
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::return_) return;
    operands.clear();
    for (const ValueId id : op.operands) operands.push_back(frames_.back().values[id]);
    Evaluation e{*this, op, operands, {}};
    for (const ValueId id : op.results) e.results.push_back(frames_.back().function->type(id));
    if (!std::ranges::all_of(e.results, is_plain)) {
      e.refuse("types that the evaluator knows", to_string(e.results.front()));
    }
    require_memory(e);
    const auto compute = record_of(op.kind).evaluate;
    if (compute == nullptr) e.refuse("an operation that the evaluator knows", name(op.kind));
    Results made = compute(e);
    base::check(made.size() == op.results.size(), "an operation makes all its results");
    for (std::size_t i = 0; i < made.size(); ++i) {
      frames_.back().values[op.results[i]] = std::move(made[i]);
    }
  }
}

bool folds_numbers(const Evaluation& e) {
  for (std::size_t i = 0; i < e.results.size(); ++i) {
    const ElementType element = e.results[i].element;
    if (element == ElementType::pred || element != e.operand(i).type.element) return false;
  }
  return true;
}

template <typename T>
T fold(OpKind kind, T a, T b) {
  if constexpr (!is_complex_number<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == OpKind::maximum || kind == OpKind::minimum) {
        if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
        if (a == b) return (kind == OpKind::maximum) == std::signbit(a) ? b : a;
      }
    }
    if (kind == OpKind::maximum) return a > b ? a : b;
    if (kind == OpKind::minimum) return a < b ? a : b;
  }
  if constexpr (std::is_integral_v<T>) {
    using U = std::uint64_t;
    if (kind == OpKind::and_) return a & b;
    if (kind == OpKind::or_) return a | b;
    if (kind == OpKind::add) return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return kind == OpKind::add ? a + b : a * b;
  }
}
template float fold(OpKind, float, float);
template double fold(OpKind, double, double);
template std::int64_t fold(OpKind, std::int64_t, std::int64_t);
template std::uint64_t fold(OpKind, std::uint64_t, std::uint64_t);
template std::complex<float> fold(OpKind, std::complex<float>, std::complex<float>);
template std::complex<double> fold(OpKind, std::complex<double>, std::complex<double>);

std::vector<Literal> evaluate(const Module& module, const Function& function,
                              std::span<const Literal> inputs, const EvaluateLimits& limits) {
  const numerics::StandardFloatEnvironment standard;  // whatever the process around us has set
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool fits = i < function.body.arguments.size() &&
                      inputs[i].type == function.type(function.body.arguments[i]);
    if (!fits) {
      throw base::InputError({"graph.input", "an input has the type of its argument",
                              fmt::format("input {} of {}", i, function.name),
                              to_string(inputs[i].type), "pass what `main` takes"});
    }
    arguments.push_back(from_literal(inputs[i]));
  }
  std::vector<Literal> outputs;
  for (const Value& value : Evaluator(module, limits).call(function, std::move(arguments))) {
    outputs.push_back(to_literal(value));
  }
  return outputs;
}

std::vector<Literal> evaluate(const Module& module, std::span<const Literal> inputs,
                              const EvaluateLimits& limits) {
  return evaluate(module, module.entry(), inputs, limits);
}

}  // namespace trainyard::graph
