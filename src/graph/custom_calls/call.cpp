#include "graph/custom_calls/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace trainyard::graph::custom_calls {

std::optional<std::size_t> Call::dimension() const {
  std::size_t value = 0;
  const char* const end = config.data() + config.size();
  const auto [stop, error] = std::from_chars(config.data(), end, value);
  if (error != std::errc{} || stop != end || operands.empty()) return std::nullopt;
  if (value >= operands[0].shape.size()) return std::nullopt;
  return value;
}

std::string filled(std::string_view text, Words words) {
  std::ranges::sort(words, std::greater{}, [](const auto& pair) { return pair.first.size(); });
  std::string result(text);
  for (const auto& [word, value] : words) {
    for (std::size_t at = 0; (at = result.find(word, at)) != std::string::npos; at += value.size())
      result.replace(at, word.size(), value);
  }
  return result;
}

std::string tensor(std::vector<std::int64_t> shape, ElementType element) {
  Type type;
  type.element = element;
  type.shape = std::move(shape);
  return to_string(type);
}

std::string without(const Type& type, std::size_t dimension, ElementType element) {
  std::vector<std::int64_t> shape = type.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return tensor(std::move(shape), element);
}

std::string dimensions_but(const Type& type, std::size_t dimension) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    if (i != dimension) others.push_back(i);
  }
  return fmt::format("{}", fmt::join(others, ", "));
}

}  // namespace trainyard::graph::custom_calls
