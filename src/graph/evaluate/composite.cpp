// composite and custom_call: what is known by name, otherwise the decomposition; and the functions
// of CHLO.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/functions.h"
#include "graph/evaluate/moves.h"
#include "graph/precision.h"

namespace trainyard::graph {

namespace {

struct UnaryFunction {
  std::string_view name;
  double (*function)(double);
};
constexpr auto unary_functions = std::to_array<UnaryFunction>({
    {"acos", [](double x) { return std::acos(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"erf_inv", [](double x) { return inverse_erf(x); }},
    {"lgamma", [](double x) { return std::lgamma(x); }},
    {"digamma", [](double x) { return digamma(x); }},
    {"bessel_i1e", [](double x) { return bessel_i1e(x); }},
    {"square", [](double x) { return x * x; }},
});

using C = std::complex<double>;
struct ComplexFunction {
  std::string_view name;
  C (*function)(C);
};
constexpr std::array<ComplexFunction, 10> complex_functions{{
    {"acos", [](C z) { return std::acos(z); }},
    {"acosh", [](C z) { return std::acosh(z); }},
    {"asin", [](C z) { return std::asin(z); }},
    {"asinh", [](C z) { return std::asinh(z); }},
    {"atan", [](C z) { return std::atan(z); }},
    {"atanh", [](C z) { return std::atanh(z); }},
    {"cosh", [](C z) { return std::cosh(z); }},
    {"sinh", [](C z) { return std::sinh(z); }},
    {"tan", [](C z) { return std::tan(z); }},
    {"square", [](C z) { return z * z; }},
}};

Results complex_function(std::string_view name, const Evaluation& e) {
  const auto* const found = std::ranges::find(complex_functions, name, &ComplexFunction::name);
  if (found == complex_functions.end()) return std::nullopt;
  std::vector<C> all = numbers<C>(e.operand(0));
  for (C& value : all) value = found->function(value);
  return std::vector<Value>{tensor_of(e.result(), all)};
}

struct Predicate {
  std::string_view name;
  bool (*function)(double);
};
constexpr std::array<Predicate, 3> predicates{{
    {"is_inf", [](double x) { return std::isinf(x); }},
    {"is_pos_inf", [](double x) { return std::isinf(x) && x > 0; }},
    {"is_neg_inf", [](double x) { return std::isinf(x) && x < 0; }},
}};

Value next_after(const Evaluation& e) {
  std::vector<double> all = numbers<double>(e.operand(0));
  const std::vector<double> towards = numbers<double>(e.operand(1));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = e.result().element == ElementType::f64
                 ? std::nextafter(all[i], towards[i])
                 : static_cast<double>(
                       std::nextafter(static_cast<float>(all[i]), static_cast<float>(towards[i])));
  }
  return tensor_of(e.result(), all);
}

// The greatest `k` of each row in totalOrder with their places; among equals the first.
std::vector<Value> top_k(const Evaluation& e) {
  const Shape& shape = e.operand(0).shape();
  const std::int64_t row = shape.back(), k = e.results[0].shape.back();
  return with_number_of(e.operand(0).type.element, [&](auto zero) {
    using T = decltype(zero);
    std::vector<Value> results;
    if constexpr (!is_complex_number<T>) {
      const std::vector<T> all = numbers<T>(e.operand(0));
      const auto greater = [](T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
          return total_order(static_cast<double>(a)) > total_order(static_cast<double>(b));
        } else {
          return a > b;
        }
      };
      std::vector<T> values;
      std::vector<std::int64_t> places;
      for (std::size_t base = 0; row > 0 && base < all.size();
           base += static_cast<std::size_t>(row)) {
        std::vector<std::size_t> order(static_cast<std::size_t>(row));
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
          return greater(all[base + a], all[base + b]);
        });
        for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
          values.push_back(all[base + order[i]]);
          places.push_back(static_cast<std::int64_t>(order[i]));
        }
      }
      results = {tensor_of(e.results[0], values), tensor_of(e.results.at(1), places)};
    }
    return results;
  });
}

bool is_marker(std::string_view target) {
  constexpr std::array<std::string_view, 5> markers{
      "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
      "LayoutConstraint"};
  return std::ranges::find(markers, target) != markers.end();
}

std::vector<Value> call_host(std::uint64_t number, const Evaluation& e) {
  const HostFunctions& functions = e.evaluator.limits().host_functions;
  if (!functions) e.refuse("a program whose host serves its callbacks", "a callback");
  std::vector<Literal> operands, results;
  for (const Value& value : e.operands) operands.push_back(to_literal(value));
  for (const Type& type : e.results) {
    results.push_back({.type = type, .content = Content(static_cast<std::size_t>(type.bytes()))});
  }
  functions(number, operands, results);
  std::vector<Value> values;
  for (const Literal& literal : results) values.push_back(from_literal(literal));
  return values;
}

Results custom_call(const Evaluation& e) {
  const std::string& target = e.op.text("call_target_name");
  if (const auto number = host_callback(e.op)) return call_host(*number, e);
  if (is_marker(target)) return std::vector<Value>(e.operands.begin(), e.operands.end());
  e.refuse("a custom call that the evaluator knows", target);
}

}  // namespace

Results evaluate_chlo(std::string_view name, const Evaluation& e) {
  using V = std::vector<Value>;
  if (name == "top_k") return top_k(e);
  if (name == "next_after") return V{next_after(e)};
  const auto* const predicate = std::ranges::find(predicates, name, &Predicate::name);
  if (predicate != predicates.end()) {
    std::vector<std::uint64_t> all;
    for (const double value : numbers<double>(e.operand(0)))
      all.push_back(predicate->function(value));
    return V{tensor_of(e.result(), all)};
  }
  if (is_complex(e.operand(0).type.element)) return complex_function(name, e);
  const auto* const found = std::ranges::find(unary_functions, name, &UnaryFunction::name);
  if (found == unary_functions.end() || e.operands.size() != 1 ||
      !is_float(e.operand(0).type.element)) {
    return std::nullopt;
  }
  std::vector<double> all = numbers<double>(e.operand(0));
  for (double& value : all) value = found->function(value);
  return V{tensor_of(e.result(), all)};
}

Results evaluate_composite(const Evaluation& e) {
  if (e.op.kind == OpKind::custom_call) return custom_call(e);
  if (e.op.kind != OpKind::composite) return std::nullopt;
  const std::string& name = e.op.text("name");
  constexpr std::string_view prefix = "chlo.";
  if (name.starts_with(prefix)) {
    if (Results made = evaluate_chlo(std::string_view(name).substr(prefix.size()), e)) return made;
  }
  if (name == mx_rounded_name) return std::vector<Value>{mx_rounded(e)};
  if (name == pruned_name) return std::vector<Value>{pruned(e)};
  if (name == stored_name)
    return operand_format(e.op.text("format")).is_sparse() ? sparse_elements(e) : mx_words(e);
  const Attribute* const decomposition = e.op.find("decomposition");
  const Function* const body =
      decomposition == nullptr ? nullptr : e.evaluator.module().find(e.op.symbol("decomposition"));
  if (body == nullptr) e.refuse("a composite with a decomposition", name);
  return e.evaluator.call(*body, {e.operands.begin(), e.operands.end()});
}

}  // namespace trainyard::graph
