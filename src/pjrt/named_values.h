// A list of named values with the text that they point into: attributes, properties.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

class NamedValues {
 public:
  NamedValues() = default;
  NamedValues(const NamedValues&) = delete;  // the values point into it
  NamedValues& operator=(const NamedValues&) = delete;
  NamedValues(NamedValues&&) = default;
  NamedValues& operator=(NamedValues&&) = default;

  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, std::int64_t value);
  void add(std::string_view name, std::vector<std::int64_t> value);
  void add(std::string_view name, float value);
  // Not for what only converts to bool, as text does.
  void add(std::string_view name, std::same_as<bool> auto value) { add_flag(name, value); }

  [[nodiscard]] std::span<const NamedValue> values() const { return values_; }

 private:
  void add_flag(std::string_view name, bool value);
  NamedValue& append(std::string_view name, NamedValueType type, std::size_t size);

  std::deque<std::string> texts_;
  std::deque<std::vector<std::int64_t>> lists_;
  std::vector<NamedValue> values_;
};

// A public field of characters and its size.
inline void set_text(const char*& text, std::size_t& size, std::string_view value) {
  text = value.data();
  size = value.size();
}

}  // namespace trainyard::pjrt
