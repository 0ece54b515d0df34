#include "isa/semantics/top_k.h"

#include <algorithm>

namespace trainyard::isa::top_k {

namespace {

struct Element {
  float value;
  std::uint32_t index;
};

bool less(float a, float b) { return a < b || (b != b && a == a); }
bool equal(float a, float b) { return !less(a, b) && !less(b, a); }

bool taken_before(const Element& a, const Element& b) {
  return equal(a.value, b.value) ? a.index < b.index : less(b.value, a.value);
}
bool written_before(const Element& a, const Element& b) {
  return equal(a.value, b.value) ? a.index < b.index : less(a.value, b.value);
}

}  // namespace

void groups(const Tile& values, const Tile& indices, const Tile& src, std::int64_t n,
            std::int64_t group, Execution& e) {
  const auto k = values.free_elements();
  std::vector<Element> list(static_cast<std::size_t>(n));
  std::vector<float> value(static_cast<std::size_t>(k));
  std::vector<std::uint32_t> index(static_cast<std::size_t>(k));
  for (int first = 0; first < src.partitions; first += static_cast<int>(group)) {
    for (int r = 0; r < group; ++r) {
      const float* row = floats(src, e, first + r, e.rows[0]);
      for (std::int64_t i = r; i < n; i += group)
        list[static_cast<std::size_t>(i)] = {row[i / group], static_cast<std::uint32_t>(i)};
    }
    std::nth_element(list.begin(), list.begin() + (k - 1), list.end(), taken_before);
    std::sort(list.begin(), list.begin() + k, written_before);
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = list[i].value;
      index[i] = list[i].index;
    }
    for (int r = 0; r < group; ++r) {
      store_floats(values, e, first + r, value.data());
      store_patterns(indices, e, first + r, index.data());
    }
  }
}

}  // namespace trainyard::isa::top_k
