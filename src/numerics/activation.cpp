#include "numerics/activation.h"

#include <array>
#include <bit>
#include <limits>
#include <numbers>
#include <utility>

#include "numerics/activation-inl.h"

namespace trainyard::numerics {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::bit_cast<float>(0x7FC00000u);

using Value = double (*)(double x, double parameter);

template <std::size_t... i>
constexpr std::array<Value, sizeof...(i)> all_values(std::index_sequence<i...>) {
  return {&HWY_NAMESPACE::activation_value<static_cast<ActivationFunction>(i), double>...};
}

}  // namespace

Domain domain(ActivationFunction function) {
  constexpr float pi = std::numbers::pi_v<float>;
  switch (function) {
    case ActivationFunction::log: return {0x1p-64f, 0x1p64f};
    case ActivationFunction::sin: return {-pi, pi};
    case ActivationFunction::arctan: return {-pi / 2, pi / 2};
    case ActivationFunction::sqrt: return {0x1p-116f, 0x1p118f};
    case ActivationFunction::rsqrt: return {0x1p-87f, 0x1p97f};
    case ActivationFunction::reciprocal: return {0x1p-42f, 0x1p42f, true};
    default: return {-infinity, infinity};
  }
}

bool contains(const Domain& domain, float x) {
  const float y = domain.of_magnitude && x < 0 ? -x : x;
  return !(y < domain.low) && !(y > domain.high);
}

float activate(ActivationFunction function, float x, float parameter) {
  static constexpr auto values = all_values(std::make_index_sequence<activation_function_count>());
  if (x != x) return nan;
  const float value = static_cast<float>(values[static_cast<std::size_t>(function)](x, parameter));
  return value != value ? nan : value;
}

}  // namespace trainyard::numerics
