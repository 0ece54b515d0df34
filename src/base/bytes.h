// Variable-length integers in byte strings, for binary files: little-endian base-128, and zigzag
// for signed values. Writing appends to a std::string; reading is bounds-checked and names the
// offset of the first wrong byte.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace trainyard::base {

static_assert(std::endian::native == std::endian::little,
              "binary files are written in host byte order");

inline constexpr std::size_t varint_bytes_max = 10;

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// Writes at `out`, which has room for varint_bytes_max, and returns the place after it.
inline char* write_varint(char* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

inline void put_varint(std::string& out, std::uint64_t value) {
  if (value < 0x80) return out.push_back(static_cast<char>(value));
  char buffer[varint_bytes_max];
  out.append(buffer, static_cast<std::size_t>(write_varint(buffer, value) - buffer));
}
inline void put_signed(std::string& out, std::int64_t value) { put_varint(out, zigzag(value)); }
inline void put_string(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}
inline void put_byte(std::string& out, std::uint8_t value) { out += static_cast<char>(value); }
// Eight bytes, little-endian.
inline void put_fixed64(std::string& out, std::uint64_t value) {
  char buffer[sizeof value];
  std::memcpy(buffer, &value, sizeof value);
  out.append(buffer, sizeof value);
}

// The same into a hash, where nobody reads it back.
inline void put_varint(WordHash& out, std::uint64_t value) { out.add(value); }
inline void put_signed(WordHash& out, std::int64_t value) {
  out.add(static_cast<std::uint64_t>(value));
}
inline void put_byte(WordHash& out, std::uint8_t value) { out.add(value); }
inline void put_fixed64(WordHash& out, std::uint64_t value) { out.add(value); }
inline void put_string(WordHash& out, std::string_view text) {
  out.add(text.size());
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(std::uint64_t)))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
    out.add(word);
  }
}

// What the errors of a format say: the label, the rule and the fix of base::Violation.
struct ByteFormat {
  std::string_view label, rule, fix;
};

// Reads bytes from front to back. Throws InputError with the format's label, naming the place and
// the byte offset in it.
class ByteReader {
 public:
  // `place` says where the bytes come from: "run.tytrace, block at byte 64". It and `format` must
  // outlive the reader.
  ByteReader(std::string_view bytes, std::string_view place, const ByteFormat& format)
      : bytes_(bytes), place_(place), format_(format) {}

  [[nodiscard]] std::uint64_t varint() {
    if (at_ < bytes_.size() && static_cast<unsigned char>(bytes_[at_]) < 0x80) [[likely]] {
      return static_cast<unsigned char>(bytes_[at_++]);
    }
    return long_varint();
  }
  [[nodiscard]] std::int64_t signed_varint() { return unzigzag(varint()); }
  // A varint that must be at most `limit`.
  [[nodiscard]] std::uint64_t varint_at_most(std::uint64_t limit, std::string_view what);
  // The number of items that follow, each of which takes at least `bytes_each`: no more than the
  // bytes can hold.
  [[nodiscard]] std::size_t count(std::size_t bytes_each, std::string_view what);
  [[nodiscard]] std::uint64_t fixed64();
  [[nodiscard]] std::string_view string();
  // A string that is UTF-8.
  [[nodiscard]] std::string_view text();
  [[nodiscard]] std::string_view take(std::size_t size);
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }
  [[nodiscard]] std::size_t offset() const { return at_; }
  void expect_end();
  [[noreturn]] void malformed(std::string_view what) const;

 private:
  [[nodiscard]] std::uint64_t long_varint();

  std::string_view bytes_;
  std::string_view place_;
  const ByteFormat& format_;
  std::size_t at_ = 0;
};

}  // namespace trainyard::base
