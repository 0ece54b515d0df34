#include "graph/bytecode_cursor.h"

#include <fmt/format.h>

#include <bit>

#include "base/bytes.h"
#include "base/error.h"

namespace trainyard::graph {

void Cursor::malformed(std::string_view what) const {
  throw base::InputError({"graph.artifact", "a StableHLO artifact is well-formed MLIR bytecode",
                          fmt::format("artifact, byte {}", at_), std::string(what),
                          "export the program again; the file is damaged or not an artifact"});
}

std::uint8_t Cursor::byte() {
  if (at_ >= end_) malformed("the end comes too early");
  return static_cast<std::uint8_t>(all_[at_++]);
}

std::uint64_t Cursor::varint() {
  const std::uint8_t first = byte();
  // The number of zero bits below the lowest one is the number of bytes that follow.
  const auto following = static_cast<unsigned>(first == 0 ? 8 : std::countr_zero(first));
  std::uint64_t value = first == 0 ? 0 : std::uint64_t{first} >> (following + 1);
  const unsigned low_bits = first == 0 ? 0 : 7 - following;
  for (unsigned i = 0; i < following; ++i) {
    value |= static_cast<std::uint64_t>(byte()) << (low_bits + 8 * i);
  }
  return value;
}

std::int64_t Cursor::signed_varint() { return base::unzigzag(varint()); }

std::pair<std::uint64_t, bool> Cursor::flagged() {
  const std::uint64_t word = varint();
  return {word >> 1, (word & 1) != 0};
}

std::size_t Cursor::count(std::string_view what) {
  const std::uint64_t value = varint();
  if (value > end_ - at_) malformed(fmt::format("{} {} in {} bytes", value, what, end_ - at_));
  return static_cast<std::size_t>(value);
}

std::size_t Cursor::index(std::size_t size, std::string_view what) {
  const std::uint64_t value = varint();
  if (value >= size) malformed(fmt::format("{} {} of {}", what, value, size));
  return static_cast<std::size_t>(value);
}

std::span<const std::byte> Cursor::take(std::size_t size, std::string_view what) {
  if (size > end_ - at_) malformed(fmt::format("{}: {} bytes of {}", what, size, end_ - at_));
  const auto taken = all_.subspan(at_, size);
  at_ += size;
  return taken;
}

std::string_view Cursor::terminated(std::string_view what) {
  const char* const begin = reinterpret_cast<const char*>(all_.data()) + at_;
  const std::string_view rest(begin, end_ - at_);
  const std::size_t size = rest.find('\0');
  if (size == std::string_view::npos) malformed(fmt::format("{} has no end", what));
  at_ += size + 1;
  return rest.substr(0, size);
}

Cursor::Section Cursor::section() {
  constexpr std::uint8_t padding = 0xCB, aligned = 0x80;
  const std::uint8_t id = byte();
  const std::uint64_t size = varint();
  if ((id & aligned) != 0) {
    const std::uint64_t alignment = varint();
    if (!std::has_single_bit(alignment)) malformed("an alignment that is no power of two");
    while (at_ % alignment != 0) {
      if (byte() != padding) malformed("padding other than 0xCB");
    }
  }
  if (size > end_ - at_) malformed(fmt::format("a section of {} bytes", size));
  const std::size_t begin = at_;
  at_ += static_cast<std::size_t>(size);
  return {static_cast<std::uint8_t>(id & ~aligned), begin, at_};
}

void Cursor::expect_end(std::string_view what) const {
  if (!at_end()) malformed(fmt::format("{} bytes too many in {}", end_ - at_, what));
}

}  // namespace trainyard::graph
