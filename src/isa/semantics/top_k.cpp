#include "isa/semantics/top_k.h"

#include <algorithm>

namespace trainyard::isa::top_k {

namespace {

struct Element {
  float value;
  std::uint32_t bits, index;
};

bool less(float a, float b) { return a < b || (b != b && a == a); }
bool equal(float a, float b) { return !less(a, b) && !less(b, a); }

bool taken_before(const Element& a, const Element& b) {
  return equal(a.value, b.value) ? a.index < b.index : less(b.value, a.value);
}
bool written_before(const Element& a, const Element& b) {
  return equal(a.value, b.value) ? a.index < b.index : less(a.value, b.value);
}

// Writes results r, r + group, ... below k over the first elements of row p; the others stay.
void replace_row(const Tile& tile, int p, Execution& e, const std::vector<Element>& list, int r,
                 std::int64_t k, std::int64_t group, std::uint32_t Element::*what) {
  std::vector<std::uint32_t> row(static_cast<std::size_t>(tile.free_elements()));
  load_patterns(tile, e, p, row.data());
  for (std::int64_t j = r; j < k; j += group)
    row[static_cast<std::size_t>(j / group)] = list[static_cast<std::size_t>(j)].*what;
  store_patterns(tile, e, p, row.data());
}

}  // namespace

void groups(const Tile& values, const Tile& indices, const Tile& src, std::int64_t n,
            std::int64_t group, Execution& e) {
  const auto k = values.free_elements();
  std::vector<Element> list(static_cast<std::size_t>(n));
  std::vector<std::uint32_t> patterns(static_cast<std::size_t>(src.free_elements()));
  for (int first = 0; first < src.partitions; first += static_cast<int>(group)) {
    for (int r = 0; r < group; ++r) {
      const float* row = floats(src, e, first + r, e.rows[0]);
      load_patterns(src, e, first + r, patterns.data());
      for (std::int64_t i = r; i < n; i += group) {
        list[static_cast<std::size_t>(i)] = {row[i / group],
                                             patterns[static_cast<std::size_t>(i / group)],
                                             static_cast<std::uint32_t>(i)};
      }
    }
    std::nth_element(list.begin(), list.begin() + (k - 1), list.end(), taken_before);
    std::sort(list.begin(), list.begin() + k, written_before);
    for (int r = 0; r < std::min(group, k); ++r) {
      replace_row(values, first + r, e, list, r, k, group, &Element::bits);
      replace_row(indices, first + r, e, list, r, k, group, &Element::index);
    }
  }
}

}  // namespace trainyard::isa::top_k
