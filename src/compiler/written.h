// Which elements of one PSUM tensor a program has written so far. It knows neither loops nor
// engines.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/program.h"
#include "isa/core/region.h"

namespace trainyard::compiler {

class Written {
 public:
  Written(const isa::Program& program, isa::TensorId tensor);

  // The parts of `tile` that were not written, as tiles; `tile` itself when none of it was.
  [[nodiscard]] std::vector<isa::Tile> missing(const isa::Tile& tile);
  void mark(const isa::Tile& tile);
  void clear(const isa::Tile& tile);

  // The tile, or the whole tensor for one whose address is only known at run time.
  [[nodiscard]] isa::Tile reach(const isa::Tile& tile) const;

 private:
  // A cell is two bytes of a partition, the smallest element of PSUM.
  void build_cells();
  void set_cells(const isa::Tile& tile, bool written);
  [[nodiscard]] bool written(const isa::Tile& tile, std::int64_t offset, int partition) const;

  const isa::Program& program_;
  isa::TensorId tensor_;
  // Equal regions, the common case, are recognised without looking at cells; those are made when
  // first needed.
  std::vector<isa::Region> regions_;
  std::vector<isa::Tile> tiles_;
  std::int64_t cells_per_partition_ = 0;
  std::vector<bool> cells_;
};

}  // namespace trainyard::compiler
