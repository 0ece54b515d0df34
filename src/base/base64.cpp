#include "base/base64.h"

#include <algorithm>
#include <cstdint>

namespace trainyard::base {

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    const bool is_last = i + 4 == text.size();
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_padding = is_last && k >= 4 - padding;
      const std::size_t digit = is_padding ? 0 : digits.find(text[i + k]);
      if (digit == std::string_view::npos) return std::nullopt;
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    const std::size_t count = is_last ? 3 - padding : 3;
    for (std::size_t k = 0; k < count; ++k)
      bytes += static_cast<char>(group >> (16 - 8 * k) & 0xFF);
  }
  return bytes;
}

}  // namespace trainyard::base
