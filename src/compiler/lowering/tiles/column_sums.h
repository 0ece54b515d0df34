// Sums down the rows of values that pass by band after band: the tensor engine adds each band to
// PSUM as a product with ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "compiler/lowering/emit/emitter.h"

namespace trainyard::compiler {

class ColumnSums {
 public:
  ColumnSums(Emitter& emitter, std::int64_t columns) : emitter_(emitter), columns_(columns) {}

  // How many sums of so many columns there can be at a time.
  [[nodiscard]] static int most(std::int64_t columns, const machine::Core& core);

  // Forgets sums that another core has.
  void begin();
  // Adds a band [rows, columns from `first` on] to sum `index`, each row times its weight [rows, 1]
  // where there are any, of the band's type.
  void add(int index, const isa::Tile& band, std::int64_t first = 0, const isa::Tile& weights = {});
  // The sum as a tile [1, columns] in SBUF.
  [[nodiscard]] isa::Tile take(int index, isa::DType dtype);

 private:
  struct Place {
    std::int64_t lane;
    isa::Tile tile;
  };
  // As a column of the band's type.
  [[nodiscard]] isa::Tile ones(isa::DType dtype);
  // The sums of the columns from `column` on, as far as they lie side by side.
  [[nodiscard]] Place place(int index, std::int64_t column);

  Emitter& emitter_;
  std::int64_t columns_;
  isa::Tile all_{};
  std::map<isa::DType, isa::Tile> ones_;
  std::set<std::pair<int, std::int64_t>> begun_;  // sums, by column
};

}  // namespace trainyard::compiler
