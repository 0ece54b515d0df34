#include "isa/semantics/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/core/register_use.h"
#include "isa/core/run_time_index.h"
#include "isa/core/runs.h"
#include "isa/semantics/cast.h"
#include "numerics/pattern_rows.h"

namespace trainyard::isa {

namespace {

template <typename Word>
void gather_words(const Tile& tile, const std::byte* from, std::byte* out) {
  const Tile flat = simplified(tile);
  const Dim inner = flat.dims[flat.rank - 1u];
  const auto run = static_cast<std::size_t>(inner.count) * sizeof(Word);
  const std::ptrdiff_t step =
      std::ptrdiff_t{inner.step} * static_cast<std::ptrdiff_t>(sizeof(Word));
  for_each_outer(flat, flat.rank - 1, [&](std::int64_t element) {
    const std::byte* at = from + element * static_cast<std::int64_t>(sizeof(Word));
    if (inner.step == 1) {
      std::memcpy(out, at, run);
      out += run;
      return true;
    }
    for (std::int32_t i = 0; i < inner.count; ++i, at += step, out += sizeof(Word)) {
      std::memcpy(out, at, sizeof(Word));
    }
    return true;
  });
}

template <typename Word>
void scatter_words(const Tile& tile, std::byte* to, const std::byte* in) {
  const Tile flat = simplified(tile);
  const Dim inner = flat.dims[flat.rank - 1u];
  const auto run = static_cast<std::size_t>(inner.count) * sizeof(Word);
  const std::ptrdiff_t step =
      std::ptrdiff_t{inner.step} * static_cast<std::ptrdiff_t>(sizeof(Word));
  for_each_outer(flat, flat.rank - 1, [&](std::int64_t element) {
    std::byte* at = to + element * static_cast<std::int64_t>(sizeof(Word));
    if (inner.step == 1) {
      std::memcpy(at, in, run);
      in += run;
      return true;
    }
    for (std::int32_t i = 0; i < inner.count; ++i, at += step, in += sizeof(Word)) {
      std::memcpy(at, in, sizeof(Word));
    }
    return true;
  });
}

// f(type tag) with an unsigned word of the element's width.
template <typename F>
void by_width(std::int64_t width, F&& f) {
  switch (width) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: base::fail("an element is 1, 2, 4 or 8 bytes");
  }
}

const DynamicAddress* index_list(const Tile& tile, const Execution& execution) {
  return tile.dynamic == 0 ? nullptr : &execution.program.dynamics[tile.dynamic - 1];
}

[[noreturn]] void out_of_bounds(const Tile& tile, std::int64_t index, const Program& program) {
  throw base::Fault(
      base::FaultCategory::out_of_bounds,
      {"dynamic.bounds", "a run-time address stays inside its tensor", "",
       fmt::format("index {} of {} in '{}', where indices below {} are in bounds", index,
                   describe(tile), program.tensors[tile.tensor].name, index_end(tile, program)),
       "keep the register or index in bounds, or pass oob_mode=oob_mode.skip where the instruction "
       "has it"});
}

// Walks an indirect row: f(byte offset from the row's start, position in the dense row).
template <typename F>
void for_each_indirect(const Tile& tile, const DynamicAddress& how, Execution& execution, int p,
                       F&& f) {
  const std::int64_t n = tile.free_elements();
  const std::int64_t group = how.stride;  // partitions that share one index list: 16 or 32
  base::check(group > 0, "the index lists of an indirect view are grouped before it runs");
  const int first = static_cast<int>(p / group * group);
  const std::int64_t end = index_end(tile, execution.program);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = picked_place(how, execution, first, i);
    if (at < 0 || at >= end) out_of_bounds(tile, at, execution.program);
    f(at * tile.element_bytes(), i);
  }
}

}  // namespace

void execute(const InstructionInfo& info, const void* record, Execution& execution) {
  if (execution.stand_in == nullptr) return info.execute(record, execution);
  execution.stand_in->execute(info, record, execution);
}

std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                Execution& execution) {
  if (execution.stand_in == nullptr) return info.outgoing(record, execution);
  return execution.stand_in->outgoing(info, record, execution);
}

std::byte* place(const Tile& tile, Execution& execution, int p) {
  switch (tile.space) {
    case Space::sbuf: return execution.core.sbuf.row(tile.partition_start + p) + tile.offset;
    case Space::psum: return execution.core.psum.row(tile.partition_start + p) + tile.offset;
    case Space::hbm: return execution.core.hbm->at(execution.hbm_base[tile.tensor] + tile.offset);
    case Space::none: break;
  }
  base::fail("an absent tile has no place");
}

std::int64_t index_value(const Tile& index, Execution& execution, int p, std::int64_t column) {
  const std::byte* row = place(index, execution, p);
  const std::int64_t step = index.rank == 0 ? 0 : index.dims[index.rank - 1u].step;
  std::int64_t result = 0;
  by_width(index.element_bytes(), [&](auto word) {
    std::memcpy(&word, row + column * step * index.element_bytes(), sizeof word);
    result = numerics::is_integer(index.dtype) && index.dtype == DType::int32
                 ? std::int64_t{static_cast<std::int32_t>(word)}
                 : static_cast<std::int64_t>(word);
  });
  return result;
}

std::int64_t picked_place(const DynamicAddress& how, Execution& execution, int first,
                          std::int64_t i) {
  const std::int64_t group = how.stride;
  return index_value(how.index, execution, first + static_cast<int>(i % group), i / group);
}

namespace {

std::size_t row_bytes(const Tile& tile) {
  return static_cast<std::size_t>(tile.free_elements() * tile.element_bytes());
}

}  // namespace

void load_bits(const Tile& tile, Execution& execution, int p, std::byte* out) {
  const std::byte* from = place(tile, execution, p);
  if (tile.dynamic == 0 && tile.contiguous()) {
    std::memcpy(out, from, row_bytes(tile));
    return;
  }
  if (const DynamicAddress* how = index_list(tile, execution);
      how != nullptr && how->kind == DynamicAddress::Kind::indirect) {
    const auto width = static_cast<std::size_t>(tile.element_bytes());
    for_each_indirect(tile, *how, execution, p, [&](std::int64_t byte, std::int64_t i) {
      std::memcpy(out + static_cast<std::size_t>(i) * width, from + byte, width);
    });
    return;
  }
  by_width(tile.element_bytes(), [&](auto word) { gather_words<decltype(word)>(tile, from, out); });
}

void store_bits(const Tile& tile, Execution& execution, int p, const std::byte* in) {
  std::byte* to = place(tile, execution, p);
  if (tile.dynamic == 0 && tile.contiguous()) {
    std::memcpy(to, in, row_bytes(tile));
    return;
  }
  if (const DynamicAddress* how = index_list(tile, execution);
      how != nullptr && how->kind == DynamicAddress::Kind::indirect) {
    const auto width = static_cast<std::size_t>(tile.element_bytes());
    for_each_indirect(tile, *how, execution, p, [&](std::int64_t byte, std::int64_t i) {
      std::memcpy(to + byte, in + static_cast<std::size_t>(i) * width, width);
    });
    return;
  }
  by_width(tile.element_bytes(), [&](auto word) { scatter_words<decltype(word)>(tile, to, in); });
}

const std::byte* bits(const Tile& tile, Execution& execution, int p,
                      std::vector<std::byte>& scratch) {
  if (tile.dynamic == 0 && tile.contiguous()) return place(tile, execution, p);
  scratch.resize(static_cast<std::size_t>(tile.free_elements() * tile.element_bytes()));
  load_bits(tile, execution, p, scratch.data());
  return scratch.data();
}

const float* floats(const Tile& tile, Execution& execution, int p, std::vector<float>& scratch) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const std::byte* dense = bits(tile, execution, p, execution.raw[3]);
  if (tile.dtype == DType::float32 && dense != execution.raw[3].data())
    return reinterpret_cast<const float*>(dense);
  scratch.resize(n);
  numerics::widen(tile.dtype, dense, scratch.data(), n);
  return scratch.data();
}

void store_floats(const Tile& tile, Execution& execution, int p, const float* row) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const bool dense = tile.dynamic == 0 && tile.contiguous();
  if (dense) {
    std::byte* to = place(tile, execution, p);
    if (to == reinterpret_cast<const std::byte*>(row)) return;
    narrow_row(tile.dtype, row, to, n, tile.partition_start + p, execution);
    return;
  }
  std::vector<std::byte>& packed = execution.raw[2];
  packed.resize(n * static_cast<std::size_t>(tile.element_bytes()));
  narrow_row(tile.dtype, row, packed.data(), n, tile.partition_start + p, execution);
  store_bits(tile, execution, p, packed.data());
}

void load_patterns(const Tile& tile, Execution& execution, int p, std::uint32_t* out) {
  numerics::widen_patterns(static_cast<std::size_t>(tile.element_bytes()),
                           bits(tile, execution, p, execution.raw[3]), out,
                           static_cast<std::size_t>(tile.free_elements()));
}

void store_patterns(const Tile& tile, Execution& execution, int p, const std::uint32_t* in) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const auto width = static_cast<std::size_t>(tile.element_bytes());
  if (tile.dynamic == 0 && tile.contiguous())
    return numerics::narrow_patterns(width, in, place(tile, execution, p), n);
  std::vector<std::byte>& packed = execution.raw[2];
  packed.resize(n * width);
  numerics::narrow_patterns(width, in, packed.data(), n);
  store_bits(tile, execution, p, packed.data());
}

float value(const Scalar& scalar, Execution& execution, int p) {
  if (!scalar.is_tile()) return static_cast<float>(scalar.constant);
  const int row = scalar.tile.partitions == 1 ? 0 : p;
  float result = 0;
  numerics::widen(scalar.tile.dtype, place(scalar.tile, execution, row), &result, 1);
  return result;
}

std::uint32_t pattern(const Scalar& scalar, Execution& execution, int p) {
  if (!scalar.is_tile())
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(scalar.constant));
  std::uint32_t result = 0;
  Tile one = scalar.tile;
  one.rank = 0;
  load_patterns(one, execution, scalar.tile.partitions == 1 ? 0 : p, &result);
  return result;
}

std::int64_t read_wide_register(Register reg, const Execution& execution) {
  // In program order every engine's registers hold the same.
  const auto who = execution.engine == Engine::any ? 0u : static_cast<unsigned>(execution.engine);
  return execution.core.registers[who].at(reg.index);
}

std::int64_t read_wide(const RegisterOrInt& value, const Execution& execution) {
  return value.reg ? read_wide_register(value.reg, execution) : value.constant;
}

std::int32_t read_register(Register reg, const Execution& execution) {
  return static_cast<std::int32_t>(read_wide_register(reg, execution));
}

std::int32_t read(const RegisterOrInt& value, const Execution& execution) {
  return value.reg ? read_register(value.reg, execution)
                   : static_cast<std::int32_t>(value.constant);
}

void write_register(Register reg, std::int32_t value, Execution& execution) {
  write_wide_register(reg, value, execution);
}

void write_wide_register(Register reg, std::int64_t value, Execution& execution) {
  for (unsigned who = 0; who < execution.core.registers.size(); ++who) {
    if (execution.engine == Engine::any || execution.engine == static_cast<Engine>(who))
      execution.core.registers[who].at(reg.index) = value;
  }
}

bool is_dynamic(const InstructionInfo& info, const void* record) {
  bool found = reads_registers_at_issue(info, record);
  for_each_operand_tile(info, record,
                        [&](std::size_t, const Tile& tile, Access) { found |= tile.dynamic != 0; });
  return found;
}

namespace {

std::int64_t register_of(Register reg, Engine engine, const Execution& execution) {
  return execution.core.registers[static_cast<std::size_t>(engine)].at(reg.index);
}

bool skips(const InstructionInfo& info, const void* record) {
  return std::ranges::any_of(info.operands, [&](const OperandInfo& operand) {
    return operand.is<OobMode>() && operand.in<OobMode>(record) == OobMode::skip;
  });
}

// Adds the run-time offset. Where it is out of bounds and `skip` holds, the tile stays dynamic.
void resolve_tile(Tile& tile, Engine engine, bool skip, Execution& execution) {
  if (tile.dynamic == 0) return;
  const DynamicAddress& how = execution.program.dynamics[tile.dynamic - 1];
  std::int64_t index = 0;
  if (how.kind == DynamicAddress::Kind::register_offset) {
    index = register_of(how.reg, engine, execution);
  } else if (how.kind == DynamicAddress::Kind::tile_offset) {
    index = index_value(how.index, execution, 0, 0);
  } else {
    return;
  }
  if (index < 0 || index >= index_end(tile, execution.program)) {
    if (skip) return;
    out_of_bounds(tile, index, execution.program);
  }
  tile.offset += index * how.stride * tile.element_bytes();
  tile.dynamic = 0;
}

}  // namespace

void resolve(const InstructionInfo& info, const void* record, Engine engine, Execution& execution,
             void* resolved) {
  std::memcpy(resolved, record, info.record_bytes);
  const bool skip = skips(info, record);
  for_each_operand_tile(info, resolved, [&](std::size_t, Tile& tile, Access) {
    resolve_tile(tile, engine, skip, execution);
  });
  for_each_read_at_issue(info, resolved, [&](RegisterOrInt& value) {
    value = {static_cast<std::int32_t>(register_of(value.reg, engine, execution)), {}};
  });
}

}  // namespace trainyard::isa
