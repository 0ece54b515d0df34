// One operand's value in the binary form, written and read by its type alone.
#pragma once

#include <bit>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "isa/core/operand.h"
#include "isa/core/operand_types.h"
#include "isa/core/program.h"

namespace trainyard::isa::value_bytes {

void write(std::string& out, const Tile& value);
void write(std::string& out, const Scalar& value);
void write(std::string& out, const Dim& value);
void write(std::string& out, const RegisterOrInt& value);
inline void write(std::string& out, bool value) { out += static_cast<char>(value); }
inline void write(std::string& out, std::int32_t value) { base::put_signed(out, value); }
inline void write(std::string& out, std::int64_t value) { base::put_signed(out, value); }
inline void write(std::string& out, double value) {
  base::put_fixed64(out, std::bit_cast<std::uint64_t>(value));
}
inline void write(std::string& out, Register value) { out += static_cast<char>(value.index); }
inline void write(std::string& out, NamedEnum auto value) { out += static_cast<char>(value); }
template <typename T>
void write(std::string& out, std::span<const T> items) {
  base::put_varint(out, items.size());
  for (const T& item : items) write(out, item);
}
template <typename T, std::size_t capacity>
void write(std::string& out, const List<T, capacity>& list) {
  write(out, list.span());
}

// Each throws InputError where the bytes do not hold such a value.
void read(base::ByteReader& in, Tile& value);
void read(base::ByteReader& in, Scalar& value);
void read(base::ByteReader& in, Dim& value);
void read(base::ByteReader& in, RegisterOrInt& value);
void read(base::ByteReader& in, bool& value);
void read(base::ByteReader& in, std::int32_t& value);
void read(base::ByteReader& in, std::int64_t& value);
void read(base::ByteReader& in, double& value);
void read(base::ByteReader& in, Register& value);
template <NamedEnum Enum>
void read(base::ByteReader& in, Enum& value) {
  value = static_cast<Enum>(in.varint_at_most(enum_count<Enum> - 1, "an enumerator"));
}
template <typename T, std::size_t capacity>
void read(base::ByteReader& in, List<T, capacity>& list) {
  list = {};
  list.count = static_cast<std::uint32_t>(in.varint_at_most(capacity, "the length of a list"));
  for (std::uint32_t i = 0; i < list.count; ++i) read(in, list.items[i]);
}
// Of something in `program`: a group is the ranks that it names.
template <typename T>
void read(base::ByteReader& in, Program& program, T& value) {
  if constexpr (std::is_same_v<T, RankGroup>) {
    std::vector<std::int32_t> ranks(in.varint_at_most(in.remaining(), "the ranks of a group"));
    for (std::int32_t& rank : ranks) read(in, rank);
    value = program.group_of(ranks);
  } else {
    read(in, value);
  }
}

}  // namespace trainyard::isa::value_bytes
