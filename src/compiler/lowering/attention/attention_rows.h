// An operand of attention whose rows are on chip with all batches that lie side by side in them,
// as the heads of a token do: where they lie already, or by one transfer for all. The array turns
// them there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/attention/attention_bands.h"
#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

class AttentionRows {
 public:
  // `value`: with its dimensions as AttentionShape lists them, the sizes of the first in `outer`.
  AttentionRows(Segment& segment, Strided value, std::span<const std::int64_t> outer);

  // Whether a row's elements follow each other.
  [[nodiscard]] bool is_in_runs() const { return value_.dims.back().step == 1; }
  // How many batches share a row.
  [[nodiscard]] std::int64_t batches_of_row() const { return width_ / depth(); }
  // Of a partition, what the rows of these batches take.
  [[nodiscard]] std::int64_t bytes() const;
  // Whether a batch's rows lie on chip.
  [[nodiscard]] bool is_resident(std::int64_t batch) const;
  // Of these rows with all batches that share them. `dims`: which dimension of the whole value each
  // one is.
  [[nodiscard]] Layout layout(std::span<const std::int64_t> dims) const;
  struct Place {
    std::int64_t row = 0, column = 0;
  };
  // Where a batch begins in that layout.
  [[nodiscard]] Place place(std::int64_t batch) const;

  // Another core comes next, which has nothing on chip.
  void forget();
  // So many rows from block * partitions on: [rows, depth].
  [[nodiscard]] isa::Tile block(std::int64_t batch, std::int64_t block);
  [[nodiscard]] std::int64_t blocks() const;
  // All rows: [depth, rows]. `copies`: says which engine copies the array's results. Where batches
  // `share` partitions, each tile begins at the partition that its place in the row says.
  using Copies = std::function<isa::Engine(const isa::Tile& from)>;
  [[nodiscard]] isa::Tile turned(std::int64_t batch, const Copies& copies, bool share);

 private:
  [[nodiscard]] std::int64_t depth() const { return value_.dims.back().size; }
  [[nodiscard]] std::int64_t rows() const { return value_.dims[value_.dims.size() - 2].size; }
  [[nodiscard]] Window window(const Place& place, std::int64_t block, std::int64_t columns) const;
  [[nodiscard]] isa::Tile block(const Place& place, std::int64_t block, std::int64_t columns);

  Segment& segment_;
  Strided value_;
  std::vector<std::int64_t> outer_;
  std::vector<bool> is_side_by_side_;  // of the first dimensions
  Matrix matrix_;
  std::int64_t width_ = 0;  // columns of the matrix
  std::int64_t partitions_;
  std::map<std::pair<std::int64_t, std::int64_t>, isa::Tile> held_;    // by row and block
  std::map<std::pair<std::int64_t, std::int64_t>, isa::Tile> turned_;  // by row and column
};

// All three operands by rows.
struct OperandRows {
  // Where the array turns as few as there are, and each operand lies on chip or brings several
  // batches with one transfer, and there is room.
  [[nodiscard]] static std::optional<OperandRows> of(Segment& segment, const AttentionShape& shape,
                                                     const Strided& queries, const Strided& keys,
                                                     const Strided& values);
  // Batches are turned together where each one's queries and keys come to lie on the same
  // partitions.
  bool share_partitions = false;
  AttentionRows queries, keys, values;
  [[nodiscard]] std::array<AttentionRows*, 3> all() { return {&queries, &keys, &values}; }
  void forget() {
    for (AttentionRows* const each : all()) each->forget();
  }
};

// The results of batches that share rows, which leave together.
class AttentionResults {
 public:
  // Into a sink of that layout.
  AttentionResults(Segment& segment, AttentionRows rows, Sink& sink)
      : segment_(segment), rows_(std::move(rows)), sink_(sink) {}

  // These bands come next, from one core.
  void expect(std::span<const AttentionBand> bands);
  // Where a band's result is wanted: [rows, columns].
  [[nodiscard]] isa::Tile place(const AttentionBand& band, std::int64_t columns);
  // It is there.
  void done(const AttentionBand& band);

 private:
  struct Row {
    int left = 0;  // bands
    isa::Tile tile{};
    std::int64_t begin = 0, end = 0;  // columns
  };
  [[nodiscard]] std::int64_t row_of(const AttentionBand& band) const {
    return rows_.place(band.batch).row + band.row;
  }
  Segment& segment_;
  AttentionRows rows_;
  Sink& sink_;
  std::map<std::int64_t, Row> left_;
};

}  // namespace trainyard::compiler
