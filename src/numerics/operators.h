// The operator names that instructions take: two-input ALU operators and scalar-engine functions.
// Meaning is in alu.h and activation.h. Source: nki.api.shared "Supported Math Operators" and
// "Supported Activation Functions", NKI 0.6.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::numerics {

enum class AluOp : std::uint8_t {
  bypass,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  abs_max,
  abs_min,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_xor,
  power,
  rsqrt,
  reciprocal,
  abs,
  square,
  relu,
  fmod,
  mod,
  average,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  invert,
  left_shift,
  right_shift,
};
inline constexpr int alu_op_count = static_cast<int>(AluOp::right_shift) + 1;

[[nodiscard]] std::string_view name(AluOp op);
[[nodiscard]] std::optional<AluOp> alu_op_from_name(std::string_view name);
[[nodiscard]] constexpr bool is_bitwise(AluOp op) { return op >= AluOp::bitwise_and; }
[[nodiscard]] constexpr bool is_comparison(AluOp op) {
  return op >= AluOp::equal && op <= AluOp::greater_equal;
}
// One-input operators ignore their second operand, which must be absent or 0.
[[nodiscard]] constexpr bool is_unary(AluOp op) {
  return op == AluOp::rsqrt || op == AluOp::reciprocal || op == AluOp::abs || op == AluOp::square ||
         op == AluOp::relu || op == AluOp::invert || op == AluOp::bypass;
}

enum class ActivationFunction : std::uint8_t {
  copy,
  square,
  sqrt,
  rsqrt,
  reciprocal,
  exp,
  log,
  sin,
  arctan,
  tanh,
  sigmoid,
  relu,
  prelu,
  softplus,
  mish,
  gelu,
  gelu_dx,
  gelu_apprx_tanh,
  gelu_apprx_sigmoid,
  gelu_apprx_sigmoid_dx,
  silu,
  silu_dx,
  erf,
  erf_dx,
  sign,
  abs,
};
inline constexpr int activation_function_count = static_cast<int>(ActivationFunction::abs) + 1;

[[nodiscard]] std::string_view name(ActivationFunction function);
[[nodiscard]] std::optional<ActivationFunction> activation_function_from_name(
    std::string_view name);

}  // namespace trainyard::numerics
