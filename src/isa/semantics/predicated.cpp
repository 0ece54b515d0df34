#include "isa/semantics/predicated.h"

#include "isa/semantics/rows.h"
#include "numerics/pattern_rows.h"

namespace trainyard::isa::predicated {

namespace {

// Whether writing `dst` element by element changes none of `source` that is still to be read.
bool are_apart(const Tile& dst, const Tile& source) {
  if (dst.space != source.space) return true;
  return dst.high_byte() <= source.low_byte() || source.high_byte() <= dst.low_byte();
}

}  // namespace

bool copy_rows(const Tile& dst, const Tile& src, const Tile& predicate, bool reversed,
               Execution& execution) {
  const auto width = static_cast<std::size_t>(dst.element_bytes());
  const auto mask_width = static_cast<std::size_t>(predicate.element_bytes());
  if (width > 4 || mask_width > width || src.dtype != dst.dtype) return false;
  for (const Tile* tile : {&dst, &src, &predicate}) {
    if (tile->dynamic != 0 || !dense(*tile)) return false;
  }
  if (!are_apart(dst, src) || !are_apart(dst, predicate)) return false;
  const auto n = static_cast<std::size_t>(dst.free_elements());
  std::byte* to = place(dst, execution, 0);
  const std::byte* from = place(src, execution, 0);
  const std::byte* mask = place(predicate, execution, 0);
  for (int p = 0; p < dst.partitions; ++p) {
    const std::byte* other = from + p * partition_stride(src, execution);
    std::byte* row = to + p * partition_stride(dst, execution);
    numerics::select_patterns(width, mask_width, mask + p * partition_stride(predicate, execution),
                              reversed ? row : other, reversed ? other : row, row, n);
  }
  return true;
}

}  // namespace trainyard::isa::predicated
