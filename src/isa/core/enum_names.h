// The closed enumerations that operands and tiles are made of: how many values each has, and the
// value with a given name.
#pragma once

#include <optional>
#include <string_view>

#include "isa/core/operand.h"
#include "isa/core/program.h"
#include "numerics/operators.h"

namespace trainyard::isa {

[[nodiscard]] std::string_view name(TensorRole role);
[[nodiscard]] std::string_view name(DynamicAddress::Kind kind);

template <typename Enum>
inline constexpr int enum_count = 0;
template <>
inline constexpr int enum_count<Space> = 4;
template <>
inline constexpr int enum_count<Engine> = engine_count + 1;
template <>
inline constexpr int enum_count<ReduceCmd> = 5;
template <>
inline constexpr int enum_count<DgeMode> = 4;
template <>
inline constexpr int enum_count<OobMode> = 2;
template <>
inline constexpr int enum_count<MatmulPerfMode> = 2;
template <>
inline constexpr int enum_count<Accumulate> = 3;
template <>
inline constexpr int enum_count<LoopKind> = 2;
template <>
inline constexpr int enum_count<DmaPath> = 2;
template <>
inline constexpr int enum_count<TensorRole> = 4;
template <>
inline constexpr int enum_count<DynamicAddress::Kind> = 4;
template <>
inline constexpr int enum_count<DType> = numerics::dtype_count;
template <>
inline constexpr int enum_count<numerics::AluOp> = numerics::alu_op_count;
template <>
inline constexpr int enum_count<numerics::ActivationFunction> = numerics::activation_function_count;

template <typename T>
concept NamedEnum = std::is_enum_v<T> && enum_count<T> >
0;

template <NamedEnum Enum>
[[nodiscard]] std::optional<Enum> value_named(std::string_view text) {
  for (int i = 0; i < enum_count<Enum>; ++i) {
    if (name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace trainyard::isa
