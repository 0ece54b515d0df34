// The types that an operand can have, in one list: visitors, Python and pages follow from it. A new
// enumeration is one name and its EnumRecord; a new struct one name and its StructRecord.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "isa/core/operand.h"

namespace trainyard::isa {

template <>
struct EnumRecord<DType> {
  static constexpr std::string_view word = "dtype";
  static constexpr int count = numerics::dtype_count;
};
template <>
struct EnumRecord<numerics::AluOp> {
  static constexpr std::string_view word = "operator";
  static constexpr int count = numerics::alu_op_count;
};
template <>
struct EnumRecord<numerics::ActivationFunction> {
  static constexpr std::string_view word = "activation function";
  static constexpr int count = numerics::activation_function_count;
};

template <typename... Types>
struct TypeList {
  static constexpr std::size_t size = sizeof...(Types);
  // The place of a type in the list; a type that is missing does not compile.
  template <typename T>
  static consteval std::uint8_t index_of() {
    std::uint8_t index = 0;
    bool found = false;
    ((found = found || std::is_same_v<T, Types>,
      index = static_cast<std::uint8_t>(index + (found ? 0 : 1))),
     ...);
    if (!found) throw "an operand has a type that OperandTypes does not list";
    return index;
  }
};

// The order is part of the binary form: append, never reorder.
using OperandTypes =
    TypeList<Tile, Scalar, bool, std::int32_t, std::int64_t, double, numerics::AluOp,
             numerics::ActivationFunction, ReduceCmd, DgeMode, OobMode, MatmulPerfMode, Accumulate,
             Engine, Register, RegisterOrInt, Pattern, IntList, IntPair, FloatList, TileList,
             LoopKind, DmaPath, RankGroups>;

// What pages and messages call a type.
template <typename T>
inline constexpr std::string_view type_words = EnumRecord<T>::word;
template <NamedStruct T>
inline constexpr std::string_view type_words<T> = StructRecord<T>::word;
template <>
inline constexpr std::string_view type_words<Tile> = "tile";
template <>
inline constexpr std::string_view type_words<bool> = "bool";
template <>
inline constexpr std::string_view type_words<std::int32_t> = "int";
template <>
inline constexpr std::string_view type_words<std::int64_t> = "int";
template <>
inline constexpr std::string_view type_words<double> = "float";
template <>
inline constexpr std::string_view type_words<Register> = "register";
template <>
inline constexpr std::string_view type_words<Pattern> = "[[step, count], ...]";
template <>
inline constexpr std::string_view type_words<IntList> = "list of int";
template <>
inline constexpr std::string_view type_words<IntPair> = "(int, int)";
template <>
inline constexpr std::string_view type_words<FloatList> = "list of float";
template <>
inline constexpr std::string_view type_words<TileList> = "list of tiles";
template <>
inline constexpr std::string_view type_words<RankGroups> = "lists of int";

// A type of the list as a value.
class OperandType {
 public:
  constexpr OperandType() = default;
  template <typename T>
  [[nodiscard]] static consteval OperandType of() {
    return OperandType(OperandTypes::index_of<T>());
  }
  [[nodiscard]] constexpr std::uint8_t index() const { return index_; }
  friend constexpr bool operator==(OperandType, OperandType) = default;

 private:
  consteval explicit OperandType(std::uint8_t index) : index_(index) {}
  std::uint8_t index_ = 0;
};

// Calls f with a null pointer to the type, so that templates can act by it.
template <typename F, typename First, typename... Rest>
decltype(auto) visit_type(OperandType type, F&& f, TypeList<First, Rest...>) {
  if constexpr (sizeof...(Rest) == 0) {
    return f(static_cast<First*>(nullptr));
  } else {
    if (type == OperandType::of<First>()) return f(static_cast<First*>(nullptr));
    return visit_type(type, f, TypeList<Rest...>{});
  }
}
template <typename F>
decltype(auto) visit_type(OperandType type, F&& f) {
  return visit_type(type, f, OperandTypes{});
}

// Does so where it is one of `Types`, and returns whether it is.
template <typename F, typename... Types>
constexpr bool visit_among(OperandType type, F&& f, TypeList<Types...>) {
  return ((type == OperandType::of<Types>() && (f(static_cast<Types*>(nullptr)), true)) || ...);
}

template <typename F, typename... Types>
void for_each_type(F&& f, TypeList<Types...>) {
  (f(static_cast<Types*>(nullptr)), ...);
}
template <typename F>
void for_each_type(F&& f) {
  for_each_type(f, OperandTypes{});
}

}  // namespace trainyard::isa
