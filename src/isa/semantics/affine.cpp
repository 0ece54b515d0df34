#include "isa/semantics/affine.h"

namespace trainyard::isa::affine {

std::int64_t elements(const Pattern& pattern) {
  std::int64_t n = 1;
  for (const Dim& dim : pattern.span()) n *= dim.count;
  return n;
}

void fill(const Pattern& pattern, std::int32_t offset, std::vector<std::int32_t>& values) {
  values.assign(1, offset);
  // Each dimension repeats what the slower ones made so far, element by element.
  for (const Dim& dim : pattern.span()) {
    const std::vector<std::int32_t> slower = values;
    values.clear();
    values.reserve(slower.size() * static_cast<std::size_t>(dim.count));
    for (const std::int32_t base : slower) {
      for (std::int32_t i = 0; i < dim.count; ++i)
        values.push_back(add(base, multiply(i, dim.step)));
    }
  }
}

}  // namespace trainyard::isa::affine
