// Closed enumerations by name. One record an enumeration, beside it: its names in the order of its
// values, from which everything else (texts, files, Python, pages) follows.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace trainyard::isa {

// A specialisation holds `names`, or, for an enumeration of a lower floor that has a name() of its
// own, `count`; and `word`: what authors and pages call it.
template <typename Enum>
struct EnumRecord {};

template <typename T>
concept HasNames = requires {
  EnumRecord<T>::names.size();
};

template <typename T>
concept NamedEnum = std::is_enum_v<T> &&(HasNames<T> || requires { EnumRecord<T>::count; });

template <HasNames Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  return EnumRecord<Enum>::names.at(static_cast<std::size_t>(value));
}

// How many values it has.
template <NamedEnum Enum>
[[nodiscard]] consteval int count_of() {
  if constexpr (HasNames<Enum>) {
    return static_cast<int>(EnumRecord<Enum>::names.size());
  } else {
    return EnumRecord<Enum>::count;
  }
}
template <NamedEnum Enum>
inline constexpr int enum_count = count_of<Enum>();

template <NamedEnum Enum>
[[nodiscard]] std::optional<Enum> value_named(std::string_view text) {
  for (int i = 0; i < enum_count<Enum>; ++i) {
    if (name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace trainyard::isa
