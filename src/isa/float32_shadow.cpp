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

namespace trainyard::isa {

namespace {

constexpr std::int64_t widening = sizeof(float);  // of an address, whatever the format's width

// Room for the copies of one instruction's tiles: of a partition, and in HBM.
constexpr std::int64_t partition_room = std::int64_t{8} << 20;
constexpr std::int64_t hbm_room = std::int64_t{8} << 30;
constexpr std::int64_t hbm_kept = std::int64_t{64} << 20;  // more is given back after use

state::CoreSizes sizes_of(const state::Core& core, std::int64_t sbuf, std::int64_t psum) {
  return {.partitions = core.sbuf.partitions(),
          .sbuf_bytes_per_partition = sbuf,
          .psum_bytes_per_partition = psum,
          .registers_per_engine = static_cast<int>(core.registers[0].size()),
          .semaphores = static_cast<int>(core.semaphores.size())};
}

state::CoreSizes value_sizes(const state::Core& core) {
  return sizes_of(core, widening * core.sbuf.bytes_per_partition(),
                  widening * core.psum.bytes_per_partition());
}

std::vector<std::int64_t> widened(std::span<const std::int64_t> bases) {
  std::vector<std::int64_t> result;
  for (const std::int64_t base : bases) result.push_back(base < 0 ? base : base * widening);
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
// float32 they keep their bits: a quiet NaN that holds them, and whose they are.
constexpr std::uint32_t boxed = 0x7FE00000, kind_shift = 16, kind_mask = 31, bits_mask = 0xFFFF;

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

void box_nans(DType dtype, const std::byte* stored, float* row, std::size_t n) {
  if (!has_nan(row, n)) return;
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  const auto kind = static_cast<std::uint32_t>(dtype) << kind_shift;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(row[i]))
      row[i] = std::bit_cast<float>(boxed | kind | stored_bits(stored, i, width));
  }
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

// In float32 tiles there is one NaN.
void plain_nans(float* row, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(row[i])) row[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

// --- Tiles ---

// Takes the value where it rounds to the stored bits.
template <typename Word>
void choose(const std::byte* stored, const std::byte* again, const float* values, float* out,
            std::size_t n) {
  const auto* is = reinterpret_cast<const Word*>(stored);
  const auto* would_be = reinterpret_cast<const Word*>(again);
  for (std::size_t i = 0; i < n; ++i) out[i] = is[i] == would_be[i] ? values[i] : out[i];
}

numerics::Narrowing rounding(DType dtype, const Execution& execution) {
  return {.overflow = narrowing_of(dtype, execution).overflow};
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

// Whether steps between its values are numbers that a tile can hold.
bool has_near_elements(const Tile& tile) {
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / tile.element_bytes();
  return std::ranges::all_of(tile.free(),
                             [&](const Dim& dim) { return std::abs(std::int64_t{dim.step}) <= most; });
}

int rows_of(const Tile& tile) { return tile.on_chip() ? tile.partitions : 1; }

template <typename F>
void for_each_tile_access(const InstructionInfo& info, const void* record, F&& f) {
  for (std::size_t k = 0; k < info.operands.size(); ++k) {
    const OperandInfo& operand = info.operands[k];
    const Access access =
        operand.type == OperandType::tile ? info.access(record, k) : Access::read;
    for_each_tile_of(operand, record, [&](const Tile& tile) { f(tile, access); });
  }
}

}  // namespace

bool is_low_precision(DType dtype) {
  return dtype == DType::bfloat16 || dtype == DType::float8_e3m4 || dtype == DType::float8_e4m3 ||
         dtype == DType::float8_e4m3fn || dtype == DType::float8_e5m2;
}

std::shared_ptr<state::Hbm> Float32Shadow::make_hbm(const state::Hbm& stack) {
  return std::make_shared<state::Hbm>(widening * stack.size());
}

Float32Shadow::Float32Shadow(const Execution& execution, std::shared_ptr<state::Hbm> hbm)
    : values_(value_sizes(execution.core), std::move(hbm)),
      copies_(sizes_of(execution.core, partition_room, partition_room),
              std::make_shared<state::Hbm>(hbm_room)),
      value_bases_(widened(execution.hbm_base)),
      copy_bases_(execution.hbm_base.size(), 0),
      beside_{.core = values_,
              .program = execution.program,
              .hbm_base = value_bases_,
              .machine = execution.machine},
      apart_{.core = copies_,
             .program = execution.program,
             .hbm_base = copy_bases_,
             .machine = execution.machine} {}

// The values of a tile, as a tile.
Tile Float32Shadow::beside(const Tile& tile) const {
  Tile values = tile;
  values.dtype = DType::float32;
  values.offset *= widening;
  for (Dim& dim : values.dims) dim.step *= static_cast<std::int32_t>(tile.element_bytes());
  return values;
}

bool Float32Shadow::has_values(const Tile& tile) const {
  if (tile.on_chip()) return true;
  const std::int64_t first = value_bases_[tile.tensor] + tile.low_byte() * widening;
  const std::int64_t count = (tile.high_byte() - tile.low_byte()) * widening;
  return values_.hbm->written().first_written(first, count) != first + count;
}

void Float32Shadow::load(const Tile& tile, Execution& execution, int p, float* out) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  const std::byte* stored = bits(tile, execution, p, stored_);
  numerics::widen(tile.dtype, stored, out, n);
  if (has_values(tile)) {
    const auto* values =
        reinterpret_cast<const float*>(bits(beside(tile), beside_, p, wide_));
    again_.resize(n * static_cast<std::size_t>(tile.element_bytes()));
    numerics::narrow(tile.dtype, values, again_.data(), n, rounding(tile.dtype, execution));
    const auto take = tile.element_bytes() == 1 ? choose<std::uint8_t> : choose<std::uint16_t>;
    take(stored, again_.data(), values, out, n);
  }
  box_nans(tile.dtype, stored, out, n);
}

void Float32Shadow::store(const Tile& tile, Execution& execution, int p, const float* row) {
  const auto n = static_cast<std::size_t>(tile.free_elements());
  stored_.resize(n * static_cast<std::size_t>(tile.element_bytes()));
  numerics::narrow(tile.dtype, row, stored_.data(), n, rounding(tile.dtype, execution));
  unbox_nans(tile.dtype, row, stored_.data(), n);
  store_bits(tile, execution, p, stored_.data());
  const Tile values = beside(tile);
  store_bits(values, beside_, p, reinterpret_cast<const std::byte*>(row));
  if (!tile.on_chip()) {
    values_.hbm->written().mark(value_bases_[tile.tensor] + values.low_byte(),
                                values.high_byte() - values.low_byte());
  }
}

void Float32Shadow::forget(const InstructionInfo& info, const void* record) {
  for_each_tile_access(info, record, [&](const Tile& tile, Access access) {
    if (!writes(access) || !is_low_precision(tile.dtype) || tile.dynamic != 0 || !has_values(tile))
      return;
    const Tile values = beside(tile);
    wide_.assign(static_cast<std::size_t>(values.free_elements() * values.element_bytes()),
                 std::byte{0});
    for (int p = 0; p < rows_of(tile); ++p) store_bits(values, beside_, p, wide_.data());
  });
}

bool Float32Shadow::applies(const InstructionInfo& info, const void* record,
                            const Execution& execution) const {
  if (info.kind == Kind::control || info.by_format(record, execution.machine)) return false;
  bool has_low = false, fits = true, moves = info.kind == Kind::dma;
  std::int64_t on_chip = 0, hbm = 0;
  std::optional<DType> moved;
  for_each_tile_access(info, record, [&](const Tile& tile, Access access) {
    has_low = has_low || is_low_precision(tile.dtype);
    fits = fits && tile.dynamic == 0 && has_near_elements(tile);
    moves = moves && (!reads(access) || !has_values(tile)) && tile.dtype == moved.value_or(tile.dtype);
    moved = tile.dtype;
    (tile.on_chip() ? on_chip : hbm) += tile.free_elements() * widening;
  });
  if (info.encounter(record) != Encounter::none) moves = false;  // both sides do the same
  return has_low && fits && !moves && on_chip <= partition_room && hbm <= hbm_room;
}

// A record whose tiles are packed copies: low precisions as float32.
class Float32Shadow::Widened {
 public:
  Widened(Float32Shadow& shadow, const InstructionInfo& info, const void* record,
          Execution& execution)
      : shadow_(shadow), info_(info), record_(record), execution_(execution) {
    std::memcpy(bytes_, record, info.record_bytes);
    for (std::size_t k = 0; k < info.operands.size(); ++k) {
      const OperandInfo& operand = info.operands[k];
      const Access access =
          operand.type == OperandType::tile ? info.access(record, k) : Access::read;
      for_each_tile_of(operand, static_cast<void*>(bytes_), [&](Tile& tile) {
        const Tile original = tile;
        std::int64_t& next = tile.on_chip() ? on_chip_ : hbm_;
        tile = packed(tile, next);
        next = base::round_up(next + tile.free_elements() * tile.element_bytes(), line);
        if (reads(access) || !covers(access)) load(original, tile);
      });
    }
  }
  [[nodiscard]] const void* record() const { return bytes_; }
  [[nodiscard]] std::int64_t hbm_bytes() const { return hbm_; }

  // Stores what the instruction has written.
  void store() {
    for (std::size_t k = 0; k < info_.operands.size(); ++k) {
      const OperandInfo& operand = info_.operands[k];
      if (operand.type != OperandType::tile || !writes(info_.access(record_, k))) continue;
      const Tile& original = operand.in<Tile>(record_);
      if (original) store(original, operand.in<Tile>(static_cast<const void*>(bytes_)));
    }
  }

 private:
  static constexpr std::int64_t line = 64;

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
      const auto n = static_cast<std::size_t>(original.free_elements());
      if (original.dtype == DType::float32 && has_nan(row, n)) plain_nans(row, n);
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

void Float32Shadow::execute(const InstructionInfo& info, const void* record,
                            Execution& execution) {
  if (!applies(info, record, execution)) {
    info.execute(record, execution);
    return forget(info, record);
  }
  Widened widened(*this, info, record, execution);
  apart_.engine = execution.engine;
  apart_.received = execution.received;
  {
    const Lent hidden(execution.core, copies_);
    info.execute(widened.record(), apart_);
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
