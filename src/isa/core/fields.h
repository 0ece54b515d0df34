// Structs by their members. One record a struct, beside it: from its fields follow its forms, what
// its values name in a program, and how authors pass it, unless the struct has a syntax of its own.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

namespace trainyard::isa {

template <typename Struct, typename T>
struct Field {
  std::string_view name;
  T Struct::*member;
};
template <typename Struct, typename T>
Field(std::string_view, T Struct::*) -> Field<Struct, T>;

// A specialisation holds `fields`, a tuple of Field, whose order is part of the binary form; and
// `word`: what authors and pages call it.
template <typename Struct>
struct StructRecord {};

template <typename T>
concept NamedStruct = requires {
  StructRecord<T>::fields;
};

// Calls f(name, member) for each field. `value` may be const or not; f gets the member accordingly.
template <typename T, typename F>
void for_each_field(T& value, F&& f) {
  std::apply([&](const auto&... field) { (f(field.name, value.*field.member), ...); },
             StructRecord<std::remove_const_t<T>>::fields);
}

}  // namespace trainyard::isa
