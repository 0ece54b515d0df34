#include "isa/forms/value_text.h"

#include <fmt/format.h>

namespace trainyard::isa::value_text {

// "sbuf:bfloat16:%7[0:128, 2@512, 512]+1024!3": partitions 0 to 128 of tensor 7, then the free
// dimensions as count@step (a step of 1 is left out), the byte offset and the run-time address.
void write(std::string& out, const Tile& tile) {
  if (!tile) {
    out += "none";
    return;
  }
  out += fmt::format("{}:{}:%", name(tile.space), name(tile.dtype));
  if (tile.tensor == no_tensor) {
    out += '-';
  } else {
    out += std::to_string(tile.tensor);
  }
  out += '[';
  bool first = true;
  if (tile.on_chip() || tile.partition_start != 0 || tile.partitions != 0) {
    out += fmt::format("{}:{}", tile.partition_start, tile.partition_start + tile.partitions);
    first = false;
  }
  for (const Dim& dim : tile.free()) {
    if (!first) out += ", ";
    write(out, dim);
    first = false;
  }
  out += ']';
  if (tile.offset != 0) out += fmt::format("{:+}", tile.offset);
  if (tile.dynamic != 0) out += fmt::format("!{}", tile.dynamic);
}

void write(std::string& out, const Scalar& scalar) {
  if (scalar.is_tile()) return write(out, scalar.tile);
  if (scalar.is_absent()) {
    out += "none";
  } else {
    write(out, scalar.constant);
  }
}
void write(std::string& out, bool value) { out += value ? "true" : "false"; }
void write(std::string& out, std::int32_t value) {
  out += value == no_integer ? "none" : std::to_string(value);
}
void write(std::string& out, std::int64_t value) { out += std::to_string(value); }
void write(std::string& out, double value) { out += fmt::format("{}", value); }
void write(std::string& out, Register value) {
  out += value ? fmt::format("r{}", value.index) : "none";
}
void write(std::string& out, const RegisterOrInt& value) {
  if (value.reg) return write(out, value.reg);
  write(out, value.constant);
}
void write(std::string& out, const std::vector<std::int32_t>& ranks) {
  write(out, std::span<const std::int32_t>(ranks));
}
void write(std::string& out, const Dim& dim) {
  out += std::to_string(dim.count);
  if (dim.step != 1) out += fmt::format("@{}", dim.step);
}

namespace {

void push(LineReader& line, Tile& tile, Dim dim) {
  if (tile.rank == rank_max)
    line.fail("a tile has at most " + std::to_string(rank_max) + " free dimensions", "more");
  tile.dims[tile.rank++] = dim;
}

// The items between the brackets: first, perhaps, the partitions as start:end.
void read_extents(LineReader& line, Tile& tile) {
  if (line.accept("]")) return;
  bool first = true;
  do {
    Dim dim{1, line.integer<std::int32_t>()};
    if (first && line.accept(":")) {
      const auto end = static_cast<std::int32_t>(line.integer_between(dim.count, 0x1FFFE));
      if (dim.count < 0 || dim.count > 0xFFFF || end - dim.count > 0xFFFF)
        line.fail("partitions are at most 65535", std::to_string(end));
      tile.partition_start = static_cast<std::uint16_t>(dim.count);
      tile.partitions = static_cast<std::uint16_t>(end - dim.count);
    } else {
      if (line.accept("@")) dim.step = line.integer<std::int32_t>();
      push(line, tile, dim);
    }
    first = false;
  } while (line.accept(","));
  line.expect("]");
}

// What follows the name of the memory.
void read_rest(LineReader& line, Tile& tile) {
  line.expect(":");
  read(line, tile.dtype);
  line.expect(":");
  line.expect("%");
  tile.tensor = line.accept("-") ? no_tensor : line.integer<std::uint32_t>();
  line.expect("[");
  read_extents(line, tile);
  if (line.accept("+")) {
    tile.offset = line.integer<std::int64_t>();
  } else if (line.accept("-")) {
    tile.offset = -line.integer_between(0, std::numeric_limits<std::int64_t>::max());
  }
  if (line.accept("!")) tile.dynamic = line.integer<std::uint32_t>();
}

}  // namespace

void read(LineReader& line, Tile& tile) {
  tile = {};
  read(line, tile.space);
  if (tile.space != Space::none) read_rest(line, tile);
}

void read(LineReader& line, Scalar& scalar) {
  scalar = {};
  for (const Space space : {Space::sbuf, Space::psum, Space::hbm}) {
    if (!line.accept(name(space))) continue;
    scalar.tile.space = space;
    return read_rest(line, scalar.tile);
  }
  scalar.constant = line.accept("none") ? Scalar::absent : line.number();
}

void read(LineReader& line, bool& value) {
  value = line.accept("true");
  if (!value) line.expect("false");
}
void read(LineReader& line, std::int32_t& value) {
  value = line.accept("none") ? no_integer : line.integer<std::int32_t>();
}
void read(LineReader& line, std::int64_t& value) { value = line.integer<std::int64_t>(); }
void read(LineReader& line, double& value) { value = line.number(); }

void read(LineReader& line, Register& value) {
  value = {};
  if (line.accept("none")) return;
  const std::string_view word = line.word();
  LineReader digits(word.substr(1), "register", 0);
  if (word.front() != 'r' || !digits.next_is_digit()) line.fail("a register r0, r1, ...", word);
  const std::int64_t index = digits.integer_between(0, std::numeric_limits<std::int64_t>::max());
  if (index >= 0xFF || !digits.at_end()) line.fail("a register r0, r1, ...", word);
  value.index = static_cast<std::uint8_t>(index);
}

void read(LineReader& line, RegisterOrInt& value) {
  value = {};
  if (line.next_is_digit()) {
    value.constant = line.integer<std::int64_t>();
  } else if (line.accept("-")) {
    value.constant = -line.integer_between(0, std::numeric_limits<std::int64_t>::max());
  } else {
    read(line, value.reg);
  }
}

void read(LineReader& line, Dim& dim) {
  dim = {1, line.integer<std::int32_t>()};
  if (line.accept("@")) dim.step = line.integer<std::int32_t>();
}

}  // namespace trainyard::isa::value_text
