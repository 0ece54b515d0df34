#include "compiler/lowering/reductions/running_pieces.h"

#include <array>
#include <span>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/window.h"
#include "isa/instructions/tensor_tensor_scan.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

// Elements of a row, below which it takes no longer than what pieces cost beside it.
constexpr std::int64_t long_row = 16384;
// Of so many rows side by side the elements are brought together on chip.
constexpr std::int64_t running_columns_max = 64;

// Every n-th element of a tile's rows, from the first one on.
Tile every_nth(Tile tile, std::int64_t first, std::int64_t n) {
  const std::int64_t count = tile.free_elements() / n;
  tile = part(tile, 0, tile.partitions, first, tile.free_elements() - first);
  tile.rank = 1;
  tile.dims[0] = {static_cast<std::int32_t>(n), static_cast<std::int32_t>(count)};
  return tile;
}

class RunInPieces {
 public:
  RunInPieces(Emitter& emitter, AluOp op, const Strided& from, const Strided& to, std::size_t dim)
      : emitter_(emitter), op_(op), from_(from), to_(to), dim_(dim) {
    const std::span<const Extent> dims(from.dims);
    rows_ = product(dims.first(dim));
    columns_ = product(dims.subspan(dim + 1));
    count_ = dims[dim].size;
  }

  [[nodiscard]] bool pays() const {
    const std::int64_t partitions = emitter_.core().sbuf.partitions;
    return 2 * rows_ <= partitions && columns_ <= running_columns_max &&
           rows_ * columns_ <= partitions && count_ * columns_ >= long_row &&
           count_ >= 2 * partitions;
  }

  void run() {
    length_ = base::ceil_div(count_, emitter_.core().sbuf.partitions / rows_);
    pieces_ = count_ / length_;
    const std::array<std::int64_t, 2> begins{rows_ * pieces_, columns_}, ends{rows_, columns_};
    const Strided before = dense(emitter_.hbm(DType::float32, begins), DType::float32, begins),
                  behind = dense(emitter_.hbm(DType::float32, ends), DType::float32, ends);
    const std::int64_t left = count_ % length_;
    run_along_pieces(reduced(cut(from_, 0, pieces_, length_)), before, behind);
    run_from(before, 0, pieces_, length_);
    if (left > 0) run_from(behind, pieces_ * length_, 1, left);
  }

 private:
  // [rows, pieces] by [a piece, columns], from `begin` on.
  [[nodiscard]] Matrix cut(const Strided& value, std::int64_t begin, std::int64_t pieces,
                           std::int64_t length) const {
    Strided made = value;
    const Extent steps = value.dims[dim_];
    made.offset += begin * steps.step;
    made.dims[dim_] = {length, steps.step};
    made.dims.insert(made.dims.begin() + static_cast<std::ptrdiff_t>(dim_),
                     {pieces, steps.step * length});
    return matrix_of(made, dim_ + 1);
  }

  [[nodiscard]] std::vector<Window> windows_of(const Matrix& matrix) const {
    const std::int64_t width = std::max<std::int64_t>(tile_columns / columns_, 1) * columns_;
    return windows(product(matrix.rows), product(matrix.columns), emitter_.core().sbuf.partitions,
                   width);
  }

  [[nodiscard]] Tile loaded(const Matrix& from, const Window& window) const {
    const Tile data = emitter_.sbuf(from.dtype, window.rows, window.columns);
    load(emitter_, from, window, data);
    return data;
  }

  // What each piece is, reduced: [rows * pieces, columns].
  [[nodiscard]] Tile reduced(const Matrix& from) const {
    const TileMath math(emitter_, rows_ * pieces_, columns_);
    std::optional<Tile> all;
    for (const Window& window : windows_of(from)) {
      const Tile some = reduce_columns(emitter_, op_, loaded(from, window), columns_);
      all = all ? math.tensor(math.fresh(DType::float32), *all, op_, some) : some;
    }
    return *all;
  }

  // dst[i] = dst[i - 1] op data[i], from `initial` on.
  void scan(const Tile& dst, const Tile& data, const Tile& ones, const Tile& initial) const {
    emitter_.emit(
        isa::TensorTensorScan{.dst = dst,
                              .data0 = part(ones, 0, data.partitions, 0, data.free_elements()),
                              .data1 = data,
                              .initial = {.tile = initial},
                              .op0 = AluOp::multiply,
                              .op1 = op_});
  }

  // What is before each piece, and behind the last one of each row.
  void run_along_pieces(const Tile& totals, const Strided& before, const Strided& behind) const {
    const std::array<std::int64_t, 2> shape{rows_ * pieces_, columns_};
    const Strided scratch = dense(emitter_.hbm(DType::float32, shape), DType::float32, shape);
    const Window all{0, rows_ * pieces_, 0, columns_};
    store(emitter_, totals, matrix_of(scratch, 1), all);
    const std::int64_t series = rows_ * columns_;
    const auto by_row = [&](const Strided& value) {
      return Matrix{value.tensor,
                    value.dtype,
                    value.offset,
                    {{rows_, pieces_ * columns_}, {columns_, 1}},
                    {{pieces_, columns_}}};
    };
    const Tile of_pieces = loaded(by_row(scratch), {0, series, 0, pieces_});
    const TileMath one(emitter_, series, 1), math(emitter_, series, pieces_);
    const Tile sums = emitter_.sbuf(DType::float32, series, pieces_ + 1);
    const Tile first = part(sums, 0, series, 0, 1);
    one.copy(first, one.filled(DType::float32, *identity_of(op_)));
    scan(part(sums, 0, series, 1, pieces_), of_pieces, math.filled(DType::float32, 1), first);
    store(emitter_, part(sums, 0, series, 0, pieces_), by_row(before), {0, series, 0, pieces_});
    const Matrix ends{behind.tensor, behind.dtype, behind.offset, {{series, 1}}, {{1, 1}}};
    store(emitter_, part(sums, 0, series, pieces_, 1), ends, {0, series, 0, 1});
  }

  // Along pieces, from what is before them.
  void run_from(const Strided& before, std::int64_t begin, std::int64_t pieces,
                std::int64_t length) const {
    const Matrix read = cut(from_, begin, pieces, length), write = cut(to_, begin, pieces, length);
    const std::int64_t height = rows_ * pieces;
    std::vector<Tile> last;  // of each column
    const Tile begins = loaded(matrix_of(before, 1), {0, height, 0, columns_});
    for (std::int64_t j = 0; j < columns_; ++j) last.push_back(part(begins, 0, height, j, 1));
    const std::vector<Window> all = windows_of(read);
    const Tile ones =
        TileMath(emitter_, height, all.front().columns / columns_).filled(DType::float32, 1);
    for (const Window& window : all) {
      const Tile data = loaded(read, window);
      const TileMath math(emitter_, window.rows, window.columns);
      const Tile sums = math.fresh(DType::float32);
      for (std::int64_t j = 0; j < columns_; ++j) {
        scan(every_nth(sums, j, columns_), every_nth(data, j, columns_), ones,
             last[static_cast<std::size_t>(j)]);
        last[static_cast<std::size_t>(j)] = part(sums, 0, height, window.columns - columns_ + j, 1);
      }
      store(emitter_, to_.dtype == DType::float32 ? sums : math.copy(math.fresh(to_.dtype), sums),
            write, window);
    }
  }

  Emitter& emitter_;
  AluOp op_;
  const Strided &from_, &to_;
  std::size_t dim_;
  std::int64_t rows_ = 1, columns_ = 1, count_ = 1;
  std::int64_t length_ = 1, pieces_ = 1;
};

}  // namespace

bool run_in_pieces(Emitter& emitter, AluOp op, const Strided& from, const Strided& to,
                   std::size_t dim) {
  RunInPieces pieces(emitter, op, from, to, dim);
  if (!pieces.pays()) return false;
  pieces.run();
  return true;
}

}  // namespace trainyard::compiler
