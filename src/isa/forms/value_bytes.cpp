#include "isa/forms/value_bytes.h"

#include <limits>

namespace trainyard::isa::value_bytes {

void read(base::ByteReader& in, bool& value) { value = in.varint_at_most(1, "a flag") != 0; }

void read(base::ByteReader& in, std::int32_t& value) {
  const std::int64_t wide = in.signed_varint();
  value = static_cast<std::int32_t>(wide);
  if (value != wide) in.malformed("an integer of more than 32 bits");
}
void read(base::ByteReader& in, std::int64_t& value) { value = in.signed_varint(); }
void read(base::ByteReader& in, double& value) { value = std::bit_cast<double>(in.fixed64()); }

void read(base::ByteReader& in, Register& value) {
  value.index = static_cast<std::uint8_t>(in.take(1).front());
}

void read(base::ByteReader& in, RegisterOrInt& value) {
  value = {};
  read(in, value.reg);
  if (!value.reg) read(in, value.constant);
}

void read(base::ByteReader& in, Tile& tile) {
  constexpr std::uint64_t partitions_max = std::numeric_limits<std::uint16_t>::max();
  constexpr std::uint64_t index_max = std::numeric_limits<std::uint32_t>::max();
  tile = {};
  read(in, tile.space);
  if (!tile) return;
  read(in, tile.dtype);
  tile.rank = static_cast<std::uint8_t>(in.varint_at_most(rank_max, "the rank of a tile"));
  tile.partition_start =
      static_cast<std::uint16_t>(in.varint_at_most(partitions_max, "a start partition"));
  tile.partitions = static_cast<std::uint16_t>(in.varint_at_most(partitions_max, "partitions"));
  tile.tensor = static_cast<TensorId>(in.varint_at_most(index_max, "a tensor"));
  tile.dynamic = static_cast<std::uint32_t>(in.varint_at_most(index_max, "a run-time address"));
  read(in, tile.offset);
  for (std::size_t d = 0; d < tile.rank; ++d) read(in, tile.dims[d]);
}

void read(base::ByteReader& in, Scalar& scalar) {
  scalar = {};
  read(in, scalar.tile);
  if (!scalar.is_tile()) read(in, scalar.constant);
}

}  // namespace trainyard::isa::value_bytes
