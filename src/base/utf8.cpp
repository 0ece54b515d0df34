#include "base/utf8.h"

#include <cstddef>

namespace trainyard::base {

namespace {

// The bytes of the character that begins with `first`, and the range of its second byte; 0 where
// none does. Source: RFC 3629, section 4.
struct Form {
  std::size_t size = 0;
  unsigned char low = 0x80, high = 0xBF;
};

Form form_of(unsigned char first) {
  if (first < 0x80) return {1};
  if (first < 0xC2) return {0};
  if (first < 0xE0) return {2};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first < 0xF0) return {3};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first < 0xF4) return {4};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Form form = form_of(static_cast<unsigned char>(bytes.front()));
    if (form.size == 0 || form.size > bytes.size()) return false;
    for (std::size_t i = 1; i < form.size; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      if (byte < (i == 1 ? form.low : 0x80) || byte > (i == 1 ? form.high : 0xBF)) return false;
    }
    bytes.remove_prefix(form.size);
  }
  return true;
}

}  // namespace trainyard::base
