// Sums down columns of which each of two cores has a half: both lie in HBM until they are added.
#pragma once

#include <cstdint>

#include "compiler/lowering/tiles/column_sums.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

class ColumnHalves {
 public:
  // `sums`: how many; none takes no memory.
  ColumnHalves(Emitter& emitter, std::int64_t sums, std::int64_t columns);

  void store(ColumnSums& sums, int index, std::uint8_t half);
  // Both halves of a sum, added: [1, columns] in SBUF.
  [[nodiscard]] isa::Tile added(int index, isa::DType dtype) const;

 private:
  [[nodiscard]] Window window(int index, std::int64_t half) const;

  Emitter& emitter_;
  std::int64_t columns_;
  Matrix place_{};  // [sums, 2, columns]
};

}  // namespace trainyard::compiler
