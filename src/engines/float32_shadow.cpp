#include "engines/float32_shadow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "engines/float32_shadow_rows.h"
#include "isa/core/runs.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/rows.h"
#include "isa/views/view.h"
#include "machine/core.h"

namespace trainyard::engines {

using namespace values_beside;

namespace {

// Room for the copies of one instruction's tiles that are apart: of a partition, and in HBM.
constexpr std::int64_t partition_room = std::int64_t{4} << 20;
constexpr std::int64_t hbm_room = std::int64_t{1} << 30;
constexpr std::int64_t line = 64;                         // they begin at multiples of
constexpr std::int64_t hbm_kept = std::int64_t{4} << 20;  // more is given back after use

state::CoreSizes sizes_of(const state::Core& core, std::int64_t sbuf, std::int64_t psum) {
  return {.partitions = core.sbuf.partitions(),
          .sbuf_bytes_per_partition = sbuf,
          .psum_bytes_per_partition = psum,
          .registers_per_engine = static_cast<int>(core.registers[0].size())};
}

state::CoreSizes larger(const state::Core& core, std::int64_t factor) {
  return sizes_of(core, factor * (core.sbuf.bytes_per_partition() - Float32Shadow::room),
                  factor * (core.psum.bytes_per_partition() - Float32Shadow::room));
}

std::vector<std::int64_t> larger(std::span<const std::int64_t> bases, std::int64_t factor) {
  std::vector<std::int64_t> result;
  for (const std::int64_t base : bases) result.push_back(base < 0 ? base : base * factor);
  return result;
}

// State that is no tile: a core of copies has the real one while it runs an instruction.
class Lent {
 public:
  Lent(state::Core& from, state::Core& to) : from_(from), to_(to) { exchange(); }
  ~Lent() { exchange(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  void exchange() {
    if (&from_ == &to_) return;
    std::swap(from_.registers, to_.registers);
    std::swap(from_.vector_accumulator, to_.vector_accumulator);
    std::swap(from_.scalar_accumulator, to_.scalar_accumulator);
    std::swap(from_.vector_prng, to_.vector_prng);
    std::swap(from_.gpsimd_prng, to_.gpsimd_prng);
    std::swap(from_.rounding_prng, to_.rounding_prng);
  }
  state::Core& from_;
  state::Core& to_;
};

// In float32 tiles there is one NaN of each sign.
void plain_nans(float* row, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(row[i])) row[i] = std::copysign(std::numeric_limits<float>::quiet_NaN(), row[i]);
  }
}

// --- Tiles ---

// The tile with its elements side by side from byte `offset` on.
isa::Tile packed(const isa::Tile& tile, std::int64_t offset) {
  isa::Tile result = tile;
  if (is_low_precision(tile.dtype)) result.dtype = isa::DType::float32;
  result.offset = offset;
  result.dynamic = 0;
  std::int32_t step = 1;
  for (std::size_t d = tile.rank; d-- > 0;) {
    result.dims[d].step = step;
    step *= tile.dims[d].count;
  }
  return result;
}

int rows_of(const isa::Tile& tile) { return tile.on_chip() ? tile.partitions : 1; }

// The rows of a region that an index list chooses in HBM, all of them inside its tensor; none where
// one is not, or where it is no such region.
std::vector<isa::Tile> chosen_rows(const isa::Tile& tile, isa::Execution& execution) {
  std::vector<isa::Tile> rows;
  if (tile.on_chip() || tile.dynamic == 0 || tile.rank == 0) return rows;
  isa::dma::for_each_row(tile, execution, [&](const isa::Tile& row) { rows.push_back(row); });
  if (static_cast<std::int64_t>(rows.size()) != tile.dims[0].count) rows.clear();
  return rows;
}

}  // namespace

bool is_low_precision(isa::DType dtype) {
  return dtype == isa::DType::bfloat16 || dtype == isa::DType::float8_e3m4 ||
         dtype == isa::DType::float8_e4m3 || dtype == isa::DType::float8_e4m3fn ||
         dtype == isa::DType::float8_e5m2;
}

bool has_shadow(const machine::Core& core) {
  return core.policy.low_precision == machine::LowPrecision::float32;
}

Float32Shadow::Stacks Float32Shadow::stacks_beside(const state::Hbm& stack) {
  return {std::make_shared<state::Hbm>(widest * stack.size()),
          std::make_shared<state::Hbm>(widest / 2 * stack.size())};
}

Float32Shadow::Values::Values(const isa::Execution& of, std::int64_t factor,
                              std::shared_ptr<state::Hbm> stack)
    : factor(factor),
      core(larger(of.core, factor), std::move(stack)),
      bases(larger(of.hbm_base, factor)),
      execution{.core = core,
                .program = of.program,
                .hbm_base = bases,
                .machine = of.machine,
                .rank = of.rank} {}

state::WrittenMap& Float32Shadow::Values::in_use(const isa::Tile& tile) {
  if (tile.space == isa::Space::sbuf) return core.sbuf.written();
  return tile.space == isa::Space::psum ? core.psum.written() : core.hbm->written();
}

std::int64_t Float32Shadow::Values::first(const isa::Tile& tile, int p) const {
  if (!tile.on_chip()) return bases[tile.tensor] / widest;
  const state::Scratchpad& memory = tile.space == isa::Space::sbuf ? core.sbuf : core.psum;
  return memory.flat(tile.partition_start + p, 0) / widest;
}

Float32Shadow::Float32Shadow(const isa::Execution& execution, const Stacks& stacks)
    : values_{Values(execution, widest, stacks[0]), Values(execution, widest / 2, stacks[1])},
      copies_(sizes_of(execution.core, partition_room, partition_room),
              std::make_shared<state::Hbm>(hbm_room)),
      bases_(execution.hbm_base.size(), 0),
      apart_{.core = copies_,
             .program = execution.program,
             .hbm_base = bases_,
             .machine = execution.machine,
             .rank = execution.rank} {}

bool Float32Shadow::Values::any_between(const isa::Tile& tile, int p) {
  const std::int64_t width = widest / factor;
  const std::int64_t from = tile.low_byte() / width, to = base::ceil_div(tile.high_byte(), width);
  const std::int64_t begin = first(tile, p) + from, count = to - from;
  return in_use(tile).first_written(begin, count) != begin + count;
}

// f(first, count) of the values of a tile that may be in use, side by side; stops when f returns
// false.
template <typename F>
void Float32Shadow::Values::for_each_run(const isa::Tile& tile, isa::Execution& of, F&& f) {
  const std::int64_t width = widest / factor;
  const isa::DynamicAddress* list = list_of(tile, of.program);
  const isa::Tile flat = simplified(tile);
  bool more = true;
  for (int p = 0; p < rows_of(tile) && more; ++p) {
    if (list == nullptr && tile.on_chip() && !any_between(tile, p)) continue;
    const std::int64_t begin = first(tile, p);
    const auto one = [&](std::int64_t byte, std::int64_t bytes) {
      const std::int64_t from = byte / width;
      return more = f(begin + from, base::ceil_div(byte + bytes, width) - from);
    };
    if (list == nullptr) {
      isa::for_each_run(flat, one);
      continue;
    }
    for_each_picked(tile, *list, of, p, [&](std::int64_t element) {
      return one(tile.offset + element * tile.element_bytes(), tile.element_bytes());
    });
  }
}

bool Float32Shadow::has_values(const isa::Tile& tile, isa::Execution& execution) {
  if (!is_low_precision(tile.dtype) || !of(tile).any(tile)) return false;
  if (tile.dynamic != 0 && !tile.on_chip()) {
    return std::ranges::any_of(chosen_rows(tile, execution),
                               [&](const isa::Tile& row) { return has_values(row, execution); });
  }
  if (tile.on_chip() && tile.dynamic == 0) {
    for (int p = 0; p < rows_of(tile); ++p) {
      if (of(tile).any_between(tile, p)) return true;
    }
    return false;
  }
  bool found = false;
  of(tile).for_each_run(tile, execution, [&](std::int64_t first, std::int64_t count) {
    found = of(tile).in_use(tile).first_written(first, count) != first + count;
    return !found;
  });
  return found;
}

void Float32Shadow::forget(Values& values, const isa::Tile& tile, isa::Execution& execution) {
  if (!values.any(tile)) return;
  state::WrittenMap& in_use = values.in_use(tile);
  values.for_each_run(tile, execution, [&](std::int64_t first, std::int64_t count) {
    in_use.forget(first, count);
    return true;
  });
}

void Float32Shadow::forget_written(const isa::InstructionInfo& info, const void* record,
                                   isa::Execution& execution) {
  const auto forget_both = [&](const isa::Tile& tile) {
    for (Values& values : values_) forget(values, tile, execution);
  };
  for_each_operand_tile(info, record, [&](std::size_t, const isa::Tile& tile, isa::Access access) {
    if (!writes(access)) return;
    if (tile.dynamic == 0 || list_of(tile, execution.program) != nullptr) return forget_both(tile);
    isa::dma::for_each_row(tile, execution, forget_both);
  });
}

Float32Shadow::Plan Float32Shadow::plan_of(const isa::InstructionInfo& info, const void* record,
                                           isa::Execution& execution) {
  Plan plan;
  if (info.kind == isa::Kind::control) return plan;
  bool has_low = false, writes_low = false, reads_values = false, fits = true, one_dtype = true;
  int sources = 0;
  unsigned number = 0;
  std::int64_t low = 0, on_chip = 0, hbm = 0;  // bytes of copies
  std::optional<isa::DType> first;
  for_each_operand_tile(info, record, [&](std::size_t, const isa::Tile& tile, isa::Access access) {
    const bool is_low = is_low_precision(tile.dtype);
    has_low = has_low || is_low;
    writes_low = writes_low || (is_low && writes(access));
    one_dtype = one_dtype && tile.dtype == first.value_or(tile.dtype);
    first = tile.dtype;
    plan.apart = plan.apart || !tile.on_chip();
    fits = fits && (tile.dynamic == 0 || list_of(tile, execution.program) != nullptr ||
                    !chosen_rows(tile, execution).empty());
    if (reads(access)) {
      ++sources;
      const bool has = is_low && has_values(tile, execution);
      reads_values = reads_values || has;
      if (is_low && !has) plan.exact |= std::uint64_t{1} << number;
    }
    const std::int64_t bytes = base::round_up(tile.free_elements() * widest, line);
    (tile.on_chip() ? on_chip : hbm) += bytes;
    if (is_low) low += bytes;
    ++number;
  });
  if (!has_low || !fits || on_chip > partition_room || hbm > hbm_room ||
      (info.by_format != nullptr && info.by_format(record, execution.machine)))
    return plan;
  plan.apart = plan.apart || low > room;
  // Where cores meet, both sides do the same, whatever they have.
  const bool moves = info.kind == isa::Kind::dma && one_dtype && sources == 1;
  plan.on_copies =
      reads_values || (writes_low && !moves) || info.encounter(record) != isa::Encounter::none;
  return plan;
}

// A record whose tiles of low precision are packed float32 copies.
class Float32Shadow::Copies {
 public:
  Copies(Float32Shadow& shadow, const Plan& plan, const isa::InstructionInfo& info,
         const void* record, isa::Execution& execution)
      : shadow_(shadow),
        plan_(plan),
        info_(info),
        record_(record),
        execution_(execution),
        place_(plan.apart ? shadow.apart_ : execution),
        is_product_(info.spread(record) == isa::Spread::products) {
    std::memcpy(bytes_, record, info.record_bytes);
    shadow.boxes_ = false;
    if (plan.apart) {
      place_.engine = execution.engine;
      place_.received = execution.received;
      place_.shared_sum = execution.shared_sum;
    } else {
      next(isa::Space::sbuf) = execution.core.sbuf.bytes_per_partition() - room;
      next(isa::Space::psum) = execution.core.psum.bytes_per_partition() - room;
    }
    unsigned number = 0;
    for_each_operand_tile(info, static_cast<void*>(bytes_),
                          [&](std::size_t, isa::Tile& tile, isa::Access access) {
                            if (is_copied(tile, access, number++)) copy(tile, access);
                          });
  }
  [[nodiscard]] const void* record() const { return bytes_; }
  [[nodiscard]] isa::Execution& execution() const { return place_; }
  [[nodiscard]] std::int64_t hbm_bytes() const {
    return next_[static_cast<std::size_t>(isa::Space::hbm)];
  }

  // Stores what the instruction has written.
  void store() {
    for (std::size_t k = 0; k < info_.operands.size(); ++k) {
      const isa::OperandInfo& operand = info_.operands[k];
      if (!operand.is<isa::Tile>() || !writes(info_.access(record_, k))) continue;
      const isa::Tile& original = operand.in<isa::Tile>(record_);
      if (!original) continue;
      for (Values& values : shadow_.values_) {
        if (!is_low_precision(original.dtype) || &values != &shadow_.of(original))
          forget(values, original, execution_);
      }
      store(original, operand.in<isa::Tile>(static_cast<const void*>(bytes_)));
    }
  }

 private:
  [[nodiscard]] std::int64_t& next(isa::Space space) {
    return next_[static_cast<std::size_t>(space)];
  }

  // Products take each operand in its own format.
  [[nodiscard]] bool is_copied(const isa::Tile& tile, isa::Access access, unsigned number) const {
    if (plan_.apart) return true;
    const bool is_exact = ((plan_.exact >> number) & 1) != 0;
    return is_low_precision(tile.dtype) && !(is_product_ && !writes(access) && is_exact);
  }

  void copy(isa::Tile& tile, isa::Access access) {
    const isa::Tile original = tile;
    std::int64_t& at = next(tile.space);
    tile = packed(tile, at);
    at = base::round_up(at + tile.free_elements() * tile.element_bytes(), line);
    const bool is_filled = covers(access) && !reads(access) && info_.parts == nullptr;
    if (is_filled) return;
    for_each_part(original, tile, [&](const isa::Tile& part, std::byte* to, std::ptrdiff_t stride) {
      load(part, to, stride);
    });
  }

  void store(const isa::Tile& original, const isa::Tile& copy) {
    if (original.dtype == isa::DType::float32 && shadow_.boxes_) store_plain_nans(copy);
    if (!plan_.apart && !is_low_precision(original.dtype)) return;
    for_each_part(original, copy,
                  [&](const isa::Tile& part, std::byte* from, std::ptrdiff_t stride) {
                    store(part, from, stride);
                  });
  }

  // f(part, its first byte in the copy, bytes from row to row there) for a tile, or for each row
  // that an index list chooses in HBM.
  template <typename F>
  void for_each_part(const isa::Tile& original, const isa::Tile& copy, F&& f) {
    std::byte* at = place(copy, place_, 0);
    if (original.on_chip() || original.dynamic == 0)
      return f(original, at, partition_stride(copy, place_));
    for (const isa::Tile& row : chosen_rows(original, execution_)) {
      f(row, at, 0);
      at += row.free_elements() * copy.element_bytes();
    }
  }

  void load(const isa::Tile& tile, std::byte* to, std::ptrdiff_t stride) {
    if (!is_low_precision(tile.dtype)) {
      for (int p = 0; p < rows_of(tile); ++p) load_bits(tile, execution_, p, to + p * stride);
      return;
    }
    Rows rows(shadow_, tile, execution_);
    for (int p = 0; p < rows_of(tile); ++p) rows.load(p, reinterpret_cast<float*>(to + p * stride));
  }

  void store(const isa::Tile& tile, std::byte* from, std::ptrdiff_t stride) {
    if (!is_low_precision(tile.dtype)) {
      for (int p = 0; p < rows_of(tile); ++p) store_bits(tile, execution_, p, from + p * stride);
      return;
    }
    Rows rows(shadow_, tile, execution_);
    for (int p = 0; p < rows_of(tile); ++p)
      rows.store(p, reinterpret_cast<float*>(from + p * stride));
  }

  void store_plain_nans(const isa::Tile& tile) {
    shadow_.wide_.resize(static_cast<std::size_t>(tile.free_elements()));
    float* row = shadow_.wide_.data();
    for (int p = 0; p < rows_of(tile); ++p) {
      load_bits(tile, place_, p, reinterpret_cast<std::byte*>(row));
      plain_nans(row, shadow_.wide_.size());
      store_bits(tile, place_, p, reinterpret_cast<const std::byte*>(row));
    }
  }

  Float32Shadow& shadow_;
  const Plan& plan_;
  const isa::InstructionInfo& info_;
  const void* record_;
  isa::Execution& execution_;
  isa::Execution& place_;  // where the copies are
  const bool is_product_;
  std::array<std::int64_t, 4> next_{};  // free byte by Space
  alignas(std::max_align_t) std::byte bytes_[isa::record_bytes_max];
};

void Float32Shadow::execute(const isa::InstructionInfo& info, const void* record,
                            isa::Execution& execution) {
  const Plan plan = plan_of(info, record, execution);
  if (!plan.on_copies) {
    info.execute(record, execution);
    return forget_written(info, record, execution);
  }
  Copies copies(*this, plan, info, record, execution);
  try {
    const Lent hidden(execution.core, copies.execution().core);
    info.execute(copies.record(), copies.execution());
  } catch (const base::Fault&) {
    info.execute(record, execution);  // the same Fault, about the tiles as they are
    throw;
  }
  copies.store();
  if (copies.hbm_bytes() > hbm_kept) copies_.hbm = std::make_shared<state::Hbm>(hbm_room);
}

std::vector<std::byte> Float32Shadow::outgoing(const isa::InstructionInfo& info, const void* record,
                                               isa::Execution& execution) {
  const Plan plan = plan_of(info, record, execution);
  if (!plan.on_copies) return info.outgoing(record, execution);
  const Copies copies(*this, plan, info, record, execution);
  const Lent hidden(execution.core, copies.execution().core);
  return info.outgoing(copies.record(), copies.execution());
}

}  // namespace trainyard::engines
