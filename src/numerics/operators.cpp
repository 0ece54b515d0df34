#include "numerics/operators.h"

#include <algorithm>
#include <array>

namespace trainyard::numerics {

namespace {

constexpr std::array<std::string_view, alu_op_count> alu_names{
    "bypass",     "add",        "subtract",      "multiply",    "divide",     "maximum",
    "minimum",    "abs_max",    "abs_min",       "equal",       "not_equal",  "less",
    "less_equal", "greater",    "greater_equal", "logical_and", "logical_or", "logical_xor",
    "power",      "rsqrt",      "reciprocal",    "abs",         "square",     "relu",
    "fmod",       "mod",        "average",       "bitwise_and", "bitwise_or", "bitwise_xor",
    "invert",     "left_shift", "right_shift",
};

constexpr std::array<std::string_view, activation_function_count> activation_names{
    "copy",
    "square",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "exp",
    "log",
    "sin",
    "arctan",
    "tanh",
    "sigmoid",
    "relu",
    "prelu",
    "softplus",
    "mish",
    "gelu",
    "gelu_dx",
    "gelu_apprx_tanh",
    "gelu_apprx_sigmoid",
    "gelu_apprx_sigmoid_dx",
    "silu",
    "silu_dx",
    "erf",
    "erf_dx",
    "sign",
    "abs",
};

template <typename Enum, std::size_t n>
std::optional<Enum> find(const std::array<std::string_view, n>& names, std::string_view wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name(AluOp op) { return alu_names.at(static_cast<std::size_t>(op)); }
std::optional<AluOp> alu_op_from_name(std::string_view name) {
  return find<AluOp>(alu_names, name);
}

std::string_view name(ActivationFunction function) {
  return activation_names.at(static_cast<std::size_t>(function));
}
std::optional<ActivationFunction> activation_function_from_name(std::string_view name) {
  return find<ActivationFunction>(activation_names, name);
}

}  // namespace trainyard::numerics
