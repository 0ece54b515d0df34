// One operand's value in the binary form, written and read by its type alone.
#pragma once

#include <bit>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "isa/core/operand.h"
#include "isa/core/operand_types.h"
#include "isa/core/program.h"

namespace trainyard::isa::value_bytes {

// `out`: a string, or a hash of what would be written.
template <typename Out>
void write(Out& out, bool value) {
  base::put_byte(out, value ? 1 : 0);
}
template <typename Out>
void write(Out& out, std::int32_t value) {
  base::put_signed(out, value);
}
template <typename Out>
void write(Out& out, std::int64_t value) {
  base::put_signed(out, value);
}
template <typename Out>
void write(Out& out, double value) {
  base::put_fixed64(out, std::bit_cast<std::uint64_t>(value));
}
template <typename Out>
void write(Out& out, Register value) {
  base::put_byte(out, value.index);
}
template <typename Out>
void write(Out& out, NamedEnum auto value) {
  base::put_byte(out, static_cast<std::uint8_t>(value));
}
template <typename Out, NamedStruct T>
void write(Out& out, const T& value);
template <typename Out>
void write(Out& out, const Tile& tile) {
  write(out, tile.space);
  if (!tile) return;
  write(out, tile.dtype);
  base::put_varint(out, tile.rank);
  base::put_varint(out, tile.partition_start);
  base::put_varint(out, tile.partitions);
  base::put_varint(out, tile.tensor);
  base::put_varint(out, tile.dynamic);
  base::put_signed(out, tile.offset);
  for (const Dim& dim : tile.free()) write(out, dim);
}
template <typename Out>
void write(Out& out, const Scalar& scalar) {
  write(out, scalar.tile);
  if (!scalar.is_tile()) write(out, scalar.constant);
}
template <typename Out>
void write(Out& out, const RegisterOrInt& value) {
  write(out, value.reg);
  if (!value.reg) write(out, value.constant);
}
template <typename Out>
void write(Out& out, const std::vector<std::int32_t>& ranks) {
  base::put_varint(out, ranks.size());
  for (const std::int32_t rank : ranks) write(out, rank);
}
template <typename Out, typename T>
void write(Out& out, std::span<const T> items) {
  base::put_varint(out, items.size());
  for (const T& item : items) write(out, item);
}
template <typename Out, typename T, std::size_t capacity>
void write(Out& out, const List<T, capacity>& list) {
  write(out, list.span());
}
template <typename Out, NamedStruct T>
void write(Out& out, const T& value) {
  for_each_field(value, [&](std::string_view, const auto& field) { write(out, field); });
}

// Each throws InputError where the bytes do not hold such a value.
void read(base::ByteReader& in, Tile& value);
void read(base::ByteReader& in, Scalar& value);
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
void read(base::ByteReader& in, List<T, capacity>& list);
template <NamedStruct T>
void read(base::ByteReader& in, T& value) {
  for_each_field(value, [&](std::string_view, auto& field) { read(in, field); });
}
template <typename T, std::size_t capacity>
void read(base::ByteReader& in, List<T, capacity>& list) {
  list = {};
  list.count = static_cast<std::uint32_t>(in.varint_at_most(capacity, "the length of a list"));
  for (std::uint32_t i = 0; i < list.count; ++i) read(in, list.items[i]);
}
// Of something in `program`: groups are the ranks that they name.
template <typename T>
void read(base::ByteReader& in, Program& program, T& value) {
  if constexpr (std::is_same_v<T, RankGroups>) {
    RankLists lists(in.varint_at_most(in.remaining(), "the groups of ranks"));
    for (std::vector<std::int32_t>& ranks : lists) {
      ranks.resize(in.varint_at_most(in.remaining(), "the ranks of a group"));
      for (std::int32_t& rank : ranks) read(in, rank);
    }
    value = program.groups_of(std::move(lists));
  } else {
    read(in, value);
  }
}

}  // namespace trainyard::isa::value_bytes
