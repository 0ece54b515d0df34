// The functions of CHLO by name.
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

std::optional<Results> complex_function(std::string_view name, const Evaluation& e) {
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

}  // namespace

std::optional<Results> evaluate_chlo(std::string_view name, const Evaluation& e) {
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

}  // namespace trainyard::graph
