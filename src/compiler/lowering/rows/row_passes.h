// The passes of a row plan as instructions, on one band of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/rows/row_blends.h"
#include "compiler/lowering/rows/row_plan.h"
#include "compiler/lowering/rows/row_shares.h"
#include "compiler/lowering/tiles/column_sums.h"
#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

// The tiles of one band, by value.
// What the array multiplies with, of one core.
struct RowMatrices {
  explicit RowMatrices(Emitter& emitter) : shares(emitter), diagonals(emitter) {}
  void begin() {
    shares.begin();
    diagonals.begin();
  }
  ShareSums shares;
  Diagonals diagonals;
};

class RowBand {
 public:
  // `slices`: of its columns, which passes go through one after the other where they can.
  RowBand(const RowPlan& plan, Emitter& emitter, ColumnSums& column_sums, RowMatrices& matrices,
          std::int64_t rows, std::int64_t columns, int slices)
      : plan_(plan),
        emitter_(emitter),
        column_sums_(column_sums),
        matrices_(matrices),
        rows_(rows),
        columns_(columns),
        slices_(slices),
        tiles_(plan.values.size()) {}

  // From here on: the row's columns from `column` on, as its piece `piece` in that sweep.
  struct Piece {
    std::int64_t number = 0, of = 1, column = 0, columns = 0;
    int sweep = 0;
  };
  void begin(const Piece& piece) {
    piece_ = piece;
    columns_ = piece.columns;
  }
  // The reductions of all pieces of a sweep, of a row of so many columns, as values.
  void finish(const RowSweep& sweep, std::int64_t columns);

  // An input's tile.
  void set(RowValueId value, const isa::Tile& tile);
  [[nodiscard]] isa::Tile tile(RowValueId value) const {
    return of_row(*tiles_.at(value).own, plan_.values[value].is_full);
  }
  void emit(const RowStep& step);
  // Part of an early step: of the product's columns from `column` on.
  void emit(const RowStep& step, const isa::Tile& sums, std::int64_t column);

 private:
  struct Tiles {
    std::optional<isa::Tile> own{};               // in the value's format
    std::optional<isa::Tile> wide{};              // of one element a row: in float32
    std::optional<isa::Tile> pieces{}, maxima{};  // of a reduction: by piece
  };

  void emit_once(const RowStep& step);
  // Of a value's columns, or of its numbers: those of all rows of a partition, or of the one at
  // hand.
  [[nodiscard]] std::int64_t width(bool is_full) const {
    const std::int64_t rows = row_ ? 1 : plan_.stacked;
    return is_full ? columns_ / plan_.stacked * rows : rows;
  }
  [[nodiscard]] isa::Tile of_row(const isa::Tile& tile, bool is_full) const {
    return row_ ? part(tile, 0, rows_, *row_ * width(is_full), width(is_full)) : tile;
  }
  // One number a row, on each of its columns.
  [[nodiscard]] isa::Tile along_rows(const isa::Tile& numbers) const;
  // Calls f(engine, of) for each part of a step, where of(tile) is the part of a tile.
  template <typename F>
  void for_each_part(const RowStep& step, F&& f) const;
  [[nodiscard]] TileMath math(RowValueId value) const;
  [[nodiscard]] isa::Tile fresh(RowValueId value);
  // Where a reduction puts the value: in pieces, its piece's.
  [[nodiscard]] isa::Tile reduced(RowValueId value, isa::DType dtype);
  // As much for each piece as one element, or more, in a tile for all of them.
  [[nodiscard]] isa::Tile piece_of(RowValueId value, isa::DType dtype, std::int64_t elements);
  // What its exponentials are less: the piece's maximum, finite.
  [[nodiscard]] isa::Tile local_maximum(const RowStep& step);
  [[nodiscard]] bool is_reduced_here(const RowStep& step) const {
    return !plan_.is_swept() || step.stage == piece_.sweep;
  }
  // One float32 a row.
  [[nodiscard]] isa::Tile column(RowValueId value);
  // On as many elements as `like` has.
  [[nodiscard]] isa::Tile spread(RowValueId value, RowValueId like);
  [[nodiscard]] isa::Scalar scalar(const RowOperand& operand);
  [[nodiscard]] isa::Scalar negated(const RowOperand& operand);

  void operators(const RowStep& step, isa::Engine engine, const isa::Tile& dst,
                 const isa::Tile& data);
  void activate(const RowStep& step, isa::Engine engine, const isa::Tile& dst,
                const isa::Tile& data);
  // `sum`: where the step's sum goes; nowhere, if it is not wanted.
  void activate(const RowStep& step, isa::Engine engine, const isa::Tile& dst,
                const isa::Tile& data, const isa::Tile& sum);
  // By several engines, each of which sums its columns.
  void activate_in_parts(const RowStep& step, const isa::Tile& dst, const isa::Tile& data);
  void reduce(const RowStep& step);
  void reduce(const isa::Tile& dst, numerics::AluOp how, const isa::Tile& data);
  void moments(const RowStep& step);
  void moments_of(const RowStep& step, const isa::Tile& statistics, std::int64_t columns);
  void rescale(const RowStep& step);
  void blend(const RowStep& step);
  void other(const RowStep& step);

  const RowPlan& plan_;
  Emitter& emitter_;
  ColumnSums& column_sums_;
  RowMatrices& matrices_;
  std::int64_t rows_, columns_;
  int slices_;
  Piece piece_{};
  std::optional<std::int64_t> row_{};  // of those of a partition, the one at hand
  std::vector<Tiles> tiles_;
};

}  // namespace trainyard::compiler
