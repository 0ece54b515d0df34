#include "compiler/lowering/sorts/rank_sort.h"

#include <limits>

#include "base/units.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_reduce.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

constexpr std::int64_t passes = 6;  // over a row for each element of a partition
constexpr std::int64_t start = 64;  // cycles that a pass takes beside its elements

// Numbers to compare, and where they stand; NaN as infinities that stand behind all others.
struct Keys {
  Tile keys, places;
};

class Ranks {
 public:
  Ranks(Emitter& emitter, const Matrix& row, const Matrix& counting)
      : emitter_(emitter),
        columns_(row.columns.front().size),
        partitions_(emitter.core().sbuf.partitions),
        own_(columns_ / partitions_),
        all_(emitter, partitions_, columns_),
        one_(emitter, partitions_, own_),
        counted_(loaded(everywhere(counting))),
        stand_(loaded(divided(counting))),
        whole_(prepared(loaded(everywhere(row)), counted_, all_)),
        part_(prepared(loaded(divided(row)), stand_, one_)) {}

  [[nodiscard]] Tile order() {
    const Tile ranks = one_.fresh(DType::float32);
    isa::IntList axis;
    axis.push_back(1);
    for (std::int64_t i = 0; i < own_; ++i) {
      emitter_.emit(isa::TensorReduce{.dst = part(ranks, 0, partitions_, i, 1),
                                      .op = AluOp::add,
                                      .data = before(i),
                                      .axis = axis});
    }
    return inverse(ranks);
  }

 private:
  // The row on every partition, and a part of it on each.
  [[nodiscard]] Matrix everywhere(const Matrix& row) const {
    return {row.tensor, row.dtype, row.offset, {{partitions_, 0}}, row.columns};
  }
  [[nodiscard]] Matrix divided(const Matrix& row) const {
    const std::int64_t step = row.columns.front().step;
    return {row.tensor, row.dtype, row.offset, {{partitions_, own_ * step}}, {{own_, step}}};
  }
  [[nodiscard]] Tile loaded(const Matrix& from) const {
    const std::int64_t columns = from.columns.front().size;
    const Tile tile = emitter_.sbuf(from.dtype, partitions_, columns);
    load(emitter_, from, {0, partitions_, 0, columns}, tile);
    return tile;
  }

  [[nodiscard]] Keys prepared(const Tile& data, const Tile& places, const TileMath& math) const {
    if (!numerics::is_float(data.dtype)) {
      const DType dtype = is_word(data.dtype) ? data.dtype : DType::float32;
      return {math.copy(math.fresh(dtype), data), places};
    }
    const Tile keys = math.copy(math.fresh(DType::float32), data);
    const Tile is_nan = math.tensor(math.fresh(DType::float32), data, AluOp::not_equal, data);
    math.put(keys, math.filled(DType::float32, std::numeric_limits<double>::infinity()),
             math.copy(math.fresh(DType::uint8), is_nan));
    const Tile later = math.scalar(math.fresh(DType::float32), is_nan, AluOp::multiply,
                                   static_cast<double>(columns_));
    return {keys, math.tensor(math.fresh(DType::float32), places, AluOp::add, later)};
  }

  // 1 where the row's element is before element i of the partition's.
  [[nodiscard]] Tile before(std::int64_t i) const {
    const Tile less = compared(AluOp::less, i), same = compared(AluOp::equal, i);
    const Tile earlier = all_.column(all_.fresh(DType::bfloat16), whole_.places, AluOp::less,
                                     part(part_.places, 0, partitions_, i, 1));
    const Tile tied = all_.tensor(all_.fresh(DType::bfloat16), same, AluOp::multiply, earlier);
    return all_.tensor(all_.fresh(DType::bfloat16), tied, AluOp::add, less);
  }
  [[nodiscard]] Tile compared(AluOp how, std::int64_t i) const {
    Tile key = part(part_.keys, 0, partitions_, i, 1);
    const Tile answer = all_.fresh(DType::bfloat16);
    if (!is_word(key.dtype)) return all_.column(answer, whole_.keys, how, key);
    key.dims[0] = {0, static_cast<std::int32_t>(columns_)};
    const Tile exact = all_.tensor(all_.fresh(DType::int32), whole_.keys, how, key);  // on GpSimd
    return all_.copy(answer, exact);
  }

  // The element of each rank: the array picks the one number of a column that is not 0.
  [[nodiscard]] Tile inverse(const Tile& ranks) const {
    const std::int64_t bank = emitter_.core().psum.bank_size.value / 4;
    const Tile order = emitter_.sbuf(DType::uint32, 1, columns_);
    for (std::int64_t at = 0; at < columns_; at += bank) {
      const std::int64_t width = std::min(bank, columns_ - at);
      const TileMath math(emitter_, partitions_, width);
      const Tile sums = emitter_.psum(DType::float32, 1, width);
      for (std::int64_t i = 0; i < own_; ++i) {
        emitter_.emit(isa::NcMatmul{
            .dst = sums,
            .stationary = part(stand_, 0, partitions_, i, 1),
            .moving =
                math.column(math.fresh(DType::float32), part(counted_, 0, partitions_, at, width),
                            AluOp::equal, part(ranks, 0, partitions_, i, 1)),
            .accumulate = i == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
      }
      TileMath(emitter_, 1, width).copy(part(order, 0, 1, at, width), sums);
    }
    return order;
  }

  Emitter& emitter_;
  std::int64_t columns_, partitions_, own_;
  TileMath all_, one_;
  Tile counted_, stand_;
  Keys whole_, part_;
};

}  // namespace

std::optional<std::int64_t> rank_cycles(std::int64_t rows, std::int64_t columns,
                                        const machine::Core& core) {
  const std::int64_t partitions = core.sbuf.partitions;
  if (columns % partitions != 0) return std::nullopt;
  return rows * (columns / partitions) * passes * (columns + start);
}

Tile order_by_ranks(Emitter& emitter, const Matrix& row, const Matrix& counting) {
  return Ranks(emitter, row, counting).order();
}

}  // namespace trainyard::compiler
