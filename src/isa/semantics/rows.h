// Rows of a tile as fp32 with the addressing decided once per instruction: how elementwise
// instructions walk all partitions. Computes nothing.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "isa/semantics/execution.h"

namespace trainyard::isa {

// True when the elements of a row lie side by side where the tile itself says.
[[nodiscard]] bool dense(const Tile& tile);
// Host bytes from one partition's row of an on-chip tile to the next one's.
[[nodiscard]] std::ptrdiff_t partition_stride(const Tile& tile, const Execution& execution);

// Row p of a tile, widened: in place for contiguous float32, else in `scratch`.
class SourceRows {
 public:
  SourceRows(const Tile& tile, Execution& execution, std::vector<float>& scratch);
  [[nodiscard]] const float* operator[](int p) const {
    return in_place_ ? reinterpret_cast<const float*>(base_ + p * stride_) : widened(p);
  }
  [[nodiscard]] bool in_place() const { return in_place_; }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }  // of rows in place, in bytes

 private:
  [[nodiscard]] const float* widened(int p) const;

  const Tile& tile_;
  Execution& execution_;
  std::vector<float>& scratch_;
  std::size_t elements_ = 0;
  std::ptrdiff_t stride_ = 0;        // bytes from one partition to the next
  const std::byte* base_ = nullptr;  // null: the elements are apart
  bool in_place_ = false;
};

// Where the fp32 results of row p are computed: in place for contiguous float32, else in `scratch`.
// Never in place over a source that is only partly the same bytes: an instruction reads a whole row
// before it writes it, whatever the width of the host's vectors.
class ResultRows {
 public:
  ResultRows(const Tile& tile, Execution& execution, std::vector<float>& scratch,
             std::initializer_list<const Tile*> sources);
  [[nodiscard]] float* operator[](int p);
  // Casts what was computed and stores it: one row, or `rows` of them from row `first` on, which
  // lie `stride` bytes apart.
  void store(int p, const float* row);
  void store(int first, int rows, const float* row, std::ptrdiff_t stride);

 private:
  const Tile& tile_;
  Execution& execution_;
  std::vector<float>& scratch_;
  std::size_t elements_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::byte* base_ = nullptr;
  bool in_place_ = false;
};

// The accumulators of the lanes that `tile`'s rows run through.
[[nodiscard]] std::span<float> lanes(std::vector<float>& accumulators, const Tile& tile);
// Casts one value per partition and stores it in a [P, 1] tile.
void store_column(const Tile& column, Execution& execution, std::span<const float> values);

}  // namespace trainyard::isa
