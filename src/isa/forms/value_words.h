// One operand's value in words for people, by its type alone; empty where it is absent or says
// nothing. Not exact: see value_text.h.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "isa/core/operand.h"

namespace trainyard::isa::value_words {

[[nodiscard]] std::string of(const Tile& value);
[[nodiscard]] std::string of(const Scalar& value);
[[nodiscard]] std::string of(bool value);
[[nodiscard]] std::string of(std::int32_t value);
[[nodiscard]] std::string of(std::int64_t value);
[[nodiscard]] std::string of(double value);
[[nodiscard]] std::string of(Register value);
[[nodiscard]] std::string of(const RegisterOrInt& value);
[[nodiscard]] std::string of(const Dim& value);
[[nodiscard]] std::string of(NamedEnum auto value) { return std::string(name(value)); }
template <typename T, std::size_t capacity>
[[nodiscard]] std::string of(const List<T, capacity>& list);

template <NamedStruct T>
[[nodiscard]] std::string of(const T& value) {
  std::string text;
  for_each_field(value, [&](std::string_view name, const auto& field) {
    if (const std::string words = of(field); !words.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, words);
  });
  return text.empty() ? text : fmt::format("[{}]", text);
}
template <typename T, std::size_t capacity>
[[nodiscard]] std::string of(const List<T, capacity>& list) {
  std::string text;
  for (const T& item : list.span()) text += fmt::format("{}{}", text.empty() ? "" : ", ", of(item));
  return text.empty() ? text : fmt::format("[{}]", text);
}

}  // namespace trainyard::isa::value_words
