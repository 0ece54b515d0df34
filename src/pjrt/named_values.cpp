#include "pjrt/named_values.h"

#include <utility>

namespace trainyard::pjrt {

NamedValue& NamedValues::append(std::string_view name, NamedValueType type, std::size_t size) {
  const std::string& kept = texts_.emplace_back(name);
  NamedValue& value = values_.emplace_back();
  value.header = {sizeof(NamedValue), nullptr};
  set_text(value.name, value.name_size, kept);
  value.type = type;
  value.value_size = size;
  return value;
}

void NamedValues::add(std::string_view name, std::string_view value) {
  append(name, NamedValueType::string, value.size()).string_value =
      texts_.emplace_back(value).data();
}

void NamedValues::add(std::string_view name, std::int64_t value) {
  append(name, NamedValueType::int64, 1).int64_value = value;
}

void NamedValues::add(std::string_view name, std::vector<std::int64_t> value) {
  const std::vector<std::int64_t>& kept = lists_.emplace_back(std::move(value));
  append(name, NamedValueType::int64_list, kept.size()).int64_array_value = kept.data();
}

void NamedValues::add(std::string_view name, float value) {
  append(name, NamedValueType::float32, 1).float_value = value;
}

void NamedValues::add_flag(std::string_view name, bool value) {
  append(name, NamedValueType::boolean, 1).bool_value = value;
}

}  // namespace trainyard::pjrt
