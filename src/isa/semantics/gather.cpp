#include "isa/semantics/gather.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa::gather {

namespace {

void check_range(const Tile& data, int p, std::int64_t first, std::int64_t length) {
  if (first + length <= data.free_elements()) return;
  throw base::Fault(base::FaultCategory::out_of_bounds,
                    {"gather.bounds", "a gathered index stays inside its row", "",
                     fmt::format("index {} in partition {} of {}", first, p, describe(data)),
                     "check the index data: outside its row the machine's result is undefined"});
}

}  // namespace

void rows(const Tile& dst, const Tile& data, const Tile& indices, Execution& e) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  const auto width = static_cast<std::size_t>(data.element_bytes());
  std::uint32_t* index = elementwise::pattern_row(e.raw[0], n);
  std::vector<std::byte>& out = e.raw[1];
  out.resize(n * width);
  for (int p = 0; p < dst.partitions; ++p) {
    load_patterns(indices, e, p, index);
    const std::byte* from = bits(data, e, p, e.raw[4]);
    for (std::size_t i = 0; i < n; ++i) {
      check_range(data, p, index[i], 1);
      std::memcpy(out.data() + i * width, from + index[i] * width, width);
    }
    store_bits(dst, e, p, out.data());
  }
}

void local(const Tile& dst, const Tile& data, const Tile& index, std::int64_t valid,
           std::int64_t length, Execution& e) {
  const auto rows = static_cast<std::size_t>(group(e.machine));
  const auto columns = static_cast<std::size_t>(index.free_elements());
  const auto n = static_cast<std::size_t>(valid);
  const std::size_t bytes = static_cast<std::size_t>(length * data.element_bytes());
  std::uint32_t* lists = elementwise::pattern_row(e.raw[0], rows * columns);
  std::vector<std::byte>& out = e.raw[1];
  out.resize(n * bytes);
  for (int p = 0; p < dst.partitions; ++p) {
    if (p % static_cast<int>(rows) == 0) {
      for (std::size_t r = 0; r < rows; ++r)
        load_patterns(index, e, p + static_cast<int>(r), lists + r * columns);
    }
    const std::byte* from = bits(data, e, p, e.raw[4]);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t first = lists[i % rows * columns + i / rows];
      check_range(data, p, first, length);
      std::memcpy(out.data() + i * bytes,
                  from + first * static_cast<std::size_t>(data.element_bytes()), bytes);
    }
    store_bits(dst, e, p, out.data());
  }
}

}  // namespace trainyard::isa::gather
