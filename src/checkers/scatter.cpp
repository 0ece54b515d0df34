#include "checkers/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "checks/registry.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/scatter.h"

namespace trainyard::checkers {

namespace {

// What a copy takes to the rows of its destination.
class Rows {
 public:
  Rows(const isa::Copied& copy, std::size_t count, isa::Execution& execution)
      : from_(isa::dma::load(copy.src, isa::OobMode::skip, execution)),
        count_(count),
        width_(static_cast<std::size_t>(copy.src.element_bytes())) {
    elements_ = static_cast<std::size_t>(copy.src.elements()) / count;
    if (copy.src.dtype == copy.dst.dtype) return;
    width_ = static_cast<std::size_t>(copy.dst.element_bytes());
    std::vector<std::byte> cast(count * elements_ * width_);
    isa::convert_moved(copy.src.dtype, from_.bytes.data(), copy.dst.dtype, cast.data(),
                       count * elements_, execution);
    from_.bytes = std::move(cast);
  }

  // A row of the source that is out of bounds moves nothing.
  [[nodiscard]] bool moves(std::size_t row) const {
    return from_.row_present[row * from_.row_present.size() / count_];
  }
  [[nodiscard]] bool alike(std::size_t a, std::size_t b) const {
    const std::size_t bytes = elements_ * width_;
    const std::byte* all = from_.bytes.data();
    return std::equal(all + a * bytes, all + (a + 1) * bytes, all + b * bytes);
  }

 private:
  isa::dma::Elements from_;
  std::size_t count_, width_, elements_ = 0;
};

}  // namespace

void ScatterCheck::apply(std::uint32_t instruction, const isa::InstructionInfo& info,
                         const void* record) {
  if (info.copies == nullptr) return;
  const isa::Copied copy = info.copies(record);
  if (copy.dst.dynamic == 0) return;
  const std::vector<std::int64_t> places = isa::dma::row_indices(copy.dst, execution_);
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return places[row]; });
  const auto same = [&](std::size_t a, std::size_t b) {
    return places[a] == places[b] && places[a] >= 0;
  };
  auto twice = std::ranges::adjacent_find(order, same);
  if (twice == order.end()) return;
  const Rows rows(copy, places.size(), execution_);
  std::erase_if(order, [&](std::size_t row) { return !rows.moves(row); });
  twice = std::ranges::adjacent_find(
      order, [&](std::size_t a, std::size_t b) { return same(a, b) && !rows.alike(a, b); });
  if (twice == order.end()) return;
  findings_.report(
      checks::find("dma.same_row"), program_.instructions[instruction].location,
      program_.tensors[copy.dst.tensor].location, [&] {
        return Findings::Details{
            .found = fmt::format("rows {} and {} of {} both go to row {} of '{}', with different "
                                 "values",
                                 twice[0], twice[1], info.mnemonic, places[twice[0]],
                                 program_.tensors[copy.dst.tensor].name),
            .sides = {history_.side("writes", instruction), history_.created(copy.dst.tensor)}};
      });
}

}  // namespace trainyard::checkers
