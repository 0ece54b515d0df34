#include "trace/bytes.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/hash.h"

namespace trainyard::trace {

void malformed_file(std::string_view place, std::string_view found) {
  throw base::InputError({"trace.file", "a .tytrace file follows docs/formats/trace.md",
                          std::string(place), std::string(found),
                          "write the trace again; it may be cut short or damaged"});
}

void ByteReader::malformed(std::string_view what) const {
  malformed_file(fmt::format("{}, offset {}", place_, at_), what);
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

std::string_view ByteReader::take(std::size_t size) {
  if (size > remaining()) malformed(fmt::format("{} bytes are missing", size - remaining()));
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

void ByteReader::expect_end() {
  if (!at_end()) malformed(fmt::format("{} bytes too many", remaining()));
}

std::uint64_t content_hash(std::string_view bytes, std::uint64_t seed) {
  // A multiply and a rotation a word (the constants are SplitMix64's), finished by the byte hash of
  // base.
  std::uint64_t hash = seed ^ (bytes.size() * 0x9E3779B97F4A7C15u);
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = std::rotl((hash ^ word) * 0xBF58476D1CE4E5B9u, 29);
  }
  return base::hash_combine(base::hash_seed, hash);
}

}  // namespace trainyard::trace
