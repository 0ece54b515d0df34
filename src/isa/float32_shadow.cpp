#include "isa/float32_shadow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "isa/cast.h"
#include "isa/dma.h"
#include "isa/runs.h"
#include "isa/view.h"
#include "machine/core.h"

namespace trainyard::isa {

namespace {

constexpr std::int64_t widest = sizeof(float);  // bytes of a value

// So many neighbours have values, or none has because the stored ones are the same.
constexpr std::int64_t block = 1024;

// Room for the copies of one instruction's tiles: of a partition, and in HBM.
constexpr std::int64_t partition_room = std::int64_t{4} << 20;
constexpr std::int64_t hbm_room = std::int64_t{1} << 30;
constexpr std::int64_t line = 64;                         // they begin at multiples of
constexpr std::int64_t hbm_kept = std::int64_t{4} << 20;  // more is given back after use

state::CoreSizes sizes_of(const state::Core& core, std::int64_t sbuf, std::int64_t psum) {
  return {.partitions = core.sbuf.partitions(),
          .sbuf_bytes_per_partition = sbuf,
          .psum_bytes_per_partition = psum,
          .registers_per_engine = static_cast<int>(core.registers[0].size()),
          .semaphores = static_cast<int>(core.semaphores.size())};
}

state::CoreSizes larger(const state::Core& core, std::int64_t factor) {
  return sizes_of(core, factor * core.sbuf.bytes_per_partition(),
                  factor * core.psum.bytes_per_partition());
}

std::vector<std::int64_t> larger(std::span<const std::int64_t> bases, std::int64_t factor) {
  std::vector<std::int64_t> result;
  for (const std::int64_t base : bases) result.push_back(base < 0 ? base : base * factor);
  return result;
}

// State that is no tile: the copies' core has the real one while it runs an instruction.
class Lent {
 public:
  Lent(state::Core& from, state::Core& to) : from_(from), to_(to) { exchange(); }
  ~Lent() { exchange(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  void exchange() {
    std::swap(from_.registers, to_.registers);
    std::swap(from_.semaphores, to_.semaphores);
    std::swap(from_.vector_accumulator, to_.vector_accumulator);
    std::swap(from_.scalar_accumulator, to_.scalar_accumulator);
    std::swap(from_.vector_prng, to_.vector_prng);
    std::swap(from_.gpsimd_prng, to_.gpsimd_prng);
    std::swap(from_.rounding_prng, to_.rounding_prng);
  }
  state::Core& from_;
  state::Core& to_;
};

// --- NaN ---
// A format may have many NaNs, and bits that are data of another kind may look like one. Moved as a
// float32 they keep their bits: a quiet NaN of their sign that holds them, and whose they are.
constexpr std::uint32_t boxed = 0x7FE00000, kind_shift = 16, kind_mask = 31, bits_mask = 0xFFFF;
constexpr std::uint32_t sign = 0x80000000;

std::uint32_t stored_bits(const std::byte* row, std::size_t i, std::size_t width) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, row + i * width, width);
  return bits;
}

bool has_nan(const float* row, std::size_t n) {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < n; ++i) found |= row[i] != row[i] ? 1U : 0U;
  return found != 0;
}

bool box_nans(DType dtype, const std::byte* stored, float* row, std::size_t n) {
  if (!has_nan(row, n)) return false;
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  const auto kind = static_cast<std::uint32_t>(dtype) << kind_shift;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isnan(row[i])) continue;
    const std::uint32_t own_sign = std::bit_cast<std::uint32_t>(row[i]) & sign;
    row[i] = std::bit_cast<float>(own_sign | boxed | kind | stored_bits(stored, i, width));
  }
  return true;
}

void unbox_nans(DType dtype, const float* row, std::byte* stored, std::size_t n) {
  if (!has_nan(row, n)) return;
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(row[i]);
    if ((bits & boxed) != boxed ||
        ((bits >> kind_shift) & kind_mask) != static_cast<std::uint32_t>(dtype))
      continue;
    const std::uint32_t inside = bits & bits_mask;
    std::memcpy(stored + i * width, &inside, width);
  }
}

// In float32 tiles there is one NaN of each sign.
void plain_nans(float* row, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(row[i])) row[i] = std::copysign(std::numeric_limits<float>::quiet_NaN(), row[i]);
  }
}

// --- Tiles ---

// Takes the values in use (null: all are) that round to the stored bits.
template <typename Word>
void choose(const std::byte* stored, const std::byte* again, const std::uint8_t* in_use,
            const float* values, float* out, std::size_t n) {
  const auto* is = reinterpret_cast<const Word*>(stored);
  const auto* would_be = reinterpret_cast<const Word*>(again);
  if (in_use == nullptr) {
    for (std::size_t i = 0; i < n; ++i) out[i] = is[i] == would_be[i] ? values[i] : out[i];
  } else {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = in_use[i] != 0 && is[i] == would_be[i] ? values[i] : out[i];
  }
}

numerics::Narrowing rounding(DType dtype, const Execution& execution) {
  return {.overflow = narrowing_of(dtype, execution).overflow};
}

// What a cast that saturates does to values beyond the format: no rounding, but what it means.
void saturate(DType dtype, const numerics::Narrowing& how, float* row, std::size_t n) {
  if (how.overflow != numerics::Overflow::saturate) return;
  const float infinite = std::numeric_limits<float>::infinity();
  const float largest = numerics::to_float(dtype, numerics::from_float(dtype, infinite, how));
  for (std::size_t i = 0; i < n; ++i) {
    row[i] = row[i] > largest ? largest : row[i];  // NaN stays
    row[i] = row[i] < -largest ? -largest : row[i];
  }
}

bool same_bits(const float* a, const float* b, std::size_t n) {
  return std::memcmp(a, b, n * sizeof(float)) == 0;
}

// The tile with its elements side by side from byte `offset` on.
Tile packed(const Tile& tile, std::int64_t offset) {
  Tile result = tile;
  if (is_low_precision(tile.dtype)) result.dtype = DType::float32;
  result.offset = offset;
  std::int32_t step = 1;
  for (std::size_t d = tile.rank; d-- > 0;) {
    result.dims[d].step = step;
    step *= tile.dims[d].count;
  }
  return result;
}

// The values of a tile, as a tile of the memories beside.
Tile beside(const Tile& tile) {
  Tile values = tile;
  values.dtype = DType::float32;
  values.offset = tile.offset / tile.element_bytes() * widest;
  return values;
}

// All of an on-chip tensor, where it lies.
Tile whole(const Program& program, TensorId tensor) {
  Tile tile = bytes_of(program, tensor, DType::uint8);
  tile.partition_start = static_cast<std::uint16_t>(program.tensors[tensor].partition_start);
  tile.offset = program.tensors[tensor].address;
  return tile;
}

int rows_of(const Tile& tile) { return tile.on_chip() ? tile.partitions : 1; }

}  // namespace

bool is_low_precision(DType dtype) {
  return dtype == DType::bfloat16 || dtype == DType::float8_e3m4 || dtype == DType::float8_e4m3 ||
         dtype == DType::float8_e4m3fn || dtype == DType::float8_e5m2;
}

bool has_shadow(const machine::Core& core) {
  return core.policy.low_precision == machine::LowPrecision::float32;
}

Float32Shadow::Stacks Float32Shadow::stacks_beside(const state::Hbm& stack) {
  return {std::make_shared<state::Hbm>(widest * stack.size()),
          std::make_shared<state::Hbm>(widest / 2 * stack.size())};
}

Float32Shadow::Values::Values(const Execution& of, std::int64_t factor,
                              std::shared_ptr<state::Hbm> stack)
    : factor(factor),
      core(larger(of.core, factor), std::move(stack)),
      bases(larger(of.hbm_base, factor)),
      execution{.core = core, .program = of.program, .hbm_base = bases, .machine = of.machine} {}

state::WrittenMap& Float32Shadow::Values::in_use(const Tile& tile) {
  if (tile.space == Space::sbuf) return core.sbuf.written();
  return tile.space == Space::psum ? core.psum.written() : core.hbm->written();
}

std::int64_t Float32Shadow::Values::first(const Tile& tile, int p) const {
  if (!tile.on_chip()) return bases[tile.tensor] / widest;
  const state::Scratchpad& memory = tile.space == Space::sbuf ? core.sbuf : core.psum;
  return memory.flat(tile.partition_start + p, 0) / widest;
}

Float32Shadow::Float32Shadow(const Execution& execution, const Stacks& stacks)
    : values_{Values(execution, widest, stacks[0]), Values(execution, widest / 2, stacks[1])},
      copies_(sizes_of(execution.core, partition_room, partition_room),
              std::make_shared<state::Hbm>(hbm_room)),
      bases_(execution.hbm_base.size(), 0),
      apart_{.core = copies_,
             .program = execution.program,
             .hbm_base = bases_,
             .machine = execution.machine} {}

Float32Shadow::Use Float32Shadow::find_values(const Tile& tile, int p) {
  const state::WrittenMap& in_use = of(tile).in_use(tile);
  const std::int64_t row = of(tile).first(tile, p);
  const auto n = static_cast<std::size_t>(tile.free_elements());
  std::size_t done = 0, used = 0;
  in_use_.resize(n);
  for_each_run(beside(tile), [&](std::int64_t first, std::int64_t bytes) {
    for (std::int64_t at = row + first / widest, end = at + bytes / widest; at < end;) {
      const bool use = in_use.all_written(at, 1);
      const std::int64_t to =
          use ? in_use.first_unwritten(at, end - at) : in_use.first_written(at, end - at);
      const auto like = static_cast<std::size_t>(to - at);
      std::fill_n(in_use_.begin() + static_cast<std::ptrdiff_t>(done), like,
                  static_cast<std::uint8_t>(use));
      done += like;
      used += use ? like : 0;
      at = to;
    }
    return true;
  });
  return used == 0 ? Use::none : used == n ? Use::all : Use::some;
}

bool Float32Shadow::has_values(const Tile& tile) {
  if (!is_low_precision(tile.dtype)) return false;
  const Tile values = beside(tile);
  const std::int64_t count = (values.high_byte() - values.low_byte()) / widest;
  for (int p = 0; p < rows_of(tile); ++p) {
    const std::int64_t first = of(tile).first(tile, p) + values.low_byte() / widest;
    if (of(tile).in_use(tile).first_written(first, count) != first + count) return true;
  }
  return false;
}

void Float32Shadow::load(const Tile& tile, Execution& execution, int p, float* out) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const std::byte* stored = bits(tile, execution, p, stored_);
  numerics::widen(tile.dtype, stored, out, n);
  if (const Use use = find_values(tile, p); use != Use::none) {
    const auto* values =
        reinterpret_cast<const float*>(bits(beside(tile), of(tile).execution, p, wide_));
    again_.resize(n * static_cast<std::size_t>(tile.element_bytes()));
    numerics::narrow(tile.dtype, values, again_.data(), n, rounding(tile.dtype, execution));
    const auto take = tile.element_bytes() == 1 ? choose<std::uint8_t> : choose<std::uint16_t>;
    take(stored, again_.data(), use == Use::all ? nullptr : in_use_.data(), values, out, n);
  }
  if (box_nans(tile.dtype, stored, out, n)) boxes_ = true;
}

void Float32Shadow::store(const Tile& tile, Execution& execution, int p, float* row) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const numerics::Narrowing how = rounding(tile.dtype, execution);
  saturate(tile.dtype, how, row, n);
  stored_.resize(n * static_cast<std::size_t>(tile.element_bytes()));
  numerics::narrow(tile.dtype, row, stored_.data(), n, how);
  unbox_nans(tile.dtype, row, stored_.data(), n);
  store_bits(tile, execution, p, stored_.data());
  rounded_.resize(n);
  numerics::widen(tile.dtype, stored_.data(), rounded_.data(), n);
  Values& values = of(tile);
  const Tile there = beside(tile);
  std::byte* to = place(there, values.execution, p) - there.offset;
  const std::int64_t begin = values.first(tile, p);
  std::size_t done = 0;
  for_each_run(there, [&](std::int64_t first, std::int64_t bytes) {
    for (std::int64_t at = first; at < first + bytes; at += block * widest) {
      const std::int64_t count = std::min(block, (first + bytes - at) / widest);
      const auto size = static_cast<std::size_t>(count);
      if (same_bits(row + done, rounded_.data() + done, size)) {
        values.in_use(tile).forget(begin + at / widest, count);
      } else {
        std::memcpy(to + at, row + done, size * sizeof(float));
        values.in_use(tile).mark(begin + at / widest, count);
        values.any = true;
      }
      done += size;
    }
    return true;
  });
}

void Float32Shadow::forget(Values& values, const Tile& tile) {
  if (tile.on_chip() && !values.any) return;  // other cores store in HBM, too
  state::WrittenMap& in_use = values.in_use(tile);
  const std::int64_t width = widest / values.factor;
  for (int p = 0; p < rows_of(tile); ++p) {
    const std::int64_t begin = values.first(tile, p);
    for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
      const std::int64_t from = first / width, to = base::ceil_div(first + bytes, width);
      in_use.forget(begin + from, to - from);
      return true;
    });
  }
}

void Float32Shadow::forget_written(const InstructionInfo& info, const void* record,
                                   Execution& execution) {
  const auto forget_both = [&](const Tile& tile) {
    for (Values& values : values_) forget(values, tile);
  };
  for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, Access access) {
    if (!writes(access)) return;
    if (tile.dynamic == 0) return forget_both(tile);
    if (info.kind == Kind::dma) return dma::for_each_row(tile, execution, forget_both);
    if (tile.on_chip()) forget_both(whole(execution.program, tile.tensor));
  });
}

bool Float32Shadow::applies(const InstructionInfo& info, const void* record,
                            const Execution& execution) {
  if (info.kind == Kind::control || info.by_format(record, execution.machine)) return false;
  // Where cores meet, both sides do the same, whatever they have.
  const bool is_transfer = info.kind == Kind::dma && info.encounter(record) == Encounter::none;
  bool has_low = false, fits = true, one_dtype = true, has_source_values = false;
  int sources = 0;
  std::int64_t on_chip = 0, hbm = 0;
  std::optional<DType> first;
  for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, Access access) {
    has_low = has_low || is_low_precision(tile.dtype);
    fits = fits && tile.dynamic == 0;
    one_dtype = one_dtype && tile.dtype == first.value_or(tile.dtype);
    first = tile.dtype;
    if (reads(access)) {
      ++sources;
      has_source_values = has_source_values || (is_transfer && has_values(tile));
    }
    (tile.on_chip() ? on_chip : hbm) += base::round_up(tile.free_elements() * widest, line);
  });
  const bool moves_bits = is_transfer && one_dtype && sources == 1 && !has_source_values;
  return has_low && fits && !moves_bits && on_chip <= partition_room && hbm <= hbm_room;
}

// A record whose tiles are packed copies: low precisions as float32.
class Float32Shadow::Widened {
 public:
  Widened(Float32Shadow& shadow, const InstructionInfo& info, const void* record,
          Execution& execution)
      : shadow_(shadow), info_(info), record_(record), execution_(execution) {
    std::memcpy(bytes_, record, info.record_bytes);
    shadow.boxes_ = false;
    for_each_operand_tile(
        info, static_cast<void*>(bytes_), [&](std::size_t, Tile& tile, Access access) {
          const Tile original = tile;
          std::int64_t& next = tile.on_chip() ? on_chip_ : hbm_;
          tile = packed(tile, next);
          next = base::round_up(next + tile.free_elements() * tile.element_bytes(), line);
          const bool is_filled = covers(access) && !reads(access) && info.parts == nullptr;
          if (!is_filled) load(original, tile);
        });
  }
  [[nodiscard]] const void* record() const { return bytes_; }
  [[nodiscard]] std::int64_t hbm_bytes() const { return hbm_; }

  // Stores what the instruction has written.
  void store() {
    for (std::size_t k = 0; k < info_.operands.size(); ++k) {
      const OperandInfo& operand = info_.operands[k];
      if (operand.type != OperandType::tile || !writes(info_.access(record_, k))) continue;
      const Tile& original = operand.in<Tile>(record_);
      if (!original) continue;
      for (Values& values : shadow_.values_) {
        if (!is_low_precision(original.dtype) || &values != &shadow_.of(original))
          shadow_.forget(values, original);
      }
      store(original, operand.in<Tile>(static_cast<const void*>(bytes_)));
    }
  }

 private:
  void load(const Tile& original, const Tile& copy) {
    for (int p = 0; p < rows_of(original); ++p) {
      std::byte* to = place(copy, shadow_.apart_, p);
      if (is_low_precision(original.dtype)) {
        shadow_.load(original, execution_, p, reinterpret_cast<float*>(to));
      } else {
        load_bits(original, execution_, p, to);
      }
    }
  }
  void store(const Tile& original, const Tile& copy) {
    for (int p = 0; p < rows_of(original); ++p) {
      std::byte* from = place(copy, shadow_.apart_, p);
      auto* row = reinterpret_cast<float*>(from);
      if (is_low_precision(original.dtype)) {
        shadow_.store(original, execution_, p, row);
        continue;
      }
      if (original.dtype == DType::float32 && shadow_.boxes_)
        plain_nans(row, static_cast<std::size_t>(original.free_elements()));
      store_bits(original, execution_, p, from);
    }
  }

  Float32Shadow& shadow_;
  const InstructionInfo& info_;
  const void* record_;
  Execution& execution_;
  std::int64_t on_chip_ = 0, hbm_ = 0;
  alignas(std::max_align_t) std::byte bytes_[record_bytes_max];
};

void Float32Shadow::execute(const InstructionInfo& info, const void* record, Execution& execution) {
  if (!applies(info, record, execution)) {
    info.execute(record, execution);
    return forget_written(info, record, execution);
  }
  Widened widened(*this, info, record, execution);
  apart_.engine = execution.engine;
  apart_.received = execution.received;
  try {
    const Lent hidden(execution.core, copies_);
    info.execute(widened.record(), apart_);
  } catch (const base::Fault&) {
    info.execute(record, execution);  // the same Fault, about the tiles as they are
    throw;
  }
  widened.store();
  if (widened.hbm_bytes() > hbm_kept) copies_.hbm = std::make_shared<state::Hbm>(hbm_room);
}

std::vector<std::byte> Float32Shadow::outgoing(const InstructionInfo& info, const void* record,
                                               Execution& execution) {
  if (!applies(info, record, execution)) return info.outgoing(record, execution);
  const Widened widened(*this, info, record, execution);
  apart_.engine = execution.engine;
  const Lent hidden(execution.core, copies_);
  return info.outgoing(widened.record(), apart_);
}

void execute(const InstructionInfo& info, const void* record, Execution& execution) {
  if (execution.shadow == nullptr) return info.execute(record, execution);
  execution.shadow->execute(info, record, execution);
}

std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                Execution& execution) {
  if (execution.shadow == nullptr) return info.outgoing(record, execution);
  return execution.shadow->outgoing(info, record, execution);
}

}  // namespace trainyard::isa
