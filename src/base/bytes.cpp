#include "base/bytes.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"

namespace trainyard::base {

void ByteReader::malformed(std::string_view what) const {
  throw InputError({std::string(format_.label), std::string(format_.rule),
                    fmt::format("{}, offset {}", place_, at_), std::string(what),
                    std::string(format_.fix)});
}

std::uint64_t ByteReader::long_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == bytes_.size()) malformed("the bytes end within a number");
    const auto byte = static_cast<unsigned char>(bytes_[at_]);
    if (shift == 63 && byte > 1) break;
    ++at_;
    value |= static_cast<std::uint64_t>(byte & 0x7Fu) << shift;
    if (byte < 0x80) return value;
  }
  malformed("a number of more than 64 bits");
}

std::uint64_t ByteReader::varint_at_most(std::uint64_t limit, std::string_view what) {
  const std::uint64_t value = varint();
  if (value > limit) malformed(fmt::format("{} is {}, above {}", what, value, limit));
  return value;
}

std::size_t ByteReader::count(std::size_t bytes_each, std::string_view what) {
  const std::uint64_t value = varint();
  if (value > remaining() / bytes_each)
    malformed(fmt::format("{} {} do not fit in the bytes left", value, what));
  return static_cast<std::size_t>(value);
}

std::uint64_t ByteReader::fixed64() {
  std::uint64_t value = 0;
  const std::string_view bytes = take(sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string_view ByteReader::string() { return take(count(1, "characters")); }

std::string_view ByteReader::text() {
  const std::size_t start = at_;
  const std::string_view text = string();
  if (is_utf8(text)) return text;
  at_ = start;
  malformed("a text that is not UTF-8");
}

std::string_view ByteReader::take(std::size_t size) {
  if (size > remaining()) malformed(fmt::format("{} bytes are missing", size - remaining()));
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

void ByteReader::expect_end() {
  if (!at_end()) malformed(fmt::format("{} bytes too many", remaining()));
}

}  // namespace trainyard::base
