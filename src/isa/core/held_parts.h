// The tiles and registers that a value is or holds in its fields and items: what hazards, addresses
// and run-time values follow from.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "isa/core/operand_types.h"

namespace trainyard::isa {

// Whether a T is a Part or holds some.
template <typename Part, typename T>
inline constexpr bool holds = std::is_same_v<T, Part>;
template <typename Part, typename T, std::size_t capacity>
inline constexpr bool holds<Part, List<T, capacity>> = holds<Part, T>;
template <typename Part, typename T, typename... Members>
consteval bool any_holds(const std::tuple<Field<T, Members>...>&) {
  return (holds<Part, Members> || ...);
}
template <typename Part, NamedStruct T>
inline constexpr bool holds<Part, T> = std::is_same_v<T, Part> ||
                                       any_holds<Part>(StructRecord<T>::fields);

// Calls f(part) for each Part in a value, which may be const or not; f gets the part accordingly.
template <typename Part, typename T, typename F>
void for_each_held(T& value, F&& f) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Part>) {
    f(value);
  } else if constexpr (NamedStruct<std::remove_const_t<T>>) {
    for_each_field(value, [&](std::string_view, auto& field) { for_each_held<Part>(field, f); });
  } else if constexpr (holds<Part, std::remove_const_t<T>>) {
    for (auto& item : value.span()) for_each_held<Part>(item, f);
  }
}

// The operand types that hold some.
template <typename... Left, typename... Right>
TypeList<Left..., Right...> operator+(TypeList<Left...>, TypeList<Right...>);
template <typename Part, typename... Types>
auto those_holding(TypeList<Types...>)
    -> decltype((TypeList<>{} + ... +
                 std::conditional_t<holds<Part, Types>, TypeList<Types>, TypeList<>>{}));
template <typename Part>
using TypesHolding = decltype(those_holding<Part>(OperandTypes{}));

}  // namespace trainyard::isa
